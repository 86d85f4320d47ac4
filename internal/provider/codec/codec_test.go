package codec

import (
	"maps"
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
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
func TestCodec_DecodesAsTheFramework(t *testing.T) {
	t.Parallel()
	shape, ok := toySchema.Type().TerraformType(t.Context()).(tftypes.Object)
	if !ok {
		t.Fatal("the schema is no object")
	}
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
			if one, ok := given[name].(tftypes.Value); ok {
				values[name] = one
				continue
			}
			values[name] = tftypes.NewValue(typ, given[name])
		}
		return tftypes.NewValue(shape, values)
	}
	codec := New(reflect.TypeFor[toyModel](), toySchema)
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
		if err != nil {
			t.Fatal(err)
		}
		var got, want toyModel
		if ok := codec.Decode(t.Context(), &encoded, &got); ok != tc.ok {
			t.Errorf("%s: decoded %t, want %t", name, ok, tc.ok)
		}
		if !tc.ok {
			continue
		}
		state := tfsdk.State{Schema: toySchema, Raw: tc.state}
		if diags := state.Get(t.Context(), &want); diags.HasError() {
			t.Fatalf("%s: %v", name, diags)
		}
		if !codec.Same(t.Context(), &got, &want) {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

func TestCodec_Fingerprint(t *testing.T) {
	t.Parallel()
	own := toySchema
	want := fingerprintOf(own)
	changed := func(change func(map[string]schema.Attribute)) schema.Schema {
		s := own
		s.Attributes = maps.Clone(own.Attributes)
		change(s.Attributes)
		return s
	}
	for name, s := range map[string]schema.Schema{
		"added":      changed(func(a map[string]schema.Attribute) { a["later"] = schema.StringAttribute{Computed: true} }),
		"removed":    changed(func(a map[string]schema.Attribute) { delete(a, "created_at") }),
		"other type": changed(func(a map[string]schema.Attribute) { a["created_at"] = schema.Int64Attribute{Computed: true} }),
		"other flag": changed(func(a map[string]schema.Attribute) {
			a["created_at"] = schema.StringAttribute{Computed: true, CustomType: timetypes.RFC3339Type{}}
		}),
		"version": {Version: own.Version + 1, Attributes: own.Attributes},
	} {
		if fingerprintOf(s) == want {
			t.Errorf("%s: the fingerprint is the same", name)
		}
	}
	if fingerprintOf(changed(func(map[string]schema.Attribute) {})) != want {
		t.Error("the same schema has another fingerprint")
	}
}

func text(v any) tftypes.Value { return tftypes.NewValue(tftypes.String, v) }

func mapOf(values map[string]tftypes.Value) tftypes.Value {
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, values)
}

func setOf(values ...tftypes.Value) tftypes.Value {
	return tftypes.NewValue(tftypes.Set{ElementType: tftypes.String}, values)
}

func objectOf(values map[string]tftypes.Value) tftypes.Value {
	typ := tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}
	for name, v := range values {
		typ.AttributeTypes[name] = v.Type()
	}
	return tftypes.NewValue(typ, values)
}

// A state has everything that its plan knew, and the rest from the API.
func TestKeepPlanned(t *testing.T) {
	t.Parallel()
	type values = map[string]tftypes.Value
	later, null := text(tftypes.UnknownValue), text(nil)
	ofAnyType := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"any": tftypes.DynamicPseudoType}}
	nobody := tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, nil)
	for name, tc := range map[string]struct{ planned, result, want tftypes.Value }{
		"known":                       {text("planned"), text("live"), text("planned")},
		"unknown":                     {later, text("live"), text("live")},
		"null":                        {null, text("live"), null},
		"unknown in both":             {later, later, null},
		"an attribute":                {objectOf(values{"a": text("planned"), "b": later}), objectOf(values{"a": text("live"), "b": text("live")}), objectOf(values{"a": text("planned"), "b": text("live")})},
		"of no result":                {objectOf(values{"a": text("planned"), "b": later}), tftypes.NewValue(objectOf(values{"a": null, "b": null}).Type(), nil), objectOf(values{"a": text("planned"), "b": null})},
		"a nested attribute":          {objectOf(values{"in": objectOf(values{"a": text("planned"), "b": later})}), objectOf(values{"in": objectOf(values{"a": text("live"), "b": text("live")})}), objectOf(values{"in": objectOf(values{"a": text("planned"), "b": text("live")})})},
		"an element":                  {mapOf(values{"a": text("planned"), "b": later}), mapOf(values{"a": text("live"), "b": text("live")}), mapOf(values{"a": text("planned"), "b": text("live")})},
		"an element that is gone":     {mapOf(values{"a": text("planned"), "b": later}), mapOf(values{"a": text("live")}), mapOf(values{"a": text("planned"), "b": null})},
		"an element that is new":      {mapOf(values{"b": later}), mapOf(values{"b": text("live"), "c": text("live")}), mapOf(values{"b": text("live")})},
		"a known map":                 {mapOf(values{"a": text("planned")}), mapOf(values{"c": text("live")}), mapOf(values{"a": text("planned")})},
		"an empty map":                {mapOf(values{}), mapOf(values{"c": text("live")}), mapOf(values{})},
		"a map of null":               {mapOf(values{"b": later}), nobody, mapOf(values{"b": null})},
		"an unknown map":              {tftypes.NewValue(nobody.Type(), tftypes.UnknownValue), mapOf(values{"c": text("live")}), mapOf(values{"c": text("live")})},
		"a set":                       {setOf(text("planned")), setOf(text("live")), setOf(text("planned"))},
		"a set with an unknown":       {setOf(text("planned"), later), setOf(text("planned"), text("live")), setOf(text("planned"), text("live"))},
		"a set with two unknowns":     {setOf(later), setOf(later), setOf(null)},
		"an unknown within a result":  {objectOf(values{"b": later}), objectOf(values{"b": later}), objectOf(values{"b": null})},
		"unknown in a result's map":   {tftypes.NewValue(nobody.Type(), tftypes.UnknownValue), mapOf(values{"c": later}), mapOf(values{"c": null})},
		"an attribute of any type":    {objectOf(values{"any": tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue)}), objectOf(values{"any": text("live")}), tftypes.NewValue(ofAnyType, values{"any": text("live")})},
		"a known value of any type":   {objectOf(values{"any": text("planned"), "b": later}), objectOf(values{"any": text("live"), "b": text("live")}), objectOf(values{"any": text("planned"), "b": text("live")})},
		"a known part of an old plan": {objectOf(values{"a": null, "b": later}), objectOf(values{"a": text("live"), "b": text("live")}), objectOf(values{"a": null, "b": text("live")})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := KeepPlanned(tc.planned, tc.result)
			if !got.Equal(tc.want) {
				t.Errorf("got %s, want %s", got, tc.want)
			}
			if !got.IsFullyKnown() {
				t.Error("a part is unknown")
			}
		})
	}
}
