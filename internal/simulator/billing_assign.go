package simulator

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// assign implements POST …/package (§3.2).
func (s *Simulator) assign(r *request, l *label) (any, *apiError) {
	var body struct {
		PackageID       string  `json:"packageId"`
		ConfirmationKey *string `json:"confirmationKey"`
	}
	if rejection := decodeStrict(r.body, &body); rejection != nil {
		return nil, rejection
	}
	return s.assignPackage(r, l, body.PackageID, body.ConfirmationKey)
}

// assignPackage assigns a package to a private label, if its checks allow it.
func (s *Simulator) assignPackage(r *request, l *label, packageID string, key *string) (map[string]any, *apiError) {
	p, unknown := s.findItem(packages, r.reseller, packageID)
	if rejection := s.forms.assignRejection(r.reseller, l, p, unknown); rejection != nil {
		return nil, rejection
	}
	next := &assignment{PackageID: p.ID, AssignedAt: millis(r.now)}
	w := s.warningsOf(r, l, next)
	if question, rejection := s.confirmed(r, allocationRequest{l, p.ID, 1, key, w}); question != nil || rejection != nil {
		return question, rejection
	}
	next.ID = s.store.data.newID("assignment")
	l.Assignment = next
	s.bookItem(packages, l, p, 1, w, r.now)
	return assignedShape(next.ID, r.reseller.allocated(l)), nil
}

// assignRejection is the first check that fails, in the order of the forms.
func (f Forms) assignRejection(r *reseller, l *label, p *item, unknown *apiError) *apiError {
	var assigned, noSubscription, inactive *apiError
	if l.Assignment != nil {
		assigned = bad("ALREADY_ASSIGNED", "The private label already has a package.")
	}
	if r.NoSubscription {
		noSubscription = bad("NO_SUBSCRIPTION", "The reseller has no subscription.")
	}
	if p != nil && !p.Active {
		inactive = bad("PACKAGE_INACTIVE", "The package is deactivated.")
	}
	if f.isForm("assign-order", "subscription-first") {
		return cmp.Or(noSubscription, unknown, inactive, assigned)
	}
	return cmp.Or(unknown, assigned, noSubscription, inactive)
}

// attachAddon implements POST …/package/addons. It checks the allowance before it checks whether the add-on is
// attached: a second attachment responds with ALREADY_ATTACHED, or with ConfirmationRequired if the first one used the
// allowance that it needs (§3.2).
func (s *Simulator) attachAddon(r *request, l *label) (any, *apiError) {
	var body struct {
		AddonID         string  `json:"addonId"`
		Quantity        float64 `json:"quantity"`
		ConfirmationKey *string `json:"confirmationKey"`
	}
	if rejection := decodeStrict(r.body, &body); rejection != nil {
		return nil, rejection
	}
	if body.Quantity < 1 || body.Quantity != math.Trunc(body.Quantity) {
		return nil, badRequest("quantity must be a whole number of at least 1.")
	}
	a, rejection := s.findItem(addons, r.reseller, body.AddonID)
	switch {
	case rejection != nil:
		return nil, rejection
	case l.Assignment == nil:
		return nil, bad("NOT_ASSIGNED", "The private label has no package.")
	case r.reseller.NoSubscription:
		return nil, bad("NO_SUBSCRIPTION", "The reseller has no subscription.")
	case !a.Active:
		return nil, bad(codeAddonInactive, "The add-on was deactivated.")
	}
	next := *l.Assignment
	at := &attached{AddonID: a.ID, Quantity: body.Quantity}
	next.Addons = append(slices.Clone(next.Addons), at)
	w := s.warningsOf(r, l, &next)
	if question, rejection := s.confirmed(r, allocationRequest{l, a.ID, body.Quantity, body.ConfirmationKey, w}); question != nil || rejection != nil {
		return question, rejection
	}
	if slices.ContainsFunc(l.Assignment.Addons, func(o *attached) bool { return o.AddonID == a.ID }) {
		return nil, bad("ALREADY_ATTACHED", "The add-on is already attached.")
	}
	at.ID = s.store.data.newID("attached")
	l.Assignment = &next
	s.bookItem(addons, l, a, body.Quantity, w, r.now)
	return attachedShape(at.ID, r.reseller.allocated(l)), nil
}

// getAssignment implements GET …/package.
func (s *Simulator) getAssignment(r *request, l *label) (any, *apiError) {
	if l.Assignment == nil && s.forms.isForm("no-assignment", "not-assigned") {
		return nil, bad("NOT_ASSIGNED", "The private label has no package.")
	}
	return s.forms.assignmentShape(r.reseller.assignmentOf(l)), nil
}

// removePackage removes the package and its add-ons from a private label. What was allocated is still billed for the
// period (§1).
func (s *Simulator) removePackage(r *request, l *label) (any, *apiError) {
	if l.Assignment == nil {
		return nil, bad("NOT_ASSIGNED", "The private label has no package.")
	}
	s.unassign(l, r.now)
	return removedShape, nil
}

func (s *Simulator) unassign(l *label, now time.Time) {
	items := l.Assignment.items()
	for id, quantity := range items {
		s.hold(l, periodOf(now), id, quantity)
	}
	s.bookRemoved(l, items, now)
	l.Assignment = nil
}

// removeAddon removes the add-on of a path from a private label.
func (s *Simulator) removeAddon(r *request, l *label) (any, *apiError) {
	return s.detachFrom(r, l, r.params["attachedId"])
}

// removeAddonOfBody has the ID in a field of the body, by its own name.
func (s *Simulator) removeAddonOfBody(r *request, l *label) (any, *apiError) {
	f, rejection := readFields(r.body)
	if rejection != nil {
		return nil, rejection
	}
	name := "subscriptionAddonId"
	if s.forms.isForm("removal-id", "addon") {
		name = "addonId"
	}
	id, given, rejection := f.text(name)
	if rejection == nil && (!given || len(f) > 0) {
		rejection = badRequest("Exactly " + name + " is required.")
	}
	if rejection != nil {
		return nil, rejection
	}
	return s.detachFrom(r, l, id)
}

func (s *Simulator) detachFrom(r *request, l *label, id string) (any, *apiError) {
	if l.Assignment == nil {
		return nil, bad("NOT_ASSIGNED", "The private label has no package.")
	}
	i := l.Assignment.find(func(at *attached) bool {
		if s.forms.isForm("removal-id", "addon") {
			return at.AddonID == id
		}
		return at.ID == id
	})
	if i < 0 {
		return nil, bad("ADDON_NOT_FOUND", "The private label does not have this add-on.")
	}
	s.detach(l, i, r.now)
	return removedShape, nil
}

// find returns the index of an attachment; -1 for none.
func (a *assignment) find(matches func(*attached) bool) int {
	if a == nil {
		return -1
	}
	return slices.IndexFunc(a.Addons, matches)
}

// detach removes the add-on at an index from a private label. What was allocated is still billed for the period (§1).
func (s *Simulator) detach(l *label, i int, now time.Time) {
	at := l.Assignment.Addons[i]
	s.hold(l, periodOf(now), at.AddonID, at.Quantity)
	l.Assignment.Addons = slices.Delete(l.Assignment.Addons, i, i+1)
	s.bookRemoved(l, map[string]float64{at.AddonID: at.Quantity}, now)
}

// hold keeps the largest quantity of an item that was removed from a private label in a period.
func (s *Simulator) hold(l *label, period, itemID string, quantity float64) {
	if s.forms.isForm("removed-item", "freed") {
		return
	}
	if l.Held == nil {
		l.Held = map[string]map[string]float64{}
	}
	if l.Held[period] == nil {
		l.Held[period] = map[string]float64{}
	}
	l.Held[period][itemID] = max(l.Held[period][itemID], quantity)
}

// allocationRequest is an assignment or an attachment that is requested.
type allocationRequest struct {
	label    *label
	itemID   string
	quantity float64
	key      *string
	warnings []warning
}

// confirmed reports whether a request may be written: it is within the allowance, or its confirmation key is valid.
// Otherwise it returns a confirmation or an error (§3.2).
func (s *Simulator) confirmed(r *request, w allocationRequest) (map[string]any, *apiError) {
	if len(w.warnings) == 0 {
		return nil, nil
	}
	if w.key == nil {
		return confirmationShape(s.ask(w, r.now), w.warnings), nil
	}
	asked := s.store.data.Asked[*w.key]
	switch {
	case asked == nil, asked.LabelID != w.label.ID, asked.ItemID != w.itemID, asked.Quantity != w.quantity:
		return nil, bad("CONFIRMATION_INVALID", "The confirmation key belongs to another request.")
	case asked.ExpiresAt < millis(r.now):
		return nil, bad("CONFIRMATION_EXPIRED", "The confirmation key is older than 10 minutes.")
	case !slices.Equal(asked.Warnings, w.warnings):
		return confirmationShape(s.ask(w, r.now), w.warnings), nil
	default:
		return nil, nil
	}
}
