package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// itemData is reseller_package or reseller_addon.
func itemData(k resource) *registration.DataSource[fields] {
	return &registration.DataSource[fields]{
		Type:   k.typeName,
		Schema: k.dataSchema,
		OneOf:  []string{"id", "code"},
		Read:   k.readItem,
	}
}

func (k resource) readItem(ctx context.Context, s *session.Session, m *fields) (any, diag.Diagnostics) {
	all, err := s.Inventory.CatalogWith(ctx, k.items, m.ID.ValueString(), inventory.Current)
	if err != nil {
		return nil, diagnostic.ReadFailure(summaryList, "The catalog", err)
	}
	at := path.Root("id")
	given := m.ID.ValueString()
	live, ok := all.ByID(given)
	if m.ID.IsNull() {
		at = path.Root("code")
		given = m.Code.ValueString()
		live, ok = all.ByCode(given)
	}
	if !ok {
		return nil, diag.Diagnostics{diag.NewAttributeErrorDiagnostic(at, summaryNotFound, fmt.Sprintf(notInCatalog, k.items, given, len(all.All())))}
	}
	if live, _, err = k.completed(ctx, s, live, m.lacks(live, nil), inventory.Current); err != nil {
		return nil, diagnostic.ReadFailure(summaryRead, diagnostic.Capitalize(k.items.String())+" "+live.Code, err)
	}
	m.fill(live)
	m.Settings, err = allSettings(ctx, live.Settings)
	return nil, diagnostic.Unreadable(summarySettingsRead, fmt.Sprintf("The settings of %s %s", k.items, live.Code), err)
}

type searchModel struct {
	Query  types.String `tfsdk:"query"`
	Active types.Bool   `tfsdk:"active"`
}

// listData is reseller_packages or reseller_addons.
func listData(k resource) *registration.DataSource[searchModel] {
	return &registration.DataSource[searchModel]{Type: k.typeName + "s", Schema: k.listDataSchema, Read: k.search}
}

// itemRow is an item of a list. What the response does not have is null.
type itemRow struct {
	ID       string         `json:"id"`
	Code     string         `json:"code"`
	Name     *string        `json:"name"`
	Currency *string        `json:"currency"`
	Active   *bool          `json:"active"`
	Settings anyjson.Object `json:"settingsJson"`
}

func (k resource) search(ctx context.Context, s *session.Session, m *searchModel) (any, diag.Diagnostics) {
	all, err := s.Inventory.Items(ctx, k.items, inventory.Current)
	if err != nil {
		return nil, diagnostic.ReadFailure(summaryList, "The catalog", err)
	}
	var rows []itemRow
	for _, item := range all.All() {
		if !item.Matches(m.Query.ValueString()) || !m.Active.IsNull() && m.Active.ValueBool() != item.Active {
			continue
		}
		row := itemRow{
			ID: item.ID, Code: strings.ToUpper(item.Code), Settings: item.Settings,
			Name: fwtype.TextOrNull(item.Name).ValueStringPointer(), Currency: fwtype.TextOrNull(item.Currency).ValueStringPointer(),
		}
		if item.HasActive() {
			row.Active = &item.Active
		}
		rows = append(rows, row)
	}
	return map[string]any{k.typeName + "s": rows, "total": len(rows)}, nil
}

// listing lists all packages or all add-ons, with a search of 100 items per page. A resource that is asked for
// has all fields of the item.
func listing(k resource, typ *object.Type[*model]) *registration.Listing {
	return &registration.Listing{
		Type:        typ.Type,
		Description: fmt.Sprintf("Lists the reseller's %ss, including deactivated ones. One API call per 100 items.", k.items),
		Arguments:   map[string]listschema.Attribute{},
		List: func(ctx context.Context, s *session.Session, req list.ListRequest, resp *list.ListResultsStream) {
			all, err := s.Inventory.Items(ctx, k.items, inventory.Current)
			if err != nil {
				session.FailedListing(resp, diagnostic.ReadFailure(summaryList, "The list of "+k.items.String()+"s", err)...)
				return
			}
			// If one row has further fields, rows have all that there are.
			summaries := !slices.ContainsFunc(all.All(), func(row client.Item) bool { return len(configurable(row.Settings)) > 0 })
			session.Stream(ctx, req, resp, func(yield func(session.Listed, diag.Diagnostics) bool) {
				for _, row := range all.All() {
					m := &model{fields: fields{ID: types.StringValue(row.ID)}}
					item := typ.Item(ctx, s, row.Code+" ("+row.Name+")", m, func() (*model, error) {
						whole, isWhole, err := k.completed(ctx, s, &row, summaries, inventory.Current)
						if err != nil {
							return nil, err
						}
						return m.withSettingsOf(ctx, whole, nil, isWhole)
					})
					if !yield(item, nil) {
						return
					}
				}
			})
		},
	}
}
