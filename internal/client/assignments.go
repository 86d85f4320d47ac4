package client

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Outcomes of an assignment or attachment (§3.2).
const (
	outcomeAssigned     = "Assigned"
	outcomeAttached     = "Attached"
	outcomeConfirmation = "ConfirmationRequired"
)

// Warning shows by how much a change would exceed the allowance (§2.7).
type Warning struct {
	ItemCode  string  `json:"itemCode"`
	Requested float64 `json:"requested"`
	Remaining float64 `json:"remaining"`
	Excess    float64 `json:"excess"`
}

func (w Warning) String() string {
	return fmt.Sprintf("%s: requested %s, remaining %s, excess %s", w.ItemCode, Amount(w.Requested), Amount(w.Remaining), Amount(w.Excess))
}

// Amount formats a number without an exponent: a million is 1000000, not 1e+06.
func Amount(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// Consent decides on the warnings of one response: true allows exceeding the allowance.
type Consent func([]Warning) bool

// ExcessError: a change would exceed the allowance by more than the consent allows. Nothing was written.
type ExcessError struct {
	Op       string
	Warnings []Warning
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

// allocation is the response of assign and attach. The confirmation key, which allows exceeding the allowance, stays in
// the client.
type allocation struct {
	Outcome      string `json:"outcome"`
	AssignmentID string `json:"assignmentId"`
	Confirmation struct {
		Key string `json:"key"`
	} `json:"confirmation"`
	Warnings []Warning `json:"warnings"`
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
	return transport.Reconcile(ctx, c.caller.Clock(), transport.ReconciledOperation[string]{
		Op:      opAssign,
		Subject: packageID,
		Execute: func(ctx context.Context) (string, error) {
			done, err := c.allocate(ctx, opAssign, routeAssign, tenantID, map[string]any{"packageId": packageID}, outcomeAssigned, consent)
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

// AttachAddon attaches an add-on to the package of a private label (§3.2, §4.21).
func (c *Client) AttachAddon(ctx context.Context, tenantID, addonID string, quantity float64, consent Consent) (responseLost bool, err error) {
	_, lost, err := transport.Reconcile(ctx, c.caller.Clock(), transport.ReconciledOperation[struct{}]{
		Op:      opAttachAddon,
		Subject: addonID,
		Execute: func(ctx context.Context) (struct{}, error) {
			body := map[string]any{"addonId": addonID, "quantity": quantity}
			_, err := c.allocate(ctx, opAttachAddon, routeAttachAddon, tenantID, body, outcomeAttached, consent)
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

// allocate sends a body. If consent allows the warnings of the response, it sends the same body with the confirmation
// key.
func (c *Client) allocate(ctx context.Context, op string, r route, tenantID string, body map[string]any, done string, consent Consent) (allocation, error) {
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
		case answer.Outcome != outcomeConfirmation || answer.Confirmation.Key == "":
			return allocation{}, transport.Unreadable(op, http.StatusOK,
				fmt.Sprintf("the response has the outcome %q, which this version does not know", answer.Outcome))
		case consent == nil || !consent(answer.Warnings):
			return allocation{}, &ExcessError{Op: op, Warnings: answer.Warnings}
		}
		c.caller.KeepSecret(answer.Confirmation.Key)
		body["confirmationKey"] = answer.Confirmation.Key
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
