package catalog_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/catalog"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// importBlock imports one object.
func importBlock(to, id string) string {
	return fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", to, id)
}

// Only code and name of an add-on are documented. What a response does not have stays unchanged in state, and is not
// compared.
func TestItem_FieldsThatAreNotReturned(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"package", "addon"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w, s := providertest.NewSecond(t)
			s.Drop(kind+"s", "currency", "active")
			c := coretest.Applied(t, w, w.Config(providertest.Item(kind, "gold", "GOLD", "active = false\nsettings = { monthlyPrice = 1 }")), "1 added")
			c.WantEmptyPlan()
			c.Config(w.Config(strings.Replace(providertest.Item(kind, "gold", "GOLD", "active = false\nsettings = { monthlyPrice = 2 }"), `"Gold"`, `"Gold Plus"`, 1)))
			c.Apply().WantOK(t, "1 changed")
			c.WantEmptyPlan()
			c.Config(w.Config(strings.Replace(providertest.Item(kind, "gold", "GOLD", "active = false\nsettings = { monthlyPrice = 2 }"), `"EUR"`, `"USD"`, 1)))
			c.Plan().WantError(t, "currency of GOLD cannot change")

			// The same item in another state, and as data.
			c = coretest.New(t, w)
			c.Config(w.Config(strings.Replace(providertest.Item(kind, "gold", "GOLD", "active = false"), `"Gold"`, `"Gold Plus"`, 1) + importBlock("reseller_"+kind+".gold", "gold") +
				fmt.Sprintf(`
data "reseller_%[1]s" "one" { code = "GOLD" }
data "reseller_%[1]ss" "all" {}
output "read" {
  value = jsonencode([data.reseller_%[1]s.one.currency, data.reseller_%[1]s.one.active, data.reseller_%[1]ss.all.%[1]ss[0].currency, data.reseller_%[1]ss.all.%[1]ss[0].name])
}
`, kind)))
			c.Apply().WantOK(t, "1 imported", `"[null,null,null,\"Gold Plus\"]"`)
			c.WantEmptyPlan()
		})
	}
}

// A currency that the API has not returned before an import changes nothing, and
// sends nothing.
func TestItem_ImportWithoutCurrency(t *testing.T) {
	t.Parallel()
	w, s := providertest.NewSecond(t)
	s.Drop("addons", "currency")
	_, err := w.Sim.AddAddon("SEATS", nil, true)
	require.NoError(t, err)
	c := coretest.Applied(t, w, w.Config(strings.Replace(providertest.Item("addon", "seats", "SEATS", ""), `"Gold"`, fmt.Sprintf("%q", w.Sim.Addons()[0].Name), 1)+importBlock("reseller_addon.seats", "SEATS")), "1 imported, 0 added, 1 changed")
	w.WantReads()
	c.WantEmptyPlan()
}

// The first apply after an import records settings that the API already has, and sends the others.
func TestItem_ImportedSettings(t *testing.T) {
	t.Parallel()
	for name, billing := range map[string]simulator.Forms{"whole rows": {}, "summaries": {"search-rows": "summaries"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnvAssuming(t, billing)
			id, err := w.Sim.AddPackage("GOLD", nil, true)
			require.NoError(t, err)
			w.UpdateItem("package", id, `"monthlyPrice":4900,"tiers":[1,2.50],"yearlyPrice":1`)
			block := func(settings string) string {
				return strings.Replace(providertest.Item("package", "gold", "GOLD", "settings = "+settings), `"Gold"`, fmt.Sprintf("%q", w.Sim.Packages()[0].Name), 1)
			}
			c := coretest.New(t, w)
			c.Config(w.Config(block("{ monthlyPrice = 4900.0, tiers = [1, 2.5] }") + importBlock(providertest.Gold, "GOLD")))
			w.Sim.ResetJournal()
			c.Apply().WantOK(t, "1 imported, 0 added, 1 changed")
			w.WantReads()
			c.WantEmptyPlan()
			c.Forget(providertest.Gold)
			c.Config(w.Config(block("{ monthlyPrice = 4900, tiers = [1, 2.5], yearlyPrice = 49000 }") + importBlock(providertest.Gold, "GOLD")))
			c.Apply().WantOK(t, "1 imported, 0 added, 1 changed")
			body := w.LastBody(providertest.RoutePackageUpdate)
			assert.Contains(t, body, `"yearlyPrice":49000`)
			assert.Contains(t, body, `"monthlyPrice":4900,`)
			assert.Equal(t, 1, w.Calls(providertest.RoutePackageUpdate), "updates")
			c.WantEmptyPlan()
		})
	}
}

// Without configured settings, state and generated configuration have all fields of the API. The same values plan no
// changes, and a change outside of Terraform is shown and not undone.
func TestItem_SettingsLeftOut(t *testing.T) {
	t.Parallel()
	const all = "{ included = { seats = 5 }, monthlyPrice = 4900, tiers = [1, 2.5] }"
	for name, billing := range map[string]simulator.Forms{"whole rows": {}, "summaries": {"search-rows": "summaries"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnvAssuming(t, billing)
			coretest.Applied(t, w, w.Config(providertest.Item("package", "gold", "GOLD", "")))
			w.UpdateItem("package", w.PackageID("GOLD"), `"monthlyPrice":4900,"tiers":[1,2.50],"included":{"seats":5}`)
			c := coretest.New(t, w)
			config := func(name, extra string) string {
				block := strings.Replace(providertest.Item("package", "gold", "GOLD", extra), `"Gold"`, fmt.Sprintf("%q", name), 1)
				return w.Config(block + "output \"price\" {\n value = reseller_package.gold.settings.monthlyPrice\n}\n")
			}
			c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "") + importBlock(providertest.Gold, "GOLD") + "output \"all\" {\n value = jsonencode(reseller_package.gold.settings)\n}\n"))
			w.Sim.ResetJournal()
			c.Apply().WantOK(t, "1 imported, 0 added, 0 changed", `{\"included\":{\"seats\":5},\"monthlyPrice\":4900,\"tiers\":[1,2.5]}`)
			c.Config(config("Gold", "settings = "+all))
			c.Apply().WantOK(t, "0 changed", "price = 4900")
			c.WantEmptyPlan()
			c.Config(config("Gold", ""))
			c.WantEmptyPlan()
			w.WantReads()
			w.UpdateItem("package", w.PackageID("GOLD"), `"monthlyPrice":5900`)
			c.Apply().WantOK(t, "0 changed", "price = 5900")
			c.Config(config("Golden", ""))
			c.Apply().WantOK(t, "1 changed")
			body := w.LastBody(providertest.RoutePackageUpdate)
			assert.Contains(t, body, `"monthlyPrice":5900`)
			assert.Contains(t, body, `"included":{"seats":5}`)
			c.WantEmptyPlan()
			c.Config(config("Golden", "settings = { monthlyPrice = 5900 }"))
			c.Planned().WantWarning(t, catalog.SummarySettingsKept, "included, tiers")
			w.Sim.ResetJournal()
			c.Apply().WantOK(t, "1 changed")
			w.WantReads()
			c.WantEmptyPlan()
		})
	}
}

// With an API that adds fields to an object, plans show no changes.
func TestItem_SettingsWithMoreFields(t *testing.T) {
	t.Parallel()
	w, s := providertest.NewSecond(t)
	s.Rows("packages", func(row map[string]any) {
		if included, ok := row["included"].(map[string]any); ok {
			included["storage"], included["seats"] = 100, 5.0
		}
	})
	c := coretest.Applied(t, w, w.Config(providertest.Item("package", "gold", "GOLD", "settings = { included = { seats = 5 } }")))
	c.WantEmptyPlan()
	c.Forget(providertest.Gold)
	c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "settings = { included = { seats = 5 } }") + importBlock(providertest.Gold, "GOLD")))
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 imported")
	w.WantReads()
	c.WantEmptyPlan()
}

// Rows of a search may be summaries. A configured setting is then read from the item itself, once a run and for no
// other item.
func TestItem_Summaries(t *testing.T) {
	t.Parallel()
	for name, billing := range map[string]simulator.Forms{
		"by POST": {"search-rows": "summaries"},
		"by GET":  {"search-rows": "summaries", "get": "query"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnvAssuming(t, billing)
			for _, code := range []string{"GOLD", "SILVER", "BRONZE"} {
				_, err := w.Sim.AddPackage("OTHER-"+code, nil, true)
				require.NoError(t, err)
			}
			c := w.Cli()
			c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "settings = { monthlyPrice = 4900 }") + providertest.Item("package", "silver", "SILVER", "settings = { monthlyPrice = 1 }") +
				providertest.Item("package", "plain", "PLAIN", "") + "data \"reseller_package\" \"gold\" { id = reseller_package.gold.id }\n"))
			c.Apply().WantOK(t, "3 added")
			w.Sim.ResetJournal()
			c.WantEmptyPlan()
			want := map[string]int{providertest.RoutePackageSearch: 1, providertest.RoutePackageGet: 2}
			if billing["get"] == "query" {
				// A path without an endpoint is tried once a run.
				want = map[string]int{providertest.RoutePackageSearch: 1, "GET /console/:slug/reseller/billing/packages/get": 2, "(no endpoint)": 1}
			}
			assert.NoError(t, w.WantCalls(want))
			w.UpdateItem("package", w.PackageID("GOLD"), `"monthlyPrice":1`)
			r := c.PlanText()
			assert.Equal(t, 2, r.Code, "exit code\n%s", r.Out)
			assert.Contains(t, r.Out, "4900", "exit code %d", r.Code)
			c.Apply().WantOK(t, "1 changed")
			c.WantEmptyPlan()
		})
	}
}

// If an item cannot be read by itself, its settings stay unchanged. That is tried once a run, for any number of items.
func TestItem_SummariesAlone(t *testing.T) {
	t.Parallel()
	for name, rejection := range map[string]struct {
		status, calls int
		code          string
	}{
		"no endpoint":       {http.StatusNotFound, 2, "NOT_FOUND"},
		"another body":      {http.StatusBadRequest, 1, "INVALID_REQUEST"},
		"unknown to it":     {http.StatusBadRequest, 12, "PACKAGE_NOT_FOUND"},
		"a method rejected": {http.StatusMethodNotAllowed, 2, "METHOD_NOT_ALLOWED"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnvAssuming(t, simulator.Forms{"search-rows": "summaries"})
			s := w.Second()
			asked := make(chan struct{}, 1000)
			reject := func(*http.Request, []byte) (int, string) {
				asked <- struct{}{}
				return rejection.status, fmt.Sprintf(`{"status":"Err","error":{"code":%q,"message":"no"}}`, rejection.code)
			}
			s.Responds(http.MethodPost, "/billing/packages/get", reject)
			s.Responds(http.MethodGet, "/billing/packages/get", reject)
			c := coretest.Applied(t, w, w.Config("resource \"reseller_package\" \"p\" {\n  count = 12\n  code = \"P${count.index}\"\n  name = \"P\"\n  currency = \"EUR\"\n  settings = { monthlyPrice = 4900 }\n}\n"), "12 added")
			for len(asked) > 0 {
				<-asked
			}
			c.WantEmptyPlan()
			assert.Len(t, asked, rejection.calls, "asked times")
		})
	}
	t.Run("a failure is an error", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewTestEnvAssuming(t, simulator.Forms{"search-rows": "summaries"})
		c := coretest.Applied(t, w, w.Config(providertest.Item("package", "gold", "GOLD", "settings = { monthlyPrice = 4900 }")))
		w.Sim.Inject(simulator.Fault{Route: providertest.RoutePackageGet, Kind: simulator.FaultServerError, Times: -1})
		c.Plan().WantError(t, "INTERNAL_SERVER_ERROR")
		w.WantFault()
	})
}

// The flag that deactivates is read from the item itself if rows do not have it.
func TestItem_DeactivateBySummary(t *testing.T) {
	t.Parallel()
	for name, flag := range map[string]string{"isActive": "is-active", "status": "status"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnvAssuming(t, simulator.Forms{"active-flag": flag})
			s := w.Second()
			lack := func(row map[string]any) { delete(row, name) }
			s.Rows("packages", lack)
			s.Edits(http.MethodPost, "/billing/packages", lack)
			c := coretest.Applied(t, w, w.Config(providertest.Item("package", "gold", "GOLD", "active = false")+providertest.Item("package", "silver", "SILVER", "")), "2 added")
			c.WantEmptyPlan()
			c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "active = true")))
			c.Apply().WantOK(t, "1 changed, 1 destroyed")
			for _, p := range w.Sim.Packages() {
				assert.Equal(t, p.Code == "GOLD", p.Active, "%s is active", p.Code)
			}
		})
	}
}

// The error about a rejected setting is at the setting, also in an update.
func TestItem_UpdateRejected(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.Applied(t, w, w.Config(providertest.Item("package", "gold", "GOLD", "settings = { included = { seats = 5 } }")))
	c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "settings = { included = { seats = -5 } }")))
	c.Apply().WantError(t, "INVALID_REQUEST", catalog.SummaryUpdate, "Check the names and values in settings", "The state was not changed")
	c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "settings = { included = { seats = 5 } }")))
	c.WantEmptyPlan()
}
