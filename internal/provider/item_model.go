package provider

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// itemModel is a package or an add-on: both resources and their data sources.
type itemModel struct {
	ID       types.String  `tfsdk:"id"`
	Code     itemCode      `tfsdk:"code"`
	Name     types.String  `tfsdk:"name"`
	Currency currency      `tfsdk:"currency"`
	Active   types.Bool    `tfsdk:"active"`
	Settings types.Dynamic `tfsdk:"settings"`
}

// itemIdentity is what imports an item by identity.
type itemIdentity struct {
	ID types.String `tfsdk:"id"`
}

// fromAPI takes over what the service tells. Of the settings only those that
// are declared are compared: the service has fields that nobody declared.
func (m *itemModel) fromAPI(ctx context.Context, item *client.Item) error {
	m.ID = types.StringValue(item.ID)
	if m.Code.IsNull() || m.Code.IsUnknown() || !m.Code.means(item.Code) {
		m.Code = newText[codeKind](item.Code)
	}
	if m.Currency.IsNull() || m.Currency.IsUnknown() || !m.Currency.means(item.Currency) {
		m.Currency = newText[currencyKind](item.Currency)
	}
	m.Name = types.StringValue(item.Name)
	m.Active = types.BoolValue(item.Active)
	settings, err := readBack(ctx, m.Settings, item.Settings)
	m.Settings = settings
	return err
}

// request is the body of a create.
func (m *itemModel) request() (client.ItemRequest, error) {
	settings, err := settingsJSON(m.Settings)
	return client.ItemRequest{
		Code:     m.Code.ValueString(),
		Name:     m.Name.ValueString(),
		Currency: m.Currency.normal(), // "eur" is let through, and refused by the service
		Settings: settings,
	}, err
}

// change is what an update sends to come from the state to the plan.
func (m *itemModel) change(state *itemModel) (client.ItemChange, bool, error) {
	var c client.ItemChange
	if !m.Name.Equal(state.Name) {
		c.Name = m.Name.ValueStringPointer()
	}
	if !m.Active.Equal(state.Active) {
		c.Active = m.Active.ValueBoolPointer()
	}
	want, err := settingsJSON(m.Settings)
	if err != nil {
		return c, false, err
	}
	have, err := settingsJSON(state.Settings)
	if err != nil {
		return c, false, err
	}
	for name, value := range want {
		if !sameJSON(value, have[name]) {
			if c.Settings == nil {
				c.Settings = map[string]json.RawMessage{}
			}
			c.Settings[name] = value
		}
	}
	return c, c.Name != nil || c.Active != nil || c.Settings != nil, nil
}

// settingsJSON is the settings as they are sent; nil for none.
func settingsJSON(d types.Dynamic) (map[string]json.RawMessage, error) {
	if d.IsNull() || d.IsUnknown() || d.IsUnderlyingValueNull() || d.IsUnderlyingValueUnknown() {
		return nil, nil //nolint:nilnil // no settings are nothing to send
	}
	fields, err := elementsOf(d.UnderlyingValue())
	if err != nil {
		return nil, err
	}
	out := make(map[string]json.RawMessage, len(fields))
	for name, value := range fields {
		raw, err := jsonOf(value)
		if err != nil {
			return nil, fmt.Errorf("settings.%s: %w", name, err)
		}
		out[name] = raw
	}
	return out, nil
}

// readBack replaces the declared settings that the service tells otherwise.
func readBack(ctx context.Context, declared types.Dynamic, told map[string]json.RawMessage) (types.Dynamic, error) {
	have, err := settingsJSON(declared)
	if err != nil || have == nil {
		return declared, err
	}
	moved := false
	for name, value := range have {
		if now, ok := told[name]; ok && !sameJSON(now, value) {
			have[name], moved = now, true
		}
	}
	if !moved {
		return declared, nil
	}
	attrs, values := map[string]attr.Type{}, map[string]attr.Value{}
	for name, raw := range have {
		value, err := valueOf(ctx, raw)
		if err != nil {
			return declared, fmt.Errorf("settings.%s: %w", name, err)
		}
		values[name], attrs[name] = value, value.Type(ctx)
	}
	object, diags := types.ObjectValue(attrs, values)
	if diags.HasError() {
		return declared, diagError(diags)
	}
	return types.DynamicValue(object), nil
}

func diagError(diags diag.Diagnostics) error {
	return fmt.Errorf("%s: %s", diags[0].Summary(), diags[0].Detail())
}
