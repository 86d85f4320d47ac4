// Package catalogtest has the conformance cases of packages and add-ons.
package catalogtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const code = "BRONZE"

// Package is the conformance case of a package.
var Package = caseOf(kind{
	name: "package", noun: "package", there: 2, items: (*simulator.Simulator).Packages, add: (*simulator.Simulator).AddPackage,
	create: providertest.RoutePackages, update: providertest.RoutePackageUpdate, search: providertest.RoutePackageSearch,
	hostile: providertest.Hostile{
		Config: `{"code":"PACK@","name":"Pack","currency":"EUR","settings":{"type":["object",{"monthlyPrice":"number"}],"value":{"monthlyPrice":4900}}}`,
		Change: `{"name":"Pack 2","settings":{"type":["object",{"monthlyPrice":"number"}],"value":{"monthlyPrice":5000}}}`, Import: "HOSTED",
	},
	stored: providertest.StoredAs(`
resource "reseller_package" "gold" {
  code     = "GOLD"
  name     = "Gold"
  currency = "EUR"
  settings = { included = { seats = 5 } }
}
`),
})

// Addon is the conformance case of an add-on.
var Addon = caseOf(kind{
	name: "addon", noun: "add-on", there: 1, items: (*simulator.Simulator).Addons, add: (*simulator.Simulator).AddAddon,
	create: providertest.RouteAddons, update: providertest.RouteAddonUpdate, search: providertest.RouteAddonSearch,
	hostile: providertest.Hostile{
		Config: `{"code":"ADD@","name":"Add","currency":"EUR","settings":{"type":["object",{"monthlyPrice":"number"}],"value":{"monthlyPrice":100}}}`,
		Change: `{"active":false}`, Import: "ADDb",
	},
	stored: providertest.StoredAs(`
resource "reseller_addon" "seats" {
  code     = "SEATS"
  name     = "Seats"
  currency = "EUR"
}
`),
})

// kind is what differs between packages and add-ons.
type kind struct {
	name, noun             string
	there                  int // in every world
	items                  func(*simulator.Simulator) []simulator.ItemView
	add                    func(*simulator.Simulator, string, map[string]float64, bool) (string, error)
	create, update, search string
	hostile                providertest.Hostile
	stored                 func(*providertest.SigningEnv) string
}

func caseOf(k kind) providertest.Case {
	block := func(extra string) func(*providertest.World) string {
		return func(*providertest.World) string { return providertest.Item(k.name, "it", code, extra) }
	}
	id := func(w *providertest.World) string {
		return providertest.Find(w.T, k.items(w.Sim), func(i simulator.ItemView) bool { return i.Code == code }).ID
	}
	wantActive := func(active bool) func(*providertest.World) error {
		return func(w *providertest.World) error {
			all := k.items(w.Sim)
			found := slices.DeleteFunc(slices.Clone(all), func(i simulator.ItemView) bool { return i.Code != code })
			if len(found) != 1 || found[0].Active != active || len(all) != k.there+1 {
				return fmt.Errorf("%d items, want it once, active %t: %v", len(all), active, all)
			}
			return nil
		}
	}
	shows := []string{k.search}
	return providertest.Case{
		Type: "reseller_" + k.name,
		Make: func(w *providertest.World) {
			_, err := k.add(w.Sim, code, map[string]float64{"seats": 1}, true)
			require.NoError(w.T, err)
		},
		Block: func(w *providertest.World) string {
			return strings.Replace(block("")(w), `"Gold"`, fmt.Sprintf("%q", code), 1)
		},
		Named:    code,
		IDs:      func(w *providertest.World) []string { return []string{id(w), code, "bronze"} },
		Identity: func(w *providertest.World) map[string]string { return map[string]string{"id": id(w)} },
		Wrong: func(*providertest.World) map[string]string {
			return map[string]string{"": fmt.Sprintf(`The reseller has no %s ""`, k.noun), "NOTHING": fmt.Sprintf(`The reseller has no %s NOTHING`, k.noun)}
		},
		Form: "(such as GOLD)",
		Settled: []func(*providertest.World) providertest.Settled{func(w *providertest.World) providertest.Settled {
			config := providertest.Values{"code": code, "name": code, "currency": "EUR"}
			return providertest.Settled{
				Config: config, Again: config.With(providertest.Values{"name": "Golden"}), Other: config.With(providertest.Values{"name": "Other"}),
				Drift: func() error { w.UpdateItem(k.name, id(w), `"name":"Golden"`); return nil },
				Read:  k.search, Reads: 1,
			}
		}},
		Exported: true, Generated: "code name currency active settings",
		Hostile: k.hostile, Stored: k.stored,
		Calls: map[string]providertest.Call{
			"create":     {Route: k.create, Reads: shows, After: block(""), Want: wantActive(true)},
			"update":     {Route: k.update, Reads: shows, Before: block(""), After: block("active = false"), Want: wantActive(false)},
			"deactivate": {Route: k.update, Reads: shows, Before: block(""), Want: wantActive(false)},
		},
	}
}
