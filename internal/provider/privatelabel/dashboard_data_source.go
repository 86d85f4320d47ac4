package privatelabel

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type dashboardDataSource struct {
	session.DataSourceBase
}

var _ datasource.DataSourceWithConfigure = (*dashboardDataSource)(nil)

func NewDashboardDataSource() datasource.DataSource { return &dashboardDataSource{} }

type dashboardModel struct {
	Slug         types.String           `tfsdk:"slug"`
	IsReseller   types.Bool             `tfsdk:"is_reseller"`
	TotalDomains types.Int64            `tfsdk:"total_domains"`
	TotalUsers   types.Int64            `tfsdk:"total_users"`
	Domains      []dashboardDomainModel `tfsdk:"domains"`
}

type dashboardDomainModel struct {
	Domain      types.String `tfsdk:"domain"`
	CompanyName types.String `tfsdk:"company_name"`
	UserCount   types.Int64  `tfsdk:"user_count"`
}

func dashboardFromAPI(d *client.Dashboard) dashboardModel {
	m := dashboardModel{
		Slug:         types.StringPointerValue(d.Slug),
		IsReseller:   types.BoolValue(d.IsReseller),
		TotalDomains: types.Int64Value(int64(d.TotalDomains)),
		TotalUsers:   types.Int64Value(int64(d.TotalUsers)),
		Domains:      make([]dashboardDomainModel, 0, len(d.Domains)),
	}
	for _, entry := range d.Domains {
		m.Domains = append(m.Domains, dashboardDomainModel{
			Domain:      types.StringValue(entry.Domain),
			CompanyName: types.StringValue(entry.CompanyName),
			UserCount:   types.Int64Value(int64(entry.UserCount)),
		})
	}
	return m
}

func (d *dashboardDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_dashboard"
}

func (d *dashboardDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The reseller's slug, host names and numbers of users. An API key sees only the private labels of its reseller.",
		Attributes: map[string]schema.Attribute{
			"slug":          fwtype.ComputedString("The reseller's own domain, as in the paths of the API; null if the API key acts for no reseller. API: `slug`."),
			"is_reseller":   schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the API key acts for a reseller. API: `isReseller`."},
			"total_domains": schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of host names. API: `totalDomains`."},
			"total_users":   schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of users on all host names. API: `totalUsers`."},
			"domains": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The host names. API: `domains`.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"domain":       fwtype.ComputedString("Host name."),
					"company_name": fwtype.ComputedString("Company name."),
					"user_count":   schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of users."},
				}},
			},
		},
	}
}

func (d *dashboardDataSource) Read(ctx context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	if !d.Ready() {
		resp.Diagnostics.Append(d.NotReady())
		return
	}
	dashboard, err := d.Client.Dashboard(ctx)
	if err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryDashboard, "The dashboard").Diagnostic(err))
		return
	}
	m := dashboardFromAPI(dashboard)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
