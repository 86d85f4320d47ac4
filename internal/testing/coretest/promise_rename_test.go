package coretest

import (
	"maps"
	"slices"
	"strings"
)

const summaryRenamed = "Resource address changed without a moved block"

// keyAttributes identify the live object of a type whose rename is an error.
var keyAttributes = map[string][]string{
	"reseller_assignment": {"private_label_id"},
	"reseller_member":     {"private_label_id", "email"},
	"reseller_members":    {"private_label_id"},
}

// renames checks that no plan destroys an object under one address and creates or imports it under another, and that the error about
// it is right: something of its type would be destroyed.
func (r *walk) renames(t *target, inState []string, p savedPlan, found []finding) {
	for _, f := range found {
		typ, _, _ := strings.Cut(f.address, ".")
		if f.summary == summaryRenamed && !slices.ContainsFunc(inState, func(address string) bool {
			return strings.HasPrefix(address, typ+".") && t.block(t.movedTo(address)) == nil
		}) {
			r.violate(ruleRename, f.address+": the plan destroys nothing of its type")
		}
	}
	plan, ok := p.(*corePlan)
	if !ok || plan == nil {
		return
	}
	gone := map[string]string{}
	for _, address := range slices.Sorted(maps.Keys(plan.changes)) {
		ch := plan.changes[address]
		if !ch.destroys() || ch.prior == nil {
			continue
		}
		typ, _, _ := strings.Cut(address, ".")
		was, _ := asInState(ch.prior.value).(map[string]any)
		now := judgment{applied: &applied{after: r.e.w.Sim.Labels()}}
		if host, ok := now.hostOf(text(was, "private_label_id")); ok && now.stillThere(typ, host, was) {
			gone[keyOf(address, was)] = address
		}
	}
	for _, address := range slices.Sorted(maps.Keys(plan.changes)) {
		ch := plan.changes[address]
		if ch.block == nil || ch.prior != nil && !ch.imported {
			continue
		}
		planned, _ := asInState(ch.planned).(map[string]any)
		key := keyOf(address, planned)
		if from := gone[key]; key != "" && from != "" {
			r.violate(ruleRename, "the plan destroys "+from+" and creates it as "+address)
		}
	}
}

// keyOf identifies a live object, "" if it is not known.
func keyOf(address string, is map[string]any) string {
	typ, _, _ := strings.Cut(address, ".")
	key := typ
	for _, name := range keyAttributes[typ] {
		value := strings.ToLower(text(is, name))
		if value == "" {
			return ""
		}
		key += " " + value
	}
	if keyAttributes[typ] == nil {
		return ""
	}
	return key
}
