// Package report has the data sources that only report: users, templates, API keys and figures.
package report

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// Entry is what the provider has of reports.
var Entry = registration.Entry{DataSources: []func() datasource.DataSource{
	usage.New, quota.New, points.New, pointsLedger.New, templates.New, people.New, apiKeys.New,
}}

// figuresModel is a response whose shape the API documentation does not give. Usage and quota add a typed view of the
// figures whose item is certain.
type figuresModel struct {
	JSON jsontypes.Normalized `tfsdk:"json"`
}

// fill saves a response, and returns the figures of a view.
func (m *figuresModel) fill(view figuresView, raw json.RawMessage, err error) (map[string]float64, diag.Diagnostics) {
	if err != nil {
		return nil, diagnostic.ReadFailure(summaryFigures, "The response of reseller_"+view.name, err)
	}
	m.JSON, err = fwtype.NormalizedJSON(raw)
	return view.Read(raw), diagnostic.Unreadable(summaryFigures, "The response of reseller_"+view.name, err)
}

type usageModel struct {
	Period types.String       `tfsdk:"period"`
	Totals map[string]float64 `tfsdk:"totals"`
	figuresModel
}

var usage = &registration.DataSource[usageModel]{
	Type:   "usage",
	Schema: usageSchema,
	Read: func(ctx context.Context, s *session.Session, m *usageModel) (read any, diags diag.Diagnostics) {
		raw, err := s.Client.Usage(ctx, m.Period.ValueString())
		m.Totals, diags = m.fill(totalsView, raw, err)
		return nil, diags
	},
}

type quotaModel struct {
	Remaining map[string]float64 `tfsdk:"remaining"`
	figuresModel
}

var quota = &registration.DataSource[quotaModel]{
	Type:   "quota",
	Schema: quotaSchema,
	Read: func(ctx context.Context, s *session.Session, m *quotaModel) (read any, diags diag.Diagnostics) {
		raw, err := s.Client.Quota(ctx)
		m.Remaining, diags = m.fill(remainingView, raw, err)
		return nil, diags
	},
}

var points = &registration.DataSource[figuresModel]{
	Type:   "points",
	Schema: pointsSchema,
	Read: func(ctx context.Context, s *session.Session, m *figuresModel) (any, diag.Diagnostics) {
		raw, err := s.Client.Points(ctx)
		_, diags := m.fill(figuresView{name: "points"}, raw, err)
		return nil, diags
	},
}

const maxLedgerRows = 10_000

type pointsLedgerModel struct {
	PrivateLabelID types.String     `tfsdk:"private_label_id"`
	ItemCode       types.String     `tfsdk:"item_code"`
	Limit          types.Int64      `tfsdk:"limit"`
	Rows           []ledgerRowModel `tfsdk:"rows"`
	Total          types.Int64      `tfsdk:"total"`
}

type ledgerRowModel struct {
	ID       types.String         `tfsdk:"id"`
	ItemCode types.String         `tfsdk:"item_code"`
	JSON     jsontypes.Normalized `tfsdk:"json"`
}

var pointsLedger = &registration.DataSource[pointsLedgerModel]{
	Type:   "points_ledger",
	Schema: pointsLedgerSchema,
	Read: func(ctx context.Context, s *session.Session, m *pointsLedgerModel) (read any, diags diag.Diagnostics) {
		id := m.PrivateLabelID.ValueString()
		rows, total, err := s.Client.PointsLedger(ctx, id, m.ItemCode.ValueString(), int(cmp.Or(m.Limit.ValueInt64(), 100)))
		if err != nil {
			return nil, s.NotOfLabel(ctx, summaryLedger, id, "The points ledger of "+s.HostOf(ctx, id), err)
		}
		if total >= 0 { // else it is unknown
			m.Total = types.Int64Value(int64(total))
		}
		m.Rows = slice.Map(rows, func(row client.LedgerRow) ledgerRowModel {
			text, err := fwtype.NormalizedJSON(row.Raw)
			diags.Append(diagnostic.Unreadable(summaryLedger, "Row "+row.ID+" of the points ledger", err)...)
			return ledgerRowModel{ID: fwtype.TextOrNull(row.ID), ItemCode: fwtype.TextOrNull(row.ItemCode), JSON: text}
		})
		return nil, diags
	},
}
