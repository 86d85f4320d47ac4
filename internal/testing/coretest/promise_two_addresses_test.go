package coretest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	provided "github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// objectsOf are the live objects that an instance manages. A person is of a member and of a set.
func objectsOf(address string, attributes map[string]any) []string {
	typ, _, _ := strings.Cut(address, ".")
	label, id := text(attributes, "private_label_id"), text(attributes, "id")
	switch {
	case attributes == nil:
		return nil
	case typ == "reseller_private_label" && id != "":
		return []string{"label " + id}
	case typ == "reseller_package" && id != "", typ == "reseller_addon" && id != "":
		return []string{"item " + id}
	case typ == "reseller_assignment" && label != "":
		return []string{"assignment " + label}
	case typ == "reseller_branding" && text(attributes, "domain") != "":
		return []string{"branding " + text(attributes, "domain")}
	case typ == "reseller_domain_verification" && label != "":
		return []string{"verification " + label}
	case typ == "reseller_member" && label != "" && id != "":
		return []string{personOf(label, id)}
	case typ == "reseller_members" && label != "":
		out := []string{"members " + label}
		users, _ := attributes["user_ids"].(map[string]any)
		for _, user := range users {
			if user, known := user.(string); known {
				out = append(out, personOf(label, user))
			}
		}
		return out
	default:
		return nil
	}
}

func personOf(label, id string) string { return "person " + label + " " + id }

// twoAddresses checks what a plan says of live objects that two of its addresses have: that it says so where they do, and
// nowhere else.
func (r *walk) twoAddresses(p savedPlan, found providertest.Diagnostics) {
	c, ok := r.d.(*core)
	if !ok {
		return
	}
	plan := c.attempted
	had := map[string][]string{} // addresses by their live object, as refreshed
	for address, stored := range plan.state {
		attributes, _ := providertest.Plain(stored.value).(map[string]any)
		for _, o := range objectsOf(address, attributes) {
			had[o] = append(had[o], address)
		}
	}
	r.falselyTold(plan, had, found)
	if p == nil || plan.testRun || plan.refreshOnly || plan.destroy {
		return
	}
	for _, o := range slices.Sorted(maps.Keys(had)) {
		r.untold(plan, o, had[o], found)
	}
}

// falselyTold: an error or a warning about two addresses is about a live object that two addresses of the plan have.
func (r *walk) falselyTold(plan *corePlan, had map[string][]string, found providertest.Diagnostics) {
	for _, f := range found {
		switch {
		case f.Summary == session.SummaryHeldTwice && plan.testRun: // two runs may create what one plan would create twice
			continue
		case !slices.Contains([]string{session.SummaryKeptElsewhere, session.SummaryDisputed, session.SummaryHeldTwice}, f.Summary):
			continue
		}
		shared := false
		for _, addresses := range had {
			shared = shared || len(addresses) > 1 && (f.Address == "" || slices.Contains(addresses, f.Address))
		}
		if !shared && !r.createsTwice(plan, f.Address) {
			r.violate(ruleTwoAddresses, fmt.Sprintf("%s: %q, and no other address has it", f.Address, f.Summary))
		}
	}
}

// createsTwice reports whether another block of the configuration has the host name, the code or the private label of a new
// one.
func (r *walk) createsTwice(plan *corePlan, address string) bool {
	ch := plan.changes[address]
	if ch == nil || ch.block == nil {
		return plan.target.block(address) != nil // it has an error of its own
	}
	key := func(address string, planned map[string]any) string {
		typ, _, _ := strings.Cut(address, ".")
		parts := []string{strings.TrimSuffix(typ, "s"), text(planned, "private_label_id"), text(planned, "code")}
		if typ != "reseller_members" && typ != "reseller_assignment" {
			parts = append(parts, text(planned, "email"), text(planned, "domain"))
		}
		return strings.ToLower(strings.Join(parts, " "))
	}
	for _, b := range plan.target.blocks {
		if b.address() != address && kindred(b.address(), address) && plan.changes[b.address()] == nil {
			return true // the other one has an error of its own
		}
	}
	planned := plannedAs(ch)
	for other, ch := range plan.changes {
		values := plannedAs(ch)
		typ, _, _ := strings.Cut(other, ".")
		if other != address && ch.block != nil && (key(other, values) == key(address, planned) ||
			strings.HasPrefix(address, "reseller_member") && strings.HasPrefix(typ, "reseller_member") && text(values, "private_label_id") == text(planned, "private_label_id")) {
			return true
		}
	}
	return false
}

// plannedAs are the planned attributes. A private label that is known after apply is assumed to stay the same.
func plannedAs(ch *change) map[string]any {
	planned, _ := providertest.Plain(ch.planned).(map[string]any)
	if ch.prior == nil || planned == nil || text(planned, "private_label_id") != "" {
		return planned
	}
	was, _ := providertest.Plain(ch.prior.value).(map[string]any)
	planned = maps.Clone(planned)
	planned["private_label_id"] = was["private_label_id"]
	return planned
}

// untold: a plan that removes at one address what another one keeps is an error, and a plan of two addresses that keep one
// object warns.
func (r *walk) untold(plan *corePlan, o string, addresses []string, found providertest.Diagnostics) {
	var keeps, removes []string
	for _, address := range addresses {
		ch := plan.changes[address]
		switch {
		case isDeposed(address), ch == nil:
		case ch.block != nil && !ch.replaced && slices.Contains(kept(address, ch), o):
			keeps = append(keeps, address)
		case r.acts(address, ch, o):
			removes = append(removes, address)
		}
	}
	slices.Sort(keeps)
	if len(keeps) > 0 && len(removes) > 0 {
		r.violate(ruleTwoAddresses, fmt.Sprintf("the plan removes %s as %v and keeps it as %v", o, removes, keeps))
	}
	if len(keeps) < 2 || !slices.ContainsFunc(keeps, func(address string) bool { return instanceIn(plan.state[address].private) }) {
		return // of a killed create, whose private state is lost
	}
	if !slices.ContainsFunc(found, func(f providertest.Diagnostic) bool {
		return f.Summary == session.SummaryHeldTwice && slices.ContainsFunc(keeps, func(address string) bool { return kindred(address, f.Address) })
	}) {
		r.violate(ruleTwoAddresses, fmt.Sprintf("%v have %s, and the plan says nothing", keeps, o))
	}
}

// kindred reports whether two addresses are of one type, or of a member and of a set.
func kindred(a, b string) bool {
	typ, _, _ := strings.Cut(a, ".")
	other, _, _ := strings.Cut(b, ".")
	return strings.TrimSuffix(typ, "s") == strings.TrimSuffix(other, "s")
}

func instanceIn(private []byte) bool { return strings.Contains(string(private), "instance") }

// kept are the objects that a planned change of an object in state leaves it.
func kept(address string, ch *change) []string {
	was, _ := providertest.Plain(ch.prior.value).(map[string]any)
	if !strings.HasPrefix(address, "reseller_members.") {
		return objectsOf(address, was)
	}
	planned, _ := providertest.Plain(ch.planned).(map[string]any)
	out := []string{"members " + text(was, "private_label_id")}
	users, _ := was["user_ids"].(map[string]any)
	members, known := planned["members"].(map[string]any)
	for email, user := range users {
		stays := false
		for wanted := range members {
			stays = stays || strings.EqualFold(wanted, email)
		}
		if stays || !known {
			out = append(out, personOf(text(was, "private_label_id"), fmt.Sprint(user)))
		}
	}
	return out
}

// actingPolicies are those under which a destroy acts on the API; those of a label are about everything in it.
var actingPolicies = []string{"REMOVE", "DEACTIVATE", "DEPROVISION", "SUSPEND"}

// acts reports whether a change of an address removes an object from the API.
func (r *walk) acts(address string, ch *change, o string) bool {
	was, _ := providertest.Plain(ch.prior.value).(map[string]any)
	switch typ, _, _ := strings.Cut(address, "."); typ {
	case "reseller_member", "reseller_members":
		if !r.isPlainMember(o) || typ == "reseller_members" && ch.block == nil {
			return false
		}
		return typ == "reseller_members" || ch.destroys() && slices.Contains(actingPolicies, text(was, "deletion_policy"))
	case "reseller_private_label", "reseller_assignment", "reseller_package", "reseller_addon":
		return ch.destroys() && r.isLive(address, was) && slices.Contains(actingPolicies, text(was, "deletion_policy")) && r.isRemovable(typ, was)
	default:
		return false
	}
}

// isPlainMember reports whether an object is a person whom the API can remove.
func (r *walk) isPlainMember(o string) bool {
	for _, l := range r.e.w.Sim.Labels() {
		for _, p := range l.People {
			if personOf(l.ID, p.ID) == o {
				return p.Role == "member"
			}
		}
	}
	return false
}

// isRemovable reports whether a destroy has anything left to do.
func (r *walk) isRemovable(typ string, was map[string]any) bool {
	if typ == "reseller_private_label" {
		l, live := labelOn(r.e.w.Sim.Labels(), text(was, "domain"))
		return live && (text(was, "deletion_policy") != "SUSPEND" || l.Status != "Suspended")
	}
	for _, item := range slices.Concat(r.e.w.Sim.Packages(), r.e.w.Sim.Addons()) {
		if item.ID == text(was, "id") {
			return item.Active
		}
	}
	return typ == "reseller_assignment"
}

// dropsAny reports whether the latest plan takes from an address what the one with an error has.
func (r *walk) dropsAny(address string) bool {
	c, ok := r.d.(*core)
	if !ok {
		return true
	}
	for other, ch := range c.attempted.changes {
		if kindred(address, other) && ch.prior != nil && (ch.destroys() || strings.HasPrefix(other, "reseller_members.")) {
			return true
		}
	}
	replaced := slices.ContainsFunc(c.attempted.rejected, func(other string) bool { return kindred(address, other) })
	return replaced || strings.HasPrefix(address, "reseller_members.") // a set drops a member
}

// held: nothing that an address has after an apply was removed by this apply, unless it said so.
func (j *judgment) held() {
	if j.testRun {
		return // one process of several runs knows no conflicts after its first apply
	}
	for _, address := range slices.Sorted(maps.Keys(j.stateAfter)) {
		current := j.stateAfter[address]
		if slices.ContainsFunc(j.said, func(f providertest.Diagnostic) bool {
			return f.IsError() && (f.Address == "" || j.shares(f.Address, address)) || f.Summary == summaryKilled
		}) {
			continue
		}
		for _, e := range j.entries {
			if !e.Console && j.removed(e, address, current) {
				j.violate(ruleHeld, "%s is in state, and the apply: %s", address, entryText(e))
			}
		}
	}
}

// shares reports whether an address has had an object that another one has: an error of the one is about both.
func (j *judgment) shares(address, other string) bool {
	held := objectsOf(other, j.stateAfter[other])
	had := slices.Concat(objectsOf(address, j.stateBefore[address]), objectsOf(address, j.stateAfter[address])) // or has imported
	return address == other || slices.ContainsFunc(had, func(o string) bool { return slices.Contains(held, o) })
}

// removed reports whether an entry removes what an instance has, and it is gone.
func (j *judgment) removed(e simulator.Entry, address string, current map[string]any) bool {
	then, _ := labelOn(j.before, e.Host)
	now, live := labelOn(j.after, e.Host)
	held := objectsOf(address, current)
	switch e.Kind {
	case simulator.EntryDeprovisioned:
		return !live && slices.Contains(held, "label "+then.ID)
	case simulator.EntryItemRemoved:
		return e.Item == simulator.ItemPackage && now.Package == "" && slices.Contains(held, "assignment "+then.ID)
	case simulator.EntryItemDeactivated:
		return text(current, "code") == e.Code && current["active"] == true && !j.inactive(e.Code)
	case simulator.EntryMemberRemoved:
		for _, p := range then.People {
			if strings.EqualFold(p.Email, e.Person) && slices.Contains(held, personOf(then.ID, p.ID)) {
				return !slices.ContainsFunc(now.People, func(n simulator.PersonView) bool { return n.ID == p.ID })
			}
		}
	default:
	}
	return false
}

// inactive reports whether an address wants a catalog item to be inactive.
func (j *judgment) inactive(code string) bool {
	for _, current := range j.stateAfter {
		if text(current, "code") == code && current["active"] == false {
			return true
		}
	}
	return false
}

// awaited: what waits for a value that is known after apply stays the same object, or the apply said an error about it.
func (j *judgment) awaited() {
	for _, f := range j.applied.announced {
		was, now := j.stateBefore[f.Address], j.stateAfter[f.Address]
		if f.Summary != provided.SummaryAwaits || was == nil || now == nil || slices.Contains(j.replaced, f.Address) || j.replacing[f.Address] {
			continue
		}
		if text(was, "id") != text(now, "id") {
			j.violate(ruleAwaits, "%s was %s and is %s", f.Address, text(was, "id"), text(now, "id"))
		}
	}
}
