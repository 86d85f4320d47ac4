package privatelabel

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
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
	ID              string                `tfsdk:"id"`
	Domain          string                `tfsdk:"domain"`
	CustomDomain    *string               `tfsdk:"custom_domain"`
	AdminEmail      *string               `tfsdk:"admin_email"`
	AssignedPackage *assignedPackageModel `tfsdk:"assigned_package"`
	TemplateQuota   templateQuotaModel    `tfsdk:"template_quota"`
	Metrics         labelMetricsModel     `tfsdk:"metrics"`
	SuspendReason   *string               `tfsdk:"suspend_reason"`
	suspensionModel
}

type assignedPackageModel struct {
	PackageID string `tfsdk:"package_id"`
	Code      string `tfsdk:"code"`
	Name      string `tfsdk:"name"`
}

type templateQuotaModel struct {
	Used      float64 `tfsdk:"used"`
	Total     float64 `tfsdk:"total"`
	Unlimited bool    `tfsdk:"unlimited"`
}

type labelMetricsModel struct {
	Templates     float64 `tfsdk:"templates"`
	DocumentsSent float64 `tfsdk:"documents_sent"`
	Members       float64 `tfsdk:"members"`
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
		ID: s.TenantID, Domain: s.PrimaryHost, CustomDomain: s.CustomDomain, AdminEmail: s.AdminEmail,
		AssignedPackage: (*assignedPackageModel)(s.AssignedPackage), TemplateQuota: templateQuotaModel(s.TemplateQuota),
		Metrics: labelMetricsModel(s.Metrics), SuspendReason: s.SuspendReason,
	}
	m.fill(s.Suspension)
	return m
}

var labelsData = &registration.DataSource[privateLabelsModel]{
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
