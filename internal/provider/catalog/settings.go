package catalog

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// typedFields have their own attributes or belong to the API, so `settings` must not contain them.
var typedFields = []string{"code", "name", "currency", "active", "isActive", "status", "id", "packageId", "addonId", "createdAt", "updatedAt"}

// fieldName is the form of §2.1.
var fieldName = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)

// Validate validates the settings, which stock validators do not inspect.
func (kind) Validate(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	var settings types.Dynamic
	at := path.Root("settings")
	diags := config.GetAttribute(ctx, at, &settings)
	if isNoObject(settings) {
		return diags
	}
	fields, err := fwtype.ElementsOf(settings.UnderlyingValue())
	if err != nil {
		diags.AddAttributeError(at, summarySettings, diagnostic.Capitalize(err.Error())+".")
		return diags
	}
	for _, name := range fwtype.SortedKeys(fields) {
		switch {
		case slices.Contains(typedFields, name):
			diags.AddAttributeError(at, summarySettings,
				fmt.Sprintf("%q in settings has an attribute of its own, or is set by the API. Remove it from settings.", name))
		case !fieldName.MatchString(name):
			diags.AddAttributeError(at, summarySettings,
				fmt.Sprintf("%q in settings is not a field of the API. Write its name in camelCase, such as monthlyPrice.", name))
		default:
			raw, err := fwtype.JSONOf(fields[name])
			if err == nil {
				err = fwtype.CheckExact(raw)
			}
			if errors.Is(err, anyjson.ErrNumberRange) || errors.Is(err, fwtype.ErrRounded) {
				diags.AddAttributeError(at, summarySettings, fmt.Sprintf("settings.%s cannot be sent. Its %s.", name, err))
			}
		}
	}
	return diags
}

// isNoObject reports whether settings are omitted or known after apply.
func isNoObject(d types.Dynamic) bool {
	return d.IsNull() || d.IsUnknown() || d.IsUnderlyingValueNull() || d.IsUnderlyingValueUnknown()
}

// settingsChange returns the settings that a plan sets to other values, and the names that it no longer sets; none while
// they are unknown.
func (m *model) settingsChange(was *model) (set map[string]json.RawMessage, removed []string, err error) {
	if m.Settings.IsUnknown() || m.Settings.IsUnderlyingValueUnknown() || m.Settings.Equal(was.Settings) {
		return nil, nil, nil
	}
	want, errWant := settingsJSON(m.Settings)
	have, errHave := settingsJSON(was.Settings)
	if err := cmp.Or(errWant, errHave); err != nil {
		return nil, nil, err
	}
	set = maps.Clone(want)
	maps.DeleteFunc(set, func(name string, value json.RawMessage) bool { return fwtype.SameJSON(value, have[name]) })
	for _, name := range fwtype.SortedKeys(have) {
		if _, kept := want[name]; !kept {
			removed = append(removed, name)
		}
	}
	return set, removed, nil
}

// settingsJSON is the settings as they are sent; nil for none.
func settingsJSON(d types.Dynamic) (map[string]json.RawMessage, error) {
	if isNoObject(d) {
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
	now := maps.Clone(have)
	if err := combine(now, returned, fwtype.DeclaredPart); err != nil || maps.EqualFunc(now, have, fwtype.SameJSON) {
		return declared, err
	}
	return allSettings(ctx, now)
}

// isNested reports whether a setting has fields or elements of its own.
func isNested(value json.RawMessage) bool { return value[0] == '{' || value[0] == '[' }

// combine replaces each setting that the API has by its combination with the API's value.
func combine(settings, live map[string]json.RawMessage, with func(live, setting json.RawMessage) (json.RawMessage, error)) (err error) {
	for name, value := range settings {
		if now, ok := live[name]; ok {
			if settings[name], err = with(now, value); err != nil {
				return fmt.Errorf("settings.%s: %w", name, err)
			}
		}
	}
	return nil
}

// configurable returns the fields of a response that `settings` may contain.
func configurable(fields map[string]json.RawMessage) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	maps.Copy(out, fields)
	maps.DeleteFunc(out, func(name string, value json.RawMessage) bool {
		return !fieldName.MatchString(name) || slices.Contains(typedFields, name) || string(value) == "null"
	})
	return out
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
