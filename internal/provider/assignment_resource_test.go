package provider_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const (
	routeAssign        = "POST /console/:slug/reseller/private-labels/:tenantId/package"
	routeAttachAddon   = "POST /console/:slug/reseller/private-labels/:tenantId/package/addons"
	routeRemovePackage = "DELETE /console/:slug/reseller/private-labels/:tenantId/package"
	routeRemoveAddon   = "DELETE /console/:slug/reseller/private-labels/:tenantId/package/addons/:attachedId"
	routeAddonSearch   = "POST /console/:slug/reseller/billing/addons/search"
	assigned           = "reseller_assignment.acme"
)

// catalogued is a world with a label, two packages and an add-on.
type catalogued struct {
	*world
	label, gold, silver, seats string // ids
}

func newCatalogued(t *testing.T, assumptions simulator.Assumptions) *catalogued {
	t.Helper()
	w := &catalogued{world: newWorldOf(t, assumptions)}
	must := func(id string, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	w.gold = must(w.sim.AddPackage("GOLD", map[string]float64{"documents": 100, "seats": 10}, true))
	w.silver = must(w.sim.AddPackage("SILVER", map[string]float64{"documents": 50, "seats": 5}, true))
	w.seats = must(w.sim.AddAddon("SEATS", map[string]float64{"seats": 1}, true))
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "")))
	c.apply().wantOK(t)
	w.settle(acmeHost)
	w.label = w.sim.Labels()[0].ID
	w.sim.ResetJournal()
	return w
}

func (w *catalogued) assignment(packageID, extra string) string {
	return w.config(fmt.Sprintf("resource \"reseller_assignment\" \"acme\" {\n  private_label_id = %q\n  package_id = %q\n%s\n}\n", w.label, packageID, extra))
}

func (w *catalogued) addons(quantity int) string {
	return fmt.Sprintf("addons = { SEATS = %d }", quantity)
}

// books is what the service has: the package and the seats attached.
func (w *catalogued) books() (pkg string, seats float64) {
	l := w.sim.Labels()[0]
	for _, a := range l.Addons {
		if a.Code == "SEATS" {
			seats = a.Quantity
		}
	}
	return l.Package, seats
}

func (w *catalogued) wantBooks(pkg string, seats float64) {
	w.t.Helper()
	if p, s := w.books(); p != pkg || s != seats {
		w.t.Errorf("the label has %q and %g seats, want %q and %g", p, s, pkg, seats)
	}
}

func TestAssignment_Lifecycle(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	c.config(w.assignment(w.gold, w.addons(5)))
	c.plan().wantText(t, "Package is billed for the entire billing period", acmeHost+": package GOLD is assigned and add-on SEATS is attached (quantity 5)")
	c.apply().wantOK(t, "1 added")
	w.wantBooks("GOLD", 5)
	state := c.state()[assigned].Attributes
	for name, want := range map[string]any{"id": w.label, "package_code": "GOLD", "currency": "EUR"} {
		if state[name] != want {
			t.Errorf("%s = %v, want %v", name, state[name], want)
		}
	}
	c.wantEmptyPlan()

	t.Run("a quantity is detached and attached, and told", func(t *testing.T) {
		c.config(w.assignment(w.gold, w.addons(7)))
		c.plan().wantText(t, "Changing add-ons bills old and new quantities", "add-on SEATS is detached (quantity 5) and add-on SEATS is attached (quantity 7)")
		w.sim.ResetJournal()
		c.apply().wantOK(t, "1 changed")
		w.wantBooks("GOLD", 7)
		if w.calls(routeRemoveAddon) != 1 || w.calls(routeAttachAddon) != 1 || w.calls(routeAssign) != 0 {
			t.Errorf("calls: %v", w.sim.Journal())
		}
		c.wantEmptyPlan()
	})
	t.Run("a quantity that is not known yet is not told to go", func(t *testing.T) {
		later := "resource \"terraform_data\" \"later\" {\n input = 9\n}\n"
		c.config(later + w.assignment(w.gold, "addons = { SEATS = terraform_data.later.output }"))
		c.plan().wantText(t, "Changing add-ons bills old and new quantities", "add-on SEATS may be detached (quantity 7) and add-on SEATS may be attached (quantity known after apply)")
		c.config(later + w.assignment(w.gold, "addons = terraform_data.later.output == 9 ? { SEATS = 7 } : {}"))
		c.plan().wantText(t, "Changing add-ons bills old and new quantities", "add-on SEATS may be detached (quantity 7) and add-ons known after apply may be attached")
		c.config(fmt.Sprintf("resource \"terraform_data\" \"package\" {\n input = %q\n}\n", w.gold) + w.assignment("${terraform_data.package.output}", w.addons(7)))
		c.plan().wantText(t, "Package is known after apply", acmeHost+": package GOLD is assigned")
		c.apply().wantOK(t, "1 added")
		w.wantBooks("GOLD", 7)
	})
	t.Run("not managed: left alone", func(t *testing.T) {
		c.config(w.assignment(w.gold, ""))
		r := c.plan()
		r.wantText(t, "Add-ons stay attached and are no longer managed", "SEATS (quantity 7)")
		if strings.Contains(r.out, "detached") {
			t.Errorf("warned of what is left alone: %s", r.out)
		}
		w.sim.ResetJournal()
		c.apply().wantOK(t, "1 changed")
		w.wantBooks("GOLD", 7)
		if n := w.calls(routeRemoveAddon); n != 0 {
			t.Errorf("%d removals", n)
		}
		c.wantEmptyPlan()
	})
	t.Run("none: all are detached", func(t *testing.T) {
		c.config(w.assignment(w.gold, "addons = {}"))
		c.apply().wantOK(t, "1 changed")
		w.wantBooks("GOLD", 0)
		c.wantEmptyPlan()
	})
	t.Run("what allows changes no call", func(t *testing.T) {
		c.config(w.assignment(w.gold, "addons = {}\nallow_excess = { seats = 3 }"))
		w.sim.ResetJournal()
		c.apply().wantOK(t, "1 changed")
		if n := w.calls(routeAssign) + w.calls(routeAttachAddon); n != 0 {
			t.Errorf("%d writing calls", n)
		}
	})
	t.Run("a package changes on request only", func(t *testing.T) {
		c.config(w.assignment(w.silver, "addons = {}"))
		c.plan().wantError(t, "Package change not allowed", "from GOLD to "+w.silver, "allow_package_change = true")
		c.config(w.assignment(w.silver, "addons = {}\nallow_package_change = true"))
		c.plan().wantText(t, "Changing the package bills both packages", "package GOLD is removed and package SILVER is assigned")
		c.apply().wantOK(t, "1 changed")
		w.wantBooks("SILVER", 0)
		c.wantEmptyPlan()
	})
	t.Run("replacing is refused", func(t *testing.T) {
		c.plan("-replace="+assigned).wantError(t, "Assignments cannot be replaced", acmeHost)
		c.ok("taint", "-no-color", assigned)
		c.plan().wantText(t, "Assignment is in state already", "terraform untaint")
		w.sim.ResetJournal()
		c.apply().wantError(t, "Assignments cannot be replaced", "terraform untaint")
		w.wantReads()
		w.wantBooks("SILVER", 0)
		c.ok("untaint", "-no-color", assigned)
	})
	t.Run("another label is blocked", func(t *testing.T) {
		c.config(strings.Replace(w.assignment(w.silver, "addons = {}\nallow_package_change = true"), w.label, strings.Repeat("ab", 16), 1))
		c.plan().wantError(t, "private_label_id of "+w.label+" cannot change")
	})
	t.Run("destroy", func(t *testing.T) {
		c.config(w.config(""))
		c.plan().wantText(t, "Removed package stays billed this period", acmeHost+": package SILVER is removed")
		c.apply().wantOK(t, "1 destroyed")
		w.wantBooks("", 0)
	})
}

// Consent is bounded, and judged on each answer's numbers.
func TestAssignment_Excess(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	if err := w.sim.SetAllowance(map[string]float64{"documents": 80, "seats": 100}); err != nil {
		t.Fatal(err)
	}
	c := w.cli()
	c.config(w.assignment(w.gold, ""))
	c.apply().wantError(t, "Assignment exceeds the allowance", "package GOLD to "+acmeHost, "documents: requested 100, remaining 80, excess 20", "allow_excess = { documents = 20 }")
	w.wantBooks("", 0)
	if len(c.state()) != 0 {
		t.Errorf("state: %v", c.state())
	}
	c.config(w.assignment(w.gold, "allow_excess = { documents = 19, seats = 1000 }"))
	c.apply().wantError(t, "excess 20")
	w.wantBooks("", 0)
	c.config(w.assignment(w.gold, "allow_excess = { documents = 20 }"))
	w.sim.ResetJournal()
	c.apply().wantOK(t, "1 added")
	w.wantBooks("GOLD", 0)
	if n := w.calls(routeAssign); n != 2 {
		t.Errorf("%d assigns, want one to be asked and one to confirm", n)
	}
	c.wantEmptyPlan()
	for _, call := range w.sim.Journal() {
		if call.Route == routeAssign && strings.Contains(string(call.Body), "confirmationKey") && !strings.Contains(string(call.Body), "(secret)") {
			t.Errorf("the journal of the test is not blanked: %s", call.Body)
		}
	}
}

// The numbers change between the question and the confirmation.
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
			w := newCatalogued(t, simulator.Assumptions{})
			if err := w.sim.SetAllowance(map[string]float64{"documents": 80, "seats": 100}); err != nil {
				t.Fatal(err)
			}
			w.sim.Inject(simulator.Fault{Route: routeAssign, After: true, Hook: func() {
				if err := w.sim.SetAllowance(map[string]float64{"documents": 70, "seats": 100}); err != nil {
					t.Error(err)
				}
			}})
			c := w.cli()
			c.config(w.assignment(w.gold, tc.allow))
			if tc.ok {
				c.apply().wantOK(t, "1 added")
				w.wantBooks("GOLD", 0)
				return
			}
			c.apply().wantError(t, "excess 30")
			w.wantBooks("", 0)
		})
	}
}

func TestAssignment_ConfirmationExpires(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	if err := w.sim.SetAllowance(map[string]float64{"documents": 80, "seats": 100}); err != nil {
		t.Fatal(err)
	}
	w.sim.Inject(simulator.Fault{Route: routeAssign, After: true, Hook: func() { w.sim.Clock().Advance(11 * 60e9) }})
	c := w.cli()
	c.config(w.assignment(w.gold, "allow_excess = { documents = 20 }"))
	c.apply().wantOK(t, "1 added")
	w.wantBooks("GOLD", 0)
}

func TestAssignment_TakeOver(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	if err := w.sim.AssignInConsole(acmeHost, w.gold, map[string]float64{w.seats: 4}); err != nil {
		t.Fatal(err)
	}
	t.Run("the same package, without a writing call", func(t *testing.T) {
		c := w.cli()
		c.config(w.assignment(w.gold, ""))
		w.sim.ResetJournal()
		c.apply().wantOK(t, "1 added")
		if n := w.calls(routeAssign) + w.calls(routeAttachAddon) + w.calls(routeRemoveAddon); n != 0 {
			t.Errorf("%d writing calls", n)
		}
		c.wantEmptyPlan()
	})
	t.Run("another package is an error that says so", func(t *testing.T) {
		c := w.cli()
		c.config(w.assignment(w.silver, ""))
		c.plan().wantError(t, "Private label has another package", acmeHost+": package GOLD is already assigned")
	})
	t.Run("import", func(t *testing.T) {
		for _, id := range []string{w.label, "SIGN.acme.example"} {
			c := w.cli()
			c.config(w.config("import {\n  to = " + assigned + "\n  id = \"" + id + "\"\n}\n"))
			c.ok("plan", "-no-color", "-generate-config-out=generated.tf")
			w.sim.ResetJournal()
			c.apply().wantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
			c.wantEmptyPlan()
		}
		w.wantBooks("GOLD", 4)
	})
}

// A refused new package leaves the old one, add-ons too.
func TestAssignment_ChangeRefused(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	big, err := w.sim.AddPackage("BIG", map[string]float64{"documents": 1e6}, true)
	if err != nil {
		t.Fatal(err)
	}
	c := w.cli()
	c.config(w.assignment(w.gold, w.addons(2)))
	c.apply().wantOK(t)
	c.config(w.assignment(big, w.addons(2)+"\nallow_package_change = true"))
	c.apply().wantError(t, "Assignment exceeds the allowance")
	w.wantBooks("GOLD", 2)
	if got := c.state()[assigned].Attributes["package_code"]; got != "GOLD" {
		t.Errorf("package_code %v in state", got)
	}
	c.config(w.assignment(w.gold, w.addons(2)))
	c.wantEmptyPlan()
}

// What succeeded stays in state; the next apply goes on.
func TestAssignment_Partial(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	_, err := w.sim.AddAddon("MANY", map[string]float64{"documents": 1e6}, true)
	if err != nil {
		t.Fatal(err)
	}
	both := "addons = { SEATS = 5, MANY = 1 }"
	t.Run("create: no state, the next apply takes over", func(t *testing.T) {
		c := w.cli()
		c.config(w.assignment(w.gold, both))
		c.apply().wantError(t, "Assignment exceeds the allowance")
		if len(c.state()) != 0 {
			t.Errorf("state: %v", c.state())
		}
		w.sim.ResetJournal()
		c.config(w.assignment(w.gold, w.addons(5)))
		c.apply().wantOK(t, "1 added")
		w.wantBooks("GOLD", 5)
		if n := w.calls(routeAssign); n != 0 {
			t.Errorf("%d assigns: the package was there", n)
		}
		c.wantEmptyPlan()
		c.config(w.assignment(w.gold, strings.Replace(both, "5", "6", 1)))
		c.apply().wantError(t, "Assignment exceeds the allowance")
		if got := c.state()[assigned]; got.Status == "tainted" {
			t.Error("tainted")
		}
		c.config(w.assignment(w.gold, w.addons(6)))
		c.apply().wantOK(t)
		w.wantBooks("GOLD", 6)
		c.wantEmptyPlan()
	})
}

func TestAssignment_Drift(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	c.config(w.assignment(w.gold, w.addons(2)))
	c.apply().wantOK(t)
	if err := w.sim.RemovePackageInConsole(acmeHost); err != nil {
		t.Fatal(err)
	}
	c.plan().wantText(t, "Assignment not found, removed from state", "removed outside of Terraform")
	c.apply().wantOK(t, "1 added")
	w.wantBooks("GOLD", 2)
	if err := w.sim.RemovePackageInConsole(acmeHost); err != nil {
		t.Fatal(err)
	}
	if err := w.sim.AssignInConsole(acmeHost, w.silver, nil); err != nil {
		t.Fatal(err)
	}
	c.plan().wantError(t, "Package change not allowed", "from SILVER to")
}

// A plan over labels with packages costs the list; with add-ons a read of the assignment each.
func TestAssignment_PlanCalls(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	c.config(w.assignment(w.gold, ""))
	c.apply().wantOK(t)
	w.sim.ResetJournal()
	c.wantEmptyPlan()
	if err := w.wantCalls(map[string]int{routeList: 1}); err != nil {
		t.Error(err)
	}
	c.config(w.assignment(w.gold, w.addons(1)))
	c.apply().wantOK(t)
	w.sim.ResetJournal()
	c.wantEmptyPlan()
	if err := w.wantCalls(map[string]int{routeList: 1, routePackageRead: 1}); err != nil {
		t.Error(err)
	}
}

// In one apply with its label and its package: the budget of design.md.
func TestAssignment_WithItsLabel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(item("package", "gold", "GOLD", "settings = { included = { documents = 10 } }") + label("acme", acmeHost, "") + `
resource "reseller_assignment" "acme" {
  private_label_id = reseller_private_label.acme.id
  package_id       = reseller_package.gold.id
}
`))
	c.apply().wantOK(t, "3 added")
	console := w.calls(routeProvision) + w.calls(routeDetail)
	if console > 3 || w.calls(routeAssign) != 1 {
		t.Errorf("%d console calls and %d allocations for a label with its package", console, w.calls(routeAssign))
	}
	c.wantEmptyPlan()
}

func TestAssignment_WidestReading(t *testing.T) {
	t.Parallel()
	for name, billing := range map[string]simulator.BillingAssumptions{
		"removals by POST":  {RemovalsArePosts: true},
		"removal by add-on": {RemovalByAddonID: true},
		"both":              {RemovalsArePosts: true, RemovalByAddonID: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCatalogued(t, simulator.Assumptions{Billing: billing})
			c := w.cli()
			c.config(w.assignment(w.gold, w.addons(2)))
			c.apply().wantOK(t)
			c.config(w.assignment(w.gold, w.addons(3)))
			c.apply().wantOK(t)
			w.wantBooks("GOLD", 3)
			c.wantEmptyPlan()
			c.config(w.config(""))
			c.apply().wantOK(t)
			w.wantBooks("", 0)
		})
	}
}

// 60 assignments go through in the time that 20 a minute allow, without a 429.
func TestAssignment_Pace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	gold, err := w.sim.AddPackage("GOLD", map[string]float64{"documents": 1}, true)
	if err != nil {
		t.Fatal(err)
	}
	c := w.cli()
	c.config(w.config(`
resource "reseller_private_label" "l" {
  count = 60
  domain = "sign${count.index}.acme.example"
  app_name = "Acme"
  owner = { email = "ada@acme.example", first_name = "Ada", last_name = "L" }
}`))
	c.apply().wantOK(t)
	w.sim.Clock().Advance(5 * 60e9)
	w.sim.ResetJournal()
	c.config(w.config(`
resource "reseller_private_label" "l" {
  count = 60
  domain = "sign${count.index}.acme.example"
  app_name = "Acme"
  owner = { email = "ada@acme.example", first_name = "Ada", last_name = "L" }
}
resource "reseller_assignment" "a" {
  count = 60
  private_label_id = reseller_private_label.l[count.index].id
  package_id = "` + gold + `"
}`))
	c.apply().wantOK(t, "60 added")
	if n := w.calls(routeAssign); n != 60 {
		t.Errorf("%d assigns", n)
	}
	for _, call := range w.sim.Journal() {
		if call.Status == 429 {
			t.Errorf("a 429 from %s", call.Route)
		}
	}
	// Three windows of a minute hold 60: the third opens after two.
	var times []time.Time
	for _, call := range w.sim.Journal() {
		if call.Route == routeAssign {
			times = append(times, call.Time)
		}
	}
	if took := times[len(times)-1].Sub(times[0]); took != 2*time.Minute {
		t.Errorf("it took %s of the service's time", took)
	}
}

func TestBadInput_Assignment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := strings.Repeat("ab", 16)
	body := func(extra string) string {
		return fmt.Sprintf("resource \"reseller_assignment\" \"x\" {\n  private_label_id = %q\n  package_id = %q\n%s\n}\n", id, id, extra)
	}
	for name, tc := range map[string]struct{ body, want string }{
		"no id":        {strings.Replace(body(""), id, "acme", 1), "32 lower-case hex characters"},
		"quantity":     {body("addons = { SEATS = 0 }"), `addons["SEATS"] is 0. Set a whole number of 1 or more`},
		"twice":        {body("addons = { SEATS = 1, seats = 2 }"), `"SEATS" and "seats"`},
		"unknown item": {body("allow_excess = { lunches = 1 }"), "value must be one of"},
		"negative":     {body("allow_excess = { seats = -1 }"), `allow_excess["seats"] is -1; it must be 0 or more`},
	} {
		t.Run(name, func(t *testing.T) {
			c := w.cli()
			c.config(w.config(tc.body))
			c.run("validate", "-no-color").wantError(t, tc.want)
		})
	}
}
