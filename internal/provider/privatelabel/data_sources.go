package privatelabel

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/datasourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
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
	ID          string               `tfsdk:"id"`
	PackageID   string               `tfsdk:"package_id"`
	PackageCode string               `tfsdk:"package_code"`
	PackageName string               `tfsdk:"package_name"`
	Currency    string               `tfsdk:"currency"`
	AssignedAt  timetypes.RFC3339    `tfsdk:"assigned_at"`
	Addons      []attachedAddonModel `tfsdk:"addons"`
	Allocated   *allocatedModel      `tfsdk:"allocated"`
}

type attachedAddonModel struct {
	SubscriptionAddonID string  `tfsdk:"subscription_addon_id"`
	AddonID             string  `tfsdk:"addon_id"`
	Code                string  `tfsdk:"code"`
	Name                string  `tfsdk:"name"`
	Quantity            float64 `tfsdk:"quantity"`
}

type allocatedModel struct {
	Documents     float64 `tfsdk:"documents"`
	Seats         float64 `tfsdk:"seats"`
	Templates     float64 `tfsdk:"templates"`
	Notarizations float64 `tfsdk:"notarizations"`
}

var labelData = &registration.DataSource[dataModel]{
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
		if m.Domain.IsNull() || !m.Domain.Means(detail.PrimaryHost) {
			m.Domain = fwtype.NewText[fwtype.HostKind](detail.PrimaryHost)
		}
		m.SuspendReason, m.Owner = types.StringPointerValue(detail.SuspendReason), ownerObject(detail.Owner)
		m.MemberCount = types.Int64Value(int64(detail.MemberCount))
		if a := detail.Assignment; a != nil {
			m.Assignment = &assignmentModel{
				a.ID, a.PackageID, a.PackageCode, a.PackageName, a.Currency, fwtype.TimeValue(a.AssignedAt),
				registration.Rows(a.Addons, func(addon *client.AttachedAddon) attachedAddonModel { return attachedAddonModel(*addon) }),
				(*allocatedModel)(a.Allocated),
			}
		}
		return nil
	},
}

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

var labelsData = &registration.DataSource[privateLabelsModel]{
	Type:   "private_labels",
	Schema: listDataSchema,
	Read: func(ctx context.Context, s *session.Session, m *privateLabelsModel) diag.Diagnostics {
		labels, err := s.Inventory.LabelsOf(ctx, m.Period.ValueString())
		if err != nil {
			return diag.Diagnostics{diagnostic.LabelListFailure().Diagnostic(err)}
		}
		if m.Period.IsNull() {
			m.Period = types.StringValue(labels.List.Period)
		}
		m.ProvisionedCount = types.Int64Value(int64(labels.List.ProvisionedCount))
		m.PrivateLabels = []privateLabelSummaryModel{}
		for _, l := range labels.List.PrivateLabels {
			if !m.Status.IsNull() && m.Status.ValueString() != l.Status {
				continue
			}
			row := privateLabelSummaryModel{
				ID: l.TenantID, Domain: l.PrimaryHost, CustomDomain: l.CustomDomain, AdminEmail: l.AdminEmail,
				AssignedPackage: (*assignedPackageModel)(l.AssignedPackage), TemplateQuota: templateQuotaModel(l.TemplateQuota),
				Metrics: labelMetricsModel(l.Metrics), SuspendReason: l.SuspendReason,
			}
			row.fill(l.Suspension)
			m.PrivateLabels = append(m.PrivateLabels, row)
		}
		return nil
	},
}

type dashboardModel struct {
	Slug         types.String           `tfsdk:"slug"`
	IsReseller   types.Bool             `tfsdk:"is_reseller"`
	TotalDomains types.Int64            `tfsdk:"total_domains"`
	TotalUsers   types.Int64            `tfsdk:"total_users"`
	Domains      []dashboardDomainModel `tfsdk:"domains"`
}

type dashboardDomainModel struct {
	Domain      string       `tfsdk:"domain"`
	CompanyName string       `tfsdk:"company_name"`
	UserCount   client.Count `tfsdk:"user_count"`
}

var dashboard = &registration.DataSource[dashboardModel]{
	Type:   "dashboard",
	Schema: dashboardSchema,
	Read: func(ctx context.Context, s *session.Session, m *dashboardModel) diag.Diagnostics {
		live, err := s.Client.Dashboard(ctx)
		if err != nil {
			return diag.Diagnostics{diagnostic.ReadFailure(summaryDashboard, "The dashboard").Diagnostic(err)}
		}
		m.Slug, m.IsReseller = types.StringPointerValue(live.Slug), types.BoolValue(live.IsReseller)
		m.TotalDomains, m.TotalUsers = types.Int64Value(int64(live.TotalDomains)), types.Int64Value(int64(live.TotalUsers))
		m.Domains = registration.Rows(live.Domains, func(d *client.DashboardDomain) dashboardDomainModel { return dashboardDomainModel(*d) })
		return nil
	},
}

// labelList lists the reseller's private labels with one API call.
var labelList = &registration.Listing{
	Type:        "private_label",
	Description: "Lists the reseller's private labels: one API call, and one more for each private label if resources are included.",
	Arguments: map[string]listschema.Attribute{
		"status": listschema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "`Active` or `Suspended`. Default: both.",
			Validators:          []validator.String{stringvalidator.OneOf(client.StatusActive, client.StatusSuspended)},
		},
	},
	List: func(ctx context.Context, s *session.Session, req list.ListRequest, resp *list.ListResultsStream) {
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
	},
}
