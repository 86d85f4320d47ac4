package review

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// roles are the words of a row.
var roles = map[register.Role]string{
	register.Creates: "created", register.Imports: "imported", register.Keeps: "kept", register.Removes: "destroyed",
}

// identity says what distinguishes the live objects of a resource type, beside their IDs.
type identity struct {
	class    string   // "" for the type itself
	names    []string // attributes
	ofLabel  bool     // the private label is a part of it
	repeats  bool     // a second one is another object
	releases bool     // a destroy only removes it from state
}

const typeSet = "reseller_members"

var identities = map[string]identity{
	typeLabel:                      {names: []string{"domain"}},
	typePackage:                    {names: []string{"code"}},
	"reseller_addon":               {names: []string{"code"}},
	"reseller_assignment":          {ofLabel: true},
	typeMember:                     {class: "person", names: []string{"email"}, ofLabel: true},
	typeSet:                        {ofLabel: true, releases: true},
	"reseller_branding":            {names: []string{"domain"}, releases: true},
	"reseller_domain_verification": {ofLabel: true, releases: true},
	"reseller_document":            {names: []string{"title", "file_sha256"}, repeats: true},
	"reseller_document_signing":    {names: []string{"doc_id", "annotations"}, repeats: true},
	"reseller_minted_document":     {names: []string{"asset_name", "file_sha256"}, repeats: true},
}

// person is the identity of each member of a set.
var person = identity{class: "person", names: []string{"members"}, ofLabel: true}

// held is a live object at one address of the plan. A set of members holds each of its people.
type held struct {
	*change
	identity
	role     register.Role
	reseller string
	label    label
	id, name string // "" if unknown; the name is in one case
	subject  string
}

// heldBy lists the live objects of a change.
func (r *reviewer) heldBy(c *change) (out []held) {
	what, ok := identities[c.Type]
	if !ok || c.Mode == "data" {
		return nil
	}
	what.class = cmp.Or(what.class, c.Type)
	object := c.After
	if object == nil {
		object = c.Before
	}
	h := held{change: c, identity: what, label: r.labelOf(c, object)}
	switch {
	case c.imports():
		h.role = register.Imports
	case c.does("update") || c.does("no-op"):
		h.role = register.Keeps
	case c.does("create"):
		h.role = register.Creates
	}
	if h.role != 0 {
		out = append(out, h.as(h.role, c.After))
	}
	if c.Type == typeSet {
		h.identity = person
		out = append(out, h.people()...)
	}
	// A destroy under ABANDON leaves the object as it is.
	if c.does("delete") && !what.releases && textOf(c.Before, "deletion_policy") != effect.PolicyAbandon {
		if id := textOf(c.Before, labelID); id != "" {
			h.label = label{Label: r.plan.names.Label(effect.Label{ID: id})}
		}
		out = append(out, h.as(register.Removes, c.Before))
	}
	return out
}

// as is the object before or after the change.
func (h held) as(does register.Role, object any) held {
	fields, _ := object.(map[string]any)
	var names []string
	for _, name := range h.names {
		if value := fields[name]; value != nil {
			names = append(names, fmt.Sprint(value))
		}
	}
	subject := effect.KnownAfterApply
	if len(names) > 0 {
		subject = names[0]
	}
	if len(names) < len(h.names) {
		names = nil
	}
	if len(h.names) == 0 {
		names, subject = []string{h.class}, cmp.Or(h.label.Host, h.label.ID, subject)
	}
	return h.named(does, object, strings.Join(names, "\n"), textOf(object, "id"), subject)
}

func (h held) named(does register.Role, object any, name, id, subject string) held {
	h.role, h.reseller, h.name, h.subject = does, textOf(object, "reseller"), strings.ToLower(name), subject
	if !h.repeats {
		h.id = id
	}
	return h
}

// people of a set: those that a change adds are created, those that it drops are destroyed. A destroy of the set, or one
// that is replaced, removes nobody.
func (h held) people() (out []held) {
	if h.role == 0 {
		return nil
	}
	was, will := peopleOf(h.Before), peopleOf(h.After)
	if h.role == register.Creates {
		was = nil
	}
	add := func(does register.Role, object any, email string) {
		id := textOf(object, "user_ids", email)
		out = append(out, h.named(does, object, email, id, email))
	}
	for _, key := range slices.Sorted(maps.Keys(will)) {
		does := h.role
		if was[key] == "" {
			does = register.Creates
		}
		add(does, h.After, will[key])
		delete(was, key)
	}
	if !h.isUnknown("members") {
		for _, key := range slices.Sorted(maps.Keys(was)) {
			add(register.Removes, h.Before, was[key])
		}
	}
	return out
}

// peopleOf are the email addresses of a set, by their lower case.
func peopleOf(object any) map[string]string {
	fields, _ := object.(map[string]any)
	members, _ := fields["members"].(map[string]any)
	out := map[string]string{}
	for email := range members {
		out[strings.ToLower(email)] = email
	}
	return out
}

// claim is what the address does with the live object, as the register has it while a plan is made.
func (h held) claim() register.Claim {
	return register.Claim{
		Object: register.Object{Type: h.class, ID: h.id, Name: h.name}, Role: h.role, By: h.Type, Instance: h.Address, Repeatable: h.repeats,
	}
}

// like says how sure it is that two addresses hold one live object.
func (h held) like(o *held) register.Likeness {
	if h.reseller != "" && o.reseller != "" && h.reseller != o.reseller {
		return register.Different
	}
	out := h.claim().Like(o.claim().Object)
	if h.ofLabel {
		out = min(out, h.label.like(o.label))
	}
	return out
}

func (l label) like(o label) register.Likeness {
	named := func(id string) register.Object { return register.Object{ID: id} }
	switch {
	case l.ID != "" && o.isNew, o.ID != "" && l.isNew:
		return register.Different // the ID of a private label that the plan provisions is a new one
	case l.isNew && o.isNew && l.new != nil && o.new != nil:
		return named(l.new.Address).Like(named(o.new.Address))
	default:
		return named(l.ID).Like(named(o.ID))
	}
}

// likelyTwice reports whether two creates that may be of one object are listed: of one person, and neither by one block
// nor, as far as the configuration shows, for two private labels.
func likelyTwice(h, o *held) bool {
	elsewhere := h.label.new != nil && o.label.new != nil && h.label.new != o.label.new
	block := func(address string) string {
		return fmt.Sprint(slice.Map(stepsOf(address), func(s step) step { return step{s.typ, s.name, anyKey} }))
	}
	return len(h.names) > 0 && h.name != "" && h.name == o.name && !elsewhere && block(h.Address) != block(o.Address)
}

// conflicts adds a row for each live object that two addresses of the plan have: one process of the provider cannot see
// them all, and the plan has them.
func (r *reviewer) conflicts() {
	byClass := map[string][]held{}
	for _, c := range r.plan.changes {
		for _, h := range r.heldBy(c) {
			byClass[h.class] = append(byClass[h.class], h)
		}
	}
	for _, class := range slices.Sorted(maps.Keys(byClass)) {
		all := byClass[class]
		for i := range all {
			others := conflictsOf(all, i)
			r.conflict(&all[i], "", others[register.Same])
			r.conflict(&all[i], "possible, as a key is known after apply: ", others[register.Possible])
		}
	}
}

// conflictsOf returns the other addresses of a live object, and those that may be: at the address that removes it, or at the
// first one that has it. Two sets of one private label have one row, and none for each member.
func conflictsOf(all []held, i int) map[register.Likeness][]string {
	h, others := &all[i], map[register.Likeness][]string{}
	for j := range all {
		o := &all[j]
		conflict := register.Between(h.claim(), o.claim())
		isHere := h.role == register.Removes || o.role != register.Removes && j > i
		inTwoSets := conflict == register.Twice && h.class == person.class && h.Type == typeSet && o.Type == typeSet
		if h.Address == o.Address || conflict == register.None || !isHere || inTwoSets {
			continue
		}
		how := h.like(o)
		bothCreate := h.role == register.Creates && o.role == register.Creates
		if how == register.Same || h.role == register.Removes || bothCreate && likelyTwice(h, o) {
			others[how] = append(others[how], roles[o.role]+" at "+o.Address)
		}
	}
	return others
}

// maxAddresses is the maximum number of addresses that a row names.
const maxAddresses = 3

func (r *reviewer) conflict(h *held, perhaps string, others []string) {
	if len(others) == 0 {
		return
	}
	what := fmt.Sprintf("%sone object is %s here and ", perhaps, roles[h.role])
	e := effect.Effect{
		Event: effect.Event{Kind: effect.Conflict, Phrase: what + "{after}"}, Address: h.Address, Label: h.label.Label, Name: types.StringValue(h.subject),
	}
	brief, _, _ := strings.Cut(others[0], " ")
	if more := len(others) - maxAddresses; more > 0 {
		others = append(others[:maxAddresses:maxAddresses], fmt.Sprintf("%d more", more))
	}
	e.After = others
	r.add(e, h.hidden)
	r.out.Rows[len(r.out.Rows)-1].Brief = what + brief + " at another address"
}
