package catalog_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// A rename keeps every price and quantity, independent of what an update does to the fields that it omits.
func TestItem_UpdateLosesNothing(t *testing.T) {
	t.Parallel()
	for name, forms := range map[string]simulator.Forms{
		"keeps":                {},
		"replaces":             {"update-omitted": "removed"},
		"replaces, summaries":  {"update-omitted": "removed", "search-rows": "summaries", "get": "query"},
		"replaces, nested":     {"update-omitted": "removed", "item-id": "nested", "active-flag": "status"},
		"replaces, plain id":   {"update-omitted": "removed", "item-id": "plain", "addon-fields": "bare"},
		"merges":               {"update-nested": "merged"},
		"rejects the whole":    {"update-whole": "rejected"},
		"whole is bad data":    {"update-whole": "invalid-data", "update": "patch"},
		"rejects, nested kept": {"update-whole": "rejected", "update-nested": "merged"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnvAssuming(t, forms)
			c := coretest.New(t, w)
			const settings = `settings = { monthlyPrice = 4900, included = { documents = 100, seats = 5 } }`
			config := func(more, managed string) string {
				return w.Config(providertest.Item("package", "gold", "GOLD", more+"\n"+managed))
			}
			c.Config(config("", settings))
			c.Apply().WantOK(t, "1 added")
			before := maps.Clone(w.Sim.Packages()[0].Settings)
			keeps := func(when string) {
				t.Helper()
				now := w.Sim.Packages()[0]
				if !maps.EqualFunc(before, now.Settings, func(a, b json.RawMessage) bool { return string(a) == string(b) }) || now.Included["documents"] != 100 {
					t.Errorf("after %s: %s, included %v", when, now.Settings, now.Included)
				}
				c.WantEmptyPlan()
			}
			// Prices that the configuration no longer has stay at the API.
			c.Config(config("active = false", ""))
			c.Apply().WantOK(t)
			keeps("the deactivation")
			c.Config(config("active = true", ""))
			c.Apply().WantOK(t)
			keeps("the activation")
			c.Config(strings.Replace(config("active = true", ""), `"Gold"`, `"Golden"`, 1))
			c.Apply().WantOK(t, "1 changed")
			keeps("the new name")
		})
	}
}

// An API that replaces items and takes the changed fields only cannot be used without loss, and the loss is an error that
// names what was lost.
func TestItem_UpdateThatLoses(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnvAssuming(t, simulator.Forms{"update-omitted": "removed", "update-whole": "rejected"})
	c := coretest.Applied(t, w, w.Config(providertest.Item("package", "gold", "GOLD", "settings = { monthlyPrice = 4900, yearlyPrice = 1 }")), "1 added")
	c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "settings = { monthlyPrice = 4900, yearlyPrice = 2 }")))
	c.Apply().WantError(t, "GOLD", "name is required")
	renamed := providertest.Item("package", "gold", "GOLD", "settings = { monthlyPrice = 4900, yearlyPrice = 2 }")
	c.Config(w.Config(strings.Replace(renamed, `"Gold"`, `"Golden"`, 1)))
	r := c.Apply() // the name is in effect
	r.WantError(t, "Package GOLD was not completely changed", "The API accepted the call to update the package", "no longer show monthlyPrice")
	assert.NotContains(t, r.Out, "GOLD was not changed", "denies what is in effect")
}

// An add-on that does not show its active flag is deactivated, independent of the name of the flag.
func TestItem_DeactivationByAnyName(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"active", "is-active", "status"} {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnvAssuming(t, simulator.Forms{"addon-fields": "bare", "active-flag": flag})
			c := coretest.Applied(t, w, w.Config(providertest.Item("addon", "gold", "GOLD", "")), "1 added")
			c.Config(w.Config(""))
			c.Apply().WantOK(t, "1 destroyed")
			assert.False(t, w.Sim.Addons()[0].Active, "it is active")
		})
	}
}

// An API that does not show the active flag of an add-on is believed if it accepts the deactivation. A call that fails is
// no deactivation.
func TestItem_DeactivationThatNoReadShows(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]simulator.Fault{
		"no effect": {Kind: simulator.FaultReset, Times: -1}, "rejected": {Kind: simulator.FaultForbidden, Times: -1}, "lost": {Kind: simulator.FaultServerError, Times: -1, After: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnvAssuming(t, simulator.Forms{"addon-fields": "bare"})
			c := coretest.Applied(t, w, w.Config(providertest.Item("addon", "gold", "GOLD", "")), "1 added")
			c.Config(w.Config(""))
			fault.Route = providertest.RouteAddonUpdate
			w.Sim.Inject(fault)
			r := c.Apply()
			assert.Len(t, c.State(), 1, "it left the state: %s", r.Out)
			said := "was not deactivated"
			if name != "rejected" {
				said = "The API does not show whether the add-on is active"
			}
			r.WantError(t, "GOLD", said)
			w.Sim.ClearFaults()
			c.Apply().WantOK(t, "1 destroyed")
			assert.False(t, w.Sim.Addons()[0].Active, "it is active")
		})
	}
}
