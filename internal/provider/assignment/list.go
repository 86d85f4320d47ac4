package assignment

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// listResource lists the labels that have a package, with the call that reads
// all labels.
type listResource struct{ Resource }

var _ list.ListResourceWithConfigure = (*listResource)(nil)

func NewList() list.ListResource { return &listResource{} }

func (l *listResource) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	const description = "Lists the private labels that have a package. One API call, and one more for each private label if resources are included."
	resp.Schema = session.ListSchema(description, map[string]schema.Attribute{})
}

func (l *listResource) List(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream) {
	failed := diagnostic.ReadFailure(summaryList, "The list of assignments")
	l.StreamLabels(ctx, req, resp, failed, func(label *client.PrivateLabelSummary) (session.Listed, bool) {
		if label.AssignedPackage == nil {
			return session.Listed{}, false
		}
		return session.Listed{
			Name:     label.PrimaryHost + " has " + label.AssignedPackage.Code,
			Identity: session.LabelIdentity{PrivateLabelID: types.StringValue(label.TenantID)},
			Resource: func() (any, diag.Diagnostics) { return l.asImported(ctx, label.TenantID, label.PrimaryHost) },
		}, true
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
