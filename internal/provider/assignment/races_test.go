package assignment_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// A user in the console is faster than the apply. An attachment that used the rest of the allowance makes the second one need a
// confirmation (§3.2).
func TestAssignment_AlreadyThere(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		route, has string
		allowance  float64 // of seats, where the console attaches two; 0 where it attaches none
	}{
		"the same package": {providertest.RouteAssign, "GOLD", 0},
		"another package":  {providertest.RouteAssign, "SILVER", 0},
		"the add-on":       {providertest.RouteAttachAddon, "GOLD SEATS=2", 100},
		"the add-on, with the rest of an allowance": {providertest.RouteAttachAddon, "GOLD SEATS=2", 12},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, nil)
			packageID, extra, addons := w.Gold, "", map[string]float64{}
			if tc.has == "SILVER" {
				packageID = w.Silver
			}
			if tc.allowance > 0 {
				extra, addons[w.Seats] = w.Addons(2), 2
				w.Allowance(100, tc.allowance)
				w.Console(w.Gold, nil)
			}
			w.Sim.Inject(simulator.Fault{Route: tc.route, Hook: func() {
				assert.NoError(t, w.Sim.RemovePackageInConsole(providertest.AcmeHost))
				assert.NoError(t, w.Sim.AssignInConsole(providertest.AcmeHost, packageID, addons))
			}})
			c := coretest.New(t, w.TestEnv)
			c.Config(w.Assignment(w.Gold, extra))
			r := c.Apply()
			w.WantFault()
			w.WantHas(tc.has)
			if tc.has == "SILVER" {
				r.WantError(t, assignment.SummaryOtherPackage, "SILVER")
				return
			}
			r.WantOK(t, "1 added")
			c.WantEmptyPlan()
		})
	}
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
	c.Apply().WantError(t, assignment.SummaryExcess, "documents: requested 60, remaining 40, excess 20")
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
		"package change": {before + allowChange, "GOLD DOCS=1 SEATS=2", []string{assignment.Restored("attach SEATS 2")}},
		"destroy":        {"", "GOLD DOCS=1", []string{"Apply again to remove the rest."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			w.WithDocs()
			c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, before))
			c.Config(w.Config(""))
			if tc.after != "" {
				c.Config(w.Assignment(w.Silver, tc.after))
			}
			w.Sim.Inject(simulator.Fault{Route: providertest.RouteRemoveAddon, After: true, Hook: func() {
				assert.NoError(t, w.Sim.AttachInConsole(providertest.AcmeHost, w.Docs(), 1))
			}})
			r := c.Apply()
			w.WantFault()
			r.WantError(t, append(tc.want, assignment.SummaryMoved, assignment.NotTaken("remove GOLD"), "Attached: DOCS (quantity 1).", assignment.Written("detach SEATS 2"), "Plan again")...)
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

// The new package is removed in the console while the apply attaches its add-ons: nobody wants the old one back.
func TestAssignment_RemovedDuringTheApply(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, w.Addons(2)))
	c.Config(w.Assignment(w.Silver, w.Addons(2)+"\n"+allowChange))
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteAttachAddon, Hook: func() {
		assert.NoError(t, w.Sim.RemovePackageInConsole(providertest.AcmeHost))
	}})
	r := c.Apply()
	w.WantFault()
	r.WantError(t, assignment.SummaryUpdate, assignment.Written("detach SEATS 2", "remove GOLD", "assign SILVER"), "NOT_ASSIGNED", "Plan again")
	assert.NotContains(t, r.Out, "Restored")
	assert.NotContains(t, r.Out, "ost: ", "what nobody tried to restore is not lost")
	w.WantHas("")
	c.Apply().WantOK(t) // which announces it
	w.WantHas("SILVER SEATS=2")
}

// The package changes in the console while a create attaches its add-ons: our error, no state and no taint.
func TestAssignment_PackageChangedDuringTheCreate(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprintf("after the attachment: %t", after), func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			c := coretest.New(t, w.TestEnv)
			c.Config(w.Assignment(w.Gold, "addons = { SEATS = 2 }"))
			w.Sim.Inject(simulator.Fault{Route: providertest.RouteAttachAddon, After: after, Hook: func() {
				assert.NoError(t, w.Sim.RemovePackageInConsole(providertest.AcmeHost))
				assert.NoError(t, w.Sim.AssignInConsole(providertest.AcmeHost, w.Silver, nil))
			}})
			c.Apply().WantError(t, assignment.SummaryMoved, "a read afterwards shows another package or other add-ons", "Nothing is in state")
			w.WantFault()
			assert.Empty(t, c.State())
			c.Plan().WantError(t, assignment.SummaryOtherPackage, "SILVER", "import {")
		})
	}
}

// The package is removed in the console right before the apply removes it, and the detail shows it for a while: the API's
// answer and the read contradict each other, so the error does not deny the removal.
func TestAssignment_RemovedBeforeTheRemoval(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{"late": "2m", "late-reads": "detail"})
	c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, ""))
	w.Sim.Clock().Advance(time.Hour)
	c.Config(w.Assignment(w.Silver, allowChange))
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteRemovePackage, Hook: func() {
		assert.NoError(t, w.Sim.RemovePackageInConsole(providertest.AcmeHost))
	}})
	r := c.Apply()
	w.WantFault()
	r.WantError(t, assignment.SummaryUpdate, "package GOLD could not be removed.", "NOT_ASSIGNED", "Nothing was changed.", "Plan again")
	assert.NotContains(t, r.Out, "was not removed")
}

// Where no read shows the add-ons of a suspended private label, a removal of its package takes what the plan could not name: a
// destroy says so, or fails if the suspension is newer than its plan, and a package change waits for the end of the suspension.
func TestAssignment_AddonsNotShown(t *testing.T) {
	t.Parallel()
	forms := simulator.Forms{"suspended-detail": "rejected", "assignment-addons": "empty"}
	suspend := func(t *testing.T, w *providertest.AssignmentEnv) {
		t.Helper()
		w.WithDocs()
		require.NoError(t, w.Sim.SuspendInConsole(providertest.AcmeHost, "unpaid"))
		require.NoError(t, w.Sim.AttachInConsole(providertest.AcmeHost, w.Docs(), 2))
	}
	for name, tc := range map[string]struct{ addons, plan string }{
		"destroy, add-ons not managed": {"", "package GOLD is removed and any other add-on may be detached."},
		"destroy, no add-ons":          {"addons = {}\n", "package GOLD is removed and any other add-on may be detached."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, forms)
			c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, tc.addons))
			c.Config(w.Config(""))
			c.Plan()
			suspend(t, w)
			has := w.Has()
			c.ApplySaved().WantError(t, "changed since the plan", "Nothing was changed.")
			assert.Equal(t, has, w.Has())
			wantPromise(t, c.Planned().OfAssignments(), []string{assignment.TopicUnassigning.Summary, tc.plan})
			c.Apply().WantOK(t)
			w.WantHas("")
		})
	}
	t.Run("only the list shows the package", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewAssignmentEnv(t, simulator.Forms{"suspended-detail": "rejected", "assignment-read": "missing"})
		c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, "addons = { SEATS = 2 }\n"))
		suspend(t, w)
		has := w.Has()
		c.WantEmptyPlan()
		c.Config(w.Assignment(w.Gold, "addons = { SEATS = 3 }\n"))
		c.Apply().WantError(t, "could not be read")
		c.Config(w.Config(""))
		c.Apply().WantError(t, "could not be read")
		assert.Equal(t, has, w.Has())
	})
	t.Run("destroy, an add-on", func(t *testing.T) { // which the response to its removal proves, beside a read that lacks it
		t.Parallel()
		w := providertest.NewAssignmentEnv(t, forms)
		c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, "addons = { SEATS = 2 }\n"))
		suspend(t, w)
		c.Config(w.Config(""))
		wantPromise(t, c.Planned().OfAssignments(), []string{
			assignment.TopicUnassigning.Summary, "add-on SEATS is detached (quantity 2), package GOLD is removed and any other add-on may be detached.",
		})
		c.Apply().WantOK(t, "1 destroyed")
		w.WantHas("")
	})
	t.Run("package change", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewAssignmentEnv(t, forms)
		c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, "addons = {}\n"))
		c.Config(w.Assignment(w.Silver, "addons = {}\n"+allowChange))
		c.Plan()
		suspend(t, w)
		c.ApplySaved().WantError(t, assignment.SummaryAddonsNotShown, "Lift the suspension first")
		c.Plan().WantError(t, assignment.SummaryAddonsNotShown, "Lift the suspension first")
		w.WantHas("GOLD DOCS=2")
	})
}
