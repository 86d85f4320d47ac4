package object

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// object is the live object of a model: its ID, if the model or live has it, and the name by which a create finds it.
func (t *Type[M, L]) object(m M, live L) session.Object {
	o := session.Object{Type: t.Type, Name: t.keyed.Key(m)}
	if !isNil(live) && t.rekeyed != nil {
		o.Name = t.rekeyed.LiveKey(m, live)
	}
	ids := t.ids(m)
	if slices.Contains(ids, "") && !isNil(live) {
		filled := clone(m)
		t.kind.Fill(filled, live)
		ids = t.ids(filled)
	}
	if !slices.Contains(ids, "") {
		o.ID = strings.Join(ids, "/")
	}
	return o
}

// alias is the key that a live object has now, "" if it is that of its model.
func (t *Type[M, L]) alias(m M, live L) string {
	if t.rekeyed == nil || t.rekeyed.LiveKey(m, live) == t.keyed.Key(m) {
		return ""
	}
	return t.rekeyed.LiveKey(m, live)
}

// claims are what a change does with live objects: with that of the resource, and with those that it holds.
func (t *Type[M, L]) claims(was, want M, live L) []session.Claim {
	claim := session.Claim{Does: session.Keeps}
	switch {
	case isNil(was):
		claim.Does, claim.Object = session.Creates, t.object(want, live)
	case isNil(want):
		claim.Does, claim.Object = session.Destroys, t.object(was, live)
	default:
		claim.Object = t.object(was, live)
	}
	all := []session.Claim{claim}
	if t.holder != nil {
		all = append(all, t.holder.Holds(was, want, live)...)
	}
	return all
}

// planned is a way to make a claim: to record it, or only to ask what is beside it.
type planned func(p *session.Planned, by string, c session.Claim) session.Others

// claim makes the claims of a change, and returns what other resources of the plan make of them: an error for a rename,
// otherwise warnings.
func (r *resourceOf[M, L]) claim(ctx context.Context, q *Request[M, L], origin string, in planned) (diags diag.Diagnostics) {
	if r.Session == nil || r.t.keyed == nil {
		return nil
	}
	for _, claim := range r.t.claims(q.Was, q.Want, q.Live) {
		claim.Origin = origin
		found := in(r.Planned, r.t.TypeName(), claim)
		name := func() string { return r.called(ctx, q.Subject(), claim) }
		switch {
		case found.Renamed:
			return diag.Diagnostics{session.Renamed(r.t.TypeName(), found.By, diagnostic.InSentence(name()))}
		case found.Split:
			diags.Append(session.Split(found.By, diagnostic.InSentence(name())))
		case found.Twice:
			diags.Append(session.HeldTwice(r.t.TypeName(), found.By, name()))
		}
	}
	return diags
}

// called names the object of a claim at the beginning of a sentence.
func (r *resourceOf[M, L]) called(ctx context.Context, m M, c session.Claim) string {
	if c.Called == "" {
		return r.name(ctx, m)
	}
	return c.Called + " of " + r.HostOf(ctx, r.t.labelOf(m))
}

// storedElsewhere rejects a change that would remove what this apply has stored at another resource address.
func (r *resourceOf[M, L]) storedElsewhere(ctx context.Context, q *Request[M, L]) diag.Diagnostics {
	if r.t.keyed == nil {
		return nil
	}
	for _, claim := range r.t.claims(q.Was, q.Want, q.Live) {
		if claim.Does == session.Destroys && r.Planned.Stored(claim.Object) {
			return diag.Diagnostics{session.StoredElsewhere(diagnostic.InSentence(r.called(ctx, q.Was, claim)))}
		}
	}
	return nil
}

// each visits the live objects of a model in state.
func (r *resourceOf[M, L]) each(m M, visit func(p *session.Planned, o session.Object)) {
	if r.Session == nil || r.t.keyed == nil {
		return
	}
	for _, c := range r.t.claims(m, m, zero[L]()) {
		visit(r.Planned, c.Object)
	}
}
