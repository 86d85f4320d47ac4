package review

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// role is what a plan does with a live object at one address.
type role string

const (
	creates  role = "created"
	imports  role = "imported"
	keeps    role = "kept"
	destroys role = "destroyed"
)

// held is a live object at one address of the plan. A set of members holds each of its people.
type held struct {
	*change
	role     role
	class    string // "person" for a member, and for each one of a set
	reseller string
	label    label
	ofLabel  bool   // the private label is a part of the key
	name     string // host name, code or email address, in one case; "" if it is unknown or there is none
	named    bool   // the name is a part of the key
	subject  string
}

// heldBy lists the live objects of a change. A rename of branding or of a domain verification costs nothing.
func (r *reviewer) heldBy(c *change) []held {
	does, err := outcomeOf(c)
	if err != nil || c.Mode == "data" {
		return nil
	}
	actions := strings.Join(c.Change.Actions, ",")
	h := held{change: c, class: c.Type, label: r.plan.labels.of(c), named: true}
	after := cmp.Or(map[bool]role{true: imports}[c.imports()], map[bool]role{true: keeps}[actions == "no-op" || actions == "update"], creates)
	var name string
	fold := strings.ToLower
	switch c.Type {
	case typeLabel:
		name = "domain"
	case typePackage, "reseller_addon":
		name, fold = "code", strings.ToUpper
	case "reseller_assignment":
		h.ofLabel, h.named, h.subject = true, false, cmp.Or(h.label.host, h.label.id, effect.KnownAfterApply)
	case typeMember:
		name, h.class, h.ofLabel = "email", "person", true
	case "reseller_members":
		h.class, h.ofLabel = "person", true
		return h.people(after, actions)
	default:
		return nil
	}
	var out []held
	one := func(does role, object any) {
		h.role, h.reseller = does, textOf(object, "reseller")
		if h.named {
			h.subject = cmp.Or(textOf(object, name), effect.KnownAfterApply)
			h.name = fold(textOf(object, name))
		}
		out = append(out, h)
	}
	if actions == "no-op" || does.planned {
		one(after, c.after)
	}
	// A destroy under ABANDON leaves the object as it is.
	if strings.Contains(actions, "delete") && textOf(c.before, "deletion_policy") != effect.PolicyAbandon {
		if id := textOf(c.before, "private_label_id"); id != "" {
			h.label = label{id: id, host: r.plan.names.Hosts[id]}
		}
		one(destroys, c.before)
	}
	return out
}

// people of a set: those that an update adds are created, those that it drops are destroyed. A destroy removes nobody.
func (h *held) people(after role, actions string) (out []held) {
	peopleOf := func(object any) map[string]any {
		fields, _ := object.(map[string]any)
		members, _ := fields["members"].(map[string]any)
		return members
	}
	was, will := peopleOf(h.before), peopleOf(h.after)
	if after != keeps {
		was = nil
	}
	one := func(does role, email string, object any) {
		person := *h
		person.role, person.name, person.subject, person.reseller = does, strings.ToLower(email), email, textOf(object, "reseller")
		out = append(out, person)
	}
	had := map[string]bool{}
	for email := range was {
		had[strings.ToLower(email)] = true
	}
	for _, email := range slices.Sorted(maps.Keys(will)) {
		does := after
		if after == keeps && !had[strings.ToLower(email)] {
			does = creates
		}
		delete(had, strings.ToLower(email))
		one(does, email, h.after)
	}
	unknown, _ := h.unknown.(map[string]any)
	if actions == "update" && unknown["members"] != true {
		for _, email := range slices.Sorted(maps.Keys(had)) {
			one(destroys, email, h.before)
		}
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

func (h *held) like(o *held) likeness {
	if h.class != o.class || h.reseller != o.reseller && h.reseller != "" && o.reseller != "" {
		return different
	}
	out := same
	if h.named {
		switch {
		case h.name == "" || o.name == "":
			out = possible
		case h.name != o.name:
			return different
		}
	}
	if h.ofLabel {
		out = min(out, h.label.like(o.label))
	}
	return out
}

func (l label) like(o label) likeness {
	switch {
	case l.id != "" && o.id != "":
		if l.id == o.id {
			return same
		}
		return different
	case l.id != "" && o.isNew, o.id != "" && l.isNew:
		return different // the ID of a private label that the plan provisions is a new one
	case l.isNew && o.isNew && l.new != nil && o.new != nil:
		if l.new == o.new {
			return same
		}
		return different
	default:
		return possible
	}
}

// key of an address: its block, for all instances of it.
var key = regexp.MustCompile(`\[("(?:[^"\\]|\\.)*"|\d+)\]`)

// likelyTwice reports whether two creates that may be of one object are listed. Instances of one block whose keys are
// unknown are as likely as not those of several private labels.
func likelyTwice(h, o *held) bool {
	return h.named && h.name != "" && h.name == o.name && key.ReplaceAllString(h.Address, "") != key.ReplaceAllString(o.Address, "")
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
			h := &all[i]
			if h.role != destroys && h.role != creates {
				continue
			}
			sure, perhaps := conflictsOf(all, i)
			r.conflict(h, "", sure)
			r.conflict(h, "possible, as a key is known after apply: ", perhaps)
		}
	}
}

// conflictsOf returns the other addresses of a live object that is created or destroyed at one, and those that may be.
func conflictsOf(all []held, i int) (sure, perhaps []string) {
	h := &all[i]
	for j := range all {
		o := &all[j]
		destroysIt := h.role == destroys && o.role != destroys
		createsIt := h.role == creates && o.role == creates && j > i
		if h.Address == o.Address || !destroysIt && !createsIt {
			continue
		}
		switch how := h.like(o); {
		case how == same:
			sure = append(sure, string(o.role)+" at "+o.Address)
		case how == possible && (destroysIt || likelyTwice(h, o)):
			perhaps = append(perhaps, string(o.role)+" at "+o.Address)
		}
	}
	return sure, perhaps
}

// maxAddresses is the maximum number of addresses that a row names.
const maxAddresses = 3

func (r *reviewer) conflict(h *held, perhaps string, others []string) {
	if len(others) == 0 {
		return
	}
	what := fmt.Sprintf("%sone object is %s here and ", perhaps, h.role)
	brief, _, _ := strings.Cut(others[0], " ")
	if more := len(others) - maxAddresses; more > 0 {
		others = append(others[:maxAddresses:maxAddresses], fmt.Sprintf("%d more", more))
	}
	r.add(h.Address, h.label.host, effect.Effect{Kind: effect.Conflict, What: what + effect.Series("and", others), Subject: h.subject}, h.hidden)
	r.out.Rows[len(r.out.Rows)-1].Brief = what + brief + " at another address"
}
