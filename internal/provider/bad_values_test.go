package provider_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// No value that a configuration can have is called a bug of the provider: null and unknown values in every place, and
// numbers that an attribute does not have.
func TestBadInput_IsNoBug(t *testing.T) {
	t.Parallel()
	p := providertest.NewTestEnv(t).Protocol()
	ctx := t.Context()
	type diagnostics = []*tfprotov6.Diagnostic
	actions := map[string]*tfprotov6.Schema{}
	for name, schema := range p.Schema.ActionSchemas {
		actions[name] = schema.Schema
	}
	kinds := map[string]struct {
		schemas  map[string]*tfprotov6.Schema
		validate func(name string, config *tfprotov6.DynamicValue) (diagnostics, error)
	}{
		"provider": {map[string]*tfprotov6.Schema{"": p.Schema.Provider}, func(_ string, config *tfprotov6.DynamicValue) (diagnostics, error) {
			resp, err := p.Server.ValidateProviderConfig(ctx, &tfprotov6.ValidateProviderConfigRequest{Config: config})
			return resp.Diagnostics, err
		}},
		"resource": {p.Schema.ResourceSchemas, func(name string, config *tfprotov6.DynamicValue) (diagnostics, error) {
			resp, err := p.Server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: name, Config: config})
			return resp.Diagnostics, err
		}},
		"data": {p.Schema.DataSourceSchemas, func(name string, config *tfprotov6.DynamicValue) (diagnostics, error) {
			resp, err := p.Server.ValidateDataResourceConfig(ctx, &tfprotov6.ValidateDataResourceConfigRequest{TypeName: name, Config: config})
			return resp.Diagnostics, err
		}},
		"ephemeral": {p.Schema.EphemeralResourceSchemas, func(name string, config *tfprotov6.DynamicValue) (diagnostics, error) {
			resp, err := p.Server.ValidateEphemeralResourceConfig(ctx, &tfprotov6.ValidateEphemeralResourceConfigRequest{TypeName: name, Config: config})
			return resp.Diagnostics, err
		}},
		"list": {p.Schema.ListResourceSchemas, func(name string, config *tfprotov6.DynamicValue) (diagnostics, error) {
			resp, err := p.Server.ValidateListResourceConfig(ctx, &tfprotov6.ValidateListResourceConfigRequest{TypeName: name, Config: config})
			return resp.Diagnostics, err
		}},
		"action": {actions, func(name string, config *tfprotov6.DynamicValue) (diagnostics, error) {
			resp, err := p.Server.ValidateActionConfig(ctx, &tfprotov6.ValidateActionConfigRequest{ActionType: name, Config: config})
			return resp.Diagnostics, err
		}},
	}
	tried := 0
	for what, kind := range kinds {
		for name, schema := range kind.schemas {
			for _, bad := range oneBadValue(t, filledValue(schema.ValueType())) {
				diags, err := kind.validate(name, providertest.Dynamic(bad.config))
				require.NoError(t, err)
				tried++
				wantNoBug(t, fmt.Sprintf("%s %s, %s", what, name, bad.what), diags)
			}
		}
	}
	t.Logf("%d configurations", tried)
}

func wantNoBug(t *testing.T, what string, diags []*tfprotov6.Diagnostic) {
	t.Helper()
	for _, d := range diags {
		if text := d.Summary + " " + d.Detail; strings.Contains(text, "error in the provider") || strings.Contains(text, "bug") || strings.Contains(text, "%!") {
			t.Errorf("%s:\n%s", what, text)
		}
	}
}

// filledValue has a value in every place.
func filledValue(typ tftypes.Type) tftypes.Value {
	switch t := typ.(type) {
	case tftypes.Object:
		values := map[string]tftypes.Value{}
		for name, inner := range t.AttributeTypes {
			values[name] = filledValue(inner)
		}
		return tftypes.NewValue(typ, values)
	case tftypes.List:
		return tftypes.NewValue(typ, []tftypes.Value{filledValue(t.ElementType)})
	case tftypes.Set:
		return tftypes.NewValue(typ, []tftypes.Value{filledValue(t.ElementType)})
	case tftypes.Map:
		return tftypes.NewValue(typ, map[string]tftypes.Value{"key": filledValue(t.ElementType)})
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
	require.NoError(t, err)
	return out
}
