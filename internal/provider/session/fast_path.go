package session

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// DecodeState returns the model of a state. It returns false if the state is null, has unknown values or cannot be read.
func DecodeState[M any](ctx context.Context, codec *ModelCodec[M], state *tfprotov6.DynamicValue) (M, bool) {
	var none M
	object, err := state.Unmarshal(codec.object)
	if err != nil || object.IsNull() || !object.IsFullyKnown() {
		return none, false
	}
	m, err := codec.decode(ctx, object)
	return m, err == nil
}

// FastPath reads and plans objects of one type without the framework. For an unchanged object its result must be the
// resource's. In every other case it returns false and the resource handles the request.
type FastPath interface {
	// Identity returns the names of the identity's attributes, which the state has, too.
	Identity() []string
	// Read reports whether a read returns state and private state unchanged. It records what the resource records, and
	// returns the values of the identity. It returns false on an error, which the resource then reports.
	Read(ctx context.Context, run *Session, state *tfprotov6.DynamicValue, mem PrivateState) (ids []string, ok bool)
	// Plan reports whether a plan that proposes the prior state keeps it, without diagnostics.
	Plan(ctx context.Context, run *Session, state *tfprotov6.DynamicValue, mem PrivateState) bool
}
