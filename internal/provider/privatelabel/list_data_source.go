package privatelabel

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type listDataSource struct {
	session.DataSourceBase
}

var _ datasource.DataSourceWithConfigure = (*listDataSource)(nil)

func NewListDataSource() datasource.DataSource { return &listDataSource{} }

type privateLabelsModel struct {
	Period           types.String               `tfsdk:"period"`
	Status           types.String               `tfsdk:"status"`
	ProvisionedCount types.Int64                `tfsdk:"provisioned_count"`
	PrivateLabels    []privateLabelSummaryModel `tfsdk:"private_labels"`
}

// privateLabelSummaryModel is one item of the list (§2.3).
type privateLabelSummaryModel struct {
	ID              types.String          `tfsdk:"id"`
	Domain          types.String          `tfsdk:"domain"`
	CustomDomain    types.String          `tfsdk:"custom_domain"`
	AdminEmail      types.String          `tfsdk:"admin_email"`
	AssignedPackage *assignedPackageModel `tfsdk:"assigned_package"`
	TemplateQuota   templateQuotaModel    `tfsdk:"template_quota"`
	Metrics         labelMetricsModel     `tfsdk:"metrics"`
	Status          types.String          `tfsdk:"status"`
	SuspendedAt     timetypes.RFC3339     `tfsdk:"suspended_at"`
	SuspendedBy     types.String          `tfsdk:"suspended_by"`
	SuspendReason   types.String          `tfsdk:"suspend_reason"`
}

type assignedPackageModel struct {
	PackageID types.String `tfsdk:"package_id"`
	Code      types.String `tfsdk:"code"`
	Name      types.String `tfsdk:"name"`
}

type templateQuotaModel struct {
	Used      types.Float64 `tfsdk:"used"`
	Total     types.Float64 `tfsdk:"total"`
	Unlimited types.Bool    `tfsdk:"unlimited"`
}

type labelMetricsModel struct {
	Templates     types.Float64 `tfsdk:"templates"`
	DocumentsSent types.Float64 `tfsdk:"documents_sent"`
	Members       types.Float64 `tfsdk:"members"`
}

// fromAPI copies the private labels with the configured status.
func (m *privateLabelsModel) fromAPI(list *client.PrivateLabelList) {
	if m.Period.IsNull() {
		m.Period = types.StringValue(list.Period)
	}
	m.ProvisionedCount = types.Int64Value(int64(list.ProvisionedCount))
	m.PrivateLabels = make([]privateLabelSummaryModel, 0, len(list.PrivateLabels))
	for i := range list.PrivateLabels {
		if m.Status.IsNull() || m.Status.ValueString() == list.PrivateLabels[i].Status {
			m.PrivateLabels = append(m.PrivateLabels, labelSummaryFromAPI(&list.PrivateLabels[i]))
		}
	}
}

func labelSummaryFromAPI(s *client.PrivateLabelSummary) privateLabelSummaryModel {
	m := privateLabelSummaryModel{
		ID:           types.StringValue(s.TenantID),
		Domain:       types.StringValue(s.PrimaryHost),
		CustomDomain: types.StringPointerValue(s.CustomDomain),
		AdminEmail:   types.StringPointerValue(s.AdminEmail),
		TemplateQuota: templateQuotaModel{
			Used:      types.Float64Value(s.TemplateQuota.Used),
			Total:     types.Float64Value(s.TemplateQuota.Total),
			Unlimited: types.BoolValue(s.TemplateQuota.Unlimited),
		},
		Metrics: labelMetricsModel{
			Templates:     types.Float64Value(s.Metrics.Templates),
			DocumentsSent: types.Float64Value(s.Metrics.DocumentsSent),
			Members:       types.Float64Value(s.Metrics.Members),
		},
		Status:        types.StringValue(s.Status),
		SuspendedAt:   fwtype.TimeValue(s.SuspendedAt),
		SuspendedBy:   types.StringPointerValue(s.SuspendedBy),
		SuspendReason: types.StringPointerValue(s.SuspendReason),
	}
	if p := s.AssignedPackage; p != nil {
		m.AssignedPackage = &assignedPackageModel{
			PackageID: types.StringValue(p.PackageID),
			Code:      types.StringValue(p.Code),
			Name:      types.StringValue(p.Name),
		}
	}
	return m
}

func (d *listDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_private_labels"
}

func (d *listDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m privateLabelsModel
	if !d.Begin(ctx, req.Config, &m, &resp.Diagnostics) {
		return
	}
	labels, err := d.Inventory.LabelsOf(ctx, m.Period.ValueString())
	if err != nil {
		resp.Diagnostics.Append(diagnostic.LabelListFailure().Diagnostic(err))
		return
	}
	m.fromAPI(labels.List)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
