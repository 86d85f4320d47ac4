package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// privateLabelList lists the reseller's labels with the one call that reads
// them all.
type privateLabelList struct{ privateLabelResource }

var _ list.ListResourceWithConfigure = (*privateLabelList)(nil)

func newPrivateLabelList() list.ListResource { return &privateLabelList{} }

func (l *privateLabelList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = listSchema("Lists the reseller's private labels (§4.8): one call, and with the resources included one detail a label.", map[string]schema.Attribute{
		"status": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "`Active` or `Suspended`; all when left out.",
			Validators:          []validator.String{stringvalidator.OneOf(client.StatusActive, client.StatusSuspended)},
		},
	})
}

func (l *privateLabelList) List(ctx context.Context, req list.ListRequest, resp *list.ListResultsStream) {
	var config struct {
		Status types.String `tfsdk:"status"`
	}
	if diags := req.Config.Get(ctx, &config); diags.HasError() {
		failedListing(resp, diags...)
		return
	}
	if !l.ready() {
		failedListing(resp, l.notReady())
		return
	}
	labels, err := l.inventory.Labels(ctx)
	if err != nil {
		failedListing(resp, readFailure("The private labels").diagnose(err))
		return
	}
	stream(ctx, req, resp, func(yield func(listed, diag.Diagnostic) bool) {
		for _, item := range labels.All() {
			if !config.Status.IsNull() && item.Status != config.Status.ValueString() {
				continue
			}
			one := listed{
				name:     item.PrimaryHost,
				identity: privateLabelIdentity{ID: types.StringValue(item.TenantID)},
				resource: func() (any, diag.Diagnostics) { return l.asImported(ctx, item.TenantID) },
			}
			if !yield(one, nil) {
				return
			}
		}
	})
}

// asImported is the label as a read after an import has it.
func (r *privateLabelResource) asImported(ctx context.Context, id string) (*privateLabelModel, diag.Diagnostics) {
	m := newPrivateLabelModel(id)
	found, err := m.fromInventory(ctx, r.inventory)
	var diags diag.Diagnostics
	switch {
	case err != nil:
		diags.Append(readFailure(id).diagnose(err))
	case !found:
		diags.Append(notAmongLabels(id, r.slug(ctx)))
	default:
		diags.Append(r.takeOwner(ctx, m)...)
	}
	return m, diags
}

// newPrivateLabelModel knows the id alone.
func newPrivateLabelModel(id string) *privateLabelModel {
	return &privateLabelModel{
		ID:             types.StringValue(id),
		Owner:          types.ObjectNull(ownerAttrs),
		SocialLinks:    types.MapNull(types.StringType),
		DeletionPolicy: types.StringValue(policyPrevent),
	}
}
