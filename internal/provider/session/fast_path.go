package session

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// DecodeState returns the model of a state, which is false for none.
func DecodeState[M any](ctx context.Context, codec *ModelCodec[M], state *tfprotov6.DynamicValue) (M, bool) {
	var none M
	object, err := state.Unmarshal(codec.object)
	if err != nil || object.IsNull() || !object.IsFullyKnown() {
		return none, false
	}
	m, err := codec.decode(ctx, object)
	return m, err == nil
}

// FastPath answers for one type. What it says of an unchanged object has to be what the resource does: it may do
// less where the result is the same, and it steps aside in every other case.
type FastPath interface {
	// identity names the attributes of the identity, which the state has, too.
	Identity() []string
	// read reports whether a read returns state and private state as they are. It notes what the resource notes, and
	// returns the values of the identity. An error is for the resource to tell.
	Read(ctx context.Context, run *Session, state *tfprotov6.DynamicValue, mem PrivateState) (ids []string, ok bool)
	// plan reports whether a plan that proposes the prior state keeps it, and says nothing.
	Plan(ctx context.Context, run *Session, state *tfprotov6.DynamicValue, mem PrivateState) bool
}
