package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// outcomeConfirmation is the outcome of a call that would exceed the allowance (§3.2).
const outcomeConfirmation = "ConfirmationRequired"

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

// Warning shows by how much a change would exceed the allowance (§2.7). A number that the response lacks, or that is not
// a JSON number, is nil.
type Warning struct {
	ItemCode  string // "" if the response does not name the item
	Requested *float64
	Remaining *float64
	Excess    *float64
}

func (w Warning) String() string {
	const notGiven = "not given"
	amount := func(n *float64) string {
		if n == nil {
			return notGiven
		}
		return Amount(*n)
	}
	item := cmp.Or(transport.OneLine(transport.Printable(transport.CutText(w.ItemCode, 40))), "item "+notGiven)
	return fmt.Sprintf("%s: requested %s, remaining %s, excess %s", item, amount(w.Requested), amount(w.Remaining), amount(w.Excess))
}

const (
	labelPackage  = privateLabel + "/package"
	labelAddons   = labelPackage + "/addons"
	maxConfirming = 5 // responses with new numbers
)

var (
	routeGetAssignment = get("read the package of the private label", labelPackage).toBilling()
	routeAssign        = route{op: "assign the package", method: http.MethodPost, path: labelPackage, billing: true, allocation: true}
	routeAttachAddon   = route{op: "attach the add-on", method: http.MethodPost, path: labelAddons, billing: true, allocation: true}
	routeRemovePackage = route{op: "remove the package", path: labelPackage, billing: true}
	routeRemoveAddon   = route{op: "remove the add-on", path: labelAddons + "/:addonId", billing: true}
)

// GetAssignment reads the assignment of a private label (§4.21), nil for none. The API documentation does not show the
// response. One that lacks a field, or is about another private label, is an error.
func (c *Client) GetAssignment(ctx context.Context, tenantID string) (*Assignment, error) {
	a, err := call(ctx, c, routeGetAssignment.of(tenantID), readAssignment(tenantID))
	if transport.IsCode(err, CodeNotAssigned) {
		return nil, nil //nolint:nilnil // absence is a result here
	}
	return a, err
}

// AssignPackage assigns a package to a private label (§3.2, §4.21). If that exceeds the allowance, it asks for consent
// to the numbers of each response. If the response is lost, the detail of the private label shows the outcome. A
// private label that has a package returns 400 ALREADY_ASSIGNED. assignmentID is "" if the response lacks it.
func (c *Client) AssignPackage(
	ctx context.Context, tenantID, packageID string, consent Consent,
) (assignmentID string, responseLost bool, err error) {
	return c.allocate(ctx, allocation{
		route: routeAssign, tenantID: tenantID, subject: packageID, body: map[string]any{"packageId": packageID},
		done: "Assigned", conflict: CodeAlreadyAssigned, consent: consent,
		shown: func(a *Assignment) (transport.Outcome, string) {
			if a.PackageID != packageID {
				return transport.OutcomeDifferent, otherPackage(a)
			}
			return transport.OutcomeApplied, ""
		},
	})
}

// AttachAddon attaches an add-on to the package of a private label (§3.2, §4.21), and asks for consent like
// AssignPackage.
func (c *Client) AttachAddon(
	ctx context.Context, tenantID, addonID string, quantity float64, consent Consent,
) (responseLost bool, err error) {
	_, responseLost, err = c.allocate(ctx, allocation{
		route: routeAttachAddon, tenantID: tenantID, subject: addonID, body: map[string]any{"addonId": addonID, "quantity": quantity},
		done: "Attached", conflict: CodeAlreadyAttached, consent: consent,
		shown: func(a *Assignment) (transport.Outcome, string) {
			switch attached := a.addon(addonID); {
			case attached == nil:
				return transport.OutcomeAbsent, ""
			case attached.Quantity != quantity:
				return transport.OutcomeDifferent, otherQuantity(attached, quantity)
			default:
				return transport.OutcomeApplied, ""
			}
		},
	})
	return responseLost, err
}

// addon returns the add-on with either of its IDs, nil if it is not attached.
func (a *Assignment) addon(id string) *AttachedAddon {
	if a == nil {
		return nil
	}
	at := slices.IndexFunc(a.Addons, func(x AttachedAddon) bool { return x.AddonID == id || x.SubscriptionAddonID == id })
	if at < 0 {
		return nil
	}
	return &a.Addons[at]
}

// allocation is a call that takes allowance of the reseller, and may exceed it within a consent.
type allocation struct {
	route
	tenantID, subject string
	body              map[string]any
	done              string // outcome of success (§3.2)
	conflict          string // code of a repetition
	consent           Consent
	shown             func(*Assignment) (is transport.Outcome, different string) // what the detail shows of the call

	confirmed []Warning // last
}

// allocate makes the call once. What it confirmed counts if it took effect, or may have.
func (c *Client) allocate(ctx context.Context, a allocation) (assignmentID string, responseLost bool, err error) {
	assignmentID, responseLost, err = transport.Reconcile(ctx, c.caller.Clock(), transport.ReconciledOperation[string]{
		Op:      a.op,
		Subject: a.subject,
		Execute: func(ctx context.Context) (string, error) { return c.confirm(ctx, &a) },
		Check: func(ctx context.Context) (id string, is transport.Outcome, different string, err error) {
			label, err := c.GetPrivateLabel(ctx, a.tenantID)
			if err != nil || label.Assignment == nil {
				return "", transport.OutcomeAbsent, "", err
			}
			is, different = a.shown(label.Assignment)
			return label.Assignment.ID, is, different, nil
		},
		IsConflict: func(err error) bool { return transport.IsCode(err, a.conflict) },
	})
	if len(a.confirmed) > 0 && (err == nil || transport.MayHaveTakenEffect(err)) {
		a.consent.Confirmed(a.confirmed)
	}
	return assignmentID, responseLost, err
}

// confirm sends the body of a call, and again with the confirmation key of the response as long as the consent allows
// its warnings. The key, which allows exceeding the allowance, stays in the client.
func (c *Client) confirm(ctx context.Context, a *allocation) (assignmentID string, err error) {
	body := maps.Clone(a.body)
	for range maxConfirming {
		resp, err := call(ctx, c, &request{route: a.route, ids: []string{a.tenantID}, body: body}, whole[struct {
			Outcome      string          `json:"outcome"`
			AssignmentID string          `json:"assignmentId"`
			Confirmation json.RawMessage `json:"confirmation"`
			Warnings     json.RawMessage `json:"warnings"`
		}])
		switch {
		case transport.IsCode(err, CodeConfirmationExpired) && body["confirmationKey"] != nil:
			delete(body, "confirmationKey") // the API returns a new key to a request without one
			continue
		case err != nil:
			return "", err
		case resp.Outcome == a.done:
			return resp.AssignmentID, nil
		case resp.Outcome != outcomeConfirmation:
			return "", transport.Unreadable(a.op, http.StatusOK,
				fmt.Sprintf("the response has the outcome %q, which this version does not know", resp.Outcome))
		}
		refused := &ExcessError{Op: a.op, Warnings: readWarnings(resp.Warnings)}
		key := ReadObject(resp.Confirmation).Text("key")
		if a.consent == nil {
			return "", refused
		}
		if refused.Err = a.consent.Judge(refused.Warnings); refused.Err == nil && key == "" {
			refused.Err = errNoConfirmationKey
		}
		if refused.Err != nil {
			return "", refused
		}
		c.caller.KeepSecret(key)
		body["confirmationKey"], a.confirmed = key, refused.Warnings
	}
	return "", &transport.Error{Status: http.StatusOK, Op: a.op, Message: "the allowance changed with every response; nothing was written"}
}

// RemovePackage removes the package and add-ons of a private label (§4.21); they stay billed for the entire billing
// period. It succeeds for a private label without a package.
func (c *Client) RemovePackage(ctx context.Context, tenantID string) (responseLost bool, err error) {
	return c.unassign(ctx, tenantID, "of private label "+tenantID, func(a *Assignment) bool { return a == nil }, routeRemovePackage.of(tenantID))
}

// RemoveAddon detaches an add-on from a private label (§4.21). The API documentation does not show which ID to send:
// `subscriptionAddonId` is tried, then `addonId` if the response is ADDON_NOT_FOUND, which shows that the call had no
// effect.
func (c *Client) RemoveAddon(ctx context.Context, tenantID string, addon AttachedAddon) (responseLost bool, err error) {
	gone := func(a *Assignment) bool { return a.addon(addon.AddonID) == nil }
	return c.unassign(ctx, tenantID, addon.Code, gone,
		routeRemoveAddon.of(tenantID, addon.SubscriptionAddonID), routeRemoveAddon.of(tenantID, addon.AddonID))
}

// unassign sends a removal by each ID until one is known. The detail must confirm it, also after a success.
func (c *Client) unassign(
	ctx context.Context, tenantID, subject string, gone func(*Assignment) bool, byID ...*request,
) (responseLost bool, err error) {
	isGone := func(ctx context.Context) (bool, error) {
		label, err := c.GetPrivateLabel(ctx, tenantID)
		return err == nil && gone(label.Assignment), err
	}
	send := func(ctx context.Context) (err error) {
		for _, req := range byID {
			if err = c.sendRemoval(ctx, *req); !transport.IsCode(err, CodeAddonNotFound) {
				break
			}
		}
		if err != nil && !transport.IsCode(err, CodeAddonNotFound, CodeNotAssigned) {
			return err
		}
		if gone, readErr := isGone(ctx); readErr != nil || gone {
			return readErr
		}
		const still = "the API accepted the call, but the detail of the private label shows no change"
		return cmp.Or(err, error(&transport.Error{Status: http.StatusOK, Op: byID[0].op, Message: still}))
	}
	return c.remove(ctx, byID[0].op, subject, send, isGone, nil)
}

// sendRemoval tries DELETE, then POST …/remove: the API documentation does not show the method.
func (c *Client) sendRemoval(ctx context.Context, req request) error {
	path := req.path
	return c.findVariant(req.op, removeVariants, func(v variant) error {
		req.method, req.path = v.method, path+v.suffix
		return c.do(ctx, &req)
	})
}

// remove sends a removal that takes effect at most once, and reads whether it has if the response is lost. isConflict
// reports whether the rejection of a second removal may be caused by the first one.
func (c *Client) remove(
	ctx context.Context, op, subject string, send func(context.Context) error, isGone func(context.Context) (bool, error),
	isConflict func(error) bool,
) (responseLost bool, err error) {
	_, responseLost, err = transport.Reconcile(ctx, c.caller.Clock(), transport.ReconciledOperation[struct{}]{
		Op: op, Subject: subject, IsConflict: isConflict,
		Execute: func(ctx context.Context) (struct{}, error) { return struct{}{}, send(ctx) },
		Check: func(ctx context.Context) (struct{}, transport.Outcome, string, error) {
			if gone, err := isGone(ctx); err != nil || !gone {
				return struct{}{}, transport.OutcomeAbsent, "", err
			}
			return struct{}{}, transport.OutcomeApplied, "", nil
		},
	})
	return responseLost, err
}
