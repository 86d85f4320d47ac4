package provider

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// figuresDataSource is one of the reads whose payload the documents do not
// give: the answer as JSON, and a typed view where item codes are recognised.
type figuresDataSource struct {
	forDataSource
	typeName    string
	description string
	period      bool        // takes a period
	view        string      // name of the typed view; "" for none
	viewText    string      // its description
	figures     figuresView // what the view reads
	read        func(context.Context, *session, string) (json.RawMessage, error)
}

var _ datasource.DataSourceWithConfigure = (*figuresDataSource)(nil)

func newUsageDataSource() datasource.DataSource {
	return &figuresDataSource{
		typeName:    "usage",
		description: "What was used in a month (§2.10, §4.21): documents sent, notarisations on chain, seats, templates and points. Usage counts use; billed figures are in `reseller_quota`.",
		period:      true,
		view:        "totals",
		viewText:    "Totals by item, where the response has them for certain: `documents`, `seats`, `templates`, `notarizations`, `points`. The API documentation does not give the shape of the response, so a number that may mean something else is only in `json`.",
		figures:     totalsView,
		read: func(ctx context.Context, s *session, period string) (json.RawMessage, error) {
			return s.client.Usage(ctx, period)
		},
	}
}

func newQuotaDataSource() datasource.DataSource {
	return &figuresDataSource{
		typeName:    "quota",
		description: "Billed figures, and what remains of the reseller's allowance (§4.21). Each label is billed the greater of what was allocated and what it used, so that these can exceed the usage.",
		view:        "remaining",
		viewText:    "Remaining allowance by item, where the response has it for certain: `documents`, `seats`, `templates`, `notarizations`. The API documentation does not give the shape of the response, so a number that may mean something else is only in `json`.",
		figures:     remainingView,
		read:        func(ctx context.Context, s *session, _ string) (json.RawMessage, error) { return s.client.Quota(ctx) },
	}
}

func newPointsDataSource() datasource.DataSource {
	return &figuresDataSource{
		typeName:    "points",
		description: "The reseller's points pool (§4.21). The service writes renewals and lapses once an hour.",
		read:        func(ctx context.Context, s *session, _ string) (json.RawMessage, error) { return s.client.Points(ctx) },
	}
}

func (d *figuresDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.typeName
}

func (d *figuresDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := map[string]schema.Attribute{
		"json": computedJSON("The answer's `data` as normalised JSON. The service's documents do not give its shape, so nothing is dropped."),
	}
	if d.period {
		attributes["period"] = schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Calendar month in UTC as `YYYY-MM`; the current month when left out.",
			Validators:          []validator.String{stringvalidator.RegexMatches(monthForm, "must be a month as YYYY-MM")},
		}
	}
	if d.view != "" {
		attributes[d.view] = schema.MapAttribute{ElementType: types.Float64Type, Computed: true, MarkdownDescription: d.viewText}
	}
	resp.Schema = schema.Schema{MarkdownDescription: d.description, Attributes: attributes}
}

func (d *figuresDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var period types.String
	if d.period {
		resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("period"), &period)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if !d.ready() {
		resp.Diagnostics.Append(d.notReady())
		return
	}
	raw, err := d.read(ctx, d.session, period.ValueString())
	if err != nil {
		resp.Diagnostics.Append(readFailure("The " + d.typeName).diagnose(err))
		return
	}
	text, err := normalised(raw)
	if err != nil {
		resp.Diagnostics.AddError("The "+d.typeName+" cannot be read", err.Error())
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("json"), text)...)
	if d.period {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("period"), period)...)
	}
	if d.view != "" {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(d.view), d.figures.read(raw))...)
	}
}

func computedJSON(description string) schema.StringAttribute {
	return schema.StringAttribute{CustomType: jsontypes.NormalizedType{}, Computed: true, MarkdownDescription: description}
}

// normalised is JSON without white space, with its fields in order and its
// numbers as they came.
func normalised(v any) (jsontypes.Normalized, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return jsontypes.NewNormalizedNull(), err
	}
	plain, err := decodeNumbers(raw)
	if err != nil {
		return jsontypes.NewNormalizedNull(), err
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(plain); err != nil {
		return jsontypes.NewNormalizedNull(), err
	}
	return jsontypes.NewNormalizedValue(string(bytes.TrimSpace(buf.Bytes()))), nil
}

type pointsLedgerDataSource struct {
	forDataSource
}

var _ datasource.DataSourceWithConfigure = (*pointsLedgerDataSource)(nil)

func newPointsLedgerDataSource() datasource.DataSource { return &pointsLedgerDataSource{} }

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

func (d *pointsLedgerDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_points_ledger"
}

func (d *pointsLedgerDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The newest rows of a label's points ledger (§4.21), one call for each hundred.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": ofLabelArgument(),
			"item_code":        schema.StringAttribute{Optional: true, MarkdownDescription: "Only rows of this item. API: `itemCode`.", Validators: []validator.String{notBlank}},
			"limit":            schema.Int64Attribute{Optional: true, MarkdownDescription: "How many rows at the most, 1 to 10,000; default 100.", Validators: []validator.Int64{int64validator.Between(1, maxLedgerRows)}},
			"total":            schema.Int64Attribute{Computed: true, MarkdownDescription: "How many rows there are in all; null where the service does not tell. API: `total`."},
			"rows": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The rows, newest first; none twice, even where one is written meanwhile.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":        computedString("Id of the row."),
					"item_code": computedString("Item of the row. API: `itemCode`."),
					"json":      computedJSON("The whole row as normalised JSON."),
				}},
			},
		},
	}
}

func (d *pointsLedgerDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m pointsLedgerModel
	if !d.begin(ctx, req.Config, &m, &resp.Diagnostics) {
		return
	}
	limit := int64(defaultLedgerRows)
	if !m.Limit.IsNull() {
		limit = m.Limit.ValueInt64()
	}
	id := m.PrivateLabelID.ValueString()
	rows, total, err := d.client.PointsLedger(ctx, id, m.ItemCode.ValueString(), int(limit))
	if err != nil {
		resp.Diagnostics.Append(d.notOfLabel(ctx, id, "The points ledger of "+d.hostOf(ctx, id), err))
		return
	}
	m.Total = types.Int64Null()
	if total >= 0 {
		m.Total = types.Int64Value(int64(total))
	}
	m.Rows = make([]ledgerRowModel, 0, len(rows))
	for _, row := range rows {
		text, err := normalised(row.Raw)
		if err != nil {
			resp.Diagnostics.AddError("A row of the points ledger cannot be read", err.Error())
			return
		}
		m.Rows = append(m.Rows, ledgerRowModel{ID: textOrNull(row.ID), ItemCode: textOrNull(row.ItemCode), JSON: text})
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
