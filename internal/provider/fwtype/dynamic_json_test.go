package fwtype

import (
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

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
		if _, err := NormalizedJSON(raw); !errors.Is(err, anyjson.ErrNumberRange) {
			t.Errorf("normalized: %v", err)
		}
	}
	for _, exponent := range []int{1 << 20, -1 << 20, 1 << 30} {
		n := new(big.Float).SetMantExp(big.NewFloat(1), exponent)
		settings := types.ObjectValueMust(map[string]attr.Type{"price": types.NumberType}, map[string]attr.Value{"price": types.NumberValue(n)})
		if _, err := PlainOf(settings); !errors.Is(err, anyjson.ErrNumberRange) {
			t.Errorf("from the configuration: %v", err)
		}
	}
	for _, text := range []string{"0", "1e300", "-4900.5", strings.Repeat("9", 154)} {
		value, err := ValueOf(t.Context(), json.RawMessage(text))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := PlainOf(value)
		if err != nil || !SamePlain(plain, json.Number(text)) {
			t.Errorf("%s becomes %s, %v", text, plain, err)
		}
	}
}
