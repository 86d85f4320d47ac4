package assignment

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// This file decides what an apply confirms when the API says that a call exceeds the allowance (§3.2). It is pure.

// excessBudget bounds what one apply confirms for one private label, in sum over all its calls: allow_excess, and beyond
// it only to restore what the private label had. The calls of an apply run one after another. Copies share the maps.
type excessBudget struct {
	allowed   map[string]float64 // allow_excess by item; an item that is not named counts as 0
	confirmed map[string]float64 // so far, of allowed
	before    map[string]float64 // allocated before the apply; nil if the API did not show it
	restored  map[string]float64 // confirmed so far by restorations
	now       map[string]float64 // allocated just before a restoration; nil for any other call, and if that is unknown

	// resumes: a create found a part of its configuration in effect. What it has counts where nothing remains: an earlier
	// run may have exceeded the allowance by it.
	resumes bool
	counted map[string]float64 // of before, by item
}

// newExcessBudget returns the budget of an apply. before is what the private label had allocated when the apply began.
func newExcessBudget(allowed map[string]float64, before *client.Allocated) excessBudget {
	return excessBudget{
		allowed: allowed, before: allocatedItems(before),
		confirmed: map[string]float64{}, restored: map[string]float64{}, counted: map[string]float64{},
	}
}

// allocatedItems returns nil if a quantity is unknown.
func allocatedItems(a *client.Allocated) map[string]float64 {
	if a == nil {
		return nil
	}
	out := map[string]float64{}
	for item, quantity := range map[string]*float64{"documents": a.Documents, "seats": a.Seats, "templates": a.Templates, "notarizations": a.Notarizations} {
		if quantity == nil {
			return nil
		}
		out[item] = *quantity
	}
	return out
}

// consent is the budget of a call that restores what the private label had. now is what it has allocated just before, nil if
// that is unknown.
func (b excessBudget) consent(now *client.Allocated) excessBudget {
	b.now = allocatedItems(now)
	return b
}

// Judge returns an *excessRejectedError unless the budget permits the excess of every item.
func (b excessBudget) Judge(warnings []client.Warning) error {
	asked, reason := askedItems(warnings)
	if reason != "" {
		return &excessRejectedError{reason: reason}
	}
	if b.resumes && b.before == nil {
		return &excessRejectedError{reason: reasonAllocated}
	}
	for item, a := range asked {
		if _, known := b.counted[item]; !known && b.resumes && b.now == nil {
			b.counted[item] = 0
			if a.remaining <= 0 {
				b.counted[item] = b.before[item]
			}
		}
	}
	maps.DeleteFunc(asked, func(item string, a askedItem) bool {
		return b.restorable(item, a) || b.needs(item, a) <= b.allowed[item]
	})
	if len(asked) == 0 {
		return nil
	}
	rejection := &excessRejectedError{confirmed: maps.Clone(b.confirmed), counted: maps.Clone(b.counted), needed: maps.Collect(maps.All(b.allowed))}
	for _, item := range fwtype.SortedKeys(asked) {
		if !slices.Contains(fwtype.ItemCodes, item) {
			return &excessRejectedError{reason: reasonItem}
		}
		rejection.needed[item] = b.needs(item, asked[item])
		if b.now != nil && b.before != nil {
			allocates := printable.Number(b.allocates(item, asked[item]))
			rejection.grown = append(rejection.grown, fmt.Sprintf("%s %s instead of %s", item, allocates, printable.Number(b.before[item])))
		}
	}
	return rejection
}

// Confirmed takes what a call confirmed from the budget.
func (b excessBudget) Confirmed(warnings []client.Warning) {
	asked, _ := askedItems(warnings)
	for item, a := range asked {
		if !b.restorable(item, a) {
			b.confirmed[item] += a.caused
		}
		if b.now != nil {
			b.restored[item] += a.taken()
		}
	}
}

// needs returns the allow_excess that permits a call after what the apply has confirmed, or an earlier one may have.
func (b excessBudget) needs(item string, a askedItem) float64 {
	return max(a.excess, b.counted[item]+b.confirmed[item]+a.caused)
}

// restorable reports whether the private label has no more of an item after a restoration than before the apply.
func (b excessBudget) restorable(item string, a askedItem) bool {
	return b.now != nil && b.before != nil && b.allocates(item, a) <= b.before[item]
}

// allocates returns what the private label has of an item after a restoration.
func (b excessBudget) allocates(item string, a askedItem) float64 {
	return max(b.now[item], b.restored[item]) + a.taken()
}

// askedItem is what the warnings of one response state about an item.
type askedItem struct {
	requested float64
	remaining float64
	excess    float64 // the larger of what the API states and requested less remaining
	caused    float64 // the part of excess that this call causes: what is below 0 already was confirmed before
}

// taken is the largest quantity that the call may allocate.
func (a askedItem) taken() float64 {
	return max(a.requested, a.caused)
}

// Reasons why no allow_excess permits an excess.
const (
	reasonNumbers   = "The response does not name the item, or does not give each of its numbers."
	reasonConflict  = "The numbers of the response contradict each other."
	reasonNone      = "The response does not state any excess."
	reasonAllocated = "The API does not show what the private label has allocated already."
	reasonItem      = "The response states an excess of an item that allow_excess does not have, so this excess cannot be permitted here. " +
		"Assign less, or have the allowance raised."
)

// askedItems reads the warnings of a response. Several warnings about one item count in sum. reason is not empty if they
// must not be confirmed.
func askedItems(warnings []client.Warning) (asked map[string]askedItem, reason string) {
	asked = map[string]askedItem{}
	exceeds := false
	for _, w := range warnings {
		if w.ItemCode == "" || w.Requested == nil || w.Remaining == nil || w.Excess == nil {
			return nil, reasonNumbers
		}
		over := *w.Requested - *w.Remaining
		if *w.Requested < 0 || over > 0 && *w.Excess <= 0 || math.IsInf(over, 0) {
			return nil, reasonConflict
		}
		excess := max(0, *w.Excess, over)
		exceeds = exceeds || excess > 0
		a := asked[w.ItemCode]
		a.requested += *w.Requested
		a.remaining = *w.Remaining
		a.excess += excess
		a.caused += max(excess-max(0, -*w.Remaining), min(*w.Requested, excess))
		asked[w.ItemCode] = a
	}
	if !exceeds {
		return nil, reasonNone
	}
	return asked, ""
}

// excessRejectedError is why an excess was not confirmed.
type excessRejectedError struct {
	reason    string             // why no allow_excess permits it; empty if one does
	needed    map[string]float64 // the allow_excess that permits it, after what the apply has confirmed
	confirmed map[string]float64 // by the apply so far, by item
	counted   map[string]float64 // of what the private label has already, by item
	grown     []string           // of a restoration that can be compared: what the private label would have more than before
}

// countNow raises what is needed to what the next run of a create asks for: that counts what the private label has by then,
// where nothing remains.
func (e *excessRejectedError) countNow(warnings []client.Warning, now *client.Allocated) {
	asked, _ := askedItems(warnings)
	has := allocatedItems(now)
	for item, a := range asked {
		if needed, known := e.needed[item]; known && a.remaining <= 0 {
			e.needed[item] = max(needed, has[item]+a.caused)
		}
	}
}

func (e *excessRejectedError) Error() string {
	return cmp.Or(e.reason, fmt.Sprintf("allow_excess = %s would permit it", excessInHCL(e.needed)))
}
