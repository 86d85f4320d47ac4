package object

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// ShortPath handles requests for unchanged objects of one type without the framework, which walks the schema for every
// attribute of every step. Its response must be the resource's, byte for byte; in every other case it returns false.
type ShortPath interface {
	// Identity returns the names of the identity's attributes.
	Identity() []string
	// Read reports whether a read returns state and private state unchanged, and returns the values of the identity. The
	// framework's read of the same request gets the returned context, which has what was found.
	Read(ctx context.Context, run *session.Session, state *tfprotov6.DynamicValue, private []byte) (rest context.Context, ids []string, ok bool)
	// Plan reports whether a plan that proposes the prior state keeps it, without diagnostics.
	Plan(ctx context.Context, run *session.Session, state *tfprotov6.DynamicValue, private []byte) bool
}

// ShortPath is what the kind says of an unchanged object.
func (t *Type[M, L]) ShortPath() ShortPath { return shortPath[M, L]{t} }

type shortPath[M Model, L any] struct{ t *Type[M, L] }

func (s shortPath[M, L]) Identity() []string { return s.t.identity() }

func (s shortPath[M, L]) Read(ctx context.Context, run *session.Session, state *tfprotov6.DynamicValue, raw []byte) (context.Context, []string, bool) {
	before := newModel[M]()
	p, ok := ownPrivate(raw)
	if !ok || !s.t.codecOf().Decode(ctx, state, before) || before.base().Reseller.IsNull() {
		return ctx, nil, false
	}
	found := s.t.with(run).find(ctx, before, p)
	return context.WithValue(ctx, findingKey{}, found), s.t.ids(before), s.isUnchanged(ctx, found, before, p)
}

// isUnchanged reports whether a read that found this keeps state and private state.
func (s shortPath[M, L]) isUnchanged(ctx context.Context, found finding[L], before M, p private) bool {
	switch r := s.t.with(found.session); {
	case found.confirmed:
		return true
	case found.err != nil || isNil(found.live):
		return false
	default:
		after := clone(before)
		if diags := r.refresh(ctx, after, found.live); diags.HasError() || !s.t.codecOf().Same(ctx, before, after) ||
			!r.keepsPrivate(p, after) || s.t.alias(before, found.live) != p.Alias {
			return false
		}
		r.each(before, (*session.Planned).Read)
		return true
	}
}

type findingKey struct{}

// passedOn is what the short path has found for the framework's read of the same request, so that no call is made twice.
// A context is all that the framework hands from one to the other.
func passedOn[L any](ctx context.Context) (found finding[L], ok bool) {
	found, ok = ctx.Value(findingKey{}).(finding[L])
	return found, ok
}

// keepsPrivate reports whether a read that keeps the model keeps its private state: the same model is as quiet as before.
func (r *resourceOf[M, L]) keepsPrivate(p private, m M) bool {
	if p.Quiet == r.t.codecOf().Fingerprint {
		return r.hostOf(m, p) == p.Host && r.membersOf(m) == p.Members
	}
	return r.privateOf(m, p) == p
}

func (s shortPath[M, L]) Plan(ctx context.Context, run *session.Session, state *tfprotov6.DynamicValue, raw []byte) bool {
	p, ok := ownPrivate(raw)
	return ok && p.Quiet == s.t.codecOf().Fingerprint && s.keeps(ctx, run, state, p)
}

// keeps records that the plan keeps the object, and reports whether no other resource of the plan has it.
func (s shortPath[M, L]) keeps(ctx context.Context, run *session.Session, state *tfprotov6.DynamicValue, p private) bool {
	if s.t.keyed == nil {
		return true
	}
	claims := []session.Claim{{Does: session.Keeps, Object: session.Object{Type: s.t.Type, ID: p.ID}}}
	if s.t.holder != nil {
		m := newModel[M]()
		if !s.t.codecOf().Decode(ctx, state, m) {
			return false
		}
		claims = s.t.claims(m, m, zero[L]())
	}
	alone := true
	for _, c := range claims {
		c.Origin = p.Origin
		alone = run.Planned.Record(s.t.TypeName(), c) == session.Others{} && alone
	}
	return alone
}

// ownPrivate decodes private state. It returns false if there is another key, such as the framework's own after an import,
// and for a planned destroy.
func ownPrivate(raw []byte) (private, bool) {
	p, keys := session.PrivateOf[private](raw)
	return p, len(keys) == 1 && p.Announced == nil
}

// isQuiet reports whether a plan that proposes the state of a model keeps it, without diagnostics.
func (t *Type[M, L]) isQuiet(m M) bool {
	return t.codecOf().HasDefaults(m) && len(t.Steps(m, m, zero[L]())) == 0 && (t.quiet == nil || t.quiet.NoWarnings(m))
}
