package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// model is a package or an add-on: both resources and their data sources.
type model struct {
	ID       types.String    `tfsdk:"id"`
	Code     fwtype.ItemCode `tfsdk:"code"`
	Name     types.String    `tfsdk:"name"`
	Currency fwtype.Currency `tfsdk:"currency"`
	Active   types.Bool      `tfsdk:"active"`
	Settings types.Dynamic   `tfsdk:"settings"`
}

// itemCodec converts packages and add-ons, which have the same attributes.
var itemCodec = sync.OnceValue(func() *session.ModelCodec[model] { return session.NewModelCodec[model](NewPackageResource()) })

// identity identifies an item in an import.
type identity struct {
	ID types.String `tfsdk:"id"`
}

// fromAPI copies what the API returned. A field that the response does not have keeps its value. Only configured
// settings are compared, since the API has further fields.
func (m *model) fromAPI(ctx context.Context, item *client.Item) error {
	m.ID = types.StringValue(item.ID)
	if item.Code != "" && !m.Code.Means(item.Code) {
		m.Code = fwtype.NewText[fwtype.CodeKind](item.Code)
	}
	if item.Currency != "" && !m.Currency.Means(item.Currency) {
		m.Currency = fwtype.NewText[fwtype.CurrencyKind](item.Currency)
	}
	if item.Name != "" {
		m.Name = types.StringValue(item.Name)
	}
	if item.HasActive() {
		m.Active = types.BoolValue(item.Active)
	}
	settings, err := readBack(ctx, m.Settings, item.Settings)
	m.Settings = settings
	return err
}

// lacks reports whether a row of a search does not have what the model needs: a configured setting, or a field without
// a value so far, as after an import.
func (m *model) lacks(row *client.Item) bool {
	if m.Name.IsNull() && row.Name == "" || m.Currency.IsNull() && row.Currency == "" || m.Active.IsNull() && !row.HasActive() {
		return true
	}
	declared, err := settingsJSON(m.Settings)
	if err != nil {
		return false // an apply reports what cannot be sent
	}
	for name := range declared {
		if _, has := row.Settings[name]; !has {
			return true
		}
	}
	return false
}

// request is the body of a create.
func (m *model) request() (client.ItemRequest, error) {
	settings, err := settingsJSON(m.Settings)
	return client.ItemRequest{
		Code:     m.Code.ValueString(),
		Name:     m.Name.ValueString(),
		Currency: m.Currency.Normal(), // the configuration may have "eur", which the API rejects
		Settings: settings,
	}, err
}

// change is the update that changes the state to the plan.
func (m *model) change(state *model) (client.ItemChange, error) {
	var c client.ItemChange
	if !m.Name.Equal(state.Name) {
		c.Name = m.Name.ValueStringPointer()
	}
	if !m.Active.Equal(state.Active) {
		c.Active = m.Active.ValueBoolPointer()
	}
	want, err := settingsJSON(m.Settings)
	if err != nil {
		return c, err
	}
	have, err := settingsJSON(state.Settings)
	if err != nil {
		return c, err
	}
	for name, value := range want {
		if fwtype.SameJSON(value, have[name]) {
			continue
		}
		if c.Settings == nil {
			c.Settings = map[string]json.RawMessage{}
		}
		c.Settings[name] = value
	}
	return c, nil
}

// newSettings are the settings of a change that are not in state, as after an import. The API may already have them as
// configured.
func (m *model) newSettings(change client.ItemChange) ([]string, error) {
	have, err := settingsJSON(m.Settings)
	if err != nil {
		return nil, err
	}
	var names []string
	for name := range change.Settings {
		if _, has := have[name]; !has {
			names = append(names, name)
		}
	}
	return names, nil
}

// settingsJSON is the settings as they are sent; nil for none.
func settingsJSON(d types.Dynamic) (map[string]json.RawMessage, error) {
	if d.IsNull() || d.IsUnknown() || d.IsUnderlyingValueNull() || d.IsUnderlyingValueUnknown() {
		return nil, nil //nolint:nilnil // without settings there is nothing to send
	}
	fields, err := fwtype.ElementsOf(d.UnderlyingValue())
	if err != nil {
		return nil, err
	}
	out := make(map[string]json.RawMessage, len(fields))
	for name, value := range fields {
		raw, err := fwtype.JSONOf(value)
		if err != nil {
			return nil, fmt.Errorf("settings.%s: %w", name, err)
		}
		out[name] = raw
	}
	return out, nil
}

// readBack replaces the configured settings that the API returned with another value.
func readBack(ctx context.Context, declared types.Dynamic, returned map[string]json.RawMessage) (types.Dynamic, error) {
	have, err := settingsJSON(declared)
	if err != nil || have == nil {
		return declared, err
	}
	moved := false
	for name, value := range have {
		live, ok := returned[name]
		if !ok {
			continue
		}
		if live, err = fwtype.DeclaredPart(live, value); err != nil {
			return declared, fmt.Errorf("settings.%s: %w", name, err)
		}
		if !fwtype.SameJSON(live, value) {
			have[name], moved = live, true
		}
	}
	if !moved {
		return declared, nil
	}
	attrs, values := map[string]attr.Type{}, map[string]attr.Value{}
	for name, raw := range have {
		value, err := fwtype.ValueOf(ctx, raw)
		if err != nil {
			return declared, fmt.Errorf("settings.%s: %w", name, err)
		}
		values[name], attrs[name] = value, value.Type(ctx)
	}
	object, diags := types.ObjectValue(attrs, values)
	if diags.HasError() {
		return declared, diagnostic.AsError(diags)
	}
	return types.DynamicValue(object), nil
}
