package assignment_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// A user in the console is faster than the apply.
func TestAssignment_AlreadyThere(t *testing.T) {
	t.Parallel()
	t.Run("the same package", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewAssignmentEnv(t, simulator.Forms{})
		w.Sim.Inject(simulator.Fault{Route: providertest.RouteAssign, Hook: func() {
			assert.NoError(t, w.Sim.AssignInConsole(providertest.AcmeHost, w.Gold, nil))
		}})
		c := coretest.New(t, w.TestEnv)
		c.Config(w.Assignment(w.Gold, ""))
		c.Apply().WantOK(t, "1 added")
		w.WantHas("GOLD")
		c.WantEmptyPlan()
	})
	t.Run("another package", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewAssignmentEnv(t, simulator.Forms{})
		w.Sim.Inject(simulator.Fault{Route: providertest.RouteAssign, Hook: func() {
			assert.NoError(t, w.Sim.AssignInConsole(providertest.AcmeHost, w.Silver, nil))
		}})
		c := coretest.New(t, w.TestEnv)
		c.Config(w.Assignment(w.Gold, ""))
		c.Apply().WantError(t, providertest.SumOtherPackage, "package SILVER is already assigned")
		w.WantHas("SILVER")
	})
	t.Run("the add-on", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewAssignmentEnv(t, simulator.Forms{})
		require.NoError(t, w.Sim.AssignInConsole(providertest.AcmeHost, w.Gold, nil))
		w.Sim.Inject(simulator.Fault{Route: providertest.RouteAttachAddon, Hook: func() {
			assert.NoError(t, w.Sim.RemovePackageInConsole(providertest.AcmeHost))
			assert.NoError(t, w.Sim.AssignInConsole(providertest.AcmeHost, w.Gold, map[string]float64{w.Seats: 2}))
		}})
		c := coretest.New(t, w.TestEnv)
		c.Config(w.Assignment(w.Gold, w.Addons(2)))
		c.Apply().WantOK(t, "1 added")
		w.WantHas("GOLD SEATS=2")
		c.WantEmptyPlan()
	})
}

// The first attachment used the allowance, so the second one needs a confirmation (§3.2).
func TestAssignment_AttachedWithTheLastRoom(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	require.NoError(t, w.Sim.SetAllowance(map[string]float64{"documents": 100, "seats": 12}))
	require.NoError(t, w.Sim.AssignInConsole(providertest.AcmeHost, w.Gold, nil))
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteAttachAddon, Hook: func() {
		assert.NoError(t, w.Sim.RemovePackageInConsole(providertest.AcmeHost))
		assert.NoError(t, w.Sim.AssignInConsole(providertest.AcmeHost, w.Gold, map[string]float64{w.Seats: 2}))
	}})
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Assignment(w.Gold, w.Addons(2)))
	c.Apply().WantOK(t, "1 added")
	w.WantFault()
	w.WantHas("GOLD SEATS=2")
	c.WantEmptyPlan()
}

// Two assignments that each fit alone, in one apply: the API checks one after the other.
func TestAssignment_AtTheSameMoment(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	gold, err := w.Sim.AddPackage("GOLD", map[string]float64{"documents": 60}, true)
	require.NoError(t, err)
	require.NoError(t, w.Sim.SetAllowance(map[string]float64{"documents": 100, "seats": 100}))
	c := coretest.New(t, w)
	both := providertest.Label("a", "a.acme.example", "") + providertest.Label("b", "b.acme.example", "")
	for _, name := range []string{"a", "b"} {
		both += fmt.Sprintf("resource \"reseller_assignment\" %[1]q {\n  private_label_id = reseller_private_label.%[1]s.id\n  package_id = %[2]q\n}\n", name, gold)
	}
	c.Config(w.Config(both))
	c.Apply().WantError(t, providertest.SumExcess, "documents: requested 60, remaining 40, excess 20")
	with := 0
	for _, l := range w.Sim.Labels() {
		if l.Package == "GOLD" {
			with++
		}
	}
	assert.Equal(t, 1, with, "labels have the package")
}

// The key of a confirmation is a permission to exceed: it is in no log, no
// state and no output.
func TestSecrets_ConfirmationKey(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	require.NoError(t, w.Sim.SetAllowance(map[string]float64{"documents": 80, "seats": 100}))
	server := httptest.NewServer(w.Sim)
	t.Cleanup(server.Close)
	c := providertest.InstalledCLI(t,
		"RESELLER_BASE_URL="+server.URL,
		"RESELLER_API_KEY="+w.APIKey(),
		"RESELLER_TOKEN_CACHE_DIR="+t.TempDir(),
		"TF_LOG=TRACE")
	block := func(extra string) string {
		return fmt.Sprintf("resource \"reseller_assignment\" \"acme\" {\n  private_label_id = %q\n  package_id = %q\n%s\n}\n", w.Label, w.Gold, extra)
	}
	c.Config(block(""))
	out := c.Apply().Out
	c.Config(block("allow_excess = { documents = 20 }"))
	last := c.Apply()
	last.WantOK(t)
	out += last.Out
	state, err := os.ReadFile(filepath.Join(c.Dir, "terraform.tfstate"))
	require.NoError(t, err)
	out += string(state)
	keys := w.Sim.ConfirmationKeys()
	require.NotEmpty(t, keys, "nothing had to be confirmed")
	for _, key := range keys {
		assert.NotContains(t, out, key, "a confirmation key is in the output or the state")
	}
}

// The budget of DESIGN.md: one list, one detail or package read for each private label with add-ons, one search for
// each kind. RESELLER_TEST_LABELS sets another number of private labels.
func TestAssignment_PlanCallsWithAddons(t *testing.T) {
	t.Parallel()
	n := 10
	if more, err := strconv.Atoi(os.Getenv("RESELLER_TEST_LABELS")); err == nil {
		n = more
	}
	w := providertest.NewTestEnv(t)
	c := coretest.New(t, w)
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
	c.Config(w.Config(body))
	c.Apply().WantOK(t)
	for i := range n {
		require.NoError(t, w.Sim.CorrectDNS(fmt.Sprintf("sign%d.acme.example", i)))
	}
	w.Sim.Clock().Advance(5 * 60e9)
	c.Refresh()
	w.Sim.Clock().Advance(5 * 60e9)
	w.Sim.ResetJournal()
	c.WantEmptyPlan()
	details := w.Calls(providertest.RouteDetail) // whichever limit had calls left
	if err := w.WantCalls(map[string]int{providertest.RouteList: 1, providertest.RouteDetail: details, routePackageRead: n - details, providertest.RoutePackageSearch: 1, providertest.RouteAddonSearch: 1}); err != nil {
		t.Error(err)
	}
	for _, call := range w.Sim.Journal() {
		assert.Equal(t, 200, call.Status, "%s answered", call.Route)
	}
}

// An add-on is attached in the console while the apply detaches others: the read just before the removal finds it, the
// package stays, and what was detached is attached again where it is still wanted.
func TestAssignment_AttachedDuringTheApply(t *testing.T) {
	t.Parallel()
	const before = "addons = { SEATS = 2 }\n"
	for name, tc := range map[string]struct {
		after   string // "" for a destroy
		inBooks string
		want    []string
	}{
		"package change": {before + allowChange, "GOLD DOCS=1 SEATS=2", []string{"Restored: add-on SEATS attached (quantity 2)."}},
		"destroy":        {"", "GOLD DOCS=1", []string{"Apply again to remove the rest."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			w.WithDocs()
			c := coretest.New(t, w.TestEnv)
			c.Config(w.Assignment(w.Gold, before))
			c.Apply().WantOK(t)
			c.Config(w.Config(""))
			if tc.after != "" {
				c.Config(w.Assignment(w.Silver, tc.after))
			}
			w.Sim.Inject(simulator.Fault{Route: providertest.RouteRemoveAddon, After: true, Hook: func() {
				assert.NoError(t, w.Sim.AttachInConsole(providertest.AcmeHost, w.Docs(), 1))
			}})
			r := c.Apply()
			w.WantFault()
			r.WantError(t, append(tc.want, providertest.SumMoved, "package GOLD was not removed", "Attached: DOCS (quantity 1).", "Written: add-on SEATS detached (quantity 2).", "Plan again")...)
			w.WantHas(tc.inBooks)
			w.WantUntainted(c)
			if tc.after != "" {
				c.Config(w.Assignment(w.Silver, "addons = { SEATS = 2, DOCS = 1 }\n"+allowChange))
			}
			c.Apply().WantOK(t) // which announces the other add-on
			c.WantEmptyPlan()
		})
	}
}

// The package changes in the console while a create attaches its add-ons: our error, no state and no taint.
func TestAssignment_PackageChangedDuringTheCreate(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprintf("after the attachment: %t", after), func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			c := w.Cli()
			c.Config(w.Assignment(w.Gold, "addons = { SEATS = 2 }"))
			w.Sim.Inject(simulator.Fault{Route: providertest.RouteAttachAddon, After: after, Hook: func() {
				assert.NoError(t, w.Sim.RemovePackageInConsole(providertest.AcmeHost))
				assert.NoError(t, w.Sim.AssignInConsole(providertest.AcmeHost, w.Silver, nil))
			}})
			c.Apply().WantError(t, providertest.SumMoved, "a read afterwards shows another package or other add-ons", "Nothing is in state")
			w.WantFault()
			assert.Empty(t, c.State())
			c.Plan().WantError(t, providertest.SumOtherPackage, "package SILVER is already assigned", "import {")
		})
	}
}

// A create that the API rejects after its first call continues with the next apply, without a duplicate.
func TestAssignment_CreateGoesOn(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]simulator.Fault{
		"500 before the assignment": {Route: providertest.RouteAssign, Kind: simulator.FaultServerError, Times: -1},
		"500 after the assignment":  {Route: providertest.RouteAssign, Kind: simulator.FaultServerError, After: true},
		"reset at the attachment":   {Route: providertest.RouteAttachAddon, Kind: simulator.FaultReset, Times: -1},
		"500 after the attachment":  {Route: providertest.RouteAttachAddon, Kind: simulator.FaultServerError, After: true},
		"403 at the attachment":     {Route: providertest.RouteAttachAddon, Kind: simulator.FaultForbidden, Times: -1},
		"500 at the last read":      {Route: routePackageRead, Kind: simulator.FaultServerError, Times: -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			w.WithDocs()
			c := coretest.New(t, w.TestEnv)
			c.Config(w.Assignment(w.Gold, "addons = { SEATS = 2, DOCS = 1 }"))
			w.Sim.Inject(fault)
			r := c.Apply()
			w.WantUntainted(c)
			w.Sim.ClearFaults()
			if r.Code != 0 {
				assert.Empty(t, c.State())
				c.Apply().WantOK(t, "1 added")
			}
			wantBilledOnce(t, w.TestEnv)
			w.WantHas("GOLD DOCS=1 SEATS=2")
			c.WantEmptyPlan()
		})
	}
}

// A saved plan and a console that moves, in the real CLI: its words about an inconsistent plan or result never appear.
func TestAssignment_MovedAfterTheSavedPlan(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	w.WithDocs()
	c := w.Cli()
	applied := func() {
		w.Sim.ResetJournal()
		r := c.ApplySaved()
		r.WantError(t, "Nothing was changed")
		assert.NotContains(t, r.Out, "inconsistent")
		assert.NotContains(t, r.Out, "bug in the provider")
		w.WantWrites("")
	}
	c.Config(w.Assignment(w.Gold, "addons = { SEATS = 2 }"))
	c.Promises()
	w.Console(w.Gold, map[string]float64{w.Seats: 7})
	applied()
	w.Console(w.Gold, map[string]float64{w.Seats: 2})
	c.Apply().WantOK(t)
	c.Config(w.Assignment(w.Silver, "addons = { SEATS = 2 }\n"+allowChange))
	c.Promises()
	w.Console(w.Gold, map[string]float64{w.Seats: 2, w.Docs(): 1})
	applied()
	w.Console(w.Gold, map[string]float64{w.Seats: 2})
	c.Config(w.Config(""))
	c.Promises()
	w.Console(w.Gold, map[string]float64{w.Seats: 2, w.Docs(): 1})
	applied()
	c.Apply().WantOK(t, "1 destroyed") // a new plan announces the other add-on
	w.WantHas("")
}
