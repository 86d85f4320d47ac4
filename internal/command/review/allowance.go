package review

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/listing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// This file says what a plan needs of the reseller's allowance. A package has no documented quantities, so they are learned
// from the assignments of the state before the plan. A number of the result is a bound that holds, or it is missing.

// items of the allowance (§2.6).
var items = []string{"documents", "seats", "templates", "notarizations"}

const seats = "seats" // a member takes one, with a package or without

// item of the catalog that a row is about.
type item struct {
	isAddon        bool
	reseller, code string // the code in upper case
}

// itemAt is the item of a resource or a data source.
func itemAt(typ string, values any) item {
	return item{typ == typeAddon, textOf(values, "reseller"), strings.ToUpper(textOf(values, "code"))}
}

// assigned is an assignment in the state before the plan, with all that it shows.
type assigned struct {
	reseller, label string
	pkg             string
	addons          map[string]float64
	allocated       map[string]float64 // by item, without what is not known
}

// assignedOf returns an assignment of a state; nil if it does not show its package and its add-ons.
func assignedOf(values any) *assigned {
	fields := fieldsOf(values)
	attached, isKnown := fields["attached_addons"].(map[string]any)
	allocated := fieldsOf(fields["allocated"])
	a := &assigned{
		reseller: textOf(values, "reseller"), label: textOf(values, labelID), pkg: strings.ToUpper(textOf(values, "package_code")),
		addons: map[string]float64{}, allocated: numbers(allocated),
	}
	for code, addon := range attached {
		quantity, ok := number(addon, "quantity")
		isKnown = isKnown && ok && quantity > 0
		a.addons[strings.ToUpper(code)] = quantity
	}
	if !isKnown || a.pkg == "" || a.label == "" {
		return nil
	}
	return a
}

// number finds a number in an object.
func number(object any, name string) (float64, bool) {
	text, ok := fieldsOf(object)[name].(json.Number)
	if !ok {
		return 0, false
	}
	value, err := text.Float64()
	return value, err == nil
}

func numbers(fields map[string]any) map[string]float64 {
	out := map[string]float64{}
	for name := range fields {
		if value, ok := number(fields, name); ok {
			out[name] = value
		}
	}
	return out
}

// learned is what one unit of an item of the catalog allocates of one item of the allowance.
type learned struct {
	least, most float64
	from        map[string]bool // private labels that show it
}

// lesson is what all items of the catalog allocate, by item of the allowance.
type lesson map[item]map[string]*learned

func (l lesson) note(of item, code, label string, value float64) {
	if l[of] == nil {
		l[of] = map[string]*learned{}
	}
	found := l[of][code]
	if found == nil {
		found = &learned{value, value, map[string]bool{}}
		l[of][code] = found
	}
	found.least = min(found.least, value)
	found.most = max(found.most, value)
	found.from[label] = true
}

// exact is a need on which all private labels agree.
func (l lesson) exact(of item, code string) (float64, bool) {
	found := l[of][code]
	if found == nil || found.least != found.most {
		return 0, false
	}
	return found.most, true
}

// learn takes the need of a package from assignments without add-ons, and that of an add-on from those that have it beside a
// package and add-ons whose needs are known.
func learn(all []*assigned) lesson {
	out := lesson{}
	for _, a := range all {
		for code, value := range a.allocated {
			if len(a.addons) == 0 {
				out.note(item{reseller: a.reseller, code: a.pkg}, code, a.label, value)
			}
		}
	}
	for range all { // each pass may make one more add-on known
		before := len(out)
		found := lesson{}
		for _, a := range all {
			out.learnAddon(a, found)
		}
		maps.Copy(out, found)
		if len(out) == before {
			return out
		}
	}
	return out
}

// learnAddon takes the need of the only add-on of an assignment whose need is unknown.
func (l lesson) learnAddon(a *assigned, found lesson) {
	var unknown []item
	for addon := range a.addons {
		if of := (item{true, a.reseller, addon}); l[of] == nil {
			unknown = append(unknown, of)
		}
	}
	if len(unknown) != 1 {
		return
	}
	for code, value := range a.allocated {
		rest, ok := l.exact(item{reseller: a.reseller, code: a.pkg}, code)
		for addon, quantity := range a.addons {
			if of := (item{true, a.reseller, addon}); of != unknown[0] {
				each, known := l.exact(of, code)
				rest, ok = rest+each*quantity, ok && known
			}
		}
		if each := (value - rest) / a.addons[unknown[0].code]; ok && each >= 0 {
			found.note(unknown[0], code, a.label, each)
		}
	}
}

// reviewed is a row with what it was made from.
type reviewed struct {
	effect.Effect
	row    listing.Row
	change *change
	label  label
}

// quantity of the item, nil if it is not known.
func (e reviewed) quantity() *float64 {
	known, ok := e.row.Quantity.(float64)
	switch {
	case e.Quantity.IsNull():
		known = 1
	case !ok:
		return nil
	}
	return &known
}

// itemOf returns the item that an effect is about; the code is "" if it is not known.
func (r *reviewer) itemOf(e reviewed) item {
	code := string(e.row.Code)
	if id := e.Name.ValueString(); code == "" && e.row.Subject == id {
		code = cmp.Or(r.plan.names.Codes[id], r.plan.codes[id])
	}
	return item{isAddon: !e.Quantity.IsNull(), reseller: e.change.attribute("reseller"), code: strings.ToUpper(code)}
}

// portal is what a plan does to the use of one private label.
type portal struct {
	isNew   bool
	isFull  bool    // the state shows a package with seats, which bounds the seats of members
	changes bool    // its package or add-ons
	people  float64 // whom the plan adds; infinite if their number is not known
	takes   map[string]*bound
	frees   map[string]float64
}

// bound of an amount; most is infinite if it is not known.
type bound struct{ least, most float64 }

// estimate collects what a plan does to the use of the allowance.
type estimate struct {
	lesson
	portals    map[string]*portal
	from       map[string]map[string]bool // private labels that show a need, by item of the allowance
	notLearned map[string]bool            // codes
}

// note adds what an effect takes and frees.
func (s *estimate) note(r *reviewer, e reviewed) {
	p := r.portalOf(s.portals, e)
	p.free(e)
	switch {
	case e.Allocates:
		of := r.itemOf(e)
		needs := s.lesson[of]
		p.take(e, needs)
		for code, need := range needs {
			maps.Copy(s.from[code], need.from)
		}
		if needs == nil {
			s.notLearned[cmp.Or(of.code, effect.KnownAfterApply)] = true
		}
	case e.Kind == effect.Email:
		p.people++
		if e.change.Type == typeSet && e.change.isUnknown("members") {
			p.people = math.Inf(1)
		}
	}
}

// sum returns what all private labels together add to the use of an item: its bounds, the part of the least amount that the
// API is asked for, and the most that the plan frees. A seat that a member takes needs no question.
func (s *estimate) sum(code string) (total bound, asked, freed float64) {
	for _, p := range s.portals {
		more := p.adds(code)
		total.least += more.least
		total.most += more.most
		freed += p.frees[code]
		if more.least > p.alone(code) {
			asked += more.least
		}
	}
	return total, asked, freed
}

// forecast says what the plan adds to the use of each item, if it assigns or attaches anything.
func (r *reviewer) forecast() (out []listing.Need) {
	if !slices.ContainsFunc(r.reviewed, func(e reviewed) bool { return e.Allocates }) {
		return nil
	}
	s, redefined := estimate{learn(r.plan.assigned), map[string]*portal{}, map[string]map[string]bool{}, map[string]bool{}}, r.redefined()
	maps.DeleteFunc(s.lesson, func(of item, _ map[string]*learned) bool { _, ok := redefined[of]; return ok })
	for _, code := range items {
		s.from[code] = map[string]bool{}
	}
	for _, e := range r.reviewed {
		s.note(r, e)
	}
	permitted := r.permitted()
	isRedefining := slices.Contains(slices.Collect(maps.Values(redefined)), true)
	for _, code := range items {
		total, asked, freed := s.sum(code)
		if isRedefining { // every private label that has the item may change
			total.most = math.Inf(1)
			freed = math.Inf(1)
		}
		n := listing.Need{
			Item: code, LearnedFrom: len(s.from[code]), Asked: max(0, asked-freed), Remaining: r.plan.remaining[code], Permitted: permitted[code],
			NotLearned: append([]string{}, slices.Sorted(maps.Keys(s.notLearned))...),
		}
		if least := max(0, total.least-freed); len(s.from[code]) > 0 {
			n.AtLeast = &least
		}
		if !math.IsInf(total.most, 1) {
			n.AtMost = &total.most
		}
		out = append(out, n)
	}
	return out
}

// portalOf returns the private label of an effect. A private label is new if the plan provisions it.
func (r *reviewer) portalOf(all map[string]*portal, e reviewed) *portal {
	provisions := e.label.new
	if e.change.Type == typeLabel && e.change.Before == nil {
		provisions = e.change
	}
	key := cmp.Or(e.label.ID, strings.ToLower(e.label.Host), e.Address)
	isNew := provisions != nil && provisions.Mode != dataMode
	if isNew {
		key = provisions.Address
	}
	if all[key] == nil {
		all[key] = &portal{takes: map[string]*bound{}, frees: map[string]float64{}, isNew: isNew}
		for _, code := range items {
			all[key].takes[code] = &bound{}
		}
		for _, a := range r.plan.assigned { // its members cannot have more seats than its package
			if a.label == e.label.ID && a.allocated[seats] > 0 {
				all[key].isFull = true
			}
		}
	}
	return all[key]
}

// take adds what an item allocates.
func (p *portal) take(e reviewed, needs map[string]*learned) {
	quantity := math.Inf(1)
	if known := e.quantity(); known != nil {
		quantity = *known
	}
	for _, code := range items {
		need, takes := needs[code], p.takes[code]
		switch {
		case need == nil:
			takes.most = math.Inf(1)
		case need.most > 0:
			takes.most += need.most * quantity
			if p.isNew && e.If == "" && !math.IsInf(quantity, 1) {
				takes.least += need.least * quantity
			}
		}
	}
}

// free adds the most that an effect may free: at most what the state shows of a package, one seat of a member. What a
// private label uses beyond its package is not known, so that its deprovisioning may free any amount.
func (p *portal) free(e reviewed) {
	isOfPackage := e.Allocates || e.Kind == effect.Removed && e.Email.IsNull()
	p.changes = p.changes || isOfPackage
	switch {
	case e.Kind == effect.Destroyed:
		for _, code := range items {
			p.frees[code] = math.Inf(1)
		}
	case e.Kind == effect.Removed && !e.Email.IsNull():
		p.frees[seats]++
		if e.Email.IsUnknown() || e.row.Email == "" {
			p.frees[seats] = math.Inf(1)
		}
	case isOfPackage && (!e.Allocates || e.Before != nil || e.If != ""):
		for _, code := range items {
			allocated, known := number(fieldsOf(e.change.Before)["allocated"], code)
			if !known {
				allocated = math.Inf(1)
			}
			p.frees[code] = max(p.frees[code], allocated)
		}
	}
}

// alone is what the members of the private label use of an item without a package.
func (p *portal) alone(code string) float64 {
	if code != seats || p.isFull && !p.changes {
		return 0
	}
	return p.people
}

// adds is what the private label uses more: the larger of what is allocated and what is used (§1).
func (p *portal) adds(code string) bound {
	takes := *p.takes[code]
	return bound{takes.least, max(takes.most, p.alone(code))}
}

// redefined are the items whose settings the plan changes (true), or have changed outside of Terraform: any of them may be a
// quantity, except for the price.
func (r *reviewer) redefined() map[item]bool {
	out := map[item]bool{}
	for i, c := range slices.Concat(r.plan.drift, r.plan.changes) {
		if !isItem(c.Type) || c.Before == nil || c.After == nil && !anyTrue(c.Unknown) {
			continue
		}
		settings := func(object any) any {
			inner := fieldsOf(fieldsOf(object)["settings"])
			inner = maps.Clone(inner)
			delete(inner, r.priceField)
			return inner
		}
		if anyTrue(fieldsOf(c.Unknown)["settings"]) || !reflect.DeepEqual(settings(c.Before), settings(c.After)) {
			of := itemAt(c.Type, c.Before)
			out[of] = out[of] || i >= len(r.plan.drift)
		}
	}
	return out
}

// permitted sums allow_excess of what the plan assigns. An amount that is not known is nil.
func (r *reviewer) permitted() map[string]*float64 {
	out := map[string]*float64{}
	for _, code := range items {
		out[code] = new(float64)
	}
	for _, e := range r.reviewed {
		if e.Kind != effect.Excess {
			continue
		}
		quantity, isKnown := e.row.Quantity.(float64)
		code := string(e.row.Code)
		switch {
		case code == "":
			return map[string]*float64{}
		case !isKnown || out[code] == nil:
			out[code] = nil
		default:
			*out[code] += quantity
		}
	}
	return out
}
