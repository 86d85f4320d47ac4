package review

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestToValue(t *testing.T) {
	t.Parallel()
	person := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"name": tftypes.String, "age": tftypes.Number}}
	named := func(name any) tftypes.Value {
		return tftypes.NewValue(person, map[string]tftypes.Value{"name": tftypes.NewValue(tftypes.String, name), "age": tftypes.NewValue(tftypes.Number, 5)})
	}
	list, texts := tftypes.List{ElementType: person}, tftypes.Map{ElementType: tftypes.String}
	text := func(v any) tftypes.Value { return tftypes.NewValue(tftypes.String, v) }
	for name, tc := range map[string]struct {
		typ            tftypes.Type
		known, unknown string
		want           tftypes.Value
	}{
		"null":                    {person, `null`, `false`, tftypes.NewValue(person, nil)},
		"unknown":                 {person, `null`, `true`, tftypes.NewValue(person, tftypes.UnknownValue)},
		"object":                  {person, `{"name":"a","age":5,"novelty":1}`, `{}`, named("a")},
		"missing attribute":       {person, `{"age":5}`, ``, named(nil)},
		"unknown attribute":       {person, `{"age":5}`, `{"name":true}`, named(tftypes.UnknownValue)},
		"nothing but unknown":     {person, `null`, `{"name":true,"age":true}`, tftypes.NewValue(person, map[string]tftypes.Value{"name": text(tftypes.UnknownValue), "age": tftypes.NewValue(tftypes.Number, tftypes.UnknownValue)})},
		"list":                    {list, `[{"name":"a","age":5},{"age":5}]`, `[{},{"name":true}]`, tftypes.NewValue(list, []tftypes.Value{named("a"), named(tftypes.UnknownValue)})},
		"element known only then": {list, `[]`, `[true]`, tftypes.NewValue(list, []tftypes.Value{tftypes.NewValue(person, tftypes.UnknownValue)})},
		"empty list":              {list, `[]`, `[]`, tftypes.NewValue(list, []tftypes.Value{})},
		"map":                     {texts, `{"a":"x"}`, `{"b":true}`, tftypes.NewValue(texts, map[string]tftypes.Value{"a": text("x"), "b": text(tftypes.UnknownValue)})},
		"set":                     {tftypes.Set{ElementType: tftypes.String}, `["x"]`, `[false]`, tftypes.NewValue(tftypes.Set{ElementType: tftypes.String}, []tftypes.Value{text("x")})},
		"dynamic":                 {tftypes.DynamicPseudoType, `{"a":[1,{"b":null}]}`, `{}`, tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ofJSON(t, tc.typ, tc.known, tc.unknown)
			require.NoError(t, err, "%s; want %s", got, tc.want)
			assert.True(t, got.Equal(tc.want), "%s, %v; want %s", got, err, tc.want)
		})
	}
	for name, tc := range map[string]struct {
		typ         tftypes.Type
		known, want string
	}{
		"text for an object": {person, `"a"`, "this is not an object"},
		"object for a list":  {list, `{}`, "this is not a list"},
		"bool for a number":  {person, `{"age":true}`, "age: this is not a number"},
		"number for a text":  {texts, `{"a":1}`, "a: this is not a string"},
		"list for a map":     {texts, `[]`, "this is not an object"},
		"huge number":        {person, `{"age":1e100000000}`, "age: this is not a number"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ofJSON(t, tc.typ, tc.known, "")
			assert.ErrorContains(t, err, tc.want, "%s; want %q", got, tc.want)
		})
	}
}

func ofJSON(t *testing.T, typ tftypes.Type, known, unknown string) (tftypes.Value, error) {
	t.Helper()
	decoded := func(text string) (v any) {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&v); err != nil && text != "" {
			t.Fatal(err)
		}
		return v
	}
	return toValue(typ, decoded(known), decoded(unknown))
}
