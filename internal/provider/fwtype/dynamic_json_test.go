package fwtype

import (
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
)

// A number that would be written out to gigabytes is rejected before anything calculates with it.
func TestNumbers_OutOfRange(t *testing.T) {
	t.Parallel()
	for _, hostile := range []string{"1e100000000", "-1e-100000000", "1E+999999999999999999999", strings.Repeat("9", 1<<20)} {
		raw := json.RawMessage(`{"monthlyPrice":` + hostile + `}`)
		if _, err := ValueOf(t.Context(), raw); !errors.Is(err, anyjson.ErrNumberRange) || !strings.Contains(err.Error(), "monthlyPrice") || len(err.Error()) > 300 {
			t.Errorf("as a value: %v", err)
		}
		_, err := NormalizedJSON(raw)
		assert.ErrorIs(t, err, anyjson.ErrNumberRange, "normalized")
	}
	for _, exponent := range []int{1 << 20, -1 << 20, 1 << 30} {
		n := new(big.Float).SetMantExp(big.NewFloat(1), exponent)
		settings := types.ObjectValueMust(map[string]attr.Type{"price": types.NumberType}, map[string]attr.Value{"price": types.NumberValue(n)})
		_, err := PlainOf(settings)
		assert.ErrorIs(t, err, anyjson.ErrNumberRange, "from the configuration")
	}
	for _, text := range []string{"0", "1e300", "-4900.5", strings.Repeat("9", 154)} {
		value, err := ValueOf(t.Context(), json.RawMessage(text))
		require.NoError(t, err)
		plain, err := PlainOf(value)
		require.NoError(t, err, "%s becomes %s", text, plain)
		assert.True(t, anyjson.Same(plain, json.Number(text)), "%s becomes %s, %v", text, plain, err)
	}
}

// JSON from the API becomes a value and JSON again, without a loss.
func FuzzSettingsJSON(f *testing.F) {
	for _, seed := range []string{`{"included":{"seats":5}}`, `[1,2.5,"x",null,true]`, `"text"`, `{}`, `[]`, `1e3`, `{"a":[{"b":[]}]}`, `{"":null}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		raw := json.RawMessage(text)
		if !json.Valid(raw) {
			return
		}
		value, err := ValueOf(t.Context(), raw)
		if err != nil {
			return
		}
		again, err := PlainOf(value)
		require.NoError(t, err, "%s became a value that is no JSON", text)
		plain, err := anyjson.Decode(raw)
		require.NoError(t, err, "%s became %s", text, again)
		assert.True(t, anyjson.Same(plain, again), "%s became %s", text, again)
	})
}
