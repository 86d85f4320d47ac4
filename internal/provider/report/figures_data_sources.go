// Package report has the data sources that only report: users, templates, API keys and figures.
package report

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// figuresDataSource is a read whose payload the API documentation does not show: the response as JSON, and a typed view
// if item codes are recognized.
type figuresDataSource struct {
	session.DataSourceBase
	typeName    string
	description string
	period      bool        // takes a period
	view        string      // name of the typed view; "" for none
	viewText    string      // its description
	figures     figuresView // what the view reads
	read        func(context.Context, *session.Session, string) (json.RawMessage, error)
}

var _ datasource.DataSourceWithConfigure = (*figuresDataSource)(nil)

func NewUsageDataSource() datasource.DataSource {
	return &figuresDataSource{
		typeName:    "usage",
		description: "Usage in a month: documents sent, notarizations on chain, seats, templates and points. The billed quantities are in `reseller_quota`.",
		period:      true,
		view:        "totals",
		viewText:    totalsText,
		figures:     totalsView,
		read: func(ctx context.Context, s *session.Session, period string) (json.RawMessage, error) {
			return s.Client.Usage(ctx, period)
		},
	}
}

func NewQuotaDataSource() datasource.DataSource {
	return &figuresDataSource{
		typeName:    "quota",
		description: quotaText,
		view:        "remaining",
		viewText:    remainingText,
		figures:     remainingView,
		read: func(ctx context.Context, s *session.Session, _ string) (json.RawMessage, error) {
			return s.Client.Quota(ctx)
		},
	}
}

func NewPointsDataSource() datasource.DataSource {
	return &figuresDataSource{
		typeName:    "points",
		description: "The reseller's points pool. The API updates renewals and expirations once an hour.",
		read: func(ctx context.Context, s *session.Session, _ string) (json.RawMessage, error) {
			return s.Client.Points(ctx)
		},
	}
}

func (d *figuresDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.typeName
}

func (d *figuresDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var period types.String
	if d.period {
		resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("period"), &period)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if !d.Ready() {
		resp.Diagnostics.Append(d.NotReady())
		return
	}
	raw, err := d.read(ctx, d.Session, period.ValueString())
	if err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryFigures, "The response of reseller_"+d.typeName).Diagnostic(err))
		return
	}
	text, err := fwtype.NormalizedJSON(raw)
	if err != nil {
		resp.Diagnostics.AddError(summaryFigures, fmt.Sprintf("The response of reseller_%s could not be read: %s. Nothing was changed.", d.typeName, err))
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("json"), text)...)
	if d.period {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("period"), period)...)
	}
	if d.view != "" {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(d.view), d.figures.Read(raw))...)
	}
}

type pointsLedgerDataSource struct {
	session.DataSourceBase
}

var _ datasource.DataSourceWithConfigure = (*pointsLedgerDataSource)(nil)

func NewPointsLedgerDataSource() datasource.DataSource { return &pointsLedgerDataSource{} }

const (
	defaultLedgerRows = 100
	maxLedgerRows     = 10_000
)

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

// fromAPI copies the rows. A total below 0 is unknown.
func (m *pointsLedgerModel) fromAPI(rows []client.LedgerRow, total int) diag.Diagnostics {
	m.Total = types.Int64Null()
	if total >= 0 {
		m.Total = types.Int64Value(int64(total))
	}
	m.Rows = make([]ledgerRowModel, 0, len(rows))
	for _, row := range rows {
		text, err := fwtype.NormalizedJSON(row.Raw)
		if err != nil {
			return diag.Diagnostics{rowNotRead(row.ID, err)}
		}
		m.Rows = append(m.Rows, ledgerRowModel{ID: fwtype.TextOrNull(row.ID), ItemCode: fwtype.TextOrNull(row.ItemCode), JSON: text})
	}
	return nil
}

func (d *pointsLedgerDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_points_ledger"
}

func (d *pointsLedgerDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m pointsLedgerModel
	if !d.Begin(ctx, req.Config, &m, &resp.Diagnostics) {
		return
	}
	limit := int64(defaultLedgerRows)
	if !m.Limit.IsNull() {
		limit = m.Limit.ValueInt64()
	}
	id := m.PrivateLabelID.ValueString()
	rows, total, err := d.Client.PointsLedger(ctx, id, m.ItemCode.ValueString(), int(limit))
	if err != nil {
		resp.Diagnostics.Append(d.NotOfLabel(ctx, summaryLedger, id, "The points ledger of "+d.HostOf(ctx, id), err))
		return
	}
	if diags := m.fromAPI(rows, total); diags.HasError() {
		resp.Diagnostics.Append(diags...)
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
