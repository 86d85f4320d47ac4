package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

var (
	routeListLabels  = get("list the private labels", reseller+"/private-labels")
	routeProvision   = post("provision the private label", reseller+"/private-labels", sentOnce)
	routeGetLabel    = get("read the private label", privateLabel)
	routeDeprovision = remove("deprovision the private label", privateLabel, sentOnce)
	routeSuspend     = post("suspend the private label", privateLabel+"/suspend", repeatable)
	routeUnsuspend   = post("lift the suspension of the private label", privateLabel+"/unsuspend", repeatable)
	routeAttach      = post("attach the host name of the private label", privateLabel+"/domain/attach", repeatable)
	routeTemplates   = get("list the templates of the private label", privateLabel+"/templates")
)

// ListPrivateLabels returns all private labels with the figures of a period (§4.8): "YYYY-MM", "lifetime", or "" for
// the current month. A response without a list, or one that contradicts itself, is an error: read as an empty list, it would
// show that no private label exists.
func (c *Client) ListPrivateLabels(ctx context.Context, period string) (*PrivateLabelList, error) {
	list, err := fetch(ctx, c, routeListLabels.query("period", period), readLabels)
	if err != nil {
		return nil, err
	}
	problem := checkPeriod(period, list.Period)
	switch count := list.ProvisionedCount; {
	case len(list.PrivateLabels) > 0 || count == nil || *count == 0:
	case list.PrivateLabels == nil:
		problem = errNotFound("privateLabels")
	default:
		problem = fmt.Errorf("the response has no privateLabels beside a provisionedCount of %d", *count)
	}
	if problem != nil {
		return nil, &ContradictoryError{transport.Unreadable(routeListLabels.Op, http.StatusOK, problem.Error())}
	}
	return list, nil
}

// ContradictoryError is a list of private labels that contradicts itself, or is about another period than was asked for. It
// proves nothing about a private label that it lacks.
type ContradictoryError struct{ Err error }

func (e *ContradictoryError) Error() string {
	return e.Err.Error()
}

func (e *ContradictoryError) Unwrap() error {
	return e.Err
}

func readLabels(data json.RawMessage) (*PrivateLabelList, error) {
	list, err := whole[PrivateLabelList](data)
	if err == nil && list.PrivateLabels == nil && list.ProvisionedCount == nil {
		err = errNotFound("privateLabels")
	}
	return list, err
}

// periodForm is the form of a period (§2.1).
var periodForm = regexp.MustCompile(`^(\d{4}-\d{2}|lifetime)$`)

// checkPeriod returns an error if a response has the figures of another period than the one that was asked for.
func checkPeriod(asked, shown string) error {
	if asked != "" && asked != shown && periodForm.MatchString(shown) {
		return fmt.Errorf("the response is about the period %s", shown)
	}
	return nil
}

// GetPrivateLabel returns the detail of a private label (§4.10). A private label that is not live returns 400
// INVALID_TARGET, one of another reseller 403 FORBIDDEN. Neither proves absence; the list does.
func (c *Client) GetPrivateLabel(ctx context.Context, labelID string) (*PrivateLabel, error) {
	return fetch(ctx, c, routeGetLabel.withIDs(labelID), whole[PrivateLabel])
}

// ProvisionPrivateLabel provisions a private label and emails its owner (§4.9). It takes effect at most once: if the
// response is lost, the list shows the outcome (§7.4), and a private label in it with this host name and owner is
// returned. No package is sent: exceeding the allowance would need a confirmation, which this endpoint does not accept.
//
// The private label exists even if its host name could not be attached, see DomainSetup. Error codes: HOST_TAKEN,
// HOST_RESERVED, DOMAIN_INVALID, INVALID_COLOR, INVALID_URL, TOO_MANY_SOCIAL_LINKS (more than 20), OWNER_INVALID_EMAIL,
// OWNER_INVALID_NAME and INVALID_REQUEST.
func (c *Client) ProvisionPrivateLabel(ctx context.Context, req ProvisionRequest) (made *Provisioned, o transport.Outcome) {
	o = transport.Settle(ctx, c.caller.Patience(), transport.Write{
		Op:      routeProvision.Op,
		Subject: req.Domain,
		Send: func(ctx context.Context) (o transport.Outcome) {
			made, o = write(ctx, c, routeProvision.with(req.body()), req.Domain, whole[Provisioned])
			return o
		},
		Read: func(ctx context.Context) (seen transport.Outcome, err error) {
			made, seen, err = c.findProvisioned(ctx, req)
			return seen, err
		},
		Resend:         true,
		IsConflict:     func(err error) bool { return transport.IsCode(err, CodeHostTaken) },
		ConflictDetail: hostTaken,
	})
	return made, o
}

// body returns the body of §4.9; empty fields are omitted.
func (r ProvisionRequest) body() map[string]any {
	config := map[string]string{}
	maps.Copy(config, r.SocialLinks)
	maps.Copy(config, map[string]string{ // a social link never replaces a field
		"domain": transport.SentHost(r.Domain), "appName": r.AppName, "supportUrl": r.SupportURL, "websiteUrl": r.WebsiteURL,
		"colorPrimary": r.ColorPrimary, "colorAccent": r.ColorAccent,
	})
	maps.DeleteFunc(config, func(_, value string) bool { return value == "" })
	return map[string]any{"owner": r.Owner, "config": config}
}

// findProvisioned searches the list for the private label of a request. The host name alone proves nothing: the owner
// must be the one of the request.
func (c *Client) findProvisioned(ctx context.Context, req ProvisionRequest) (found *Provisioned, seen transport.Outcome, err error) {
	list, err := c.ListPrivateLabels(ctx, "")
	if err != nil {
		return nil, seen, err
	}
	at := slices.IndexFunc(list.PrivateLabels, func(l PrivateLabelSummary) bool { return l.HasHost(req.Domain) })
	if at < 0 {
		return nil, transport.SeenIf(false), nil
	}
	detail, err := c.GetPrivateLabel(ctx, list.PrivateLabels[at].TenantID)
	switch {
	case MayBeGone(err): // one of the two reads may be older than the other
		seen.Seen = "The list shows a private label with this host name, but the API rejects reading it."
		return nil, seen, nil
	case err != nil:
		return nil, seen, err
	case detail.Owner == nil || FoldEmail(detail.Owner.Email) != FoldEmail(req.Owner.Email):
		return nil, transport.Outcome{State: transport.Different, Seen: otherOwner(detail, req.Owner.Email), Reason: ReasonMadeByOther}, nil
	}
	found = &Provisioned{TenantID: detail.TenantID, OwnerUserID: detail.Owner.UserID, DomainSetup: detail.DomainSetup}
	return found, transport.SeenIf(true), nil
}

// DeprovisionPrivateLabel permanently deletes a private label and its host name (§4.12). It is believed when a later list
// lacks the private label and its detail is rejected. The caller must have seen it in the list of this reseller: 403 FORBIDDEN
// and 400 INVALID_TARGET prove nothing, since the API sends both for a private label that no longer exists and for one of
// another reseller.
func (c *Client) DeprovisionPrivateLabel(ctx context.Context, labelID string) transport.Outcome {
	return transport.Settle(ctx, c.caller.Patience(), transport.Write{
		Op:      routeDeprovision.Op,
		Subject: labelID,
		Send: func(ctx context.Context) transport.Outcome {
			return writeOnly(ctx, c, routeDeprovision.withIDs(labelID), labelID)
		},
		Read: func(ctx context.Context) (seen transport.Outcome, err error) {
			list, err := c.ListPrivateLabels(ctx, "")
			if err != nil {
				return seen, err
			}
			if slices.ContainsFunc(list.PrivateLabels, func(l PrivateLabelSummary) bool { return l.TenantID == labelID }) {
				return transport.SeenIf(false), nil
			}
			if _, err = c.GetPrivateLabel(ctx, labelID); err != nil && !MayBeGone(err) {
				return seen, err
			}
			return transport.SeenIf(err != nil), nil
		},
		Proven:     true,
		Resend:     true,
		IsConflict: MayBeGone,
	})
}

// SuspendPrivateLabel suspends a private label (§4.13). The reason may be empty; more than 500 characters return 400
// INVALID_REQUEST. An existing suspension, also one by the platform, stays unchanged.
func (c *Client) SuspendPrivateLabel(ctx context.Context, labelID, reason string) (*Suspension, transport.Outcome) {
	body := struct {
		Reason string `json:"reason,omitempty"`
	}{reason}
	return write(ctx, c, routeSuspend.withIDs(labelID).with(body), labelID, whole[Suspension])
}

// UnsuspendPrivateLabel lifts the reseller's suspension (§4.14). A suspension by the platform returns 400
// SUSPENDED_BY_PLATFORM.
func (c *Client) UnsuspendPrivateLabel(ctx context.Context, labelID string) (*Suspension, transport.Outcome) {
	return write(ctx, c, routeUnsuspend.withIDs(labelID), labelID, whole[Suspension])
}

// Attached is the response of §4.11.
type Attached struct {
	DomainSetup *DomainSetup `json:"domainSetup" required:"true"`
}

// AttachDomain attaches the host name of a private label (§4.11). It has no effect on one that is attached. Success
// shows nothing about DNS, see DomainSetup.Verified.
func (c *Client) AttachDomain(ctx context.Context, labelID string) (*Attached, transport.Outcome) {
	return write(ctx, c, routeAttach.withIDs(labelID), labelID, whole[Attached])
}

// ListTemplates returns all templates of a private label (§4.15). Its error codes are those of GetPrivateLabel.
func (c *Client) ListTemplates(ctx context.Context, labelID string) ([]Template, error) {
	return fetch(ctx, c, routeTemplates.withIDs(labelID), rowsIn[Template]("templates"))
}

// IsDetailRejected reports whether err is a rejected read of a private label's detail (§4.10).
func IsDetailRejected(err error) bool {
	e, answered := errors.AsType[*transport.Error](err)
	return answered && MayBeGone(err) && e.Endpoint == routeGetLabel.Method+" "+routeGetLabel.Route
}

// MayBeGone reports whether err is what the API returns both for a private label that no longer exists and for one of
// another reseller (§4). It proves neither: only the list of private labels does.
func MayBeGone(err error) bool {
	return transport.IsCode(err, CodeForbidden, CodeInvalidTarget)
}
