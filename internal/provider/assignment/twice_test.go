package assignment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// again renames the block of an assignment.
func again(block string) string { return strings.ReplaceAll(block, `"acme"`, `"again"`) }

// Two blocks for one private label: the plan warns, and the second one makes no API call.
func TestAssignment_DeclaredTwice(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ addons, parallel string }{
		"the same":                         {"", "10"},
		"the same, one after the other":    {"", "1"},
		"other add-ons":                    {"addons = { SEATS = 3 }", "10"},
		"other add-ons, one after another": {"addons = { SEATS = 3 }", "1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Assumptions{})
			c := coretest.New(t, w.TestEnv)
			c.Config(w.Config(w.Body(w.Gold, "") + again(w.Body(w.Gold, tc.addons))))
			told := c.Planned()
			told.WantHint(t, "Assignment is declared twice", providertest.AcmeHost)
			told.Want(t, 0, "error", "")
			w.Sim.ResetJournal()
			c.Apply("-parallelism="+tc.parallel).Diagnostics.WantOneError(t, []string{"Object is declared twice"}, "the assignment of "+providertest.AcmeHost)
			wantOneAssignment(t, w.TestEnv, c)
		})
	}
}

func wantOneAssignment(t *testing.T, w *providertest.TestEnv, c providertest.Workspace) {
	t.Helper()
	if n := w.Calls(providertest.RouteAssign); n != 1 {
		t.Errorf("%d calls of assign, want one", n)
	}
	n := 0
	for address := range c.State() {
		if strings.HasPrefix(address, "reseller_assignment.") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d assignments in state, want one", n)
	}
}

// For a private label that is known after apply, only the apply can detect it.
func TestAssignment_DeclaredTwiceForANewLabel(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	gold, err := w.Sim.AddPackage("GOLD", nil, true)
	if err != nil {
		t.Fatal(err)
	}
	body := providertest.Label("acme", providertest.AcmeHost, "")
	for _, name := range []string{"acme", "again", "third"} {
		body += fmt.Sprintf("resource \"reseller_assignment\" %q {\n  private_label_id = reseller_private_label.acme.id\n  package_id = %q\n}\n", name, gold)
	}
	c := coretest.New(t, w)
	c.Config(w.Config(body))
	c.Apply().WantError(t, "Object is declared twice", "The assignment of "+providertest.AcmeHost)
	wantOneAssignment(t, w, c)
}

// A block that is renamed without a moved block: one of the two operations fails, and the package stays billed once.
func TestAssignment_RenamedBlock(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Assumptions{})
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Config(w.Body(w.Gold, "")))
	c.Apply().WantOK(t)
	c.Config(w.Config(again(w.Body(w.Gold, ""))))
	told := c.Planned()
	hints := len(told.Of("warning", "Assignment is already in state")) + len(told.Of("warning", "Assignment is managed by two resources"))
	if hints == 0 { // the one that is planned last sees the other
		t.Errorf("got %+v", told)
	}
	told.WantWarning(t, providertest.SumRemoved, providertest.AcmeHost)
	w.Sim.ResetJournal()
	c.Apply().WantError(t)
	if n := w.Calls(providertest.RouteAssign); n != 0 {
		t.Errorf("%d calls of assign", n)
	}
}
