package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Outcomes of an assignment or attachment (§3.2).
const (
	outcomeAssigned     = "Assigned"
	outcomeAttached     = "Attached"
	outcomeConfirmation = "ConfirmationRequired"
)

// Consent decides whether a call may exceed the allowance. It spans all calls of one apply, so that what they confirm can
// be bounded in sum.
type Consent interface {
	// Judge returns nil if the excess that the warnings of one response state may be confirmed, and the reason otherwise.
	// It is called for each response with new numbers.
	Judge(warnings []Warning) error
	// Confirmed is called once after a call that took effect, or whose outcome is unknown, with the warnings that it
	// confirmed last.
	Confirmed(warnings []Warning)
}

var errNoConfirmationKey = errors.New("the response has no confirmation key")

// ExcessError: a change would exceed the allowance, and that was not confirmed. Nothing was written.
type ExcessError struct {
	Op       string
	Warnings []Warning
	Err      error // the reason of Consent.Judge; nil without a Consent
}

// NoEffect is always true: nothing was written.
func (*ExcessError) NoEffect() bool { return true }

func (e *ExcessError) Error() string {
	parts := make([]string, 0, len(e.Warnings))
	for _, w := range e.Warnings {
		parts = append(parts, w.String())
	}
	return e.Op + " would exceed the allowance (" + strings.Join(parts, "; ") + ")"
}

func (e *ExcessError) Unwrap() error { return e.Err }

// allocation is the response of assign and attach. The confirmation key, which allows exceeding the allowance, stays in
// the client.
type allocation struct {
	Outcome      string          `json:"outcome"`
	AssignmentID string          `json:"assignmentId"`
	Confirmation json.RawMessage `json:"confirmation"`
	Warnings     json.RawMessage `json:"warnings"`
}

// confirmationKey returns "" if the response has none.
func (a allocation) confirmationKey() string {
	var confirmation struct {
		Key string `json:"key"`
	}
	if json.Unmarshal(a.Confirmation, &confirmation) != nil {
		return ""
	}
	return confirmation.Key
}

const labelPackage = reseller + "/private-labels/:tenantId/package"

var (
	routeAssign      = route{method: http.MethodPost, path: labelPackage, billing: true, allocation: true}
	routeAttachAddon = route{method: http.MethodPost, path: labelPackage + "/addons", billing: true, allocation: true}
)

const (
	opAssign       = "assign the package"
	opAttachAddon  = "attach the add-on"
	opRemovePkg    = "remove the package"
	opRemoveAddon  = "remove the add-on"
	maxConfirmings = 5 // limit for numbers that change with every response
)

// AssignPackage assigns a package to a private label (§3.2, §4.21). If that exceeds the allowance, it asks for consent
// to the numbers of each response. If the response is lost, the detail of the private label shows the outcome. A
// private label that has a package returns 400 ALREADY_ASSIGNED. assignmentID is "" if the response lacks it.
func (c *Client) AssignPackage(ctx context.Context, tenantID, packageID string, consent Consent) (assignmentID string, responseLost bool, err error) {
	confirm := &confirming{consent: consent}
	defer func() { confirm.finish(err) }()
	return transport.Reconcile(ctx, c.caller.Clock(), transport.ReconciledOperation[string]{
		Op:      opAssign,
		Subject: packageID,
		Execute: func(ctx context.Context) (string, error) {
			done, err := c.allocate(ctx, opAssign, routeAssign, tenantID, map[string]any{"packageId": packageID}, outcomeAssigned, confirm)
			return done.AssignmentID, err
		},
		Check: func(ctx context.Context) (string, transport.Outcome, string, error) {
			label, err := c.GetPrivateLabel(ctx, tenantID)
			switch {
			case err != nil || label.Assignment == nil:
				return "", transport.OutcomeAbsent, "", err
			case label.Assignment.PackageID != packageID:
				return "", transport.OutcomeDifferent, fmt.Sprintf("The private label has package %s, not the one to assign.", label.Assignment.PackageCode), nil
			default:
				return label.Assignment.ID, transport.OutcomeApplied, "", nil
			}
		},
		IsConflict: func(err error) bool { return transport.IsCode(err, CodeAlreadyAssigned) },
	})
}

// AttachAddon attaches an add-on to the package of a private label (§3.2, §4.21), and asks for consent like
// AssignPackage.
func (c *Client) AttachAddon(ctx context.Context, tenantID, addonID string, quantity float64, consent Consent) (responseLost bool, err error) {
	confirm := &confirming{consent: consent}
	defer func() { confirm.finish(err) }()
	_, lost, err := transport.Reconcile(ctx, c.caller.Clock(), transport.ReconciledOperation[struct{}]{
		Op:      opAttachAddon,
		Subject: addonID,
		Execute: func(ctx context.Context) (struct{}, error) {
			body := map[string]any{"addonId": addonID, "quantity": quantity}
			_, err := c.allocate(ctx, opAttachAddon, routeAttachAddon, tenantID, body, outcomeAttached, confirm)
			return struct{}{}, err
		},
		Check: func(ctx context.Context) (struct{}, transport.Outcome, string, error) {
			attached, err := c.attached(ctx, tenantID, addonID)
			switch {
			case err != nil || attached == nil:
				return struct{}{}, transport.OutcomeAbsent, "", err
			case attached.Quantity != quantity:
				return struct{}{}, transport.OutcomeDifferent, otherQuantity(attached, quantity), nil
			default:
				return struct{}{}, transport.OutcomeApplied, "", nil
			}
		},
		IsConflict: func(err error) bool { return transport.IsCode(err, CodeAlreadyAttached) },
	})
	return lost, err
}

func (c *Client) attached(ctx context.Context, tenantID, addonID string) (*AttachedAddon, error) {
	label, err := c.GetPrivateLabel(ctx, tenantID)
	if err != nil || label.Assignment == nil {
		return nil, err
	}
	for i := range label.Assignment.Addons {
		if a := &label.Assignment.Addons[i]; a.AddonID == addonID || a.SubscriptionAddonID == addonID {
			return a, nil
		}
	}
	return nil, nil //nolint:nilnil // absence is a result here, and every caller checks for it
}

// confirming is a call that may exceed the allowance within a consent.
type confirming struct {
	consent Consent
	last    []Warning // confirmed last
}

// judge returns the confirmation key of a response if its excess may be confirmed.
func (c *confirming) judge(op string, answer allocation) (key string, err error) {
	warnings := readWarnings(answer.Warnings)
	refused := &ExcessError{Op: op, Warnings: warnings}
	if c.consent == nil {
		return "", refused
	}
	if refused.Err = c.consent.Judge(warnings); refused.Err != nil {
		return "", refused
	}
	if key = answer.confirmationKey(); key == "" {
		refused.Err = errNoConfirmationKey
		return "", refused
	}
	c.last = warnings
	return key, nil
}

// finish reports what the call confirmed. A lost response may have taken effect, and counts.
func (c *confirming) finish(err error) {
	if len(c.last) > 0 && (err == nil || transport.MayHaveTakenEffect(err)) {
		c.consent.Confirmed(c.last)
	}
}

// allocate sends a body. If the consent allows the warnings of the response, it sends the same body with the
// confirmation key.
func (c *Client) allocate(ctx context.Context, op string, r route, tenantID string, body map[string]any, done string, confirm *confirming) (allocation, error) {
	for range maxConfirmings {
		var answer allocation
		err := c.do(ctx, &request{op: op, route: r, ids: ofLabel(tenantID), body: body}, &answer)
		switch {
		case transport.IsCode(err, CodeConfirmationExpired) && body["confirmationKey"] != nil:
			delete(body, "confirmationKey") // the API returns a new key to a request without one
			continue
		case err != nil:
			return allocation{}, err
		case answer.Outcome == done:
			return answer, nil
		case answer.Outcome != outcomeConfirmation:
			return allocation{}, transport.Unreadable(op, http.StatusOK,
				fmt.Sprintf("the response has the outcome %q, which this version does not know", answer.Outcome))
		}
		key, err := confirm.judge(op, answer)
		if err != nil {
			return allocation{}, err
		}
		c.caller.KeepSecret(key)
		body["confirmationKey"] = key
	}
	return allocation{}, &transport.Error{Status: http.StatusOK, Op: op, Message: "the allowance changed with every response; nothing was written"}
}

// RemovePackage removes the package and add-ons of a private label (§4.21); they stay billed for the entire billing
// period. It succeeds for a private label without a package. The API documentation does not show the method: DELETE is
// tried, then POST …/remove.
func (c *Client) RemovePackage(ctx context.Context, tenantID string) (responseLost bool, err error) {
	_, lost, err := transport.Reconcile(ctx, c.caller.Clock(), transport.ReconciledOperation[struct{}]{
		Op:      opRemovePkg,
		Subject: tenantID,
		Execute: func(ctx context.Context) (struct{}, error) {
			err := c.findMethod(ctx, opRemovePkg, []variant{{method: http.MethodDelete}, {method: http.MethodPost, suffix: "/remove"}}, func(v variant) error {
				return c.do(ctx, &request{op: opRemovePkg, route: route{method: v.method, path: labelPackage + v.suffix, billing: true}, ids: ofLabel(tenantID)}, nil)
			})
			if transport.IsCode(err, CodeNotAssigned) {
				return struct{}{}, nil
			}
			return struct{}{}, err
		},
		Check: func(ctx context.Context) (struct{}, transport.Outcome, string, error) {
			label, err := c.GetPrivateLabel(ctx, tenantID)
			if err == nil && label.Assignment == nil {
				return struct{}{}, transport.OutcomeApplied, "", nil
			}
			return struct{}{}, transport.OutcomeAbsent, "", err
		},
	})
	return lost, err
}

// RemoveAddon detaches an add-on from a private label (§4.21). The API documentation shows neither the method nor which
// ID to send: `subscriptionAddonId` is tried, then `addonId` if the response is ADDON_NOT_FOUND, which shows that the
// call had no effect. The detail must confirm the removal.
func (c *Client) RemoveAddon(ctx context.Context, tenantID string, addon AttachedAddon) (responseLost bool, err error) {
	_, lost, err := transport.Reconcile(ctx, c.caller.Clock(), transport.ReconciledOperation[struct{}]{
		Op:      opRemoveAddon,
		Subject: addon.Code,
		Execute: func(ctx context.Context) (struct{}, error) {
			return struct{}{}, c.removeAddon(ctx, tenantID, addon)
		},
		Check: func(ctx context.Context) (struct{}, transport.Outcome, string, error) {
			left, err := c.attached(ctx, tenantID, addon.AddonID)
			if err == nil && left == nil {
				return struct{}{}, transport.OutcomeApplied, "", nil
			}
			return struct{}{}, transport.OutcomeAbsent, "", err
		},
	})
	return lost, err
}

func (c *Client) removeAddon(ctx context.Context, tenantID string, addon AttachedAddon) error {
	var err error
	for _, id := range []string{addon.SubscriptionAddonID, addon.AddonID} {
		err = c.findMethod(ctx, opRemoveAddon, []variant{{method: http.MethodDelete}, {method: http.MethodPost, suffix: "/remove"}}, func(v variant) error {
			r := route{method: v.method, path: labelPackage + "/addons/:addonId" + v.suffix, billing: true}
			return c.do(ctx, &request{op: opRemoveAddon, route: r, ids: map[string]string{"tenantId": tenantID, "addonId": id}}, nil)
		})
		if !transport.IsCode(err, CodeAddonNotFound) {
			break
		}
	}
	if err != nil && !transport.IsCode(err, CodeAddonNotFound, CodeNotAssigned) {
		return err
	}
	left, readErr := c.attached(ctx, tenantID, addon.AddonID)
	switch {
	case readErr != nil:
		return readErr
	case left == nil:
		return nil
	case err != nil:
		return err
	default:
		return &transport.Error{Status: http.StatusOK, Op: opRemoveAddon, Message: "the API accepted the call, but the private label still shows the add-on"}
	}
}
