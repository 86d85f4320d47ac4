package object

import (
	"context"
	"reflect"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/codec"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// ShortPath handles requests for unchanged objects of one type without the framework, which walks the schema for every
// attribute of every step. Its response must be the resource's, byte for byte; in every other case it returns false.
type ShortPath interface {
	// Identity returns the names of the identity's attributes.
	Identity() []string
	// Read reports whether a read returns state and private state unchanged, and returns the values of the identity.
	Read(ctx context.Context, run *session.Session, state *tfprotov6.DynamicValue, private []byte) (ids []string, ok bool)
	// Plan reports whether a plan that proposes the prior state keeps it, without diagnostics.
	Plan(ctx context.Context, run *session.Session, state *tfprotov6.DynamicValue, private []byte) bool
}

// ShortPath is what the description says of an unchanged object.
func (d *Description[M, L, S]) ShortPath() ShortPath { return shortPath[M, L, S]{d} }

type shortPath[M Model, L any, S effect.Step] struct{ d *Description[M, L, S] }

func (s shortPath[M, L, S]) Identity() []string { return s.d.identity() }

func (s shortPath[M, L, S]) Read(ctx context.Context, run *session.Session, state *tfprotov6.DynamicValue, raw []byte) ([]string, bool) {
	before := made[M]()
	p, ok := lone(raw)
	if !ok || !s.d.codecOf().Decode(ctx, state, before) || before.base().Reseller.IsNull() {
		return nil, false
	}
	r := s.d.with(run)
	ctx = r.readBy(ctx, inventory.Refresh, before, none[M]())
	r.recall(before, p)
	if r.isConfirmed(ctx, before, p) {
		return s.d.ids(before), true
	}
	live, err := r.look(ctx, before)
	if err != nil || isNone(live) {
		return nil, false
	}
	after := copied(before)
	if diags := r.refresh(ctx, after, live); diags.HasError() || !s.d.codecOf().Same(ctx, before, after) ||
		!r.keepsPrivate(p, after) || s.d.alias(before, live) != p.Alias {
		return nil, false
	}
	r.each(before, (*session.Planned).Read)
	return s.d.ids(before), true
}

// keepsPrivate reports whether a read that keeps the model keeps its private state: the same model is as quiet as before.
func (r *described[M, L, S]) keepsPrivate(p private, m M) bool {
	if p.Quiet == r.d.codecOf().Fingerprint {
		return r.hostOf(m, p) == p.Host && r.membersOf(m) == p.Members
	}
	return r.privateOf(m, p) == p
}

func (s shortPath[M, L, S]) Plan(ctx context.Context, run *session.Session, state *tfprotov6.DynamicValue, raw []byte) bool {
	p, ok := lone(raw)
	return ok && p.Quiet == s.d.codecOf().Fingerprint && s.keeps(ctx, run, state, p)
}

// keeps records that the plan keeps the object, and reports whether no other resource of the plan has it.
func (s shortPath[M, L, S]) keeps(ctx context.Context, run *session.Session, state *tfprotov6.DynamicValue, p private) bool {
	if s.d.Key == nil {
		return true
	}
	claims := []session.Claim{{Does: session.Keeps, Object: session.Object{Type: s.d.Type, ID: p.ID}}}
	if s.d.Holds != nil {
		m := made[M]()
		if !s.d.codecOf().Decode(ctx, state, m) {
			return false
		}
		claims = s.d.claims(m, m, none[L]())
	}
	alone := true
	for _, c := range claims {
		c.Origin = p.Origin
		alone = run.Planned.Record(s.d.TypeName(), c) == session.Others{} && alone
	}
	return alone
}

// lone decodes private state. It returns false if there is another key, such as the framework's own after an import, and
// for a planned destroy.
func lone(raw []byte) (private, bool) {
	p, keys := session.PrivateOf[private](raw)
	return p, len(keys) == 1 && p.Announced == nil
}

// isQuiet reports whether a plan that proposes the state of a model keeps it, without diagnostics.
func (d *Description[M, L, S]) isQuiet(m M) bool {
	return d.codecOf().HasDefaults(m) && len(d.Steps(m, m, none[L]())) == 0 && (d.Quiet == nil || d.Quiet(m))
}

func (d *Description[M, L, S]) codecOf() *codec.Codec {
	d.once.Do(func() { d.codec = codec.New(reflect.TypeFor[M]().Elem(), d.schema(context.Background())) })
	return d.codec
}

// WithLook makes a request keep what it finds of its object, so that a read that the short path passes on makes no call
// twice.
func WithLook(ctx context.Context) context.Context {
	return context.WithValue(inventory.WithReader(ctx), lookKey{}, &looked{})
}

type lookKey struct{}

type looked struct {
	done bool
	live any
	err  error
}

// look finds the object of a read, once for each request.
func (r *described[M, L, S]) look(ctx context.Context, m M) (L, error) {
	kept, ok := ctx.Value(lookKey{}).(*looked)
	if !ok {
		return r.d.Look(ctx, r.Session, m, inventory.Current)
	}
	if !kept.done {
		live, err := r.d.Look(ctx, r.Session, m, inventory.Current)
		kept.done, kept.live, kept.err = true, live, err
	}
	live, _ := kept.live.(L)
	return live, kept.err
}
