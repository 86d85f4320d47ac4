package object

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// key is the name by which a create finds its live object, "" while it or the private label is unknown.
func (t *Type[M]) key(m M) string {
	label := t.labelOf(m)
	name := t.resource.Key(m)
	if name == "" || t.inLabel() && label == "" {
		return ""
	}
	return label + "/" + name
}

// inLabel reports whether objects belong to a private label.
func (t *Type[M]) inLabel() bool {
	_, ok := t.Fields()[labelAttribute]
	return ok
}

// object is the live object of a model, with what the model or live shows of it.
func (t *Type[M]) object(m, live M) register.Object {
	o := register.Object{Type: t.Type, InLabel: t.inLabel(), Label: t.labelOf(m), Name: t.resource.Key(m)}
	if !isNil(live) {
		o.Name = t.resource.Key(live)
	}
	switch identity := t.Identity[len(t.Identity)-1].Name; identity {
	case labelAttribute:
		o.ID = o.Label
	case "id":
		o.ID = t.Fields().text(m, identity)
		if o.ID == "" && !isNil(live) {
			o.ID = t.Fields().text(live, identity)
		}
	}
	return o
}

// alias is the key that a live object has now, "" if it is that of its model, or if nothing can be replaced.
func (t *Type[M]) alias(m, live M) string {
	if len(t.Replacing) == 0 || t.key(m) == "" || t.key(live) == t.key(m) {
		return ""
	}
	return t.key(live)
}

// claims are what a change does with live objects: with that of the resource, and with those that it holds. instance is
// that of the state. s is nil in the review of a plan.
func (t *Type[M]) claims(s *session.Session, was, want, live M, instance string) []register.Claim {
	own := register.Claim{Role: register.Keeps, RenamesFreely: t.RenamesFreely}
	switch {
	case isNil(was):
		own.Role = register.Creates
		own.Object = t.object(want, live)
	case isNil(want):
		own.Role = register.Releases
		own.Object = t.object(was, live)
		if len(t.Steps(was, want, live)) > 0 {
			own.Role = register.Removes
		}
	default:
		own.Object = t.object(was, live)
	}
	if t.Identity[0].Name == hostAttribute && s.Ready() { // a private label has several names
		own.ID = s.Inventory.LabelNamed(own.Name)
	}
	all := []register.Claim{own}
	if t.manager != nil {
		var held []register.Claim
		held, all[0].Wants = t.manager.Manages(was, want, live)
		all = append(all, held...)
	}
	for i := range all {
		all[i].By = t.TypeName()
		all[i].Instance = instance
	}
	return all
}

// claim makes the claims of a change in the register, or only asks for their conflicts, and returns what other resources of
// the plan make of them.
func (r *resourceOf[M]) claim(
	ctx context.Context, c *Change[M], claims []register.Claim, ask func(*register.Register, register.Claim) (register.Conflict, register.Claim),
) (diags diag.Diagnostics) {
	if r.Session == nil {
		return nil
	}
	rival := "" // type of the resource that has the object of this one, too
	for _, claim := range claims {
		conflict, other := ask(r.Register, claim)
		if conflict == register.None || conflict == register.Twice && other.By == rival {
			continue // a second set of members has the same members
		}
		if claim.Called == "" {
			rival = other.By
		}
		diags.Append(session.ConflictDiagnostic(conflict, claim, other, r.called(ctx, c.Subject(), claim)))
	}
	return diags
}

// called names the object of a claim within a sentence.
func (r *resourceOf[M]) called(ctx context.Context, m M, c register.Claim) string {
	if c.Called == "" {
		return r.name(ctx, m)
	}
	return c.Called + " of " + r.HostOf(ctx, r.t.labelOf(m))
}

// storedElsewhere finds what a change would remove, and what this apply has stored as another resource instance.
func (r *resourceOf[M]) storedElsewhere(was, want, live M, instance string) (register.Claim, bool) {
	if r.Session == nil {
		return register.Claim{}, false
	}
	claims := r.t.claims(r.Session, was, want, live, instance)
	i := slices.IndexFunc(claims, func(c register.Claim) bool {
		return c.Role == register.Removes && r.Register.StoredElsewhere(c.Object, instance)
	})
	if i < 0 {
		return register.Claim{}, false
	}
	return claims[i], true
}

// store records that this apply has stored an object and what it holds.
func (r *resourceOf[M]) store(m M, instance string) {
	for _, c := range r.t.claims(r.Session, m, m, zero[M](), instance) {
		r.Register.Store(c.Object, instance)
	}
}

// assumed is a wanted model of an object in state in which the attributes that say which object is meant have their prior
// values where they are known after apply, and the names of these attributes.
func (t *Type[M]) assumed(was, want M) (M, []string) {
	var names []string
	for _, name := range slices.Concat(t.Replacing, t.Awaited) {
		if t.Fields().attribute(want, name).IsUnknown() && !t.Fields().attribute(was, name).IsNull() {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return want, nil
	}
	out := clone(want)
	t.Fields().copy(out, was, names)
	return out, names
}

const awaits = "%s: %s is known after apply. The plan assumes that it stays the same; otherwise the apply fails. " + session.DeferredHint

// awaits warns that a plan assumes prior values.
func (r *resourceOf[M]) awaits(ctx context.Context, was M, names []string) (diags diag.Diagnostics) {
	for _, name := range names {
		diags.AddAttributeWarning(path.Root(name), SummaryAwaits, fmt.Sprintf(awaits, r.begin(ctx, was), name))
	}
	return diags
}

const otherObject = "%s: %s is now %s, which is a different object. An apply makes no replacement that its plan did not announce, " +
	"and a plan with -refresh=false or -minimal-refresh makes none.\n\nPlan again without these options. The plan then shows the replacement."

// replacedUnread is the error of a replacement of an object that this process has not read: an apply plans again without a
// read, and its plan has assumed that the object stays.
func (r *resourceOf[M]) replacedUnread(ctx context.Context, c *Change[M]) (diags diag.Diagnostics) {
	for _, name := range r.t.Replacing {
		if now := r.t.Fields().attribute(c.Want, name); !now.Equal(r.t.Fields().attribute(c.Was, name)) {
			diags.AddAttributeError(path.Root(name), SummaryOtherObject, fmt.Sprintf(otherObject, r.begin(ctx, c.Was), name, fwtype.Display(now)))
		}
	}
	return diags
}
