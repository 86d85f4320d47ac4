package catalog

import (
	"context"
	"fmt"
	"strings"

	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/dynamicplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// permanentText is a text that cannot change after the create.
func permanentText[K fwtype.Kind](k resource, what, description string) schema.StringAttribute {
	a := fwtype.RequiredText[K](description)
	a.PlanModifiers = append(a.PlanModifiers, session.Immutable{
		Subject: path.Root("code"),
		Reason:  fmt.Sprintf("The %s of %s is immutable. A replacement would leave the old item in the catalog permanently; its code would stay reserved and count toward the limit.", what, withArticle(k.items)),
		Remedy:  "To use a different value, add a second resource with a different code.",
	})
	return a
}

// currency is optional for an add-on: the API documentation shows the currency of packages only (§2.11).
func (k resource) currency() schema.StringAttribute {
	a := permanentText[fwtype.CurrencyKind](k, "currency", "Currency of the prices, ISO 4217, immutable. API: `currency`.")
	if k.items == client.KindAddon {
		a.Required = false
		a.Optional = true
		a.Computed = true
		a.MarkdownDescription += " Default: what the API returns."
		a.PlanModifiers = append([]planmodifier.String{stringplanmodifier.UseStateForUnknown()}, a.PlanModifiers...)
	}
	return a
}

func (k resource) Schema(context.Context) schema.Schema {
	return schema.Schema{
		MarkdownDescription: fmt.Sprintf("%s of the reseller's catalog. Its code is permanent and counts toward the limit of 100, even when deactivated. "+
			"Destroying the resource deactivates the item, unless `deletion_policy` specifies otherwise.", diagnostic.Capitalize(withArticle(k.items))),
		Attributes: map[string]schema.Attribute{
			"code":     permanentText[fwtype.CodeKind](k, "code", "Code, at most 64 characters, immutable. Stored in upper case and compared without case. API: `code`."),
			"name":     fwtype.RequiredString("Name, not blank, at most 255 characters. API: `name`.", fwtype.NotBlank, fwtype.LengthAtMost(fwtype.MaxItemName)),
			"currency": k.currency(),
			"active": schema.BoolAttribute{
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(true),
				MarkdownDescription: "Whether private labels can use the item. Default: `true`. API: `active`, `isActive` or `status`.",
			},
			"settings": schema.DynamicAttribute{
				Optional: true,
				Computed: true,
				MarkdownDescription: "Object with further API fields by their camelCase names, such as prices and included quantities. The API documentation does not list them. Drift is detected for configured keys only, also in nested objects. " +
					"Removing a key does not unset it in the API. If omitted, and after an import, it contains all further fields of the API. Cannot contain `" + strings.Join(typedFields, "`, `") + "`. API: the other fields of the body.",
				PlanModifiers: []planmodifier.Dynamic{dynamicplanmodifier.UseStateForUnknown(), sameSettings{}},
			},
			"id": fwtype.ConstantString("ID of the " + k.items.String() + ", 32 lowercase hex characters. API: `" + k.typeName + "Id`."),
		},
	}
}

func (k resource) dataSchema() dataschema.Schema {
	return dataschema.Schema{
		MarkdownDescription: fmt.Sprintf("One %s of the reseller's catalog. One API call per 100 items and run.", k.items),
		Attributes: map[string]dataschema.Attribute{
			"id": dataschema.StringAttribute{
				Optional: true, Computed: true,
				MarkdownDescription: fmt.Sprintf("ID of the %s, 32 lowercase hex characters. Set either `id` or `code`.", k.items),
				Validators:          []validator.String{fwtype.LabelIDValidator},
			},
			"code": dataschema.StringAttribute{
				CustomType: fwtype.TextType[fwtype.CodeKind]{}, Optional: true, Computed: true, Validators: fwtype.TextRules[fwtype.CodeKind](),
				MarkdownDescription: "Code, compared without case. Set either `id` or `code`. API: `code`.",
			},
			"name":     fwtype.ComputedString("Name. API: `name`."),
			"currency": dataschema.StringAttribute{CustomType: fwtype.TextType[fwtype.CurrencyKind]{}, Computed: true, MarkdownDescription: "Currency of the prices, ISO 4217. Null if the API does not return it. API: `currency`."},
			"active":   fwtype.ComputedBool("Whether private labels can use the item. API: `active`, `isActive` or `status`."),
			"settings": dataschema.DynamicAttribute{Computed: true, MarkdownDescription: "All other fields of the response."},
		},
	}
}

func (k resource) listDataSchema() dataschema.Schema {
	return dataschema.Schema{
		MarkdownDescription: fmt.Sprintf("The %ss of the reseller's catalog, including deactivated ones. One API call per 100 items and run.", k.items),
		Attributes: map[string]dataschema.Attribute{
			"query":  dataschema.StringAttribute{Optional: true, MarkdownDescription: "Text in code or name, compared without case. Default: all items."},
			"active": dataschema.BoolAttribute{Optional: true, MarkdownDescription: "`true` for active items only, `false` for deactivated ones. Default: both."},
			"total":  fwtype.ComputedCount("Number of matches."),
			k.typeName + "s": fwtype.ComputedRows("Matches, in the API's order.", map[string]dataschema.Attribute{
				"id":            fwtype.ComputedString(fmt.Sprintf("ID of the %s.", k.items)),
				"code":          fwtype.ComputedString("Code, upper case."),
				"name":          fwtype.ComputedString("Name."),
				"currency":      fwtype.ComputedString("Currency of the prices, ISO 4217. Null if the API does not return it."),
				"active":        fwtype.ComputedBool("Whether private labels can use the item."),
				"settings_json": fwtype.ComputedJSON("All other fields of the response, as normalized JSON."),
			}),
		},
	}
}

// fields are a package or an add-on, as its resource and its data source have it.
type fields struct {
	ID       types.String    `tfsdk:"id"`
	Code     fwtype.ItemCode `tfsdk:"code"`
	Name     types.String    `tfsdk:"name"`
	Currency fwtype.Currency `tfsdk:"currency"`
	Active   types.Bool      `tfsdk:"active"`
	Settings types.Dynamic   `tfsdk:"settings"`
}

// model is the resource.
type model struct {
	fields
	object.Guarded

	// remaining is how many items the limit allows beside those that the plan creates so far; nil if that is unknown.
	remaining *int

	shown *client.Item // that was just read
}

// item is what a read returned, nil for nothing.
func (m *model) item() *client.Item {
	if m == nil {
		return nil
	}
	return m.shown
}

// name names the item in messages.
func (m *fields) name() string {
	if m.Code.IsNull() {
		return m.ID.ValueString()
	}
	return effect.NameOf(m.Code, "(code known after apply)")
}

// fill copies everything but the settings. A field that the response does not have keeps its value.
func (m *fields) fill(live *client.Item) {
	m.ID = types.StringValue(live.ID)
	if live.Code != "" && !m.Code.Means(live.Code) {
		m.Code = fwtype.NewText[fwtype.CodeKind](live.Code)
	}
	if live.Currency != "" && !m.Currency.Means(live.Currency) {
		m.Currency = fwtype.NewText[fwtype.CurrencyKind](live.Currency)
	}
	if live.Name != "" {
		m.Name = types.StringValue(live.Name)
	}
	if live.HasActive() {
		m.Active = types.BoolValue(live.Active)
	}
}

// filledFrom is a copy with everything but the settings.
func (m *model) filledFrom(shown *client.Item) *model {
	live := *m
	live.fill(shown)
	live.shown = shown
	return &live
}

// withSettingsOf is a copy with the settings, too. Only configured settings are compared, since the API has further fields. A
// model without settings shows all of them. declared are its settings as JSON is decoded, and isWhole is whether the item
// was read by itself.
func (m *model) withSettingsOf(ctx context.Context, shown *client.Item, declared map[string]any, isWhole bool) (*model, error) {
	settings, err := readBack(ctx, m.Settings, declared, shown, isWhole)
	if m.Settings.IsNull() {
		settings, err = allSettings(ctx, configurable(shown.Settings))
	}
	if err != nil {
		return nil, unreadable(err)
	}
	live := m.filledFrom(shown)
	live.Settings = settings
	return live, nil
}

func unreadable(err error) error {
	return fmt.Errorf("its settings cannot be read: %w", err)
}

// fillCreated copies what the response to a create shows. Omitted settings are null if it shows no further
// fields, or none that can be read: the next read looks for them.
func (m *model) fillCreated(ctx context.Context, created *client.Item) {
	m.ID = types.StringValue(created.ID)
	if m.Currency.IsUnknown() {
		m.Currency.StringValue = fwtype.TextOrNull(created.Currency)
	}
	if !m.Settings.IsUnknown() {
		return
	}
	m.Settings = types.DynamicNull()
	if all, err := allSettings(ctx, configurable(created.Settings)); err == nil && len(created.Settings) > 0 {
		m.Settings = all
	}
}

// otherFields are the attributes of a created item that the API shows otherwise.
func (m *model) otherFields(live *client.Item) (names []string) {
	if live.Code != "" && !m.Code.Means(live.Code) {
		names = append(names, "code")
	}
	if live.Name != "" && live.Name != m.Name.ValueString() {
		names = append(names, "name")
	}
	if live.Currency != "" && !m.Currency.IsNull() && !m.Currency.Means(live.Currency) {
		names = append(names, "currency")
	}
	return names
}

// lacks reports whether a row of a search does not have what the model needs: a configured setting, a field without a
// value so far, as after an import, any settings, or the flag of an item that need not be deactivated.
func (m *fields) lacks(row *client.Item, declared map[string]any) bool {
	if m.Name.IsNull() && (row.Name == "" || row.Currency == "") ||
		!m.Active.ValueBool() && !row.HasActive() || m.Settings.IsNull() && len(configurable(row.Settings)) == 0 {
		return true
	}
	for name, value := range declared { // a row that has a nested one otherwise may be a summary
		if live, ok := row.Settings[name]; !ok || isNested(value) && !isSet(live, value) {
			return true
		}
	}
	return false
}
