package provider

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// settledMembers answers for members whom the list of their private label shows
// as the state does.
type settledMembers struct{}

var memberCodec = sync.OnceValue(func() *modelCodec[memberModel] { return newModelCodec[memberModel](newMemberResource()) })

func (settledMembers) identity() []string { return []string{"private_label_id", "id"} }

func (settledMembers) read(ctx context.Context, run *session, state *tfprotov6.DynamicValue, mem memory) ([]string, bool) {
	before, ok := decodeState(ctx, memberCodec(), state)
	if !ok {
		return nil, false
	}
	r, after := &memberResource{forResource{run}}, before
	found, err := r.refresh(ctx, &after, mem)
	same := err == nil && found && memberCodec().same(ctx, &before, &after) && r.memory(ctx, &after, mem) == mem
	return []string{before.PrivateLabelID.ValueString(), before.ID.ValueString()}, same
}

func (settledMembers) plan(ctx context.Context, run *session, state *tfprotov6.DynamicValue, mem memory) bool {
	prior, ok := decodeState(ctx, memberCodec(), state)
	if !ok {
		return false
	}
	r := &memberResource{forResource{run}}
	r.nameHost(&prior, mem)
	return len(r.warnAdopted(ctx, &prior)) == 0
}

// decodeState returns the model of a state, which is false for none.
func decodeState[M any](ctx context.Context, codec *modelCodec[M], state *tfprotov6.DynamicValue) (M, bool) {
	var none M
	object, err := state.Unmarshal(codec.object)
	if err != nil || object.IsNull() || !object.IsFullyKnown() {
		return none, false
	}
	m, err := codec.decode(ctx, object)
	return m, err == nil
}
