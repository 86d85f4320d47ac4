package shortpath

import (
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
)

type toyModel struct {
	Domain    fwtype.HostName   `tfsdk:"domain"`
	CreatedAt timetypes.RFC3339 `tfsdk:"created_at"`
	Attached  types.Bool        `tfsdk:"attached"`
	Count     types.Int64       `tfsdk:"count"`
	Owner     types.Object      `tfsdk:"owner"`
	Records   types.List        `tfsdk:"records"`
	Settings  types.Dynamic     `tfsdk:"settings"`
	Reseller  types.String      `tfsdk:"reseller"`
}

var toySchema = schema.Schema{Attributes: map[string]schema.Attribute{
	"domain":     schema.StringAttribute{CustomType: fwtype.TextType[fwtype.HostKind]{}, Optional: true},
	"created_at": schema.StringAttribute{CustomType: timetypes.RFC3339Type{}, Optional: true},
	"attached":   schema.BoolAttribute{Optional: true},
	"count":      schema.Int64Attribute{Optional: true},
	"owner":      schema.SingleNestedAttribute{Optional: true, Attributes: map[string]schema.Attribute{"email": schema.StringAttribute{Optional: true}}},
	"records":    schema.ListAttribute{Optional: true, ElementType: types.StringType},
	"settings":   schema.DynamicAttribute{Optional: true},
	"reseller":   schema.StringAttribute{Optional: true},
}}

// The short path decodes a state as the framework does.
func TestDecoder_DecodesAsTheFramework(t *testing.T) {
	t.Parallel()
	shape, ok := toySchema.Type().TerraformType(t.Context()).(tftypes.Object)
	require.True(t, ok, "the schema is no object")
	owner := shape.AttributeTypes["owner"]
	full := map[string]any{
		"domain": "Sign.acme.example", "created_at": "2026-03-14T09:00:00Z", "attached": true, "count": 7,
		"owner":    map[string]tftypes.Value{"email": tftypes.NewValue(tftypes.String, "ada@acme.example")},
		"records":  []tftypes.Value{tftypes.NewValue(tftypes.String, "a")},
		"settings": tftypes.NewValue(tftypes.String, "monthly"),
	}
	value := func(given map[string]any) tftypes.Value {
		values := map[string]tftypes.Value{}
		for name, typ := range shape.AttributeTypes {
			if value, ok := given[name].(tftypes.Value); ok {
				values[name] = value
				continue
			}
			values[name] = tftypes.NewValue(typ, given[name])
		}
		return tftypes.NewValue(shape, values)
	}
	fields := object.NewFields(reflect.TypeFor[toyModel](), toySchema)
	d := newDecoder(fields)
	for name, tc := range map[string]struct {
		state tftypes.Value
		ok    bool
	}{
		"values":                {value(full), true},
		"null":                  {value(nil), true},
		"null in an object":     {value(map[string]any{"owner": map[string]tftypes.Value{"email": tftypes.NewValue(tftypes.String, nil)}}), true},
		"no object":             {tftypes.NewValue(shape, nil), false},
		"unknown":               {value(map[string]any{"domain": tftypes.UnknownValue}), false},
		"unknown in an object":  {value(map[string]any{"owner": map[string]tftypes.Value{"email": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}}), false},
		"an unknown object":     {value(map[string]any{"owner": tftypes.NewValue(owner, tftypes.UnknownValue)}), false},
		"unknown in a list":     {value(map[string]any{"records": []tftypes.Value{tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}}), false},
		"unknown of any type":   {value(map[string]any{"settings": tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue)}), false},
		"attributes of another": {tftypes.NewValue(tftypes.Object{AttributeTypes: map[string]tftypes.Type{"id": tftypes.String}}, map[string]tftypes.Value{"id": tftypes.NewValue(tftypes.String, "1")}), false},
	} {
		encoded, err := tfprotov6.NewDynamicValue(tc.state.Type(), tc.state)
		require.NoError(t, err)
		var got, want toyModel
		assert.Equal(t, tc.ok, d.decode(t.Context(), &encoded, &got), "%s: decoded", name)
		if !tc.ok {
			continue
		}
		state := tfsdk.State{Schema: toySchema, Raw: tc.state}
		diags := state.Get(t.Context(), &want)
		require.False(t, diags.HasError(), "%s: %v", name, diags)
		assert.True(t, fields.Same(t.Context(), &got, &want), "%s: got %+v, want %+v", name, got, want)
	}
}
