package fwtype

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
)

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
			assert.True(t, got.Equal(tc.want), "got %s, want %s", got, tc.want)
			assert.True(t, got.IsFullyKnown(), "a part is unknown")
		})
	}
}
