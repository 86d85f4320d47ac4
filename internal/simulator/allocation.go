package simulator

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// itemCodes are in the order of §2.6.
var itemCodes = []string{"documents", "seats", "templates", "notarizations"}

func (q quantities) get(code string) float64 {
	switch code {
	case "documents":
		return q.Documents
	case "seats":
		return q.Seats
	case "templates":
		return q.Templates
	default:
		return q.Notarizations
	}
}

func (q quantities) plus(o quantities, times float64) quantities {
	return quantities{q.Documents + o.Documents*times, q.Seats + o.Seats*times, q.Templates + o.Templates*times, q.Notarizations + o.Notarizations*times}
}

func (q quantities) atLeast(o quantities) quantities {
	return quantities{max(q.Documents, o.Documents), max(q.Seats, o.Seats), max(q.Templates, o.Templates), max(q.Notarizations, o.Notarizations)}
}

// allocated is what a private label's package and add-ons use of the allowance (§2.6).
func (r *reseller) allocated(l *label) quantities {
	return r.sum(l.Assignment.items())
}

// items are the items of an assignment with their quantities.
func (a *assignment) items() map[string]float64 {
	out := map[string]float64{}
	if a == nil {
		return out
	}
	out[a.PackageID] = 1
	for _, at := range a.Addons {
		out[at.AddonID] += at.Quantity
	}
	return out
}

// sum adds up what items include, always in the same order.
func (r *reseller) sum(items map[string]float64) quantities {
	var q quantities
	for _, id := range slices.Sorted(maps.Keys(items)) {
		if i := cmp.Or(r.pkg(id), r.addon(id)); i != nil {
			q = q.plus(i.Included, items[id])
		}
	}
	return q
}

// used is the usage of a private label in a period (§2.10).
func (l *label) used(period string) quantities {
	return quantities{
		Documents:     l.Documents[period],
		Seats:         float64(len(l.Members)),
		Templates:     float64(len(l.Templates)),
		Notarizations: l.Notarized[period],
	}
}

// counted is what a private label uses of the allowance with an assignment: the larger of allocated and used, suspended
// or not (§1). Items that were removed in the period are still allocated, each at its largest quantity.
func (r *reseller) counted(l *label, a *assignment, period string) quantities {
	items := a.items()
	for id, quantity := range l.Held[period] {
		items[id] = max(items[id], quantity)
	}
	return r.sum(items).atLeast(l.used(period))
}

// billed is what the private labels of a reseller use of its allowance together.
func (s *Simulator) billed(r *reseller, now time.Time) (sum quantities) {
	for _, l := range s.store.data.labelsOf(r.ID) {
		sum = sum.plus(r.counted(l, l.Assignment, periodOf(now)), 1)
	}
	return sum
}

// warning is the object of §2.7.
type warning struct {
	ItemCode  string  `json:"itemCode"`
	Requested float64 `json:"requested"`
	Remaining float64 `json:"remaining"`
	Excess    float64 `json:"excess"`
}

type confirmation struct {
	Key       string `json:"key"`
	ExpiresAt int64  `json:"expiresAt"`
}

const confirmationLifetime = 10 * time.Minute

// shown is a remaining allowance as responses show it.
func (f Forms) shown(remaining float64) float64 {
	if f.isForm("remaining", "negative") {
		return remaining
	}
	return max(0, remaining)
}

// warnings compares what a private label would use in addition to what it uses already with the remaining allowance.
func (f Forms) warnings(more, remaining quantities) []warning {
	var out []warning
	for _, code := range itemCodes {
		requested := more.get(code)
		left := f.shown(remaining.get(code))
		if excess := requested - left; requested > 0 && excess > 0 {
			out = append(out, warning{code, requested, left, excess})
		}
	}
	return out
}

// warningsOf returns the warnings of an assignment of a private label.
func (s *Simulator) warningsOf(r *request, l *label, next *assignment) []warning {
	period := periodOf(r.now)
	more := r.reseller.counted(l, next, period).plus(r.reseller.counted(l, l.Assignment, period), -1)
	return s.forms.warnings(more, r.reseller.Allowance.plus(s.billed(r.reseller, r.now), -1))
}

// keptQuestions is how long an expired confirmation key differs from an unknown one, in the form that drops it.
const keptQuestions = 24 * time.Hour

// ask creates a confirmation for a change that exceeds the allowance (§3.2).
func (s *Simulator) ask(w allocationRequest, now time.Time) confirmation {
	d := s.store.data
	if s.forms.isForm("late-confirmation", "invalid") {
		maps.DeleteFunc(d.Asked, func(_ string, q *pendingConfirmation) bool { return q.ExpiresAt < millis(now.Add(-keptQuestions)) })
	}
	key := d.newID("confirmation")
	expires := millis(now.Add(confirmationLifetime))
	d.Asked[key] = &pendingConfirmation{LabelID: w.label.ID, ItemID: w.itemID, Quantity: w.quantity, Warnings: w.warnings, ExpiresAt: expires}
	return confirmation{key, expires}
}

// provisionPackage returns the package part of the response of §4.9.
func (s *Simulator) provisionPackage(r *request, l *label, packageID string) map[string]any {
	out, rejection := s.assignPackage(r, l, packageID, nil)
	if rejection != nil {
		return map[string]any{"outcome": "Failed", "error": rejection.code}
	}
	return out
}
