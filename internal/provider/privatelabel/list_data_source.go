package privatelabel

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

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
	SuspendReason   types.String          `tfsdk:"suspend_reason"`
	suspensionModel
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

// fill copies the private labels with the configured status.
func (m *privateLabelsModel) fill(list *client.PrivateLabelList) {
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
		SuspendReason: types.StringPointerValue(s.SuspendReason),
	}
	m.fill(s.Suspension)
	if p := s.AssignedPackage; p != nil {
		m.AssignedPackage = &assignedPackageModel{
			PackageID: types.StringValue(p.PackageID),
			Code:      types.StringValue(p.Code),
			Name:      types.StringValue(p.Name),
		}
	}
	return m
}

var labelsData = &object.DataSource[privateLabelsModel]{
	Type:   "private_labels",
	Schema: listDataSchema,
	Read: func(ctx context.Context, s *session.Session, m *privateLabelsModel) diag.Diagnostics {
		labels, err := s.Inventory.LabelsOf(ctx, m.Period.ValueString())
		if err != nil {
			return diag.Diagnostics{diagnostic.LabelListFailure().Diagnostic(err)}
		}
		m.fill(labels.List)
		return nil
	},
}
