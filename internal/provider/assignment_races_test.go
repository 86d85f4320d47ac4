package provider_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// Somebody in the console is faster than the apply.
func TestAssignment_AlreadyThere(t *testing.T) {
	t.Parallel()
	t.Run("the same package", func(t *testing.T) {
		t.Parallel()
		w := newCatalogued(t, simulator.Assumptions{})
		w.sim.Inject(simulator.Fault{Route: routeAssign, Hook: func() {
			if err := w.sim.AssignInConsole(acmeHost, w.gold, nil); err != nil {
				t.Error(err)
			}
		}})
		c := w.cli()
		c.config(w.assignment(w.gold, ""))
		c.apply().wantOK(t, "1 added")
		w.wantBooks("GOLD", 0)
		c.wantEmptyPlan()
	})
	t.Run("another package", func(t *testing.T) {
		t.Parallel()
		w := newCatalogued(t, simulator.Assumptions{})
		w.sim.Inject(simulator.Fault{Route: routeAssign, Hook: func() {
			if err := w.sim.AssignInConsole(acmeHost, w.silver, nil); err != nil {
				t.Error(err)
			}
		}})
		c := w.cli()
		c.config(w.assignment(w.gold, ""))
		c.apply().wantError(t, "Private label has another package", "package SILVER is already assigned")
		w.wantBooks("SILVER", 0)
	})
	t.Run("the add-on", func(t *testing.T) {
		t.Parallel()
		w := newCatalogued(t, simulator.Assumptions{})
		if err := w.sim.AssignInConsole(acmeHost, w.gold, nil); err != nil {
			t.Fatal(err)
		}
		w.sim.Inject(simulator.Fault{Route: routeAttachAddon, Hook: func() {
			if err := w.sim.RemovePackageInConsole(acmeHost); err != nil {
				t.Error(err)
			}
			if err := w.sim.AssignInConsole(acmeHost, w.gold, map[string]float64{w.seats: 2}); err != nil {
				t.Error(err)
			}
		}})
		c := w.cli()
		c.config(w.assignment(w.gold, w.addons(2)))
		c.apply().wantOK(t, "1 added")
		w.wantBooks("GOLD", 2)
		c.wantEmptyPlan()
	})
}

// The first attachment used the room: the second is asked to confirm (§3.2).
func TestAssignment_AttachedWithTheLastRoom(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	if err := w.sim.SetAllowance(map[string]float64{"documents": 100, "seats": 12}); err != nil {
		t.Fatal(err)
	}
	if err := w.sim.AssignInConsole(acmeHost, w.gold, nil); err != nil {
		t.Fatal(err)
	}
	w.sim.Inject(simulator.Fault{Route: routeAttachAddon, Hook: func() {
		if err := w.sim.RemovePackageInConsole(acmeHost); err != nil {
			t.Error(err)
		}
		if err := w.sim.AssignInConsole(acmeHost, w.gold, map[string]float64{w.seats: 2}); err != nil {
			t.Error(err)
		}
	}})
	c := w.cli()
	c.config(w.assignment(w.gold, w.addons(2)))
	c.apply().wantOK(t, "1 added")
	w.wantFault()
	w.wantBooks("GOLD", 2)
	c.wantEmptyPlan()
}

// Two that each fit alone, in one apply: the service checks one after another.
func TestAssignment_AtTheSameMoment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	gold, err := w.sim.AddPackage("GOLD", map[string]float64{"documents": 60}, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.sim.SetAllowance(map[string]float64{"documents": 100, "seats": 100}); err != nil {
		t.Fatal(err)
	}
	c := w.cli()
	both := label("a", "a.acme.example", "") + label("b", "b.acme.example", "")
	for _, name := range []string{"a", "b"} {
		both += fmt.Sprintf("resource \"reseller_assignment\" %[1]q {\n  private_label_id = reseller_private_label.%[1]s.id\n  package_id = %[2]q\n}\n", name, gold)
	}
	c.config(w.config(both))
	c.apply().wantError(t, "Assignment exceeds the allowance", "documents: requested 60, remaining 40, excess 20")
	with := 0
	for _, l := range w.sim.Labels() {
		if l.Package == "GOLD" {
			with++
		}
	}
	if with != 1 {
		t.Errorf("%d labels have the package, want one", with)
	}
}

func TestAssignment_Currency(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	catalogue := item("package", "gold", "GOLD", "") + strings.Replace(item("addon", "seats", "SEATS", ""), "EUR", "USD", 1) + label("acme", acmeHost, "")
	c.config(w.config(catalogue))
	c.apply().wantOK(t)
	w.sim.ResetJournal()
	c.config(w.config(catalogue + `
resource "reseller_assignment" "acme" {
  private_label_id = reseller_private_label.acme.id
  package_id       = reseller_package.gold.id
  addons           = { (reseller_addon.seats.code) = 1 }
}`))
	c.plan().wantError(t, "Add-on and package have different currencies", "SEATS is in USD", "GOLD in EUR")
	if n := w.calls(routeAssign); n != 0 {
		t.Errorf("%d assigns", n)
	}
}

// The key of a confirmation is a permission to exceed: it is in no log, no
// state and no output.
func TestSecrets_ConfirmationKey(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	if err := w.sim.SetAllowance(map[string]float64{"documents": 80, "seats": 100}); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(w.sim)
	t.Cleanup(server.Close)
	c := installedCLI(t,
		"RESELLER_BASE_URL="+server.URL,
		"RESELLER_API_KEY="+w.apiKey(),
		"RESELLER_TOKEN_CACHE_DIR="+t.TempDir(),
		"TF_LOG=TRACE")
	block := func(extra string) string {
		return fmt.Sprintf("resource \"reseller_assignment\" \"acme\" {\n  private_label_id = %q\n  package_id = %q\n%s\n}\n", w.label, w.gold, extra)
	}
	c.config(block(""))
	out := c.apply().out
	c.config(block("allow_excess = { documents = 20 }"))
	last := c.apply()
	last.wantOK(t)
	out += last.out
	state, err := os.ReadFile(filepath.Join(c.dir, "terraform.tfstate"))
	if err != nil {
		t.Fatal(err)
	}
	out += string(state)
	keys := w.sim.ConfirmationKeys()
	if len(keys) == 0 {
		t.Fatal("nothing had to be confirmed")
	}
	for _, key := range keys {
		if strings.Contains(out, key) {
			t.Error("a confirmation key is in the output or the state")
		}
	}
}

// The budget of design.md: one list, one detail or package read a label with
// add-ons, one search a kind. RESELLER_TEST_LABELS tries it with more labels.
func TestAssignment_PlanCallsWithAddons(t *testing.T) {
	t.Parallel()
	n := 10
	if more, err := strconv.Atoi(os.Getenv("RESELLER_TEST_LABELS")); err == nil {
		n = more
	}
	w := newWorld(t)
	c := w.cli()
	body := fmt.Sprintf(`
resource "reseller_package" "p" {
  code     = "GOLD"
  name     = "Gold"
  currency = "EUR"
}
resource "reseller_addon" "a" {
  count    = 2
  code     = "ADD${count.index}"
  name     = "More"
  currency = "EUR"
}
resource "reseller_private_label" "l" {
  count    = %[1]d
  domain   = "sign${count.index}.acme.example"
  app_name = "Acme"
  owner    = { email = "ada@acme.example", first_name = "Ada", last_name = "L" }
}
resource "reseller_assignment" "s" {
  count            = %[1]d
  private_label_id = reseller_private_label.l[count.index].id
  package_id       = reseller_package.p.id
  addons           = { for a in reseller_addon.a : a.code => 1 }
}`, n)
	c.config(w.config(body))
	c.apply().wantOK(t)
	for i := range n {
		if err := w.sim.CorrectDNS(fmt.Sprintf("sign%d.acme.example", i)); err != nil {
			t.Fatal(err)
		}
	}
	w.sim.Clock().Advance(5 * 60e9)
	c.ok("refresh", "-no-color")
	w.sim.Clock().Advance(5 * 60e9)
	w.sim.ResetJournal()
	c.wantEmptyPlan()
	details := w.calls(routeDetail) // whichever limit was free
	if err := w.wantCalls(map[string]int{routeList: 1, routeDetail: details, routePackageRead: n - details, routePackageSearch: 1, routeAddonSearch: 1}); err != nil {
		t.Error(err)
	}
	for _, call := range w.sim.Journal() {
		if call.Status != 200 {
			t.Errorf("%s answered %d", call.Route, call.Status)
		}
	}
}
