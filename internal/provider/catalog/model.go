package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
)

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

func unreadable(err error) error { return fmt.Errorf("its settings cannot be read: %w", err) }

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

// isActive reports whether the item is active: by the live one if the API shows it.
func (m *model) isActive(live *model) bool {
	if shown := live.item(); shown != nil && shown.HasActive() {
		return shown.Active
	}
	return m.Active.IsNull() || m.Active.IsUnknown() || m.Active.ValueBool()
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

// diff is the update that leads from the state to the plan. It leaves out what a live item has already.
func (m *model) diff(was *model, live *client.Item) (client.ItemChange, error) {
	var c client.ItemChange
	if !m.Name.Equal(was.Name) && (live == nil || live.Name != m.Name.ValueString()) {
		c.Name = m.Name.ValueStringPointer()
	}
	if !m.Active.Equal(was.Active) && (live == nil || !live.HasActive() || live.Active != m.Active.ValueBool()) {
		c.Active = m.Active.ValueBoolPointer()
	}
	set, _, err := m.settingsChange(was)
	maps.DeleteFunc(set, func(name string, value any) bool { return live != nil && isSet(live.Settings[name], value) })
	c.Settings = set
	return c, err
}

// isSet reports whether the API has a value as configured.
func isSet(live json.RawMessage, want any) bool {
	now, err := anyjson.Decode(live)
	return err == nil && anyjson.Same(fwtype.DeclaredPart(now, want), want)
}
