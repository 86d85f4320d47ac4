package catalog

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// Only the configured part of a setting is compared, at every depth: the API may add fields to objects, and write
// numbers in its own notation.
func TestReadBack(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ declared, returned, want string }{
		"as declared":                {`{"a":1,"b":"x"}`, `{"a":1.0,"b":"x","c":true}`, `{"a":1,"b":"x"}`},
		"another value":              {`{"a":1}`, `{"a":2}`, `{"a":2}`},
		"not returned":               {`{"a":1,"b":2}`, `{"b":3}`, `{"a":1,"b":3}`},
		"null":                       {`{"a":1}`, `{"a":null}`, `{"a":null}`},
		"null, and not returned":     {`{"a":null}`, `{}`, `{"a":null}`},
		"fields added to an object":  {`{"included":{"seats":5}}`, `{"included":{"seats":5,"documents":0,"templates":0}}`, `{"included":{"seats":5}}`},
		"one changed in an object":   {`{"included":{"seats":5}}`, `{"included":{"seats":6,"documents":0}}`, `{"included":{"seats":6}}`},
		"one lost from an object":    {`{"included":{"seats":5,"documents":0}}`, `{"included":{"seats":5}}`, `{"included":{"seats":5}}`},
		"a null lost from an object": {`{"included":{"seats":5,"documents":null}}`, `{"included":{"seats":5}}`, `{"included":{"seats":5,"documents":null}}`},
		"one lost at depth":          {`{"tiers":[{"price":{"eur":1,"usd":2}}]}`, `{"tiers":[{"id":"x","price":{"eur":1}}]}`, `{"tiers":[{"price":{"eur":1}}]}`},
		"objects of a list":          {`{"tiers":[{"upTo":10,"price":1},{"price":2}]}`, `{"tiers":[{"id":"x","upTo":10,"price":1.0},{"id":"y","price":2,"upTo":null}]}`, `{"tiers":[{"upTo":10,"price":1},{"price":2}]}`},
		"one changed in a list":      {`{"tiers":[{"price":1},{"price":2}]}`, `{"tiers":[{"id":"x","price":1},{"id":"y","price":3}]}`, `{"tiers":[{"price":1},{"price":3}]}`},
		"another length":             {`{"tags":["a"]}`, `{"tags":["a","b"]}`, `{"tags":["a","b"]}`},
		"an object for a number":     {`{"price":1}`, `{"price":{"amount":1}}`, `{"price":{"amount":1}}`},
		"a number for an object":     {`{"price":{"amount":1}}`, `{"price":1}`, `{"price":1}`},
		"nothing declared, anything": {`{}`, `{"a":1}`, `{}`},
		"numbers as texts":           {`{"a":4900,"b":1}`, `{"a":"4900","b":2}`, `{"a":4900,"b":2}`},
		"texts as numbers":           {`{"a":"4900","b":"04"}`, `{"a":4900.0,"b":"04"}`, `{"a":"4900","b":"04"}`},
		"read alone, lacks one":      {`{"a":1,"b":2}`, `{"b":2}`, `{"b":2}`},
		"read alone, lacks a null":   {`{"a":null,"b":2}`, `{"b":2}`, `{"a":null,"b":2}`},
		"read alone, shows none":     {`{"a":1}`, `{}`, `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			value, err := fwtype.ValueOf(t.Context(), json.RawMessage(tc.declared))
			require.NoError(t, err)
			var returned map[string]json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(tc.returned), &returned))
			declared, err := settingsOf(types.DynamicValue(value))
			require.NoError(t, err)
			got, err := readBack(t.Context(), types.DynamicValue(value), declared, &client.Item{Settings: returned}, strings.HasPrefix(name, "read alone"))
			require.NoError(t, err)
			plain, err := fwtype.PlainOf(got)
			require.NoError(t, err, "got %s, want %s", plain, tc.want)
			assert.True(t, anyjson.Same(plain, decoded(t, tc.want)), "got %s, %v, want %s", plain, err, tc.want)
			// A setting that equals the configured one keeps the same value, because a plan would show any other one.
			if tc.want == tc.declared && !got.Equal(types.DynamicValue(value)) {
				t.Errorf("the value became %s", got)
			}
		})
	}
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	plain, err := anyjson.Decode(json.RawMessage(text))
	require.NoError(t, err)
	return plain
}

// A currency that the configuration leaves out is the API's, or null.
func TestFillCreated_Currency(t *testing.T) {
	t.Parallel()
	unknown, eur := fwtype.Currency{StringValue: types.StringUnknown()}, fwtype.NewText[fwtype.CurrencyKind]("eur")
	for name, tc := range map[string]struct {
		planned  fwtype.Currency
		returned string
		want     fwtype.Currency
	}{
		"the API's":     {unknown, "USD", fwtype.NewText[fwtype.CurrencyKind]("USD")},
		"none":          {unknown, "", fwtype.Currency{}},
		"as configured": {eur, "EUR", eur},
	} {
		m := model{fields: fields{Currency: tc.planned}}
		m.fillCreated(t.Context(), &client.Item{Currency: tc.returned})
		assert.True(t, m.Currency.Equal(tc.want), "%s: %s", name, m.Currency)
	}
}

// What is sent keeps the nested fields that only the API has.
func TestCombine(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ settings, live, want string }{
		"a plain value":           {`{"a":1}`, `{"a":2,"b":3}`, `{"a":1}`},
		"a new setting":           {`{"a":{"b":1}}`, `{}`, `{"a":{"b":1}}`},
		"beside a nested field":   {`{"a":{"b":1}}`, `{"a":{"b":2,"c":3}}`, `{"a":{"b":1,"c":3}}`},
		"a nested field lost":     {`{"a":{"b":1}}`, `{"a":{"c":3}}`, `{"a":{"b":1,"c":3}}`},
		"at depth":                {`{"a":[{"b":{"x":1}}]}`, `{"a":[{"id":"i","b":{"x":2,"y":3}}]}`, `{"a":[{"id":"i","b":{"x":1,"y":3}}]}`},
		"a list of other length":  {`{"a":[{"x":1}]}`, `{"a":[{"x":1,"y":2},{"x":3}]}`, `{"a":[{"x":1}]}`},
		"an object for a number":  {`{"a":{"b":1}}`, `{"a":2}`, `{"a":{"b":1}}`},
		"a null for an object":    {`{"a":null}`, `{"a":{"b":1}}`, `{"a":null}`},
		"nothing of other fields": {`{"a":{"b":1}}`, `{"a":null,"z":1}`, `{"a":{"b":1}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings, ok := decoded(t, tc.settings).(map[string]any)
			require.True(t, ok, "the settings are no object")
			var live map[string]json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(tc.live), &live))
			require.NoError(t, combine(settings, live, fwtype.Overlaid))
			assert.True(t, anyjson.Same(settings, decoded(t, tc.want)), "got %s, want %s", settings, tc.want)
		})
	}
}
