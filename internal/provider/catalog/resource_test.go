package catalog_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/catalog"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestItem_Lifecycle(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"package", "addon"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			address := "reseller_" + kind + ".gold"
			attribute := func(name string, check knownvalue.Check) statecheck.StateCheck {
				return statecheck.ExpectKnownValue(address, providertest.At(name), check)
			}
			w.Test(
				resource.TestStep{
					Config: w.Config(providertest.Item(kind, "gold", "gold", "settings = { monthlyPrice = 4900, tiers = [1, 2.5], label = \"x\", nested = { on = true } }")),
					ConfigStateChecks: []statecheck.StateCheck{
						attribute("id", knownvalue.StringRegexp(regexp.MustCompile(`^[0-9a-f]{32}$`))),
						attribute("code", knownvalue.StringExact("gold")),
						attribute("active", knownvalue.Bool(true)),
					},
				},
				resource.TestStep{
					// Another spelling of code and currency is no change.
					Config: w.Config(strings.Replace(providertest.Item(kind, "gold", "GOLD", "settings = { monthlyPrice = 4900.0, tiers = [1, 2.5], label = \"x\", nested = { on = true } }"), `"EUR"`, `"eur"`, 1)),
					ConfigPlanChecks: resource.ConfigPlanChecks{
						PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
					},
				},
				resource.TestStep{
					Config: w.Config(strings.Replace(providertest.Item(kind, "gold", "gold", "active = false\nsettings = { monthlyPrice = 5900 }"), `"Gold"`, `"Gold Plus"`, 1)),
					ConfigStateChecks: []statecheck.StateCheck{
						attribute("name", knownvalue.StringExact("Gold Plus")),
						attribute("active", knownvalue.Bool(false)),
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

// The API does not accept "eur" (§2.1): it is sent as EUR, and stays in state as configured.
func TestItem_LowerCaseCurrency(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.Applied(t, w, w.Config(strings.Replace(providertest.Item("package", "gold", "GOLD", ""), `"EUR"`, `"eur"`, 1)))
	assert.Equal(t, "EUR", w.Sim.Packages()[0].Currency, "the API")
	c.WantEmptyPlan()
}

func TestItem_UpdateSendsTheWholeItem(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.Applied(t, w, w.Config(providertest.Item("package", "gold", "GOLD", "settings = { monthlyPrice = 4900, yearlyPrice = 49000 }")))
	w.Sim.ResetJournal()
	c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "settings = { monthlyPrice = 5900, yearlyPrice = 49000 }")))
	c.Apply().WantOK(t, "1 changed")
	body := w.LastBody(providertest.RoutePackageUpdate)
	if !strings.Contains(body, `"monthlyPrice":5900`) || !strings.Contains(body, `"yearlyPrice":49000`) || !strings.Contains(body, `"name":"Gold"`) || !strings.Contains(body, `"active":true`) {
		t.Errorf("body %s", body)
	}
	t.Run("unknown settings are no removal", func(t *testing.T) {
		c.Config(w.Config("resource \"terraform_data\" \"later\" {\n input = { monthlyPrice = 5900, yearlyPrice = 49000 }\n}\n" + providertest.Item("package", "gold", "GOLD", "settings = terraform_data.later.output")))
		r := c.Plan()
		assert.NotContains(t, r.Out, "keep their values", "warned of what is not known")
	})
	t.Run("a removed key is kept, with warning", func(t *testing.T) {
		w.Sim.ResetJournal()
		c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "settings = { monthlyPrice = 5900 }")))
		c.Planned().WantWarning(t, catalog.SummarySettingsKept, "GOLD", "yearlyPrice")
		c.Apply().WantOK(t)
		assert.Equal(t, 0, w.Calls(providertest.RoutePackageUpdate), "updates")
		c.WantEmptyPlan()
	})
}

// A configured setting that a user changed in the console is a change of the next plan; one that is not configured is
// not.
func TestItem_SettingsDrift(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := w.Cli()
	c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "settings = { monthlyPrice = 4900, tags = [\"a\"] }")))
	c.Apply().WantOK(t)
	change := func(fields string) { w.UpdateItem("package", w.Sim.Packages()[0].ID, fields) }
	change(`"yearlyPrice":1`)
	c.WantEmptyPlan()
	change(`"monthlyPrice":1,"tags":["b",2]`)
	r := c.PlanText()
	assert.Equal(t, 2, r.Code, "exit code\n%s", r.Out)
	assert.Contains(t, r.Out, "monthlyPrice", "exit code %d", r.Code)
	c.Apply().WantOK(t, "1 changed")
	c.WantEmptyPlan()
	assert.Equal(t, "4900", string(w.Sim.Packages()[0].Settings["monthlyPrice"]))
}

func TestItem_BlockedChanges(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.Applied(t, w, w.Config(providertest.Item("package", "gold", "GOLD", "")))
	c.Config(w.Config(providertest.Item("package", "gold", "SILVER", "")))
	c.Plan().WantError(t, "code of GOLD cannot change", "Restore the former value")
	c.Config(w.Config(strings.Replace(providertest.Item("package", "gold", "GOLD", ""), "EUR", "USD", 1)))
	c.Plan().WantError(t, "currency of GOLD cannot change")
	c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "")))
	c.Plan("-replace="+providertest.Gold).WantError(t, catalog.SummaryNotReplaceable, "package GOLD")
	c.Taint(providertest.Gold, true)
	c.Plan().WantError(t, catalog.SummaryExists, "GOLD", "is in this state", "moved {", "terraform untaint")
	c.Taint(providertest.Gold, false)
	c.WantEmptyPlan()
	assert.Equal(t, 1, w.Calls(providertest.RoutePackages), "creates")
}

func TestItem_CreateRules(t *testing.T) {
	t.Parallel()
	t.Run("code exists in another case", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewTestEnv(t)
		_, err := w.Sim.AddPackage("GOLD", nil, false)
		require.NoError(t, err)
		c := coretest.New(t, w)
		c.Config(w.Config(providertest.Item("package", "gold", "gold", "")))
		c.Plan().WantError(t, catalog.SummaryExists, "GOLD", "import {", "to = reseller_package.NAME", `id = "GOLD"`)
	})
	t.Run("two blocks with one code", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewTestEnv(t)
		c := coretest.New(t, w)
		c.Config(w.Config(providertest.Item("package", "gold", "gold", "") + providertest.Item("package", "twin", "GOLD", "")))
		c.Planned().Want(t, 0, "error", "")
		w.Sim.ResetJournal()
		c.Apply().Diagnostics.WantOneError(t, []string{catalog.SummaryExists}, "code gold", "keep one of the two")
		assert.Len(t, c.State(), 1, "resources in state")
		assert.Len(t, w.Sim.Packages(), 1)
	})
	t.Run("a package and an add-on may share a code", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewTestEnv(t)
		c := coretest.Applied(t, w, w.Config(providertest.Item("package", "gold", "GOLD", "")+providertest.Item("addon", "gold", "GOLD", "")), "2 added")
		c.WantEmptyPlan()
	})
	t.Run("the limit counts what this plan creates", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewTestEnv(t)
		for i := range 98 {
			_, err := w.Sim.AddPackage(fmt.Sprintf("P%d", i), nil, i%2 == 0)
			require.NoError(t, err)
		}
		c := coretest.New(t, w)
		c.Config(w.Config(providertest.Item("package", "a", "A", "") + providertest.Item("package", "b", "B", "")))
		c.Planned().Want(t, 2, "warning", catalog.TopicPackageCode.Summary, "0 remain)")
		c.Config(w.Config(providertest.Item("package", "a", "A", "") + providertest.Item("package", "b", "B", "") + providertest.Item("package", "c", "C", "")))
		told := c.Planned()
		told.WantWarning(t, catalog.SummaryOverLimit, "101 packages", "allows 100")
		told.Want(t, 0, "error", catalog.SummaryLimit)
		assert.Equal(t, 0, w.Calls(providertest.RoutePackages), "creates")
		c.Config(w.Config(providertest.Item("package", "a", "A", "") + providertest.Item("package", "b", "B", "")))
		c.Apply().WantOK(t)
		c.Config(w.Config(providertest.Item("package", "a", "A", "") + providertest.Item("package", "b", "B", "") + providertest.Item("package", "c", "C", "")))
		c.Planned().WantError(t, catalog.SummaryLimit, "package C", "100 packages")
	})
}

func TestItem_Destroy(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.Applied(t, w, w.Config(providertest.Item("package", "gold", "GOLD", "")+providertest.Item("package", "old", "OLD", "active = false")))
	w.Sim.ResetJournal()
	c.Config(w.Config(""))
	told := c.Planned()
	told.Want(t, 2, "warning", catalog.TopicDeactivating.Summary, "Package GOLD", "will be deactivated")
	told.Want(t, 2, "warning", catalog.TopicDeactivating.Summary, "Package OLD", "already deactivated")
	c.Apply().WantOK(t, "2 destroyed")
	assert.Equal(t, 1, w.Calls(providertest.RoutePackageUpdate), "updates")
	for _, p := range w.Sim.Packages() {
		assert.False(t, p.Active, "%s is active", p.Code)
	}
}

// One search for any number of packages.
func TestItem_PlanCalls(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.Applied(t, w, w.Config("resource \"reseller_package\" \"p\" {\n  count = 100\n  code = \"P${count.index}\"\n  name = \"P\"\n  currency = \"EUR\"\n}\n"))
	w.Sim.ResetJournal()
	c.WantEmptyPlan()
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RoutePackageSearch: 1}))
}

// A full life with all names of fields and methods that the API may use.
func TestItem_WidestReading(t *testing.T) {
	t.Parallel()
	for name, billing := range map[string]simulator.Forms{
		"rows in items":   {"rows": "items"},
		"rows in rows":    {"rows": "rows"},
		"rows nested":     {"rows": "nested"},
		"id plain":        {"item-id": "plain"},
		"id nested":       {"item-id": "nested"},
		"isActive":        {"active-flag": "is-active"},
		"status":          {"active-flag": "status"},
		"summaries":       {"search-rows": "summaries"},
		"bare add-ons":    {"addon-fields": "bare"},
		"update by PUT":   {"update": "put"},
		"update by PATCH": {"update": "patch"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnvAssuming(t, billing)
			c := coretest.Applied(t, w, w.Config(providertest.Item("package", "gold", "GOLD", "active = false\nsettings = { monthlyPrice = 1 }")+providertest.Item("addon", "seats", "SEATS", "")), "2 added")
			c.WantEmptyPlan()
			c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "active = true\nsettings = { monthlyPrice = 2 }") + providertest.Item("addon", "seats", "SEATS", "")))
			c.Apply().WantOK(t, "1 changed")
			c.WantEmptyPlan()
			c.Config(w.Config(""))
			c.Apply().WantOK(t, "2 destroyed")
			assert.False(t, w.Sim.Packages()[0].Active, "not deactivated")
			assert.False(t, w.Sim.Addons()[0].Active, "not deactivated")
		})
	}
}

// The API documentation shows no currency of an add-on (Reseller API §2.11): it is sent where it is set.
func TestAddon_Currency(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.New(t, w)
	body := func(more string) string {
		return w.Config(strings.Replace(providertest.Item("addon", "seats", "SEATS", ""), `currency = "EUR"`, more, 1))
	}
	c.Config(body(""))
	c.Apply().WantOK(t, "1 added")
	assert.Empty(t, w.Sim.Addons()[0].Currency, "sent")
	w.Sim.ResetJournal()
	c.WantEmptyPlan()
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteAddonSearch: 1}))
	c.Config(strings.Replace(body(""), `"Gold"`, `"Seats"`, 1))
	c.Apply().WantOK(t, "1 changed")
	c.Config(strings.Replace(body(`currency = "EUR"`), `"Gold"`, `"Seats"`, 1))
	c.Plan().WantError(t, "currency of", "cannot change", "Remove currency from the configuration")

	// A currency that is set is sent, and stays when it is removed from the configuration.
	sent := strings.Replace(providertest.Item("addon", "docs", "DOCS", ""), "EUR", "usd", 1)
	c.Config(w.Config(sent))
	c.Apply().WantOK(t, "1 added")
	c.WantEmptyPlan()
	c.Config(w.Config(strings.Replace(sent, `currency = "usd"`, "", 1)))
	c.WantEmptyPlan()
	if got := c.State()["reseller_addon.docs"].Attributes["currency"]; got != "usd" || w.Sim.Addons()[1].Currency != "USD" {
		t.Errorf("currency %v, sent %s", got, w.Sim.Addons()[1].Currency)
	}
	c.Config(w.Config(strings.Replace(providertest.Item("package", "gold", "GOLD", ""), `currency = "EUR"`, "", 1)))
	c.Validate().WantError(t, "currency")
}

// A nested field that is not configured stays, in what is compared and in what is sent. A configured one that the API
// lost is drift.
func TestItem_NestedSettings(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := w.Cli()
	included := func() string { return string(w.Sim.Packages()[0].Settings["included"]) }
	config := func(seats int) {
		c.Config(w.Config(providertest.Item("package", "gold", "GOLD", fmt.Sprintf("settings = { included = { seats = %d, documents = 5 } }", seats))))
	}
	change := func(value string) { w.UpdateItem("package", w.Sim.Packages()[0].ID, `"included":`+value) }
	config(10)
	c.Apply().WantOK(t)
	change(`{"seats":10,"documents":5,"templates":3}`)
	c.WantEmptyPlan()
	config(20)
	c.Apply().WantOK(t, "1 changed")
	assert.Equal(t, `{"documents":5,"seats":20,"templates":3}`, included())
	c.WantEmptyPlan()
	change(`{"seats":20,"templates":3}`)
	r := c.PlanText()
	assert.Equal(t, 2, r.Code, "exit code\n%s", r.Out)
	assert.Contains(t, r.Out, "documents", "exit code %d", r.Code)
	c.Apply().WantOK(t, "1 changed")
	assert.Equal(t, `{"documents":5,"seats":20,"templates":3}`, included())
	c.WantEmptyPlan()
}

// The limit itself, and decimals, are exact.
func TestItem_ExactNumbers(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.Applied(t, w, w.Config(providertest.Item("package", "gold", "GOLD", "settings = { most = 9007199254740992, rate = 0.12345678901234567891 }")))
	c.WantEmptyPlan()
}

func TestBadInput_Item(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	for name, tc := range map[string]struct{ body, want string }{
		"blank code":         {providertest.Item("package", "x", " ", ""), "A code must not be blank"},
		"overlong code":      {providertest.Item("package", "x", strings.Repeat("x", 65), ""), "at most 64 characters"},
		"blank name":         {strings.Replace(providertest.Item("package", "x", "X", ""), `"Gold"`, `"  "`, 1), "must not be blank"},
		"overlong name":      {strings.Replace(providertest.Item("package", "x", "X", ""), `"Gold"`, `"`+strings.Repeat("x", 256)+`"`, 1), "at most 255"},
		"no currency":        {strings.Replace(providertest.Item("addon", "x", "X", ""), "EUR", "EURO", 1), "three letters of ISO 4217"},
		"settings repeat":    {providertest.Item("package", "x", "X", `settings = { code = "Y" }`), `"code" in settings has an attribute of its own`},
		"settings no field":  {providertest.Item("package", "x", "X", `settings = { monthly_price = 1 }`), `"monthly_price" in settings is not a field`},
		"settings rounded":   {providertest.Item("package", "x", "X", `settings = { tiers = [{ price = { eur = -9007199254740993 } }] }`), "settings.tiers cannot be sent. Its whole numbers lie between -9007199254740992 and 9007199254740992"},
		"settings huge":      {providertest.Item("package", "x", "X", `settings = { price = 1e300 }`), "Its whole numbers lie between"},
		"settings no object": {providertest.Item("package", "x", "X", `settings = "x"`), "Settings must be an object"},
	} {
		t.Run(name, func(t *testing.T) {
			c := coretest.New(t, w)
			c.Config(w.Config(tc.body))
			c.Validate().WantError(t, tc.want)
		})
	}
	assert.Empty(t, w.Sim.Journal(), "calls")
}
