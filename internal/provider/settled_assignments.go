package provider

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// settledAssignments answers for assignments of which the list of private labels
// shows all that a read looks at: those without add-ons.
type settledAssignments struct{}

var assignmentCodec = sync.OnceValue(func() *modelCodec[assignmentResourceModel] {
	return newModelCodec[assignmentResourceModel](newAssignmentResource())
})

func (settledAssignments) identity() []string { return []string{"private_label_id"} }

func (settledAssignments) read(ctx context.Context, run *session, state *tfprotov6.DynamicValue, mem memory) ([]string, bool) {
	before, ok := decodeState(ctx, assignmentCodec(), state)
	if !ok || before.PackageID.IsNull() { // null after an import
		return nil, false
	}
	r, after, id := &assignmentResource{forResource{run}}, before, before.PrivateLabelID.ValueString()
	r.readAssignments.note(id)
	labels, err := failedOnce(ctx, readLabels, run.inventory.Labels)
	if err != nil {
		return nil, false
	}
	item, ok := labels.ByID(id)
	if !ok || item.AssignedPackage == nil || !describes(mem, id, item.PrimaryHost, run.slug(ctx)) {
		return nil, false
	}
	if before.needsDetail(item.AssignedPackage) {
		return nil, false
	}
	after.fromList(item.AssignedPackage)
	return []string{id}, assignmentCodec().same(ctx, &before, &after)
}

// plan: the resource itself keeps a plan that is the state.
func (settledAssignments) plan(context.Context, *session, *tfprotov6.DynamicValue, memory) bool {
	return true
}

// describes reports whether a read of an assignment would remember nothing else.
func describes(m memory, id, host, slug string) bool {
	return slug != "" && m == memory{ID: id, Host: host, Slug: slug, Provisioned: m.Provisioned}
}
