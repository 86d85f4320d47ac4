package privatelabel

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

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

func (m *dashboardModel) fill(d *client.Dashboard) {
	m.Slug = types.StringPointerValue(d.Slug)
	m.IsReseller = types.BoolValue(d.IsReseller)
	m.TotalDomains = types.Int64Value(int64(d.TotalDomains))
	m.TotalUsers = types.Int64Value(int64(d.TotalUsers))
	m.Domains = registration.Rows(d.Domains, func(d *client.DashboardDomain) dashboardDomainModel { return dashboardDomainModel(*d) })
}

var dashboard = &registration.DataSource[dashboardModel]{
	Type:   "dashboard",
	Schema: dashboardSchema,
	Read: func(ctx context.Context, s *session.Session, m *dashboardModel) diag.Diagnostics {
		live, err := s.Client.Dashboard(ctx)
		if err != nil {
			return diag.Diagnostics{diagnostic.ReadFailure(summaryDashboard, "The dashboard").Diagnostic(err)}
		}
		m.fill(live)
		return nil
	},
}

func dashboardSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "The reseller's slug, host names and numbers of users. An API key sees only the private labels of its reseller.",
		Attributes: map[string]schema.Attribute{
			"slug":          fwtype.ComputedString("The reseller's own domain, as in the paths of the API; null if the API key acts for no reseller. API: `slug`."),
			"is_reseller":   fwtype.ComputedBool("Whether the API key acts for a reseller. API: `isReseller`."),
			"total_domains": fwtype.ComputedCount("Number of host names. API: `totalDomains`."),
			"total_users":   fwtype.ComputedCount("Number of users on all host names. API: `totalUsers`."),
			"domains": fwtype.ComputedRows("The host names. API: `domains`.", map[string]schema.Attribute{
				"domain":       fwtype.ComputedString("Host name."),
				"company_name": fwtype.ComputedString("Company name."),
				"user_count":   fwtype.ComputedCount("Number of users."),
			}),
		},
	}
}
