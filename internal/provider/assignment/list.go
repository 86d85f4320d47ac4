package assignment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// listResource lists the labels that have a package, with the call that reads
// all labels.
type listResource struct{ Resource }

var _ list.ListResourceWithConfigure = (*listResource)(nil)

func NewList() list.ListResource { return &listResource{} }

func (l *listResource) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = session.ListSchema("Lists the private labels that have a package. One API call, and one more for each private label if resources are included.", map[string]schema.Attribute{})
}

func (l *listResource) List(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream) {
	if !l.Ready() {
		session.FailedListing(resp, l.NotReady())
		return
	}
	labels, err := l.Inventory.Labels(ctx)
	if err != nil {
		session.FailedListing(resp, diagnostic.ReadFailure(summaryList, "The list of assignments").Diagnostic(err))
		return
	}
	session.Stream(ctx, req, resp, func(yield func(session.Listed, diag.Diagnostic) bool) {
		for _, item := range labels.All() {
			if item.AssignedPackage == nil {
				continue
			}
			one := session.Listed{
				Name:     item.PrimaryHost + " has " + item.AssignedPackage.Code,
				Identity: session.LabelIdentity{PrivateLabelID: types.StringValue(item.TenantID)},
				Resource: func() (any, diag.Diagnostics) { return l.asImported(ctx, item.TenantID, item.PrimaryHost) },
			}
			if !yield(one, nil) {
				return
			}
		}
	})
}

// asImported is the assignment as a read after an import has it.
func (r *Resource) asImported(ctx context.Context, id, host string) (*model, diag.Diagnostics) {
	m := &model{
		PrivateLabelID: types.StringValue(id),
		Addons:         types.MapNull(types.Float64Type),
		AllowExcess:    types.MapNull(types.Float64Type),
		DetachedAddons: types.MapNull(types.Float64Type),
	}
	var diags diag.Diagnostics
	a, err := r.assigned(ctx, id)
	if err != nil || a == nil {
		diags.Append(diagnostic.ReadFailure(summaryRead, "The assignment of "+host).Diagnostic(orMissing(err)))
		return m, diags
	}
	m.fromAPI(id, a)
	m.manageAddons(a)
	return m, diags
}
