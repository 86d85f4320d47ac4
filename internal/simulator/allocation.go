package simulator

import (
	"time"
)

// itemCodes in the order of §2.6.
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

// allocated is what a label's package and add-ons take (§2.6).
func (r *reseller) allocated(l *label) quantities {
	var q quantities
	if l.Assignment == nil {
		return q
	}
	if p := r.pkg(l.Assignment.PackageID); p != nil {
		q = q.plus(p.Included, 1)
	}
	for _, at := range l.Assignment.Addons {
		if a := r.addon(at.AddonID); a != nil {
			q = q.plus(a.Included, at.Quantity)
		}
	}
	return q
}

// used is what a label used in a period (§2.10).
func (l *label) used(period string) quantities {
	return quantities{
		Documents:     l.Documents[period],
		Seats:         float64(len(l.Members)),
		Templates:     float64(len(l.Templates)),
		Notarizations: l.Notarized[period],
	}
}

// counted is what a label takes of the allowance: the greater of allocated and
// used, suspended or not (§1).
func (r *reseller) counted(l *label, period string) quantities {
	return r.allocated(l).atLeast(l.used(period))
}

// remaining of the reseller's allowance.
func (s *Simulator) remaining(r *reseller, now time.Time) quantities {
	left, period := r.Allowance, periodOf(now)
	for _, l := range s.store.data.labelsOf(r.ID) {
		left = left.plus(r.counted(l, period), -1)
	}
	return left
}

// warning is §2.7.
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

// warnings of a change that would take more: what the label takes on top of
// what it is counted for already, against what remains.
func warnings(more, remaining quantities) []warning {
	var out []warning
	for _, code := range itemCodes {
		if excess := more.get(code) - max(0, remaining.get(code)); more.get(code) > 0 && excess > 0 {
			out = append(out, warning{code, more.get(code), max(0, remaining.get(code)), excess})
		}
	}
	return out
}

// ask makes a confirmation for a change that does not fit (§3.2).
func (s *Simulator) ask(l *label, itemID string, quantity float64, remaining quantities, now time.Time) confirmation {
	d := s.store.data
	key, expires := d.newID("confirmation"), millis(now.Add(confirmationLifetime))
	d.Asked[key] = &question{LabelID: l.ID, ItemID: itemID, Quantity: quantity, Remaining: remaining, ExpiresAt: expires}
	return confirmation{key, expires}
}

// provisionPackage is the package part of §4.9's answer.
func (s *Simulator) provisionPackage(r *request, l *label, packageID string) map[string]any {
	p := r.reseller.pkg(packageID)
	switch {
	case r.reseller.NoSubscription:
		return map[string]any{"outcome": "Failed", "error": "NO_SUBSCRIPTION"}
	case p == nil:
		return map[string]any{"outcome": "Failed", "error": "INVALID_REQUEST"}
	case !p.Active:
		return map[string]any{"outcome": "Failed", "error": "PACKAGE_INACTIVE"}
	}
	remaining := s.remaining(r.reseller, r.now)
	before := r.reseller.counted(l, periodOf(r.now))
	more := p.Included.atLeast(before).plus(before, -1)
	if w := warnings(more, remaining); len(w) > 0 {
		return map[string]any{"outcome": "ConfirmationRequired", "confirmation": s.ask(l, p.ID, 1, remaining, r.now), "warnings": w}
	}
	l.Assignment = &assignment{ID: s.store.data.newID("assignment"), PackageID: p.ID, AssignedAt: millis(r.now)}
	return map[string]any{"outcome": "Assigned", "assignmentId": l.Assignment.ID, "allocated": r.reseller.allocated(l)}
}
