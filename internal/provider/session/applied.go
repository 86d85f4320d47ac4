package session

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
)

// Applied is where a resource sets the result of an apply. After a panic the protocol server returns what was set until
// then, so that nothing that was made is lost.
type Applied struct {
	Created  bool
	State    *tfsdk.State
	Identity *tfsdk.ResourceIdentity
	Private  PrivateReader
}

type appliedKey struct{}

// WithApplied returns a context for an apply, and what its resource passes to Keep.
func WithApplied(ctx context.Context) (context.Context, *Applied) {
	a := &Applied{}
	return context.WithValue(ctx, appliedKey{}, a), a
}

// Keep is the first call of a create and of an update.
func (a Applied) Keep(ctx context.Context) {
	if kept, ok := ctx.Value(appliedKey{}).(*Applied); ok {
		*kept = a
	}
}
