package provider_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const (
	routePackageGet = "POST /console/:slug/reseller/billing/packages/get"
	routeAddonGet   = "POST /console/:slug/reseller/billing/addons/get"
)

// drop removes fields of every row and of the item that is read alone.
func (s *secondService) drop(kind string, fields ...string) {
	remove := func(row map[string]any) {
		for _, field := range fields {
			delete(row, field)
		}
	}
	s.rows(kind, remove)
	s.edits(http.MethodPost, "/billing/"+kind+"/get", remove)
	s.edits(http.MethodPost, "/billing/"+kind, remove)
}

// importBlock imports one object.
func importBlock(to, id string) string {
	return fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", to, id)
}

// Only code and name of an add-on are documented. What a response does not have
// stays as it is in state, and is compared with nothing.
func TestItem_FieldsThatAreNotReturned(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"package", "addon"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w, s := newSecond(t)
			s.drop(kind+"s", "currency", "active")
			c := w.cli()
			c.config(w.config(item(kind, "gold", "GOLD", "active = false\nsettings = { monthlyPrice = 1 }")))
			c.apply().wantOK(t, "1 added")
			c.wantEmptyPlan()
			c.config(w.config(strings.Replace(item(kind, "gold", "GOLD", "active = false\nsettings = { monthlyPrice = 2 }"), `"Gold"`, `"Gold Plus"`, 1)))
			c.apply().wantOK(t, "1 changed")
			c.wantEmptyPlan()
			c.config(w.config(strings.Replace(item(kind, "gold", "GOLD", "active = false\nsettings = { monthlyPrice = 2 }"), `"EUR"`, `"USD"`, 1)))
			c.plan().wantError(t, "currency of GOLD cannot change")

			// The same item in another state, and as data.
			c = w.cli()
			c.config(w.config(strings.Replace(item(kind, "gold", "GOLD", "active = false"), `"Gold"`, `"Gold Plus"`, 1) + importBlock("reseller_"+kind+".gold", "gold") +
				fmt.Sprintf(`
data "reseller_%[1]s" "one" { code = "GOLD" }
data "reseller_%[1]ss" "all" {}
output "read" {
  value = jsonencode([data.reseller_%[1]s.one.currency, data.reseller_%[1]s.one.active, data.reseller_%[1]ss.all.%[1]ss[0].currency, data.reseller_%[1]ss.all.%[1]ss[0].name])
}
`, kind)))
			c.apply().wantOK(t, "1 imported", `"[null,null,null,\"Gold Plus\"]"`)
			c.wantEmptyPlan()
		})
	}
}

// A currency that the API has not returned before an import changes nothing, and
// sends nothing.
func TestItem_ImportWithoutCurrency(t *testing.T) {
	t.Parallel()
	w, s := newSecond(t)
	s.drop("addons", "currency")
	if _, err := w.sim.AddAddon("SEATS", nil, true); err != nil {
		t.Fatal(err)
	}
	c := w.cli()
	c.config(w.config(strings.Replace(item("addon", "seats", "SEATS", ""), `"Gold"`, fmt.Sprintf("%q", w.sim.Addons()[0].Name), 1) + importBlock("reseller_addon.seats", "SEATS")))
	c.apply().wantOK(t, "1 imported, 0 added, 1 changed")
	w.wantReads()
	c.wantEmptyPlan()
}

// The first apply after an import records settings that are already so, and sends
// those that are not.
func TestItem_ImportedSettings(t *testing.T) {
	t.Parallel()
	for name, billing := range map[string]simulator.BillingAssumptions{"whole rows": {}, "summaries": {RowsAreSummaries: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldOf(t, simulator.Assumptions{Billing: billing})
			id, err := w.sim.AddPackage("GOLD", nil, true)
			if err != nil {
				t.Fatal(err)
			}
			w.updatePackage(id, `"monthlyPrice":4900,"tiers":[1,2.50],"yearlyPrice":1`)
			block := func(settings string) string {
				return strings.Replace(item("package", "gold", "GOLD", "settings = "+settings), `"Gold"`, fmt.Sprintf("%q", w.sim.Packages()[0].Name), 1)
			}
			c := w.cli()
			c.config(w.config(block("{ monthlyPrice = 4900.0, tiers = [1, 2.5] }") + importBlock(gold, "GOLD")))
			w.sim.ResetJournal()
			c.apply().wantOK(t, "1 imported, 0 added, 1 changed")
			w.wantReads()
			c.wantEmptyPlan()
			c.ok("state", "rm", gold)
			c.config(w.config(block("{ monthlyPrice = 4900, tiers = [1, 2.5], yearlyPrice = 49000 }") + importBlock(gold, "GOLD")))
			c.apply().wantOK(t, "1 imported, 0 added, 1 changed")
			if body := w.lastBody(routePackageUpdate); !strings.Contains(body, `"yearlyPrice":49000`) || strings.Contains(body, "monthlyPrice") {
				t.Errorf("body %s", body)
			}
			if n := w.calls(routePackageUpdate); n != 1 {
				t.Errorf("%d updates", n)
			}
			c.wantEmptyPlan()
		})
	}
}

// An API that adds fields to an object leaves every plan empty.
func TestItem_SettingsWithMoreFields(t *testing.T) {
	t.Parallel()
	w, s := newSecond(t)
	s.rows("packages", func(row map[string]any) {
		if included, ok := row["included"].(map[string]any); ok {
			included["storage"], included["seats"] = 100, 5.0
		}
	})
	c := w.cli()
	c.config(w.config(item("package", "gold", "GOLD", "settings = { included = { seats = 5 } }")))
	c.apply().wantOK(t)
	c.wantEmptyPlan()
	c.ok("state", "rm", gold)
	c.config(w.config(item("package", "gold", "GOLD", "settings = { included = { seats = 5 } }") + importBlock(gold, "GOLD")))
	w.sim.ResetJournal()
	c.apply().wantOK(t, "1 imported")
	w.wantReads()
	c.wantEmptyPlan()
}

// Rows of a search may be summaries. A setting that is declared is then read from
// the item alone, once a run and for no other item.
func TestItem_Summaries(t *testing.T) {
	t.Parallel()
	for name, billing := range map[string]simulator.BillingAssumptions{
		"by POST": {RowsAreSummaries: true},
		"by GET":  {RowsAreSummaries: true, GetMethod: "GET"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldOf(t, simulator.Assumptions{Billing: billing})
			for _, code := range []string{"GOLD", "SILVER", "BRONZE"} {
				if _, err := w.sim.AddPackage("OTHER-"+code, nil, true); err != nil {
					t.Fatal(err)
				}
			}
			c := w.cli()
			c.config(w.config(item("package", "gold", "GOLD", "settings = { monthlyPrice = 4900 }") + item("package", "silver", "SILVER", "settings = { monthlyPrice = 1 }") +
				item("package", "plain", "PLAIN", "") + "data \"reseller_package\" \"gold\" { id = reseller_package.gold.id }\n"))
			c.apply().wantOK(t, "3 added")
			w.sim.ResetJournal()
			c.wantEmptyPlan()
			want := map[string]int{routePackageSearch: 1, routePackageGet: 2}
			if billing.GetMethod != "" {
				// A path that no endpoint has is asked once a run.
				want = map[string]int{routePackageSearch: 1, "GET /console/:slug/reseller/billing/packages/get": 2, "(no endpoint)": 1}
			}
			if err := w.wantCalls(want); err != nil {
				t.Error(err)
			}
			w.updatePackage(w.packageID("GOLD"), `"monthlyPrice":1`)
			if r := c.plan(); r.code != 2 || !strings.Contains(r.out, "4900") {
				t.Errorf("exit code %d, want the setting to change\n%s", r.code, r.out)
			}
			c.apply().wantOK(t, "1 changed")
			c.wantEmptyPlan()
		})
	}
}

// packageID is the id of a package of the simulator.
func (w *world) packageID(code string) string {
	w.t.Helper()
	for _, p := range w.sim.Packages() {
		if p.Code == code {
			return p.ID
		}
	}
	w.t.Fatalf("no package has the code %s", code)
	return ""
}

// Where an item cannot be read alone, in the way that is tried, its settings stay
// as they are. That is found out once a run, however many items there are.
func TestItem_SummariesAlone(t *testing.T) {
	t.Parallel()
	for name, refusal := range map[string]struct {
		status, calls int
		code          string
	}{
		"no endpoint":      {http.StatusNotFound, 2, "NOT_FOUND"},
		"another body":     {http.StatusBadRequest, 1, "INVALID_REQUEST"},
		"unknown to it":    {http.StatusBadRequest, 12, "PACKAGE_NOT_FOUND"},
		"a method refused": {http.StatusMethodNotAllowed, 2, "METHOD_NOT_ALLOWED"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldOf(t, simulator.Assumptions{Billing: simulator.BillingAssumptions{RowsAreSummaries: true}})
			s := w.second()
			asked := make(chan struct{}, 1000)
			refuse := func(*http.Request, []byte) (int, string) {
				asked <- struct{}{}
				return refusal.status, fmt.Sprintf(`{"status":"Err","error":{"code":%q,"message":"no"}}`, refusal.code)
			}
			s.responds(http.MethodPost, "/billing/packages/get", refuse)
			s.responds(http.MethodGet, "/billing/packages/get", refuse)
			c := w.cli()
			c.config(w.config("resource \"reseller_package\" \"p\" {\n  count = 12\n  code = \"P${count.index}\"\n  name = \"P\"\n  currency = \"EUR\"\n  settings = { monthlyPrice = 4900 }\n}\n"))
			c.apply().wantOK(t, "12 added")
			for len(asked) > 0 {
				<-asked
			}
			c.wantEmptyPlan()
			if len(asked) != refusal.calls {
				t.Errorf("asked %d times, want %d", len(asked), refusal.calls)
			}
		})
	}
	t.Run("a failure is an error", func(t *testing.T) {
		t.Parallel()
		w := newWorldOf(t, simulator.Assumptions{Billing: simulator.BillingAssumptions{RowsAreSummaries: true}})
		c := w.cli()
		c.config(w.config(item("package", "gold", "GOLD", "settings = { monthlyPrice = 4900 }")))
		c.apply().wantOK(t)
		w.sim.Inject(simulator.Fault{Route: routePackageGet, Kind: simulator.FaultServerError, Times: -1})
		c.plan().wantError(t, "INTERNAL_SERVER_ERROR")
		w.wantFault()
	})
}

// The flag that deactivates is learned from the item alone where rows lack it.
func TestItem_DeactivateBySummary(t *testing.T) {
	t.Parallel()
	for name, flag := range map[string]simulator.ActiveFlag{"isActive": simulator.ActiveIs, "status": simulator.ActiveStatus} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldOf(t, simulator.Assumptions{Billing: simulator.BillingAssumptions{ActiveFlag: flag}})
			s := w.second()
			lack := func(row map[string]any) { delete(row, name) }
			s.rows("packages", lack)
			s.edits(http.MethodPost, "/billing/packages", lack)
			c := w.cli()
			c.config(w.config(item("package", "gold", "GOLD", "active = false") + item("package", "silver", "SILVER", "")))
			c.apply().wantOK(t, "2 added")
			c.wantEmptyPlan()
			c.config(w.config(item("package", "gold", "GOLD", "active = true")))
			c.apply().wantOK(t, "1 changed, 1 destroyed")
			for _, p := range w.sim.Packages() {
				if p.Active != (p.Code == "GOLD") {
					t.Errorf("%s is active: %v", p.Code, p.Active)
				}
			}
		})
	}
}

// A setting that the API does not accept is told at the setting, also in an update.
func TestItem_UpdateRejected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(item("package", "gold", "GOLD", "settings = { included = { seats = 5 } }")))
	c.apply().wantOK(t)
	c.config(w.config(item("package", "gold", "GOLD", "settings = { included = { seats = -5 } }")))
	c.apply().wantError(t, "INVALID_REQUEST", "check the names and values in `settings`", "It stays as it was")
	c.config(w.config(item("package", "gold", "GOLD", "settings = { included = { seats = 5 } }")))
	c.wantEmptyPlan()
}
