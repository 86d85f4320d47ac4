package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/forms"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
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

var (
	errNoConfirmationKey = errors.New("the response has no confirmation key")
	errMovingAllowance   = errors.New("the allowance changed with every response")
)

// ExcessError: a change would exceed the allowance, and that was not confirmed. Nothing was written.
type ExcessError struct {
	Op       string
	Warnings []Warning
	Err      error // the reason of Consent.Judge; nil without a Consent
}

func (e *ExcessError) Error() string {
	parts := make([]string, 0, len(e.Warnings))
	for _, w := range e.Warnings {
		parts = append(parts, w.String())
	}
	return e.Op + " would exceed the allowance (" + strings.Join(parts, "; ") + ")"
}

func (e *ExcessError) Unwrap() error {
	return e.Err
}

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
		return printable.Number(*n)
	}
	item := cmp.Or(printable.OneLine(printable.Text(printable.Cut(w.ItemCode, 40))), "item "+notGiven)
	return fmt.Sprintf("%s: requested %s, remaining %s, excess %s", item, amount(w.Requested), amount(w.Remaining), amount(w.Excess))
}

const (
	labelPackage  = privateLabel + "/package"
	labelAddons   = labelPackage + "/addons"
	maxConfirming = 5 // responses with new numbers
)

var (
	routeGetAssignment = get("read the package of the private label", labelPackage).toward(billingLimits)
	routeAssign        = post("assign the package", labelPackage, sentOnce).toward(allocationLimits)
	routeAttachAddon   = post("attach the add-on", labelAddons, sentOnce).toward(allocationLimits)
	routeRemovePackage = remove("remove the package", labelPackage, sentOnce).toward(billingLimits)
	routeRemoveAddon   = remove("remove the add-on", labelAddons+"/:addonId", sentOnce).toward(billingLimits)
)

// GetAssignment reads the assignment of a private label (§4.21), nil for none. The API documentation does not show the
// response. One that lacks a field, or is about another private label, is an error.
func (c *Client) GetAssignment(ctx context.Context, labelID string) (*Assignment, error) {
	a, err := fetch(ctx, c, routeGetAssignment.withIDs(labelID), readAssignment(labelID))
	if transport.IsCode(err, CodeNotAssigned) {
		return nil, nil //nolint:nilnil // absence is a result here
	}
	return a, err
}

// AssignPackage assigns a package to a private label (§3.2, §4.21), and returns the ID of the assignment, "" if the
// response lacks it. If that exceeds the allowance, it asks for consent to the numbers of each response. If the response
// is lost, the detail of the private label shows the outcome. A private label that has a package returns 400
// ALREADY_ASSIGNED.
func (c *Client) AssignPackage(ctx context.Context, labelID, packageID string, consent Consent) (assignmentID string, o transport.Outcome) {
	a := &allocation{
		client: c, request: routeAssign.withIDs(labelID), body: map[string]any{"packageId": packageID}, subject: packageID, consent: consent, done: "Assigned",
	}
	o = transport.Settle(ctx, c.Patience(), a.write(labelID, CodeAlreadyAssigned, func(assigned *Assignment) transport.Outcome {
		if assigned.PackageID != packageID {
			return transport.Outcome{State: transport.Different, Seen: otherPackage(assigned)}
		}
		a.assignmentID = assigned.ID
		return transport.SeenIf(true)
	}))
	a.report(o)
	return a.assignmentID, o
}

// AttachAddon attaches an add-on to the package of a private label (§3.2, §4.21), and asks for consent like
// AssignPackage.
func (c *Client) AttachAddon(ctx context.Context, labelID, addonID string, quantity float64, consent Consent) transport.Outcome {
	a := &allocation{
		client: c, request: routeAttachAddon.withIDs(labelID), body: map[string]any{"addonId": addonID, "quantity": quantity},
		subject: addonID, consent: consent, done: "Attached",
	}
	o := transport.Settle(ctx, c.Patience(), a.write(labelID, CodeAlreadyAttached, func(assigned *Assignment) transport.Outcome {
		attached := assigned.addon(addonID)
		if attached != nil && attached.Quantity != quantity {
			return transport.Outcome{State: transport.Different, Seen: otherQuantity(attached, quantity)}
		}
		return transport.SeenIf(attached != nil)
	}))
	a.report(o)
	return o
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
	client *Client
	request
	body    map[string]any
	subject string
	done    string // outcome of success (§3.2)
	consent Consent

	confirmed    []Warning // last
	assignmentID string
}

// write is the call with the read that shows its outcome. conflict is the code of a repetition, and shown what the detail
// shows of the call.
func (a *allocation) write(labelID, conflict string, shown func(*Assignment) transport.Outcome) transport.Write {
	return transport.Write{
		Op:      a.Op,
		Subject: a.subject,
		Send:    a.send,
		Read: func(ctx context.Context) (seen transport.Outcome, err error) {
			label, err := a.client.GetPrivateLabel(ctx, labelID)
			if err != nil {
				return seen, err
			}
			assignment, err := label.Assigned()
			if err != nil || assignment == nil {
				return transport.SeenIf(false), err
			}
			return shown(assignment), nil
		},
		Resend:     true,
		IsConflict: func(err error) bool { return transport.IsCode(err, conflict) },
	}
}

// report passes what the call confirmed to the consent, if it took effect or may have.
func (a *allocation) report(o transport.Outcome) {
	if len(a.confirmed) > 0 && o.State != transport.Absent {
		a.consent.Confirmed(a.confirmed)
	}
}

// send sends the body, and again with the confirmation key of the response as long as the consent allows its warnings. The
// key, which allows exceeding the allowance, stays in the client.
func (a *allocation) send(ctx context.Context) transport.Outcome {
	body := maps.Clone(a.body)
	excess := &ExcessError{Op: a.Op}
	rejected := func(reason error) transport.Outcome {
		excess.Err = reason
		return transport.NotDone(excess)
	}
	for range maxConfirming {
		resp, _, err := do(ctx, a.client, a.with(body), whole[struct {
			Outcome      string          `json:"outcome"`
			AssignmentID string          `json:"assignmentId"`
			Confirmation json.RawMessage `json:"confirmation"`
			Warnings     json.RawMessage `json:"warnings"`
		}])
		switch {
		case transport.IsCode(err, CodeConfirmationExpired) && body["confirmationKey"] != nil:
			delete(body, "confirmationKey") // the API returns a new key to a request without one
			continue
		case err == nil && resp.Outcome == a.done:
			a.assignmentID = resp.AssignmentID
			return transport.Done()
		case err == nil && resp.Outcome != outcomeConfirmation:
			err = transport.Unreadable(a.Op, http.StatusOK, fmt.Sprintf("the response has the outcome %q, which this version does not know", resp.Outcome))
		}
		if err != nil {
			return transport.OutcomeOf(a.Op, a.subject, false, err)
		}
		excess.Warnings = readWarnings(resp.Warnings)
		if a.consent == nil {
			return rejected(nil)
		}
		if err := a.consent.Judge(excess.Warnings); err != nil {
			return rejected(err)
		}
		key := anyjson.ReadObject(resp.Confirmation).Text("key")
		if key == "" {
			return rejected(errNoConfirmationKey)
		}
		a.client.caller.KeepSecret(key)
		body["confirmationKey"] = key
		a.confirmed = excess.Warnings
	}
	return rejected(errMovingAllowance)
}

// RemovePackage removes the package and add-ons of a private label (§4.21); they stay billed for the entire billing
// period. It succeeds for a private label without a package.
func (c *Client) RemovePackage(ctx context.Context, labelID string) transport.Outcome {
	return c.unassign(ctx, labelID, "of private label "+labelID, func(a *Assignment) bool { return a == nil }, routeRemovePackage.withIDs(labelID))
}

// RemoveAddon detaches an add-on from a private label (§4.21). The API documentation does not show which ID to send:
// `subscriptionAddonId` is tried, then `addonId` if the response is ADDON_NOT_FOUND, which shows that the call had no
// effect.
func (c *Client) RemoveAddon(ctx context.Context, labelID string, addon AttachedAddon) transport.Outcome {
	gone := func(a *Assignment) bool { return a.addon(addon.AddonID) == nil }
	ids := map[string]string{"subscriptionAddonId": addon.SubscriptionAddonID, "addonId": addon.AddonID}
	var byID []request
	for _, name := range forms.RemovalID.Names() {
		byID = append(byID, routeRemoveAddon.withIDs(labelID, ids[name]).with(map[string]string{name: ids[name]}))
	}
	return c.unassign(ctx, labelID, addon.Code, gone, byID...)
}

// unassign sends a removal by each ID until one is known. A read must confirm it, also after a success.
func (c *Client) unassign(ctx context.Context, labelID, subject string, gone func(*Assignment) bool, byID ...request) transport.Outcome {
	confirmed := false
	return transport.Settle(ctx, c.caller.Patience(), transport.Write{
		Op:      byID[0].Op,
		Subject: subject,
		Send: func(ctx context.Context) (o transport.Outcome) {
			defer func() {
				confirmed = o.State == transport.Applied || transport.IsCode(o.Err, CodeAddonNotFound, CodeNotAssigned)
			}()
			for _, req := range byID {
				if o = c.sendRemoval(ctx, req, subject); !transport.IsCode(o.Err, CodeAddonNotFound, CodeInvalidRequest, CodeInvalidData) {
					break
				}
			}
			return o
		},
		Read: func(ctx context.Context) (seen transport.Outcome, err error) {
			label, err := c.GetPrivateLabel(ctx, labelID)
			if err == nil {
				assignment, err := label.Assigned()
				return transport.SeenIf(err == nil && gone(assignment)), err
			}
			if !confirmed || !MayBeGone(err) {
				return seen, err
			}
			// The API may reject the detail of a suspended private label. Its package read, which may omit add-ons, is
			// enough beside a response that says the same.
			assignment, packageErr := c.GetAssignment(ctx, labelID)
			if packageErr != nil {
				return seen, err
			}
			return transport.SeenIf(gone(assignment)), nil
		},
		Proven:     true,
		Resend:     true,
		IsConflict: func(err error) bool { return transport.IsCode(err, CodeAddonNotFound, CodeNotAssigned) },
	})
}

// sendRemoval tries the forms of a removal. The last of them has an ID in the body, which a package does not need.
func (c *Client) sendRemoval(ctx context.Context, req request, subject string) (o transport.Outcome) {
	known := slices.DeleteFunc(slices.Clone(forms.Removal.Forms), func(f forms.Form) bool { return f.InBody && req.Body == nil })
	_ = c.findForm(req.Op, known, func(f forms.Form) error {
		sent := req
		if f.InBody {
			sent.Path = path.Dir(req.Path)
			sent.Route = path.Dir(req.Route)
		} else {
			sent.Body = nil
		}
		sent.Method = f.Method
		sent.Path += f.Path
		sent.Route += f.Path
		o = writeOnly(ctx, c, sent, subject)
		return o.Err
	})
	return o
}
