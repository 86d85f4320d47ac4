package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/datasourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// itemDataSource is reseller_package and reseller_addon.
type itemDataSource struct {
	session.DataSourceBase
	kind     client.Kind
	typeName string
}

// itemsDataSource is reseller_packages and reseller_addons.
type itemsDataSource struct {
	session.DataSourceBase
	kind     client.Kind
	typeName string
}

var (
	_ datasource.DataSourceWithConfigure        = (*itemDataSource)(nil)
	_ datasource.DataSourceWithConfigValidators = (*itemDataSource)(nil)
	_ datasource.DataSourceWithConfigure        = (*itemsDataSource)(nil)
)

func NewPackageDataSource() datasource.DataSource {
	return &itemDataSource{kind: client.KindPackage, typeName: "package"}
}

func NewAddonDataSource() datasource.DataSource {
	return &itemDataSource{kind: client.KindAddon, typeName: "addon"}
}

func NewPackagesDataSource() datasource.DataSource {
	return &itemsDataSource{kind: client.KindPackage, typeName: "packages"}
}

func NewAddonsDataSource() datasource.DataSource {
	return &itemsDataSource{kind: client.KindAddon, typeName: "addons"}
}

func (d *itemDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.typeName
}

func (d *itemDataSource) ConfigValidators(context.Context) []datasource.ConfigValidator {
	return []datasource.ConfigValidator{datasourcevalidator.ExactlyOneOf(path.MatchRoot("id"), path.MatchRoot("code"))}
}

func (d *itemDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: fmt.Sprintf("One %s of the reseller's catalog. One API call for each 100 items, shared by all resources and data sources of a run.", d.kind),
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				Optional: true, Computed: true,
				MarkdownDescription: fmt.Sprintf("ID of the %s, 32 lowercase hex characters. Exactly one of `id` and `code`.", d.kind),
				Validators:          []validator.String{fwtype.LabelIDValidator},
			},
			"code": schema.StringAttribute{
				CustomType: fwtype.TextType[fwtype.CodeKind]{}, Optional: true, Computed: true, Validators: fwtype.TextRules[fwtype.CodeKind](),
				MarkdownDescription: "Code, compared without case. Exactly one of `id` and `code`. API: `code`.",
			},
			"name":     fwtype.ComputedString("Name. API: `name`."),
			"currency": schema.StringAttribute{CustomType: fwtype.TextType[fwtype.CurrencyKind]{}, Computed: true, MarkdownDescription: "Currency of the prices, ISO 4217; null if the API does not return it. API: `currency`."},
			"active":   schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether private labels can get it. API: `active` (or its spelling in the response)."},
			"settings": schema.DynamicAttribute{Computed: true, MarkdownDescription: "All other fields of the response, by their names in the API."},
		},
	}
}

func (d *itemDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m model
	if !d.Begin(ctx, req.Config, &m, &resp.Diagnostics) {
		return
	}
	items, err := d.Inventory.Items(ctx, d.kind)
	if err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryList, "The catalog").Diagnostic(err))
		return
	}
	at, given := path.Root("id"), m.ID.ValueString()
	item, ok := items.ByID(given)
	if m.ID.IsNull() {
		at, given = path.Root("code"), m.Code.ValueString()
		item, ok = items.ByCode(given)
	}
	if !ok {
		resp.Diagnostics.AddAttributeError(at, summaryNotFound,
			fmt.Sprintf("The reseller has no %s %s among the %d items of its catalog. Check the spelling, and that the API key belongs to the right reseller.", d.kind, given, len(items.All())))
		return
	}
	m.Settings = types.DynamicNull()
	if item, err = completed(ctx, d.Session, d.kind, item, m.lacks(item)); err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryRead, diagnostic.Capitalize(d.kind.String())+" "+item.Code).Diagnostic(err))
		return
	}
	err = m.fromAPI(ctx, item)
	if err == nil {
		m.Settings, err = allSettings(ctx, item.Settings)
	}
	if err != nil {
		resp.Diagnostics.AddError(summarySettingsRead, fmt.Sprintf("The settings of %s %s cannot be read: %s.", d.kind, item.Code, err))
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}

func allSettings(ctx context.Context, fields map[string]json.RawMessage) (types.Dynamic, error) {
	raw, err := json.Marshal(fields)
	if err != nil {
		return types.DynamicNull(), err
	}
	value, err := fwtype.ValueOf(ctx, raw)
	if err != nil {
		return types.DynamicNull(), err
	}
	return types.DynamicValue(value), nil
}

type itemsModel struct {
	Query    types.String       `tfsdk:"query"`
	Active   types.Bool         `tfsdk:"active"`
	Packages []itemSummaryModel `tfsdk:"packages"`
	Total    types.Int64        `tfsdk:"total"`
}

// addonsModel is itemsModel with the other name.
type addonsModel struct {
	Query  types.String       `tfsdk:"query"`
	Active types.Bool         `tfsdk:"active"`
	Addons []itemSummaryModel `tfsdk:"addons"`
	Total  types.Int64        `tfsdk:"total"`
}

type itemSummaryModel struct {
	ID           types.String         `tfsdk:"id"`
	Code         types.String         `tfsdk:"code"`
	Name         types.String         `tfsdk:"name"`
	Currency     types.String         `tfsdk:"currency"`
	Active       types.Bool           `tfsdk:"active"`
	SettingsJSON jsontypes.Normalized `tfsdk:"settings_json"`
}

func (d *itemsDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.typeName
}

func (d *itemsDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: fmt.Sprintf("The %ss of the reseller's catalog, including deactivated ones. One API call for each 100 items, shared by all resources and data sources of a run.", d.kind),
		Attributes: map[string]schema.Attribute{
			"query":  schema.StringAttribute{Optional: true, MarkdownDescription: "Text to find in code or name, without case. Default: all."},
			"active": schema.BoolAttribute{Optional: true, MarkdownDescription: "Only active ones (`true`), or only deactivated ones (`false`). Default: both."},
			"total":  schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of matches."},
			d.typeName: schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The matches, in the API's order.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":            fwtype.ComputedString(fmt.Sprintf("ID of the %s.", d.kind)),
					"code":          fwtype.ComputedString("Code, upper case."),
					"name":          fwtype.ComputedString("Name."),
					"currency":      fwtype.ComputedString("Currency of the prices, ISO 4217; null if the API does not return it."),
					"active":        schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether private labels can get it."},
					"settings_json": fwtype.ComputedJSON("All other fields of the response, as normalized JSON."),
				}},
			},
		},
	}
}

func (d *itemsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var query types.String
	var active types.Bool
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("query"), &query)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("active"), &active)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !d.Ready() {
		resp.Diagnostics.Append(d.NotReady())
		return
	}
	items, err := d.Inventory.Items(ctx, d.kind)
	if err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryList, "The catalog").Diagnostic(err))
		return
	}
	rows := []itemSummaryModel{}
	for _, item := range items.All() {
		if !item.Matches(query.ValueString()) || !active.IsNull() && active.ValueBool() != item.Active {
			continue
		}
		row, err := summaryOf(item)
		if err != nil {
			resp.Diagnostics.AddError(summarySettingsRead, fmt.Sprintf("The settings of %s %s cannot be read: %s.", d.kind, item.Code, err))
			return
		}
		rows = append(rows, row)
	}
	resp.Diagnostics.Append(d.set(ctx, resp, query, active, rows)...)
}

func (d *itemsDataSource) set(
	ctx context.Context, resp *datasource.ReadResponse, query types.String, active types.Bool, rows []itemSummaryModel,
) diag.Diagnostics {
	total := types.Int64Value(int64(len(rows)))
	if d.kind == client.KindAddon {
		return resp.State.Set(ctx, &addonsModel{Query: query, Active: active, Addons: rows, Total: total})
	}
	return resp.State.Set(ctx, &itemsModel{Query: query, Active: active, Packages: rows, Total: total})
}

func summaryOf(item client.Item) (itemSummaryModel, error) {
	text, err := fwtype.NormalizedJSON(item.Settings)
	return itemSummaryModel{
		ID:           types.StringValue(item.ID),
		Code:         types.StringValue(strings.ToUpper(item.Code)),
		Name:         fwtype.TextOrNull(item.Name),
		Currency:     fwtype.TextOrNull(item.Currency),
		Active:       activeOrNull(item),
		SettingsJSON: text,
	}, err
}

func activeOrNull(item client.Item) types.Bool {
	if !item.HasActive() {
		return types.BoolNull()
	}
	return types.BoolValue(item.Active)
}
