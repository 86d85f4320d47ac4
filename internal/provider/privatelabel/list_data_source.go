package privatelabel

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
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

func (d *listDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "All private labels of the reseller with their metrics of a period. One API call, shared by all resources and data sources of a run unless `period` is set.",
		Attributes: map[string]schema.Attribute{
			"period": schema.StringAttribute{
				Optional:            true,
				Computed:            true,
				MarkdownDescription: "Calendar month in UTC as `YYYY-MM`, or `lifetime`. Default: the current month.",
				Validators:          []validator.String{stringvalidator.RegexMatches(fwtype.PeriodForm, "must be a month as YYYY-MM, or lifetime")},
			},
			"status": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Only private labels with this status: `Active` or `Suspended`.",
				Validators:          []validator.String{stringvalidator.OneOf(client.StatusActive, client.StatusSuspended)},
			},
			"provisioned_count": schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of all private labels, independent of `status`. API: `provisionedCount`."},
			"private_labels": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The private labels, in the API's order.",
				NestedObject:        schema.NestedAttributeObject{Attributes: labelSummaryResults()},
			},
		},
	}
}

func labelSummaryResults() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{
		"id":            fwtype.ComputedString("Private label ID, 32 lowercase hex characters. API: `tenantId`."),
		"domain":        fwtype.ComputedString("Host name. API: `primaryHost`."),
		"custom_domain": fwtype.ComputedString("Custom domain; null if there is none. API: `customDomain`."),
		"admin_email":   fwtype.ComputedString("Email address of the private label's admin; null if there is none. API: `adminEmail`."),
		"assigned_package": schema.SingleNestedAttribute{
			Computed:            true,
			MarkdownDescription: "Package of the private label; null if it has none. API: `assignedPackage`.",
			Attributes: map[string]schema.Attribute{
				"package_id": fwtype.ComputedString("ID of the package."),
				"code":       fwtype.ComputedString("Code of the package, upper case."),
				"name":       fwtype.ComputedString("Name of the package."),
			},
		},
		"template_quota": schema.SingleNestedAttribute{
			Computed:            true,
			MarkdownDescription: "Template quota of the private label. API: `templateQuota`.",
			Attributes: map[string]schema.Attribute{
				"used":      fwtype.ComputedNumber("Templates in use."),
				"total":     fwtype.ComputedNumber("Templates allowed."),
				"unlimited": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether there is no limit."},
			},
		},
		"metrics": schema.SingleNestedAttribute{
			Computed:            true,
			MarkdownDescription: "Metrics of the period. API: `metrics`.",
			Attributes: map[string]schema.Attribute{
				"templates":      fwtype.ComputedNumber("Templates."),
				"documents_sent": fwtype.ComputedNumber("Documents sent."),
				"members":        fwtype.ComputedNumber("Members."),
			},
		},
		"suspend_reason": fwtype.ComputedString("Reason for the suspension; null if active or without a reason. API: `suspendReason`."),
	}
	addSuspensionResults(attributes)
	return attributes
}

func (d *listDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m privateLabelsModel
	if !d.Begin(ctx, req.Config, &m, &resp.Diagnostics) {
		return
	}
	list, err := d.Inventory.LabelsOf(ctx, m.Period.ValueString())
	if err != nil {
		resp.Diagnostics.Append(diagnostic.LabelListFailure().Diagnostic(err))
		return
	}
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
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
