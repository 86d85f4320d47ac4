package provider_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/providertest"
)

// No value that a configuration can have is called a bug of the provider: null and unknown values in every place, and
// numbers that an attribute does not have.
func TestBadInput_IsNoBug(t *testing.T) {
	t.Parallel()
	p := providertest.NewTestEnv(t).Protocol()
	ctx := t.Context()
	validations := map[string]func(*tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error){
		"provider": func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := p.Server.ValidateProviderConfig(ctx, &tfprotov6.ValidateProviderConfigRequest{Config: config})
			return resp.Diagnostics, err
		},
	}
	schemas := map[string]*tfprotov6.Schema{"provider": p.Schema.Provider}
	for name, schema := range p.Schema.ResourceSchemas {
		schemas["resource "+name] = schema
		validations["resource "+name] = func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := p.Server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: name, Config: config})
			return resp.Diagnostics, err
		}
	}
	for name, schema := range p.Schema.DataSourceSchemas {
		schemas["data "+name] = schema
		validations["data "+name] = func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := p.Server.ValidateDataResourceConfig(ctx, &tfprotov6.ValidateDataResourceConfigRequest{TypeName: name, Config: config})
			return resp.Diagnostics, err
		}
	}
	for name, schema := range p.Schema.EphemeralResourceSchemas {
		schemas["ephemeral "+name] = schema
		validations["ephemeral "+name] = func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := p.Server.ValidateEphemeralResourceConfig(ctx, &tfprotov6.ValidateEphemeralResourceConfigRequest{TypeName: name, Config: config})
			return resp.Diagnostics, err
		}
	}
	for name, schema := range p.Schema.ListResourceSchemas {
		schemas["list "+name] = schema
		validations["list "+name] = func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := p.Server.ValidateListResourceConfig(ctx, &tfprotov6.ValidateListResourceConfigRequest{TypeName: name, Config: config})
			return resp.Diagnostics, err
		}
	}
	for name, schema := range p.Schema.ActionSchemas {
		schemas["action "+name] = schema.Schema
		validations["action "+name] = func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			resp, err := p.Server.ValidateActionConfig(ctx, &tfprotov6.ValidateActionConfigRequest{ActionType: name, Config: config})
			return resp.Diagnostics, err
		}
	}
	tried := 0
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		whole := filledValue(schemas[name].ValueType())
		for _, bad := range oneBadValue(t, whole) {
			config, err := tfprotov6.NewDynamicValue(whole.Type(), bad.config)
			if err != nil {
				t.Fatal(err)
			}
			diags, err := validations[name](&config)
			if err != nil {
				t.Fatal(err)
			}
			tried++
			for _, d := range diags {
				if text := d.Summary + " " + d.Detail; strings.Contains(text, "error in the provider") || strings.Contains(text, "bug") || strings.Contains(text, "%!") {
					t.Errorf("%s, %s:\n%s", name, bad.what, text)
				}
			}
		}
	}
	t.Logf("%d configurations", tried)
}

// filledValue has a value in every place.
func filledValue(typ tftypes.Type) tftypes.Value {
	switch of := typ.(type) {
	case tftypes.Object:
		values := map[string]tftypes.Value{}
		for name, inner := range of.AttributeTypes {
			values[name] = filledValue(inner)
		}
		return tftypes.NewValue(typ, values)
	case tftypes.List:
		return tftypes.NewValue(typ, []tftypes.Value{filledValue(of.ElementType)})
	case tftypes.Set:
		return tftypes.NewValue(typ, []tftypes.Value{filledValue(of.ElementType)})
	case tftypes.Map:
		return tftypes.NewValue(typ, map[string]tftypes.Value{"key": filledValue(of.ElementType)})
	}
	switch {
	case typ.Is(tftypes.Number):
		return tftypes.NewValue(typ, 1)
	case typ.Is(tftypes.Bool):
		return tftypes.NewValue(typ, true)
	default:
		return tftypes.NewValue(tftypes.String, "text")
	}
}

type badValue struct {
	what   string
	config tftypes.Value
}

// oneBadValue lists configurations with one bad value each.
func oneBadValue(t *testing.T, whole tftypes.Value) []badValue {
	t.Helper()
	var out []badValue
	err := tftypes.Walk(whole, func(at *tftypes.AttributePath, was tftypes.Value) (bool, error) {
		if len(at.Steps()) == 0 {
			return true, nil
		}
		given := []any{nil, tftypes.UnknownValue}
		if was.Type().Is(tftypes.Number) {
			given = append(given, big.NewFloat(1.5), new(big.Float).SetMantExp(big.NewFloat(1), 5000))
		}
		for _, bad := range given {
			config, err := tftypes.Transform(whole, func(here *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
				if !here.Equal(at) {
					return v, nil
				}
				return tftypes.NewValue(v.Type(), bad), nil
			})
			if err != nil {
				return false, err
			}
			out = append(out, badValue{fmt.Sprintf("%s = %v", at, bad), config})
		}
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
