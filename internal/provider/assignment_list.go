package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// assignmentList lists the labels that have a package, with the call that reads
// all labels.
type assignmentList struct{ assignmentResource }

var _ list.ListResourceWithConfigure = (*assignmentList)(nil)

func newAssignmentList() list.ListResource { return &assignmentList{} }

func (l *assignmentList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = listSchema("Lists the assignments of the reseller's labels: those that have a package (§4.8). One call, and with the resources included one more for each private label.", map[string]schema.Attribute{})
}

func (l *assignmentList) List(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream) {
	if !l.ready() {
		failedListing(resp, l.notReady())
		return
	}
	labels, err := l.inventory.Labels(ctx)
	if err != nil {
		failedListing(resp, readFailure("The assignments").diagnose(err))
		return
	}
	stream(ctx, req, resp, func(yield func(listed, diag.Diagnostic) bool) {
		for _, item := range labels.All() {
			if item.AssignedPackage == nil {
				continue
			}
			one := listed{
				name:     item.PrimaryHost + " has " + item.AssignedPackage.Code,
				identity: ofLabelIdentity{PrivateLabelID: types.StringValue(item.TenantID)},
				resource: func() (any, diag.Diagnostics) { return l.asImported(ctx, item.TenantID, item.PrimaryHost) },
			}
			if !yield(one, nil) {
				return
			}
		}
	})
}

// asImported is the assignment as a read after an import has it.
func (r *assignmentResource) asImported(ctx context.Context, id, host string) (*assignmentResourceModel, diag.Diagnostics) {
	m := &assignmentResourceModel{
		PrivateLabelID: types.StringValue(id),
		Addons:         types.MapNull(types.Float64Type),
		AllowExcess:    types.MapNull(types.Float64Type),
		DetachedAddons: types.MapNull(types.Float64Type),
	}
	var diags diag.Diagnostics
	a, err := r.assigned(ctx, id)
	if err != nil || a == nil {
		diags.Append(readFailure("The assignment of " + host).diagnose(orMissing(err)))
		return m, diags
	}
	m.fromAPI(id, a)
	m.manageAddons(a)
	return m, diags
}
