package review

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// role is what a plan does with a live object at one address.
type role string

const (
	creates  role = "created"
	imports  role = "imported"
	keeps    role = "kept"
	destroys role = "destroyed"
)

// identity says what distinguishes the live objects of a resource type, beside their IDs.
type identity struct {
	class   string   // "" for the type itself
	names   []string // attributes
	ofLabel bool     // the private label is a part of it
	repeats bool     // a second one is another object
}

var identities = map[string]identity{
	typeLabel:                   {names: []string{"domain"}},
	typePackage:                 {names: []string{"code"}},
	"reseller_addon":            {names: []string{"code"}},
	"reseller_assignment":       {ofLabel: true},
	typeMember:                  {class: "person", names: []string{"email"}, ofLabel: true},
	"reseller_members":          {class: "person", names: []string{"members"}, ofLabel: true},
	"reseller_document":         {names: []string{"title", "file_sha256"}, repeats: true},
	"reseller_document_signing": {names: []string{"doc_id", "annotations"}, repeats: true},
	"reseller_minted_document":  {names: []string{"asset_name", "file_sha256"}, repeats: true},
}

// held is a live object at one address of the plan. A set of members holds each of its people.
type held struct {
	*change
	identity
	role     role
	reseller string
	label    label
	id, name string // "" if unknown; the name is in one case
	subject  string
}

// heldBy lists the live objects of a change. A rename of branding or of a domain verification costs nothing.
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
		h.role = imports
	case c.does("update") || c.does("no-op"):
		h.role = keeps
	case c.does("create"):
		h.role = creates
	}
	if c.Type == "reseller_members" {
		return h.people()
	}
	if h.role != "" {
		out = append(out, h.as(h.role, c.After))
	}
	// A destroy under ABANDON leaves the object as it is.
	if c.does("delete") && textOf(c.Before, "deletion_policy") != effect.PolicyAbandon {
		if id := textOf(c.Before, labelID); id != "" {
			h.label = label{Label: r.plan.names.Label(effect.Label{ID: id})}
		}
		out = append(out, h.as(destroys, c.Before))
	}
	return out
}

// as is the object before or after the change.
func (h held) as(does role, object any) held {
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

func (h held) named(does role, object any, name, id, subject string) held {
	h.role, h.reseller, h.name, h.subject = does, textOf(object, "reseller"), strings.ToLower(name), subject
	if !h.repeats {
		h.id = id
	}
	return h
}

// people of a set: those that a change adds are created, those that it drops are destroyed. A destroy of the set, or one
// that is replaced, removes nobody.
func (h held) people() (out []held) {
	if h.role == "" {
		return nil
	}
	was, will := peopleOf(h.Before), peopleOf(h.After)
	if h.role == creates {
		was = nil
	}
	add := func(does role, object any, email string) {
		id := textOf(object, "user_ids", email)
		out = append(out, h.named(does, object, email, id, email))
	}
	for _, key := range slices.Sorted(maps.Keys(will)) {
		does := h.role
		if was[key] == "" {
			does = creates
		}
		add(does, h.After, will[key])
		delete(was, key)
	}
	if !h.isUnknown("members") {
		for _, key := range slices.Sorted(maps.Keys(was)) {
			add(destroys, h.Before, was[key])
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

// likeness says how sure it is that two addresses hold one live object.
type likeness int

const (
	different likeness = iota
	possible           // all that is known of their keys agrees
	same
)

func agree(a, b string) likeness {
	switch {
	case a == "" || b == "":
		return possible
	case a == b:
		return same
	default:
		return different
	}
}

func (h held) like(o *held) likeness {
	if agree(h.reseller, o.reseller) == different {
		return different
	}
	out := agree(h.name, o.name)
	if h.id != "" && o.id != "" {
		out = agree(h.id, o.id)
	}
	if h.ofLabel {
		out = min(out, h.label.like(o.label))
	}
	return out
}

func (l label) like(o label) likeness {
	switch {
	case l.ID != "" && o.isNew, o.ID != "" && l.isNew:
		return different // the ID of a private label that the plan provisions is a new one
	case l.isNew && o.isNew && l.new != nil && o.new != nil:
		return agree(l.new.Address, o.new.Address)
	default:
		return agree(l.ID, o.ID)
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

// conflicts adds a row for each live object that the plan destroys at one address and creates, imports or keeps at
// another, and for each that it creates twice. One process of the provider cannot see them all; the plan has them.
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
			r.conflict(&all[i], "", others[same])
			r.conflict(&all[i], "possible, as a key is known after apply: ", others[possible])
		}
	}
}

// conflictsOf returns the other addresses of a live object that is created or destroyed at one, and those that may be.
func conflictsOf(all []held, i int) map[likeness][]string {
	h, others := &all[i], map[likeness][]string{}
	for j := range all {
		o := &all[j]
		destroysIt := h.role == destroys && o.role != destroys
		createsIt := h.role == creates && o.role == creates && j > i && !h.repeats
		if h.Address == o.Address || !destroysIt && !createsIt {
			continue
		}
		if how := h.like(o); how == same || destroysIt || likelyTwice(h, o) {
			others[how] = append(others[how], string(o.role)+" at "+o.Address)
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
	what := fmt.Sprintf("%sone object is %s here and ", perhaps, h.role)
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
