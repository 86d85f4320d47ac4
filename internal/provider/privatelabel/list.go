package privatelabel

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// labelList lists the reseller's private labels with one API call.
var labelList = &registration.Listing{
	Type:        "private_label",
	Description: "Lists the reseller's private labels: one API call, and one more for each private label if resources are included.",
	Arguments: map[string]schema.Attribute{
		"status": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "`Active` or `Suspended`. Default: both.",
			Validators:          []validator.String{stringvalidator.OneOf(client.StatusActive, client.StatusSuspended)},
		},
	},
	List: listLabels,
}

func listLabels(ctx context.Context, s *session.Session, req list.ListRequest, resp *list.ListResultsStream) {
	var config struct {
		Status types.String `tfsdk:"status"`
	}
	if diags := req.Config.Get(ctx, &config); diags.HasError() {
		session.FailedListing(resp, diags...)
		return
	}
	s.StreamLabels(ctx, req, resp, diagnostic.LabelListFailure(), func(label *client.PrivateLabelSummary) (session.Listed, bool) {
		m := &model{Owner: types.ObjectNull(ownerAttrs), SocialLinks: types.MapNull(types.StringType)}
		m.ID = types.StringValue(label.TenantID)
		return Label.Item(ctx, s, label.PrimaryHost, m, func() (*live, error) {
			return detailOf(ctx, s, label.TenantID, inventory.Current)
		}), config.Status.IsNull() || label.Status == config.Status.ValueString()
	})
}
