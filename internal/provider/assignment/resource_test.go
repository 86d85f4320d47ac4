package assignment_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestAssignment_Lifecycle(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := w.Cli()
	c.Config(w.Assignment(w.Gold, w.Addons(5)))
	c.Plan().WantText(t, "Package is billed for the entire billing period", providertest.AcmeHost+": package GOLD is assigned and add-on SEATS is attached (quantity 5)")
	c.Apply().WantOK(t, "1 added")
	w.WantHas("GOLD SEATS=5")
	state := c.State()[providertest.Assigned].Attributes
	for name, want := range map[string]any{"id": w.Label, "package_code": "GOLD", "currency": "EUR"} {
		assert.Equal(t, want, state[name], name)
	}
	c.WantEmptyPlan()

	t.Run("changed quantity is detached and attached", func(t *testing.T) {
		c.Config(w.Assignment(w.Gold, w.Addons(7)))
		c.Plan().WantText(t, "Changing add-ons bills old and new quantities", "add-on SEATS is detached (quantity 5) and add-on SEATS is attached (quantity 7)")
		w.Sim.ResetJournal()
		c.Apply().WantOK(t, "1 changed")
		w.WantHas("GOLD SEATS=7")
		if w.Calls(providertest.RouteRemoveAddon) != 1 || w.Calls(providertest.RouteAttachAddon) != 1 || w.Calls(providertest.RouteAssign) != 0 {
			t.Errorf("calls: %v", w.Sim.Journal())
		}
		c.WantEmptyPlan()
	})
	t.Run("unknown quantity is no removal", func(t *testing.T) {
		later := "resource \"terraform_data\" \"later\" {\n input = 9\n}\n"
		c.Config(later + w.Assignment(w.Gold, "addons = { SEATS = terraform_data.later.output }"))
		c.Plan().WantText(t, "Changing add-ons bills old and new quantities", "add-on SEATS may be detached (quantity 7) and add-on SEATS may be attached (quantity known after apply)")
		c.Config(later + w.Assignment(w.Gold, "addons = terraform_data.later.output == 9 ? { SEATS = 7 } : {}"))
		c.Plan().WantText(t, "Changing add-ons bills old and new quantities", "add-on SEATS may be detached (quantity 7) and add-ons known after apply may be attached")
		c.Config(fmt.Sprintf("resource \"terraform_data\" \"package\" {\n input = %q\n}\n", w.Gold) + w.Assignment("${terraform_data.package.output}", w.Addons(7)))
		c.Plan().WantText(t, providertest.SumPackageLater, providertest.AcmeHost+": package GOLD is assigned")
		c.Apply().WantOK(t, "1 added")
		w.WantHas("GOLD SEATS=7")
	})
	t.Run("not managed: not changed", func(t *testing.T) {
		c.Config(w.Assignment(w.Gold, ""))
		r := c.Plan()
		r.WantText(t, "Add-ons stay attached and are no longer managed", "SEATS (quantity 7)")
		assert.NotContains(t, r.Out, "detached", "warned of what is not managed")
		w.Sim.ResetJournal()
		c.Apply().WantOK(t, "1 changed")
		w.WantHas("GOLD SEATS=7")
		assert.Equal(t, 0, w.Calls(providertest.RouteRemoveAddon), "removals")
		c.WantEmptyPlan()
	})
	t.Run("none: all are detached", func(t *testing.T) {
		c.Config(w.Assignment(w.Gold, "addons = {}"))
		c.Apply().WantOK(t, "1 changed")
		w.WantHas("GOLD")
		c.WantEmptyPlan()
	})
	t.Run("what allows changes no call", func(t *testing.T) {
		c.Config(w.Assignment(w.Gold, "addons = {}\nallow_excess = { seats = 3 }"))
		w.Sim.ResetJournal()
		c.Apply().WantOK(t, "1 changed")
		assert.Equal(t, 0, w.Calls(providertest.RouteAssign)+w.Calls(providertest.RouteAttachAddon), "writing calls")
	})
	t.Run("a package changes on request only", func(t *testing.T) {
		c.Config(w.Assignment(w.Silver, "addons = {}"))
		c.Plan().WantError(t, "Package change not allowed", "from GOLD to SILVER", "allow_package_change = true")
		c.Config(w.Assignment(w.Silver, "addons = {}\nallow_package_change = true"))
		c.Plan().WantText(t, "Changing the package bills up to both packages", "package GOLD is removed and package SILVER is assigned")
		c.Apply().WantOK(t, "1 changed")
		w.WantHas("SILVER")
		c.WantEmptyPlan()
	})
	t.Run("replacing is rejected", func(t *testing.T) {
		c.Plan("-replace="+providertest.Assigned).WantError(t, providertest.SumNotReplaceable, providertest.AcmeHost)
		c.Ok("taint", "-no-color", providertest.Assigned)
		w.Sim.ResetJournal()
		c.Apply().WantError(t, providertest.SumNotReplaceable, "terraform untaint")
		w.WantReads()
		w.WantHas("SILVER")
		c.Ok("untaint", "-no-color", providertest.Assigned)
	})
	t.Run("another label is blocked", func(t *testing.T) {
		c.Config(strings.Replace(w.Assignment(w.Silver, "addons = {}\nallow_package_change = true"), w.Label, strings.Repeat("ab", 16), 1))
		c.Plan().WantError(t, "private_label_id of "+w.Label+" cannot change")
	})
	t.Run("destroy", func(t *testing.T) {
		c.Config(w.Config(""))
		c.Plan().WantText(t, providertest.SumRemoved, providertest.AcmeHost+": package SILVER is removed")
		c.Apply().WantOK(t, "1 destroyed")
		w.WantHas("")
	})
}

// Consent is bounded, and checked against the numbers of each response.
func TestAssignment_Excess(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	require.NoError(t, w.Sim.SetAllowance(map[string]float64{"documents": 80, "seats": 100}))
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Assignment(w.Gold, ""))
	c.Apply().WantError(t, providertest.SumExcess, "package GOLD to "+providertest.AcmeHost, "documents: requested 100, remaining 80, excess 20", "allow_excess = { documents = 20 }")
	w.WantHas("")
	assert.Empty(t, c.State())
	c.Config(w.Assignment(w.Gold, "allow_excess = { documents = 19, seats = 1000 }"))
	c.Apply().WantError(t, "excess 20")
	w.WantHas("")
	c.Config(w.Assignment(w.Gold, "allow_excess = { documents = 20 }"))
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 added")
	w.WantHas("GOLD")
	assert.Equal(t, 2, w.Calls(providertest.RouteAssign), "assigns")
	c.WantEmptyPlan()
	for _, call := range w.Sim.Journal() {
		if call.Route == providertest.RouteAssign && strings.Contains(string(call.Body), "confirmationKey") && !strings.Contains(string(call.Body), "(secret)") {
			t.Errorf("the journal of the test is not blanked: %s", call.Body)
		}
	}
}

// The numbers change between the confirmation request and the confirmation.
func TestAssignment_NumbersChange(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		allow string
		ok    bool
	}{
		"within what is allowed": {"allow_excess = { documents = 30 }", true},
		"beyond it":              {"allow_excess = { documents = 20 }", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			require.NoError(t, w.Sim.SetAllowance(map[string]float64{"documents": 80, "seats": 100}))
			w.Sim.Inject(simulator.Fault{Route: providertest.RouteAssign, After: true, Hook: func() {
				assert.NoError(t, w.Sim.SetAllowance(map[string]float64{"documents": 70, "seats": 100}))
			}})
			c := coretest.New(t, w.TestEnv)
			c.Config(w.Assignment(w.Gold, tc.allow))
			if tc.ok {
				c.Apply().WantOK(t, "1 added")
				w.WantHas("GOLD")
				return
			}
			c.Apply().WantError(t, "excess 30")
			w.WantHas("")
		})
	}
}

func TestAssignment_ConfirmationExpires(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	require.NoError(t, w.Sim.SetAllowance(map[string]float64{"documents": 80, "seats": 100}))
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteAssign, After: true, Hook: func() { w.Sim.Clock().Advance(11 * 60e9) }})
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Assignment(w.Gold, "allow_excess = { documents = 20 }"))
	c.Apply().WantOK(t, "1 added")
	w.WantHas("GOLD")
}

func TestAssignment_TakeOver(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	require.NoError(t, w.Sim.AssignInConsole(providertest.AcmeHost, w.Gold, map[string]float64{w.Seats: 4}))
	t.Run("the same package, without a writing call", func(t *testing.T) {
		c := w.Cli()
		c.Config(w.Assignment(w.Gold, ""))
		w.Sim.ResetJournal()
		c.Apply().WantOK(t, "1 added")
		assert.Equal(t, 0, w.Calls(providertest.RouteAssign)+w.Calls(providertest.RouteAttachAddon)+w.Calls(providertest.RouteRemoveAddon), "writing calls")
		c.WantEmptyPlan()
	})
	t.Run("another package is an error that says so", func(t *testing.T) {
		c := w.Cli()
		c.Config(w.Assignment(w.Silver, ""))
		c.Plan().WantError(t, providertest.SumOtherPackage, providertest.AcmeHost+": package GOLD is already assigned")
	})
}

// A rejected new package leaves the old one with its add-ons.
func TestAssignment_ChangeRefused(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	big, err := w.Sim.AddPackage("BIG", map[string]float64{"documents": 1e6}, true)
	require.NoError(t, err)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Assignment(w.Gold, w.Addons(2)))
	c.Apply().WantOK(t)
	c.Config(w.Assignment(big, w.Addons(2)+"\nallow_package_change = true"))
	c.Apply().WantError(t, providertest.SumExcess)
	w.WantHas("GOLD SEATS=2")
	assert.Equal(t, "GOLD", c.State()[providertest.Assigned].Attributes["package_code"], "package_code in state")
	c.Config(w.Assignment(w.Gold, w.Addons(2)))
	c.WantEmptyPlan()
}

// Completed steps stay in state; the next apply continues.
func TestAssignment_Partial(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	_, err := w.Sim.AddAddon("MANY", map[string]float64{"documents": 1e6}, true)
	require.NoError(t, err)
	both := "addons = { SEATS = 5, MANY = 1 }"
	t.Run("create: no state, the next apply continues", func(t *testing.T) {
		c := coretest.New(t, w.TestEnv)
		c.Config(w.Assignment(w.Gold, both))
		c.Apply().WantError(t, providertest.SumExcess)
		assert.Empty(t, c.State())
		w.Sim.ResetJournal()
		c.Config(w.Assignment(w.Gold, w.Addons(5)))
		c.Apply().WantOK(t, "1 added")
		w.WantHas("GOLD SEATS=5")
		assert.Equal(t, 0, w.Calls(providertest.RouteAssign), "assigns: the package was there")
		c.WantEmptyPlan()
		c.Config(w.Assignment(w.Gold, strings.Replace(both, "5", "6", 1)))
		c.Apply().WantError(t, providertest.SumExcess)
		assert.NotEqual(t, "tainted", c.State()[providertest.Assigned].Status)
		c.Config(w.Assignment(w.Gold, w.Addons(6)))
		c.Apply().WantOK(t)
		w.WantHas("GOLD SEATS=6")
		c.WantEmptyPlan()
	})
}

func TestAssignment_Drift(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Assignment(w.Gold, w.Addons(2)))
	c.Apply().WantOK(t)
	require.NoError(t, w.Sim.RemovePackageInConsole(providertest.AcmeHost))
	c.Plan().WantText(t, "Assignment not found, removed from state", "removed outside of Terraform")
	c.Apply().WantOK(t, "1 added")
	w.WantHas("GOLD SEATS=2")
	require.NoError(t, w.Sim.RemovePackageInConsole(providertest.AcmeHost))
	require.NoError(t, w.Sim.AssignInConsole(providertest.AcmeHost, w.Silver, nil))
	c.Plan().WantError(t, "Package change not allowed", "from SILVER to")
}

// A plan over private labels with packages needs the list; with add-ons also a read of each assignment.
func TestAssignment_PlanCalls(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Assignment(w.Gold, ""))
	c.Apply().WantOK(t)
	w.Sim.ResetJournal()
	c.WantEmptyPlan()
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteList: 1}))
	c.Config(w.Assignment(w.Gold, w.Addons(1)))
	c.Apply().WantOK(t)
	w.Sim.ResetJournal()
	c.WantEmptyPlan()
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteList: 1, routePackageRead: 1}))
}

// In one apply with its private label and its package: the budget of DESIGN.md.
func TestAssignment_WithItsLabel(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.New(t, w)
	c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "settings = { included = { documents = 10 } }") + providertest.Label("acme", providertest.AcmeHost, "") + `
resource "reseller_assignment" "acme" {
  private_label_id = reseller_private_label.acme.id
  package_id       = reseller_package.gold.id
}
`))
	c.Apply().WantOK(t, "3 added")
	console := w.Calls(providertest.RouteProvision) + w.Calls(providertest.RouteDetail)
	assert.LessOrEqual(t, console, 3, "console calls and %d allocations for a label with its package", w.Calls(providertest.RouteAssign))
	assert.Equal(t, 1, w.Calls(providertest.RouteAssign), "%d console calls and allocations for a label with its package", console)
	c.WantEmptyPlan()
}

func TestAssignment_WidestReading(t *testing.T) {
	t.Parallel()
	for name, billing := range map[string]simulator.Forms{
		"removals by POST":  {"removal": "post-path"},
		"removals by body":  {"removal": "post-body"},
		"in a body, add-on": {"removal": "post-body", "removal-id": "addon"},
		"removal by add-on": {"removal-id": "addon"},
		"both":              {"removal": "post-path", "removal-id": "addon"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, billing)
			c := coretest.New(t, w.TestEnv)
			c.Config(w.Assignment(w.Gold, w.Addons(2)))
			c.Apply().WantOK(t)
			c.Config(w.Assignment(w.Gold, w.Addons(3)))
			c.Apply().WantOK(t)
			w.WantHas("GOLD SEATS=3")
			c.WantEmptyPlan()
			c.Config(w.Config(""))
			c.Apply().WantOK(t)
			w.WantHas("")
		})
	}
}

// 60 assignments go through in the time that 20 a minute allow, without a 429.
func TestAssignment_Pace(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	gold, err := w.Sim.AddPackage("GOLD", map[string]float64{"documents": 1}, true)
	require.NoError(t, err)
	var ids []string
	for n := range 60 {
		id, err := w.Sim.AddConsoleLabel(fmt.Sprintf("sign%d.acme.example", n), "ada@acme.example")
		require.NoError(t, err)
		ids = append(ids, strconv.Quote(id))
	}
	c := coretest.New(t, w)
	c.Config(w.Config(`
resource "reseller_assignment" "a" {
  for_each = toset([` + strings.Join(ids, ", ") + `])
  private_label_id = each.key
  package_id = "` + gold + `"
}`))
	c.Apply().WantOK(t, "60 added")
	assert.Equal(t, 60, w.Calls(providertest.RouteAssign), "assigns")
	for _, call := range w.Sim.Journal() {
		assert.NotEqual(t, 429, call.Status, "a 429 from %s", call.Route)
	}
	// Three windows of a minute have 60 calls: the third one begins after two minutes.
	var times []time.Time
	for _, call := range w.Sim.Journal() {
		if call.Route == providertest.RouteAssign {
			times = append(times, call.Time)
		}
	}
	assert.Equal(t, 2*time.Minute, times[len(times)-1].Sub(times[0]), "it took by the clock of the API")
}

func TestBadInput_Assignment(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	id := strings.Repeat("ab", 16)
	body := func(extra string) string {
		return fmt.Sprintf("resource \"reseller_assignment\" \"x\" {\n  private_label_id = %q\n  package_id = %q\n%s\n}\n", id, id, extra)
	}
	for name, tc := range map[string]struct{ body, want string }{
		"no id":        {strings.Replace(body(""), id, "acme", 1), "32 lowercase hex characters"},
		"quantity":     {body("addons = { SEATS = 0 }"), `Invalid value for addons["SEATS"]: 0. Set a whole number of 1 or more`},
		"twice":        {body("addons = { SEATS = 1, seats = 2 }"), `"SEATS" and "seats"`},
		"unknown item": {body("allow_excess = { lunches = 1 }"), "value must be one of"},
		"negative":     {body("allow_excess = { seats = -1 }"), `Invalid value for allow_excess["seats"]: -1. Set a number of 0 or more`},
	} {
		t.Run(name, func(t *testing.T) {
			c := coretest.New(t, w)
			c.Config(w.Config(tc.body))
			c.Validate().WantError(t, tc.want)
		})
	}
}
