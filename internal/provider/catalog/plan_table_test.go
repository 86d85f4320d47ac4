package catalog_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

type (
	values = providertest.Values
	env    = *providertest.TestEnv
)

var gold = values{"code": "GOLD", "name": "Gold", "currency": "EUR"}

func given(others values) func(env) values { return coretest.Given[env](gold.With(others)) }

func TestCatalog_Plans(t *testing.T) {
	t.Parallel()
	unknown := tftypes.UnknownValue
	plain := given(nil)
	fill := func(n int) func(env) error {
		return func(w env) error {
			for i := range n {
				if _, err := w.Sim.AddPackage(fmt.Sprintf("P%d", i), nil, true); err != nil {
					return err
				}
				if _, err := w.Sim.AddAddon(fmt.Sprintf("A%d", i), nil, true); err != nil {
					return err
				}
			}
			return nil
		}
	}
	exists := func(w env) error {
		_, err := w.Sim.AddPackage("gold", nil, true)
		if err == nil {
			_, err = w.Sim.AddAddon("gold", nil, true)
		}
		return err
	}
	cases := []coretest.PlanCase[env]{
		{Name: "create", Config: plain},
		{Name: "create inactive", Config: given(values{"active": false})},
		{Name: "create with a code known after apply", Config: given(values{"code": unknown})},
		{Name: "create with active known after apply", Config: given(values{"active": unknown})},
		{Name: "create of a code that exists", Config: plain, Act: exists},
		{Name: "create of the 100th", Config: plain, Act: fill(99)},
		{Name: "create beyond the limit", Config: plain, Act: fill(100)},
		{Name: "bad values", Config: given(values{"code": "", "name": " ", "currency": "euro"})},
		{Name: "no change", Before: plain, Config: plain},
		{Name: "code in other case", Before: plain, Config: given(values{"code": "gold"})},
		{Name: "other code", Before: plain, Config: given(values{"code": "SILVER"})},
		{Name: "other currency", Before: plain, Config: given(values{"currency": "USD"})},
		{Name: "other name", Before: plain, Config: given(values{"name": "Golden"})},
		{Name: "deactivate", Before: plain, Config: given(values{"active": false})},
		{Name: "activate", Before: given(values{"active": false}), Config: plain},
		{Name: "destroy", Before: plain},
		{Name: "destroy inactive", Before: given(values{"active": false})},
	}
	for _, typ := range []string{"reseller_package", "reseller_addon"} {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			coretest.PlanTable(t, typ, providertest.NewTestEnv, cases)
		})
	}
}
