package coretest

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const summaryRenamed = session.SummaryRenamed

// keyAttributes identify the live object of a type whose rename is an error.
var keyAttributes = map[string][]string{
	"reseller_private_label": {"domain"},
	"reseller_package":       {"code"},
	"reseller_addon":         {"code"},
	"reseller_assignment":    {"private_label_id"},
	"reseller_member":        {"private_label_id", "email"},
	"reseller_members":       {"private_label_id"},
}

// renames checks that no plan destroys an object under one address and creates or imports it under another, and that the error about
// it is right: something of its type would be destroyed.
func (r *walk) renames(t *target, inState []string, p savedPlan, found providertest.Diagnostics) {
	for _, f := range found {
		typ, _, _ := strings.Cut(f.Address, ".")
		if f.Summary == summaryRenamed && !slices.ContainsFunc(inState, func(address string) bool {
			return strings.HasPrefix(address, typ+".") && t.block(t.movedTo(address)) == nil
		}) && !r.dropsAny(f.Address) {
			r.violate(ruleRename, f.Address+": the plan destroys nothing of its type")
		}
	}
	plan, ok := p.(*corePlan)
	if !ok || plan == nil || plan.testRun {
		return
	}
	gone := map[string]string{}
	for _, address := range slices.Sorted(maps.Keys(plan.changes)) {
		ch := plan.changes[address]
		if !ch.destroys() || ch.prior == nil {
			continue
		}
		was, _ := providertest.Plain(ch.prior.value).(map[string]any)
		if r.isLive(address, was) {
			gone[r.keyOf(address, was)] = address
		}
	}
	for _, address := range slices.Sorted(maps.Keys(plan.changes)) {
		ch := plan.changes[address]
		if ch.block == nil || ch.prior != nil && !ch.imported {
			continue
		}
		planned, _ := providertest.Plain(ch.planned).(map[string]any)
		key := r.keyOf(address, planned)
		if from := gone[key]; key != "" && from != "" {
			r.violate(ruleRename, "the plan destroys "+from+" and creates it as "+address)
		}
	}
}

// isLive reports whether the simulator has an object of a state.
func (r *walk) isLive(address string, was map[string]any) bool {
	typ, _, _ := strings.Cut(address, ".")
	now := judgment{applied: &applied{after: r.e.w.Sim.Labels()}}
	label := text(was, "private_label_id")
	switch typ {
	case "reseller_package", "reseller_addon":
		return true
	case "reseller_private_label":
		label = text(was, "id")
	}
	host, ok := now.hostOf(label)
	return ok && now.stillThere(typ, host, was)
}

// keyOf identifies a live object, "" if it is not known. A member is the one who has the address now, unless the state has
// an ID.
func (r *walk) keyOf(address string, attributes map[string]any) string {
	typ, _, _ := strings.Cut(address, ".")
	key := typ
	for _, name := range keyAttributes[typ] {
		value := strings.ToLower(text(attributes, name))
		if value == "" {
			return ""
		}
		if name == "email" {
			value = cmp.Or(text(attributes, "id"), r.memberID(text(attributes, "private_label_id"), value))
		}
		key += " " + value
	}
	if keyAttributes[typ] == nil {
		return ""
	}
	return key
}

// memberID is the ID of the member who has an address now, else the address.
func (r *walk) memberID(label, email string) string {
	for _, v := range r.e.w.Sim.Labels() {
		for _, p := range v.People {
			if v.ID == label && strings.EqualFold(p.Email, email) {
				return p.ID
			}
		}
	}
	return email
}
