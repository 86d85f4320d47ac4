package provider_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const (
	routePackages      = "POST /console/:slug/reseller/billing/packages"
	routePackageSearch = "POST /console/:slug/reseller/billing/packages/search"
	routePackageUpdate = "POST /console/:slug/reseller/billing/packages/update"
	routeAddons        = "POST /console/:slug/reseller/billing/addons"
	gold               = "reseller_package.gold"
)

// item is the block of a package or an add-on.
func item(kind, name, code, extra string) string {
	return fmt.Sprintf("\nresource \"reseller_%s\" %q {\n  code = %q\n  name = \"Gold\"\n  currency = \"EUR\"\n%s\n}\n", kind, name, code, extra)
}

func TestItem_Lifecycle(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"package", "addon"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			address := "reseller_" + kind + ".gold"
			is := func(name string, check knownvalue.Check) statecheck.StateCheck {
				return statecheck.ExpectKnownValue(address, at(name), check)
			}
			w.test(
				resource.TestStep{
					Config: w.config(item(kind, "gold", "gold", "settings = { monthlyPrice = 4900, tiers = [1, 2.5], label = \"x\", nested = { on = true } }")),
					ConfigStateChecks: []statecheck.StateCheck{
						is("id", knownvalue.StringRegexp(regexp.MustCompile(`^[0-9a-f]{32}$`))),
						is("code", knownvalue.StringExact("gold")),
						is("active", knownvalue.Bool(true)),
					},
				},
				resource.TestStep{
					// Another spelling of code and currency is no change.
					Config: w.config(strings.Replace(item(kind, "gold", "GOLD", "settings = { monthlyPrice = 4900.0, tiers = [1, 2.5], label = \"x\", nested = { on = true } }"), `"EUR"`, `"eur"`, 1)),
					ConfigPlanChecks: resource.ConfigPlanChecks{
						PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
					},
				},
				resource.TestStep{
					Config: w.config(strings.Replace(item(kind, "gold", "gold", "active = false\nsettings = { monthlyPrice = 5900 }"), `"Gold"`, `"Gold Plus"`, 1)),
					ConfigStateChecks: []statecheck.StateCheck{
						is("name", knownvalue.StringExact("Gold Plus")),
						is("active", knownvalue.Bool(false)),
					},
				},
				resource.TestStep{
					ResourceName: address, ImportState: true, ImportStateVerify: true,
					ImportStateVerifyIgnore: []string{"settings", "code"},
				},
				resource.TestStep{
					ResourceName: address, ImportState: true, ImportStateId: "gOLD", ImportStateVerify: true,
					ImportStateVerifyIgnore: []string{"settings", "code"},
				},
				resource.TestStep{
					ResourceName: address, ImportState: true, ImportStateId: "SILVER",
					ExpectError: regexp.MustCompile(`The reseller has no .* SILVER`),
				},
			)
		})
	}
}

// The service takes no "eur" (§2.1): it is sent as EUR, and stays as written.
func TestItem_LowerCaseCurrency(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(strings.Replace(item("package", "gold", "GOLD", ""), `"EUR"`, `"eur"`, 1)))
	c.apply().wantOK(t)
	if got := w.sim.Packages()[0].Currency; got != "EUR" {
		t.Errorf("the service has %q", got)
	}
	c.wantEmptyPlan()
}

func TestItem_UpdateSendsOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(item("package", "gold", "GOLD", "settings = { monthlyPrice = 4900, yearlyPrice = 49000 }")))
	c.apply().wantOK(t)
	w.sim.ResetJournal()
	c.config(w.config(item("package", "gold", "GOLD", "settings = { monthlyPrice = 5900, yearlyPrice = 49000 }")))
	c.apply().wantOK(t, "1 changed")
	body := w.lastBody(routePackageUpdate)
	if !strings.Contains(body, `"monthlyPrice":5900`) || strings.Contains(body, "yearlyPrice") || strings.Contains(body, "name") || strings.Contains(body, "active") {
		t.Errorf("body %s", body)
	}
	t.Run("settings that are not known yet are not told to be taken out", func(t *testing.T) {
		c.config(w.config("resource \"terraform_data\" \"later\" {\n input = { monthlyPrice = 5900, yearlyPrice = 49000 }\n}\n" + item("package", "gold", "GOLD", "settings = terraform_data.later.output")))
		if r := c.plan(); strings.Contains(r.out, "keep their values") {
			t.Errorf("warned of what is not known: %s", r.out)
		}
	})
	t.Run("a key taken out is kept, and told", func(t *testing.T) {
		w.sim.ResetJournal()
		c.config(w.config(item("package", "gold", "GOLD", "settings = { monthlyPrice = 5900 }")))
		c.planned().wantWarning(t, "Removed settings keep their values", "GOLD", "yearlyPrice")
		c.apply().wantOK(t)
		if n := w.calls(routePackageUpdate); n != 0 {
			t.Errorf("%d updates", n)
		}
		c.wantEmptyPlan()
	})
}

// updatePackage changes a package as somebody outside the provider would.
func (w *world) updatePackage(id, fields string) {
	w.t.Helper()
	body := fmt.Sprintf(`{"packageId":%q,%s}`, id, fields)
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, simulator.BaseURL+"/console/"+w.sim.Slug()+"/reseller/billing/packages/update", strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+w.exchange())
	resp, err := w.sim.Transport().RoundTrip(req)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusOK {
		w.t.Fatalf("HTTP %d, %v", resp.StatusCode, err)
	}
}

// A declared setting that somebody changed in the console is a change of the
// next plan; one that nobody declared is not.
func TestItem_SettingsDrift(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(item("package", "gold", "GOLD", "settings = { monthlyPrice = 4900, tags = [\"a\"] }")))
	c.apply().wantOK(t)
	change := func(fields string) { w.updatePackage(w.sim.Packages()[0].ID, fields) }
	change(`"yearlyPrice":1`)
	c.wantEmptyPlan()
	change(`"monthlyPrice":1,"tags":["b",2]`)
	if r := c.plan(); r.code != 2 || !strings.Contains(r.out, "monthlyPrice") {
		t.Errorf("exit code %d, want the settings to change\n%s", r.code, r.out)
	}
	c.apply().wantOK(t, "1 changed")
	c.wantEmptyPlan()
	if got := string(w.sim.Packages()[0].Settings["monthlyPrice"]); got != "4900" {
		t.Errorf("monthlyPrice %s", got)
	}
}

func TestItem_BlockedChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(item("package", "gold", "GOLD", "")))
	c.apply().wantOK(t)
	c.config(w.config(item("package", "gold", "SILVER", "")))
	c.plan().wantError(t, "code of GOLD cannot change", "Set code back to GOLD")
	c.config(w.config(strings.Replace(item("package", "gold", "GOLD", ""), "EUR", "USD", 1)))
	c.plan().wantError(t, "currency of GOLD cannot change")
	c.config(w.config(item("package", "gold", "GOLD", "")))
	c.plan("-replace="+gold).wantError(t, "Catalog items cannot be replaced", "package GOLD")
	c.ok("taint", "-no-color", gold)
	c.plan().wantError(t, "Catalog item already exists", "GOLD", "terraform untaint")
	c.ok("untaint", "-no-color", gold)
	c.wantEmptyPlan()
	if n := w.calls(routePackages); n != 1 {
		t.Errorf("%d creates", n)
	}
}

func TestItem_CreateRules(t *testing.T) {
	t.Parallel()
	t.Run("code exists in another case", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		if _, err := w.sim.AddPackage("GOLD", nil, false); err != nil {
			t.Fatal(err)
		}
		c := w.cli()
		c.config(w.config(item("package", "gold", "gold", "")))
		c.plan().wantError(t, "Catalog item already exists", "GOLD", "import {", "to = reseller_package.NAME", `id = "GOLD"`)
	})
	t.Run("two blocks with one code", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		c := w.cli()
		c.config(w.config(item("package", "gold", "gold", "") + item("package", "twin", "GOLD", "")))
		told := c.planned()
		told.wantHint(t, "Catalog code is declared twice", "package GOLD")
		told.want(t, 0, "error", "")
		w.sim.ResetJournal()
		c.told("apply", "-json", "-auto-approve").wantOneError(t, []string{"Object is declared twice", "Catalog item already exists"}, "gold")
		if n := w.calls(routePackages); n != 1 {
			t.Errorf("%d creates, want one", n)
		}
	})
	t.Run("a package and an add-on may share a code", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		c := w.cli()
		c.config(w.config(item("package", "gold", "GOLD", "") + item("addon", "gold", "GOLD", "")))
		c.apply().wantOK(t, "2 added")
		c.wantEmptyPlan()
	})
	t.Run("the limit counts what this plan creates", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		for i := range 98 {
			if _, err := w.sim.AddPackage(fmt.Sprintf("P%d", i), nil, i%2 == 0); err != nil {
				t.Fatal(err)
			}
		}
		c := w.cli()
		c.config(w.config(item("package", "a", "A", "") + item("package", "b", "B", "")))
		c.planned().want(t, 2, "warning", "Package code is permanent", "0 remain after this apply")
		c.config(w.config(item("package", "a", "A", "") + item("package", "b", "B", "") + item("package", "c", "C", "")))
		told := c.planned()
		told.wantWarning(t, "Plan exceeds the catalog limit", "101 packages", "allows 100")
		told.want(t, 0, "error", "Catalog limit is reached")
		if n := w.calls(routePackages); n != 0 {
			t.Errorf("%d creates", n)
		}
		c.config(w.config(item("package", "a", "A", "") + item("package", "b", "B", "")))
		c.apply().wantOK(t)
		c.config(w.config(item("package", "a", "A", "") + item("package", "b", "B", "") + item("package", "c", "C", "")))
		c.planned().wantError(t, "Catalog limit is reached", "package C", "100 packages")
	})
}

func TestItem_Destroy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(item("package", "gold", "GOLD", "") + item("package", "old", "OLD", "active = false")))
	c.apply().wantOK(t)
	w.sim.ResetJournal()
	c.config(w.config(""))
	told := c.planned()
	told.want(t, 2, "warning", "Catalog items cannot be deleted", "Package GOLD", "will be deactivated")
	told.want(t, 2, "warning", "Catalog items cannot be deleted", "Package OLD", "already inactive")
	c.apply().wantOK(t, "2 destroyed")
	if n := w.calls(routePackageUpdate); n != 1 {
		t.Errorf("%d updates, want one", n)
	}
	for _, p := range w.sim.Packages() {
		if p.Active {
			t.Errorf("%s is active", p.Code)
		}
	}
}

// One search for any number of packages.
func TestItem_PlanCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config("resource \"reseller_package\" \"p\" {\n  count = 100\n  code = \"P${count.index}\"\n  name = \"P\"\n  currency = \"EUR\"\n}\n"))
	c.apply().wantOK(t)
	w.sim.ResetJournal()
	c.wantEmptyPlan()
	if err := w.wantCalls(map[string]int{routePackageSearch: 1}); err != nil {
		t.Error(err)
	}
}

// Whatever the service calls its fields and methods: a full life.
func TestItem_WidestReading(t *testing.T) {
	t.Parallel()
	for name, billing := range map[string]simulator.BillingAssumptions{
		"rows in items":   {RowsPlace: simulator.RowsItems},
		"rows in rows":    {RowsPlace: simulator.RowsRows},
		"rows nested":     {RowsPlace: simulator.RowsNested},
		"id plain":        {IDPlace: simulator.IDPlain},
		"id nested":       {IDPlace: simulator.IDNested},
		"isActive":        {ActiveFlag: simulator.ActiveIs},
		"status":          {ActiveFlag: simulator.ActiveStatus},
		"summaries":       {RowsAreSummaries: true},
		"bare add-ons":    {AddonsAreBare: true},
		"update by PUT":   {UpdateMethod: "PUT"},
		"update by PATCH": {UpdateMethod: "PATCH"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldOf(t, simulator.Assumptions{Billing: billing})
			c := w.cli()
			c.config(w.config(item("package", "gold", "GOLD", "active = false\nsettings = { monthlyPrice = 1 }") + item("addon", "seats", "SEATS", "")))
			c.apply().wantOK(t, "2 added")
			c.wantEmptyPlan()
			c.config(w.config(item("package", "gold", "GOLD", "active = true\nsettings = { monthlyPrice = 2 }") + item("addon", "seats", "SEATS", "")))
			c.apply().wantOK(t, "1 changed")
			c.wantEmptyPlan()
			c.config(w.config(""))
			c.apply().wantOK(t, "2 destroyed")
			if w.sim.Packages()[0].Active || w.sim.Addons()[0].Active {
				t.Error("not deactivated")
			}
		})
	}
}

func TestBadInput_Item(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, tc := range map[string]struct{ body, want string }{
		"blank code":         {item("package", "x", " ", ""), "Not a valid code"},
		"overlong code":      {item("package", "x", strings.Repeat("x", 65), ""), "at most 64 characters"},
		"blank name":         {strings.Replace(item("package", "x", "X", ""), `"Gold"`, `"  "`, 1), "must not be blank"},
		"overlong name":      {strings.Replace(item("package", "x", "X", ""), `"Gold"`, `"`+strings.Repeat("x", 256)+`"`, 1), "at most 255"},
		"no currency":        {strings.Replace(item("addon", "x", "X", ""), "EUR", "EURO", 1), "Not a valid currency"},
		"settings repeat":    {item("package", "x", "X", `settings = { code = "Y" }`), "settings repeat a typed field"},
		"settings no field":  {item("package", "x", "X", `settings = { monthly_price = 1 }`), "settings name what is no field"},
		"settings no object": {item("package", "x", "X", `settings = "x"`), "Not usable as settings"},
	} {
		t.Run(name, func(t *testing.T) {
			c := w.cli()
			c.config(w.config(tc.body))
			c.run("validate", "-no-color").wantError(t, tc.want)
		})
	}
	if n := len(w.sim.Journal()); n != 0 {
		t.Errorf("%d calls", n)
	}
}

func TestItem_WrongKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(item("package", "gold", "GOLD", "")))
	c.apply().wantOK(t)
	other, err := w.sim.AddReseller("rival.example")
	if err != nil {
		t.Fatal(err)
	}
	c.config(strings.Replace(w.config(item("package", "gold", "GOLD", "")), w.sim.APIKey(), other, 1))
	c.plan().wantError(t, "API key belongs to another reseller")
	if _, ok := c.state()[gold]; !ok {
		t.Error("dropped from state")
	}
}
