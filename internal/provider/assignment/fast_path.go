package assignment

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// FastPath handles assignments without add-ons: the list of private labels shows everything that their read needs.
type FastPath struct{}

var assignmentCodec = sync.OnceValue(func() *session.ModelCodec[model] {
	return session.NewModelCodec[model](NewResource())
})

func (FastPath) Identity() []string { return []string{"private_label_id"} }

func (FastPath) Read(ctx context.Context, run *session.Session, state *tfprotov6.DynamicValue, mem session.PrivateState) ([]string, bool) {
	before, ok := session.DecodeState(ctx, assignmentCodec(), state)
	if !ok || before.PackageID.IsNull() { // null after an import
		return nil, false
	}
	r, after, id := &Resource{session.ResourceBase{Session: run}}, before, before.PrivateLabelID.ValueString()
	r.noteRead(id)
	labels, err := run.Labels(ctx)
	if err != nil {
		return nil, false
	}
	item, ok := labels.ByID(id)
	if !ok || item.AssignedPackage == nil || mem.Slug == "" || memory(mem, id, item.PrimaryHost, run.Slug(ctx)) != mem {
		return nil, false
	}
	if before.needsDetail(item.AssignedPackage) {
		return nil, false
	}
	after.fromList(item.AssignedPackage)
	return []string{id}, assignmentCodec().Same(ctx, &before, &after)
}

// Plan returns no response: the resource itself handles a plan without changes.
func (FastPath) Plan(context.Context, *session.Session, *tfprotov6.DynamicValue, session.PrivateState) bool {
	return true
}
