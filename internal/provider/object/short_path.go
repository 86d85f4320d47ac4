package object

import (
	"context"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// What package shortpath, which reads a state without the framework, asks the runtime: models are those of NewModel.

// NewModel returns an empty model.
func (t *Type[M]) NewModel() any {
	return newModel[M]()
}

// ReadModel reads an object in state, and reports whether model and private state stay as they are. The framework's read
// of the same request gets the returned context, so that no call is made twice. ids are the values of the identity.
func (t *Type[M]) ReadModel(ctx context.Context, run *session.Session, model any, raw []byte) (rest context.Context, ids []string, unchanged bool) {
	state, isModel := model.(M)
	before, isOwn := ownPrivate(raw)
	if !isModel || !isOwn || state.base().Reseller.IsNull() {
		return ctx, nil, false
	}
	done := t.with(run).read(ctx, state, before)
	unchanged = len(done.diags) == 0 && done.private == before && t.Fields().Same(ctx, state, done.state)
	return context.WithValue(ctx, readingKey{}, done), t.ids(state), unchanged
}

type readingKey struct{}

// passedOn is what the short path has read for the framework's read of the same request. A context is all that the
// framework hands from one to the other.
func passedOn[M Model](ctx context.Context) (done reading[M], ok bool) {
	done, ok = ctx.Value(readingKey{}).(reading[M])
	return done, ok
}

// KeepsModel reports whether a plan that proposes the state keeps it without diagnostics, and records that it does: no
// step leads away from it, and no other resource of the plan has the object.
func (t *Type[M]) KeepsModel(run *session.Session, model any, raw []byte) bool {
	m, isModel := model.(M)
	p, isOwn := ownPrivate(raw)
	if !isModel || !isOwn || len(t.Steps(m, m, zero[M]())) > 0 {
		return false
	}
	if warns, ok := t.resource.(NoWarnings[M]); ok && !warns.NoWarnings(m) {
		return false
	}
	return run.Register.RecordAlone(t.claims(run, m, m, zero[M](), p.Instance))
}

// ownPrivate decodes private state. It returns false if there is another key, such as the framework's own after an import,
// and for a planned destroy.
func ownPrivate(raw []byte) (private, bool) {
	p, keys := session.PrivateOf[private](raw)
	return p, len(keys) == 1 && p.Announced == nil
}
