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
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type dataSource struct {
	session.DataSourceBase
}

var (
	_ datasource.DataSourceWithConfigure        = (*dataSource)(nil)
	_ datasource.DataSourceWithConfigValidators = (*dataSource)(nil)
)

func NewDataSource() datasource.DataSource { return &dataSource{} }

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
		Addons:      make([]attachedAddonModel, 0, len(a.Addons)),
	}
	for _, addon := range a.Addons {
		m.Addons = append(m.Addons, attachedAddonModel{
			SubscriptionAddonID: types.StringValue(addon.SubscriptionAddonID),
			AddonID:             types.StringValue(addon.AddonID),
			Code:                types.StringValue(addon.Code),
			Name:                types.StringValue(addon.Name),
			Quantity:            types.Float64Value(addon.Quantity),
		})
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

func (d *dataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_private_label"
}

func (d *dataSource) ConfigValidators(context.Context) []datasource.ConfigValidator {
	return []datasource.ConfigValidator{
		datasourcevalidator.ExactlyOneOf(path.MatchRoot("id"), path.MatchRoot("domain")),
	}
}

func (d *dataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m dataModel
	if !d.Begin(ctx, req.Config, &m, &resp.Diagnostics) {
		return
	}
	id, name := m.ID.ValueString(), m.ID.ValueString()
	if m.ID.IsNull() {
		name = m.Domain.ValueString()
		labels, err := d.Inventory.Labels(ctx, inventory.Current)
		if err != nil {
			resp.Diagnostics.Append(diagnostic.ReadFailure(diagnostic.SummaryListLabels, "The private label "+name).Diagnostic(err))
			return
		}
		item, ok := labels.ByHost(name)
		if !ok {
			resp.Diagnostics.Append(session.NoSuchLabel(path.Root("domain"), name, d.Slug(ctx)))
			return
		}
		id = item.TenantID
	}
	detail, err := detailOf(ctx, d.Session, id, inventory.Current)
	if err != nil {
		resp.Diagnostics.Append(d.judged(ctx, id, name, err))
		return
	}
	m.fill(detail)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

// judged distinguishes a private label that does not exist from an API key without permission for it.
func (d *dataSource) judged(ctx context.Context, id, name string, err error) diag.Diagnostic {
	if d.NotOurs(ctx, id, err) {
		return session.NoSuchLabel(path.Root("id"), name, d.Slug(ctx))
	}
	return diagnostic.ReadFailure(diagnostic.SummaryReadLabel, "The private label "+name).Diagnostic(err)
}
