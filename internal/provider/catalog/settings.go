package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// typedFields have their own attributes or belong to the API, so `settings` must not contain them.
var typedFields = []string{"code", "name", "currency", "active", "isActive", "status", "id", "packageId", "addonId", "createdAt", "updatedAt"}

// misspelled matches a name that is not in camelCase, the form of §2.1. A name that is none at all, such as one with a space, is
// the API's own.
var misspelled = regexp.MustCompile(`^$|^[A-Z][A-Za-z0-9_]*$|^[a-z0-9]+(_[A-Za-z0-9]*)+$`)

// validateSettings validates the settings, which stock validators do not inspect.
func validateSettings(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
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
		case misspelled.MatchString(name):
			diags.AddAttributeError(at, summarySettings,
				fmt.Sprintf("%q in settings is not a field of the API. Write its name in camelCase, such as monthlyPrice.", name))
		default:
			plain, err := fwtype.PlainOf(fields[name])
			if err == nil {
				err = fwtype.CheckExact(plain)
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

// settingsOf are the settings as JSON is decoded; nil for none.
func settingsOf(d types.Dynamic) (map[string]any, error) {
	if isNoObject(d) {
		return nil, nil //nolint:nilnil // without settings there is nothing to send
	}
	fields, err := fwtype.ElementsOf(d.UnderlyingValue())
	if err != nil {
		return nil, err
	}
	out := make(map[string]any, len(fields))
	for name, value := range fields {
		if out[name], err = fwtype.PlainOf(value); err != nil {
			return nil, fmt.Errorf("settings.%s: %w", name, err)
		}
	}
	return out, nil
}

// readBack returns the configured settings as the API shows them: with another value, or not at all if the item's own read
// lacks them.
func readBack(ctx context.Context, settings types.Dynamic, declared map[string]any, live *client.Item, isWhole bool) (types.Dynamic, error) {
	now := maps.Clone(declared)
	if err := combine(now, live.Settings, fwtype.DeclaredPart); err != nil {
		return settings, err
	}
	different := notKept(now, declared, live, isWhole)
	if len(different) == 0 {
		return settings, nil
	}
	for name, value := range declared {
		if _, shown := live.Settings[name]; slices.Contains(different, name) && !shown {
			delete(now, name)
		} else if !slices.Contains(different, name) {
			now[name] = value // in the spelling of the configuration
		}
	}
	return types.DynamicValue(fwtype.ValueOfPlain(ctx, now)), nil
}

// notKept returns the names of the configured settings that the API shows otherwise, or that the item's own read lacks. The
// row of a search may be a summary.
func notKept(now, declared map[string]any, live *client.Item, isWhole bool) (names []string) {
	for _, name := range fwtype.SortedKeys(declared) {
		_, shown := live.Settings[name]
		if shown && !anyjson.Same(now[name], declared[name]) || !shown && isWhole && declared[name] != nil {
			names = append(names, name)
		}
	}
	return names
}

// sameSettings keeps the state where the configuration differs from it only in whether a number is a text: the API may show
// either.
type sameSettings struct{ fwtype.Undescribed }

func (sameSettings) PlanModifyDynamic(_ context.Context, req planmodifier.DynamicRequest, resp *planmodifier.DynamicResponse) {
	if isNoObject(req.StateValue) || isNoObject(req.ConfigValue) {
		return
	}
	was, errWas := settingsOf(req.StateValue)
	want, errWant := settingsOf(req.ConfigValue)
	if errWas == nil && errWant == nil && maps.EqualFunc(was, want, anyjson.Same) {
		resp.PlanValue = req.StateValue
	}
}

// isNested reports whether a setting has fields or elements of its own.
func isNested(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// combine replaces each setting that the API has by its combination with the API's value.
func combine(settings map[string]any, live map[string]json.RawMessage, with func(live, setting any) any) error {
	for name, value := range settings {
		if raw, ok := live[name]; ok {
			now, err := anyjson.Decode(raw)
			if err != nil {
				return fmt.Errorf("settings.%s: %w", name, err)
			}
			settings[name] = with(now, value)
		}
	}
	return nil
}

// configurable returns the fields of a response that `settings` may contain.
func configurable(fields map[string]json.RawMessage) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	maps.Copy(out, fields)
	maps.DeleteFunc(out, func(name string, value json.RawMessage) bool {
		return misspelled.MatchString(name) || slices.Contains(typedFields, name) || string(value) == "null"
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
