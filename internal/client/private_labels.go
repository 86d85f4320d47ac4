package client

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

var (
	routeListLabels  = get("list the private labels", reseller+"/private-labels")
	routeProvision   = post("provision the private label", reseller+"/private-labels", sentOnce)
	routeGetLabel    = get("read the private label", privateLabel)
	routeDeprovision = route{op: "deprovision the private label", method: http.MethodDelete, path: privateLabel}
	routeSuspend     = post("suspend the private label", privateLabel+"/suspend", repeatable)
	routeUnsuspend   = post("lift the suspension of the private label", privateLabel+"/unsuspend", repeatable)
	routeAttach      = post("attach the host name of the private label", privateLabel+"/domain/attach", repeatable)
	routeTemplates   = get("list the templates of the private label", privateLabel+"/templates")
)

// ListPrivateLabels returns all private labels with the figures of a period (§4.8): "YYYY-MM", "lifetime", or "" for
// the current month. A response without a list is an error: read as an empty list, it would show that no private label
// exists.
func (c *Client) ListPrivateLabels(ctx context.Context, period string) (*PrivateLabelList, error) {
	return call(ctx, c, &request{route: routeListLabels, query: optionalQuery("period", period)}, whole[PrivateLabelList])
}

// GetPrivateLabel returns the detail of a private label (§4.10). A private label that is not live returns 400
// INVALID_TARGET, one of another reseller 403 FORBIDDEN. Neither proves absence; the list does.
func (c *Client) GetPrivateLabel(ctx context.Context, tenantID string) (*PrivateLabel, error) {
	return call(ctx, c, routeGetLabel.of(tenantID), whole[PrivateLabel])
}

// ProvisionPrivateLabel provisions a private label and emails its owner (§4.9). It takes effect at most once: if the
// response is lost, the list shows the outcome (§7.4), and a private label in it with this host name and owner is
// returned with ResponseLost. No package is sent: exceeding the allowance would need a confirmation, which this
// endpoint does not accept.
//
// The private label exists even if its host name could not be attached, see DomainSetup. Error codes: HOST_TAKEN,
// HOST_RESERVED, DOMAIN_INVALID, INVALID_COLOR, INVALID_URL, TOO_MANY_SOCIAL_LINKS (more than 20), OWNER_INVALID_EMAIL,
// OWNER_INVALID_NAME and INVALID_REQUEST. An outcome that no read shows is a *transport.UnknownOutcomeError.
func (c *Client) ProvisionPrivateLabel(ctx context.Context, req ProvisionRequest) (*Provisioned, error) {
	made, lost, err := transport.Reconcile(ctx, c.caller.Clock(), transport.ReconciledOperation[*Provisioned]{
		Op:      routeProvision.op,
		Subject: req.Domain,
		Execute: func(ctx context.Context) (*Provisioned, error) {
			return call(ctx, c, &request{route: routeProvision, body: req.body()}, whole[Provisioned])
		},
		Check: func(ctx context.Context) (*Provisioned, transport.Outcome, string, error) {
			return c.findProvisioned(ctx, req)
		},
		Different:      ReasonMadeByOther,
		IsConflict:     func(err error) bool { return transport.IsCode(err, CodeHostTaken) },
		ConflictDetail: hostTaken,
	})
	if err != nil {
		return nil, err
	}
	made.ResponseLost = lost
	return made, nil
}

// body returns the body of §4.9; empty fields are omitted.
func (r ProvisionRequest) body() map[string]any {
	config := map[string]string{}
	maps.Copy(config, r.SocialLinks)
	maps.Copy(config, map[string]string{ // a social link never replaces a field
		"domain": r.Domain, "appName": r.AppName, "supportUrl": r.SupportURL, "websiteUrl": r.WebsiteURL,
		"colorPrimary": r.ColorPrimary, "colorAccent": r.ColorAccent,
	})
	maps.DeleteFunc(config, func(_, value string) bool { return value == "" })
	return map[string]any{"owner": r.Owner, "config": config}
}

// findProvisioned searches the list for the private label of a request. The host name alone proves nothing: the owner
// must be the one of the request.
func (c *Client) findProvisioned(ctx context.Context, req ProvisionRequest) (*Provisioned, transport.Outcome, string, error) {
	list, err := c.ListPrivateLabels(ctx, "")
	if err != nil {
		return nil, transport.OutcomeAbsent, "", err
	}
	at := slices.IndexFunc(list.PrivateLabels, func(l PrivateLabelSummary) bool { return strings.EqualFold(l.PrimaryHost, req.Domain) })
	if at < 0 {
		return nil, transport.OutcomeAbsent, "", nil
	}
	detail, err := c.GetPrivateLabel(ctx, list.PrivateLabels[at].TenantID)
	switch {
	case err != nil:
		return nil, transport.OutcomeAbsent, "", err
	case detail.Owner == nil || FoldEmail(detail.Owner.Email) != FoldEmail(req.Owner.Email):
		return nil, transport.OutcomeDifferent, otherOwner(detail, req.Owner.Email), nil
	}
	found := &Provisioned{TenantID: detail.TenantID, OwnerUserID: detail.Owner.UserID, DomainSetup: detail.DomainSetup}
	return found, transport.OutcomeApplied, "", nil
}

// DeprovisionPrivateLabel permanently deletes a private label and its host name (§4.12). The caller must have seen the
// private label in the list of this reseller: only then does its absence from a later list, which is read if the
// response is lost, prove that it was deleted (responseLost is true). 403 FORBIDDEN and 400 INVALID_TARGET are returned
// as errors: the API sends both for a private label that no longer exists and for one of another reseller. An outcome
// that no read shows is a *transport.UnknownOutcomeError.
func (c *Client) DeprovisionPrivateLabel(ctx context.Context, tenantID string) (responseLost bool, err error) {
	send := func(ctx context.Context) error { return c.do(ctx, routeDeprovision.of(tenantID)) }
	isGone := func(ctx context.Context) (bool, error) {
		list, err := c.ListPrivateLabels(ctx, "")
		return err == nil && !slices.ContainsFunc(list.PrivateLabels, func(l PrivateLabelSummary) bool { return l.TenantID == tenantID }), err
	}
	return c.remove(ctx, routeDeprovision.op, tenantID, send, isGone, MayBeGone)
}

// SuspendPrivateLabel suspends a private label (§4.13). The reason may be empty; more than 500 characters return 400
// INVALID_REQUEST. An existing suspension, also one by the platform, stays unchanged.
func (c *Client) SuspendPrivateLabel(ctx context.Context, tenantID, reason string) (*Suspension, error) {
	req := routeSuspend.of(tenantID)
	req.body = struct {
		Reason string `json:"reason,omitempty"`
	}{reason}
	return call(ctx, c, req, whole[Suspension])
}

// UnsuspendPrivateLabel lifts the reseller's suspension (§4.14). A suspension by the platform returns 400
// SUSPENDED_BY_PLATFORM.
func (c *Client) UnsuspendPrivateLabel(ctx context.Context, tenantID string) (*Suspension, error) {
	return call(ctx, c, routeUnsuspend.of(tenantID), whole[Suspension])
}

// AttachDomain attaches the host name of a private label (§4.11). It has no effect on one that is attached. Success
// shows nothing about DNS, see DomainSetup.Verified.
func (c *Client) AttachDomain(ctx context.Context, tenantID string) (*DomainSetup, error) {
	attached, err := call(ctx, c, routeAttach.of(tenantID), whole[struct {
		DomainSetup *DomainSetup `json:"domainSetup" required:"true"`
	}])
	if err != nil {
		return nil, err
	}
	return attached.DomainSetup, nil
}

// ListTemplates returns all templates of a private label (§4.15). Its error codes are those of GetPrivateLabel.
func (c *Client) ListTemplates(ctx context.Context, tenantID string) ([]Template, error) {
	found, err := call(ctx, c, routeTemplates.of(tenantID), whole[struct {
		Templates []Template `json:"templates" required:"true"`
	}])
	if err != nil {
		return nil, err
	}
	return found.Templates, nil
}

// MayBeGone reports whether err is what the API returns both for a private label that no longer exists and for one of
// another reseller (§4). It proves neither: only the list of private labels does.
func MayBeGone(err error) bool { return transport.IsCode(err, CodeForbidden, CodeInvalidTarget) }
