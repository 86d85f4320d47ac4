package privatelabel

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// listResource lists the reseller's private labels with one API call.
type listResource struct{ Resource }

var _ list.ListResourceWithConfigure = (*listResource)(nil)

func NewList() list.ListResource { return &listResource{} }

func (l *listResource) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	const description = "Lists the reseller's private labels: one API call, and one more for each private label if resources are included."
	resp.Schema = session.ListSchema(description, map[string]schema.Attribute{
		"status": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "`Active` or `Suspended`. Default: both.",
			Validators:          []validator.String{stringvalidator.OneOf(client.StatusActive, client.StatusSuspended)},
		},
	})
}

func (l *listResource) List(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream) {
	var config struct {
		Status types.String `tfsdk:"status"`
	}
	if diags := req.Config.Get(ctx, &config); diags.HasError() {
		session.FailedListing(resp, diags...)
		return
	}
	l.StreamLabels(ctx, req, resp, diagnostic.LabelListFailure(), func(label *client.PrivateLabelSummary) (session.Listed, bool) {
		return session.Listed{
			Name:     label.PrimaryHost,
			Identity: identity{ID: types.StringValue(label.TenantID)},
			Resource: func() (any, diag.Diagnostics) { return l.asImported(ctx, label.TenantID) },
		}, config.Status.IsNull() || label.Status == config.Status.ValueString()
	})
}

// asImported is the private label as a read after an import shows it.
func (r *Resource) asImported(ctx context.Context, id string) (*model, diag.Diagnostics) {
	m := newPrivateLabelModel(id)
	found, err := m.fromInventory(ctx, r.Session)
	var diags diag.Diagnostics
	switch {
	case err != nil:
		diags.Append(diagnostic.ReadFailure(diagnostic.SummaryReadLabel, "The private label "+id).Diagnostic(err))
	case !found:
		diags.Append(session.NotAmongLabels(id, r.Slug(ctx)))
	default:
		diags.Append(r.takeOwner(ctx, m)...)
	}
	return m, diags
}

// newPrivateLabelModel has only the ID.
func newPrivateLabelModel(id string) *model {
	return &model{
		detailModel:    detailModel{ID: types.StringValue(id)},
		Owner:          types.ObjectNull(ownerAttrs),
		SocialLinks:    types.MapNull(types.StringType),
		DeletionPolicy: types.StringValue(policyPrevent),
	}
}
