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
func (d *Description[M, L, S]) object(m M, live L) session.Object {
	o := session.Object{Type: d.Type, Name: d.Key(m)}
	if !isNone(live) && d.LiveKey != nil {
		o.Name = d.LiveKey(m, live)
	}
	ids := d.ids(m)
	if slices.Contains(ids, "") && !isNone(live) {
		filled := copied(m)
		d.Fill(filled, live)
		ids = d.ids(filled)
	}
	if !slices.Contains(ids, "") {
		o.ID = strings.Join(ids, "/")
	}
	return o
}

// alias is the key that a live object has now, "" if it is that of its model.
func (d *Description[M, L, S]) alias(m M, live L) string {
	if d.LiveKey == nil || d.LiveKey(m, live) == d.Key(m) {
		return ""
	}
	return d.LiveKey(m, live)
}

// claims are what a change does with live objects: with that of the resource, and with those that it holds.
func (d *Description[M, L, S]) claims(was, want M, live L) []session.Claim {
	own := session.Claim{Does: session.Keeps}
	switch {
	case isNone(was):
		own.Does, own.Object = session.Creates, d.object(want, live)
	case isNone(want):
		own.Does, own.Object = session.Destroys, d.object(was, live)
	default:
		own.Object = d.object(was, live)
	}
	all := []session.Claim{own}
	if d.Holds != nil {
		all = append(all, d.Holds(was, want, live)...)
	}
	return all
}

// planned is a way to make a claim: to record it, or only to ask what is beside it.
type planned func(p *session.Planned, by string, c session.Claim) session.Others

// claim makes the claims of a change, and returns what other resources of the plan make of them: an error for a rename,
// otherwise warnings.
func (r *described[M, L, S]) claim(ctx context.Context, c *Change[M, L, S], origin string, in planned) (diags diag.Diagnostics) {
	if r.Session == nil || r.d.Key == nil {
		return nil
	}
	for _, one := range r.d.claims(c.Was, c.Want, c.Live) {
		one.Origin = origin
		found := in(r.Planned, r.d.TypeName(), one)
		name := func() string { return r.called(ctx, c.Subject(), one) }
		switch {
		case found.Renamed:
			return diag.Diagnostics{session.Renamed(r.d.TypeName(), found.By, diagnostic.InSentence(name()))}
		case found.Split:
			diags.Append(session.Split(found.By, diagnostic.InSentence(name())))
		case found.Twice:
			diags.Append(session.HeldTwice(r.d.TypeName(), found.By, name()))
		}
	}
	return diags
}

// called names the object of a claim at the beginning of a sentence.
func (r *described[M, L, S]) called(ctx context.Context, m M, c session.Claim) string {
	if c.Called == "" {
		return r.name(ctx, m)
	}
	return c.Called + " of " + r.HostOf(ctx, r.d.labelOf(m))
}

// storedElsewhere rejects a change that would remove what this apply has stored at another resource address.
func (r *described[M, L, S]) storedElsewhere(ctx context.Context, c *Change[M, L, S]) diag.Diagnostics {
	if r.d.Key == nil {
		return nil
	}
	for _, one := range r.d.claims(c.Was, c.Want, c.Live) {
		if one.Does == session.Destroys && r.Planned.Stored(one.Object) {
			return diag.Diagnostics{session.StoredElsewhere(diagnostic.InSentence(r.called(ctx, c.Was, one)))}
		}
	}
	return nil
}

// each visits the live objects of a model in state.
func (r *described[M, L, S]) each(m M, visit func(p *session.Planned, o session.Object)) {
	if r.Session == nil || r.d.Key == nil {
		return
	}
	for _, c := range r.d.claims(m, m, none[L]()) {
		visit(r.Planned, c.Object)
	}
}
