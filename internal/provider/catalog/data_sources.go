package catalog

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/datasourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// itemDataSource is reseller_package and reseller_addon.
type itemDataSource struct {
	session.DataSourceBase
	items
}

// itemsDataSource is reseller_packages and reseller_addons.
type itemsDataSource struct {
	session.DataSourceBase
	items
}

var (
	_ datasource.DataSourceWithConfigure        = (*itemDataSource)(nil)
	_ datasource.DataSourceWithConfigValidators = (*itemDataSource)(nil)
	_ datasource.DataSourceWithConfigure        = (*itemsDataSource)(nil)
)

func NewPackageDataSource() datasource.DataSource {
	return &itemDataSource{items: items{client.KindPackage, "package"}}
}

func NewAddonDataSource() datasource.DataSource {
	return &itemDataSource{items: items{client.KindAddon, "addon"}}
}

func NewPackagesDataSource() datasource.DataSource {
	return &itemsDataSource{items: items{client.KindPackage, "packages"}}
}

func NewAddonsDataSource() datasource.DataSource {
	return &itemsDataSource{items: items{client.KindAddon, "addons"}}
}

func (d *itemDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.typeName
}

func (d *itemDataSource) ConfigValidators(context.Context) []datasource.ConfigValidator {
	return []datasource.ConfigValidator{datasourcevalidator.ExactlyOneOf(path.MatchRoot("id"), path.MatchRoot("code"))}
}

func (d *itemDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m item
	if !d.Begin(ctx, req.Config, &m, &resp.Diagnostics) {
		return
	}
	all, err := d.Inventory.Items(ctx, d.kind, inventory.Current)
	if err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryList, "The catalog").Diagnostic(err))
		return
	}
	at, given := path.Root("id"), m.ID.ValueString()
	live, ok := all.ByID(given)
	if m.ID.IsNull() {
		at, given = path.Root("code"), m.Code.ValueString()
		live, ok = all.ByCode(given)
	}
	if !ok {
		resp.Diagnostics.AddAttributeError(at, summaryNotFound, notInCatalog(d.kind, given, len(all.All())))
		return
	}
	if live, err = d.completed(ctx, d.Session, live, m.lacks(live)); err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryRead, diagnostic.Capitalize(d.kind.String())+" "+live.Code).Diagnostic(err))
		return
	}
	m.fill(live)
	if m.Settings, err = allSettings(ctx, live.Settings); err != nil {
		resp.Diagnostics.AddError(summarySettingsRead, fmt.Sprintf("The settings of %s %s cannot be read: %s.", d.kind, live.Code, err))
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
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
	all, err := d.Inventory.Items(ctx, d.kind, inventory.Current)
	if err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryList, "The catalog").Diagnostic(err))
		return
	}
	rows := []itemSummaryModel{}
	for _, item := range all.All() {
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
