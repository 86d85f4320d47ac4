package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// roles are the words of a row.
var roles = map[register.Role]string{
	register.Creates: "created", register.Imports: "imported", register.Keeps: "kept", register.Removes: "destroyed",
	register.Releases: "removed from state",
}

// held is a live object at one address of the plan. A set of members holds each of its people.
type held struct {
	*change
	claim    register.Claim
	label    label
	reseller string
	subject  string
}

// heldBy lists the live objects of a change, as the type of the resource claims them while a plan is made.
func (r *reviewer) heldBy(ctx context.Context, c *change) ([]held, error) {
	typeReviewer, _ := r.reviewerOf(c.Type)
	if typeReviewer.Claims == nil || c.Mode == dataMode {
		return nil, nil // an unknown type that has an effect is an error already
	}
	before, after, err := c.objects(typeReviewer.Shape)
	if err != nil {
		return nil, unreviewable(c.Address, err)
	}
	none := tftypes.NewValue(typeReviewer.Shape, nil)
	var all []held
	claim := func(before, after tftypes.Value) {
		claims, problem := typeReviewer.Claims(ctx, before, after)
		err = errors.Join(err, problem)
		for _, claimed := range claims {
			all = append(all, r.held(c, claimed, typeReviewer.Subject))
		}
	}
	if c.does("update") || c.does("no-op") {
		claim(before, after)
	}
	if c.does("create") {
		claim(none, after)
	}
	if c.does("delete") {
		claim(before, none)
	}
	if err != nil {
		return nil, unreviewable(c.Address, err)
	}
	return all, nil
}

// held is an object that a change claims: as it is before the change if this takes it away, and as it is after it otherwise.
func (r *reviewer) held(c *change, claim register.Claim, subject string) held {
	object := c.After
	if claim.Destroys() {
		object = c.Before
	}
	claim.Instance = c.Address
	if c.imports() && claim.Role == register.Keeps {
		claim.Role = register.Imports
	}
	h := held{change: c, claim: claim, label: r.labelOf(c, object), reseller: textOf(object, "reseller")}
	if subject == "domain" {
		h.claim.ID = cmp.Or(h.claim.ID, h.label.ID) // a private label has several names
	}
	switch {
	case claim.Called != "":
		h.subject = claim.Called
	case claim.Name == register.OnlyOne:
		h.claim.ID = ""
		h.subject = cmp.Or(h.label.Host, h.label.ID) // the private label decides
	default:
		h.subject = textOf(object, subject)
	}
	h.subject = cmp.Or(h.subject, effect.KnownAfterApply)
	return h
}

// like says how sure it is that two addresses hold one live object.
func (h held) like(o *held) register.Likeness {
	if h.reseller != "" && o.reseller != "" && h.reseller != o.reseller {
		return register.Different
	}
	here := h.claim.Object
	there := o.claim.Object
	here.InLabel = false
	there.InLabel = false // the plan may show that a private label is a new one, which has no ID
	out := here.Like(there)
	if h.claim.InLabel {
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
	return h.claim.Name != register.OnlyOne && h.claim.Name != "" && h.claim.Name == o.claim.Name && !elsewhere && block(h.Address) != block(o.Address)
}

// conflicts adds a row for each live object that two addresses of the plan have: one process of the provider cannot see
// them all, and the plan has them.
func (r *reviewer) conflicts(ctx context.Context) error {
	byType := map[string][]held{} // by the type of the object
	for _, c := range r.plan.changes {
		all, err := r.heldBy(ctx, c)
		if err != nil {
			return err
		}
		for _, h := range all {
			byType[h.claim.Type] = append(byType[h.claim.Type], h)
		}
	}
	for _, typ := range slices.Sorted(maps.Keys(byType)) {
		all := byType[typ]
		for i := range all {
			others := conflictsOf(all, i)
			r.conflict(&all[i], "", others[register.Same])
			r.conflict(&all[i], "possible, as a key is known after apply: ", others[register.Possible])
		}
	}
	return nil
}

// conflictsOf returns the other addresses of a live object, and those that may be: at the address that removes it, or at the
// first one that has it. Two sets of one private label have one row, and none for each member.
func conflictsOf(all []held, i int) map[register.Likeness][]string {
	h := &all[i]
	others := map[register.Likeness][]string{}
	for j := range all {
		o := &all[j]
		conflict := register.Between(h.claim, o.claim)
		isHere := h.claim.Destroys() || !o.claim.Destroys() && j > i
		inTwoSets := conflict == register.Twice && h.claim.Called != "" && o.claim.Called != ""
		if h.Address == o.Address || conflict == register.None || !isHere || inTwoSets {
			continue
		}
		how := h.like(o)
		bothCreate := h.claim.Role == register.Creates && o.claim.Role == register.Creates
		if how == register.Same || h.claim.Destroys() || bothCreate && likelyTwice(h, o) {
			others[how] = append(others[how], roles[o.claim.Role]+" at "+o.Address)
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
	what := fmt.Sprintf("%sone object is %s here and ", perhaps, roles[h.claim.Role])
	e := effect.Effect{
		Event: effect.Conflict.Event(what + "{after}"), Address: h.Address, Label: h.label.Label, Name: types.StringValue(h.subject),
	}
	brief, _, _ := strings.Cut(others[0], " ")
	if more := len(others) - maxAddresses; more > 0 {
		others = append(others[:maxAddresses:maxAddresses], fmt.Sprintf("%d more", more))
	}
	e.After = others
	r.add(e, h.hidden)
	r.out.Rows[len(r.out.Rows)-1].Brief = what + brief + " at another address"
}
