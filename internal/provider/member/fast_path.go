package member

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// FastPath reads and plans members that the list of their private label shows as the state does.
type FastPath struct{}

var memberCodec = sync.OnceValue(func() *session.ModelCodec[model] { return session.NewModelCodec[model](NewResource()) })

func (FastPath) Identity() []string { return []string{"private_label_id", "id"} }

func (FastPath) Read(ctx context.Context, run *session.Session, state *tfprotov6.DynamicValue, mem session.PrivateState) ([]string, bool) {
	before, ok := session.DecodeState(ctx, memberCodec(), state)
	if !ok {
		return nil, false
	}
	r, after := &Resource{session.ResourceBase{Session: run}}, before
	found, err := r.refresh(ctx, &after, mem)
	same := err == nil && found && memberCodec().Same(ctx, &before, &after) && r.memory(ctx, &after, mem) == mem
	return []string{before.PrivateLabelID.ValueString(), before.ID.ValueString()}, same
}

func (FastPath) Plan(ctx context.Context, run *session.Session, state *tfprotov6.DynamicValue, mem session.PrivateState) bool {
	prior, ok := session.DecodeState(ctx, memberCodec(), state)
	if !ok {
		return false
	}
	r := &Resource{session.ResourceBase{Session: run}}
	r.recallHost(prior.PrivateLabelID, mem)
	label := prior.PrivateLabelID.ValueString()
	r.run().singles.Add(label)
	return !r.run().sets.Has(label) && len(r.warnAdopted(ctx, &prior)) == 0
}
