package privatelabel

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/datasourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// dataModel is the detail of a private label (§2.4).
type dataModel struct {
	Domain        fwtype.HostName  `tfsdk:"domain"`
	SuspendReason types.String     `tfsdk:"suspend_reason"`
	Owner         types.Object     `tfsdk:"owner"`
	MemberCount   types.Int64      `tfsdk:"member_count"`
	Assignment    *assignmentModel `tfsdk:"assignment"`
	detailModel
}

// assignmentModel is the package of a private label with its add-ons (§2.4).
type assignmentModel struct {
	ID          types.String         `tfsdk:"id"`
	PackageID   types.String         `tfsdk:"package_id"`
	PackageCode types.String         `tfsdk:"package_code"`
	PackageName types.String         `tfsdk:"package_name"`
	Currency    types.String         `tfsdk:"currency"`
	AssignedAt  timetypes.RFC3339    `tfsdk:"assigned_at"`
	Addons      []attachedAddonModel `tfsdk:"addons"`
	Allocated   *allocatedModel      `tfsdk:"allocated"`
}

type attachedAddonModel struct {
	SubscriptionAddonID types.String  `tfsdk:"subscription_addon_id"`
	AddonID             types.String  `tfsdk:"addon_id"`
	Code                types.String  `tfsdk:"code"`
	Name                types.String  `tfsdk:"name"`
	Quantity            types.Float64 `tfsdk:"quantity"`
}

type allocatedModel struct {
	Documents     types.Float64 `tfsdk:"documents"`
	Seats         types.Float64 `tfsdk:"seats"`
	Templates     types.Float64 `tfsdk:"templates"`
	Notarizations types.Float64 `tfsdk:"notarizations"`
}

func (m *dataModel) fill(d *live) {
	m.detailModel.fill(d)
	if m.Domain.IsNull() || !m.Domain.Means(d.PrimaryHost) {
		m.Domain = fwtype.NewText[fwtype.HostKind](d.PrimaryHost)
	}
	m.SuspendReason = types.StringPointerValue(d.SuspendReason)
	m.Owner = ownerObject(d.Owner)
	m.MemberCount = types.Int64Value(int64(d.MemberCount))
	m.Assignment = assignmentFromAPI(d.Assignment)
}

func assignmentFromAPI(a *client.Assignment) *assignmentModel {
	if a == nil {
		return nil
	}
	m := &assignmentModel{
		ID:          types.StringValue(a.ID),
		PackageID:   types.StringValue(a.PackageID),
		PackageCode: types.StringValue(a.PackageCode),
		PackageName: types.StringValue(a.PackageName),
		Currency:    types.StringValue(a.Currency),
		AssignedAt:  fwtype.TimeValue(a.AssignedAt),
		Addons: object.Rows(a.Addons, func(addon *client.AttachedAddon) attachedAddonModel {
			return attachedAddonModel{
				SubscriptionAddonID: types.StringValue(addon.SubscriptionAddonID),
				AddonID:             types.StringValue(addon.AddonID),
				Code:                types.StringValue(addon.Code),
				Name:                types.StringValue(addon.Name),
				Quantity:            types.Float64Value(addon.Quantity),
			}
		}),
	}
	if a.Allocated != nil {
		m.Allocated = &allocatedModel{
			Documents:     types.Float64Value(a.Allocated.Documents),
			Seats:         types.Float64Value(a.Allocated.Seats),
			Templates:     types.Float64Value(a.Allocated.Templates),
			Notarizations: types.Float64Value(a.Allocated.Notarizations),
		}
	}
	return m
}

var labelData = &object.DataSource[dataModel]{
	Type:   "private_label",
	Schema: dataSchema,
	OneOf:  []datasource.ConfigValidator{datasourcevalidator.ExactlyOneOf(path.MatchRoot("id"), path.MatchRoot("domain"))},
	Read: func(ctx context.Context, s *session.Session, m *dataModel) diag.Diagnostics {
		id, name := m.ID.ValueString(), m.ID.ValueString()
		if m.ID.IsNull() {
			name = m.Domain.ValueString()
			labels, err := s.Inventory.Labels(ctx, inventory.Current)
			if err != nil {
				return diag.Diagnostics{diagnostic.ReadFailure(diagnostic.SummaryListLabels, "The private label "+name).Diagnostic(err)}
			}
			item, ok := labels.ByHost(name)
			if !ok {
				return diag.Diagnostics{session.NoSuchLabel(path.Root("domain"), name, s.Slug(ctx))}
			}
			id = item.TenantID
		}
		detail, err := detailOf(ctx, s, id, inventory.Current)
		switch {
		case err != nil && s.NotOurs(ctx, id, err):
			return diag.Diagnostics{session.NoSuchLabel(path.Root("id"), name, s.Slug(ctx))}
		case err != nil:
			return diag.Diagnostics{diagnostic.ReadFailure(diagnostic.SummaryReadLabel, "The private label "+name).Diagnostic(err)}
		}
		m.fill(detail)
		return nil
	},
}
