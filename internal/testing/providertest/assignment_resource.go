package providertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const (
	RouteAssign        = "POST /console/:slug/reseller/private-labels/:tenantId/package"
	RouteAttachAddon   = "POST /console/:slug/reseller/private-labels/:tenantId/package/addons"
	RouteRemovePackage = "DELETE /console/:slug/reseller/private-labels/:tenantId/package"
	RouteRemoveAddon   = "DELETE /console/:slug/reseller/private-labels/:tenantId/package/addons/:attachedId"
	RouteAddonSearch   = "POST /console/:slug/reseller/billing/addons/search"
	Assigned           = "reseller_assignment.acme"
)

// AssignmentEnv is a test environment with a private label, two packages and an add-on.
type AssignmentEnv struct {
	*TestEnv
	Label, Gold, Silver, Seats string // IDs
}

func NewAssignmentEnv(t *testing.T, assumptions simulator.Forms) *AssignmentEnv {
	t.Helper()
	w := newAssignmentEnv(NewTestEnvAssuming(t, assumptions))
	w.VerifyDNS(AcmeHost)
	w.Sim.ResetJournal()
	return w
}

// newAssignmentEnv has a private label that is not verified.
func newAssignmentEnv(env *TestEnv) *AssignmentEnv {
	w := &AssignmentEnv{TestEnv: env}
	must := func(id string, err error) string {
		require.NoError(env.T, err)
		return id
	}
	w.Gold = must(w.Sim.AddPackage("GOLD", map[string]float64{"documents": 100, "seats": 10}, true))
	w.Silver = must(w.Sim.AddPackage("SILVER", map[string]float64{"documents": 50, "seats": 5}, true))
	w.Seats = must(w.Sim.AddAddon("SEATS", map[string]float64{"seats": 1}, true))
	w.Label = must(w.Sim.AddConsoleLabel(AcmeHost, "ada@acme.example"))
	return w
}

func (w *AssignmentEnv) Assignment(packageID, extra string) string {
	return w.Config(w.Body(packageID, extra))
}

func (w *AssignmentEnv) Addons(quantity int) string {
	return fmt.Sprintf("addons = { SEATS = %d }", quantity)
}

// NextWindow resets every limit and the journal.
func (w *TestEnv) NextWindow() {
	w.Sim.Clock().Advance(5 * 60e9)
	w.Sim.ResetJournal()
}

// AssignmentsIn returns the attributes of the assignments in state.
func AssignmentsIn(state map[string]Instance) map[string]any {
	out := map[string]any{}
	for address, i := range state {
		if strings.HasPrefix(address, "reseller_assignment.") {
			out[address] = i.Attributes
		}
	}
	return out
}

// KeptOrNamed asserts on a package change from GOLD with two add-ons to SILVER with one. Everything that can be
// restored is restored.
func (w *AssignmentEnv) KeptOrNamed(r Result, restorable bool) {
	w.T.Helper()
	inBooks := w.Has()
	for _, what := range []struct{ inBooks, name string }{{"GOLD", "package GOLD"}, {"SEATS=2", "add-on SEATS (quantity 2)"}} {
		kept := strings.Contains(inBooks, what.inBooks) || what.inBooks == "GOLD" && strings.Contains(inBooks, "SILVER")
		// A rejected add-on is not restored under the new package, because its consent is bounded.
		if !kept && (restorable && !strings.Contains(inBooks, "SILVER") || !strings.Contains(r.Out, what.name)) {
			w.T.Errorf("the private label has %q without %s: %s", inBooks, what.name, r.Out)
		}
	}
	if changed := inBooks != "GOLD DOCS=1 SEATS=2"; changed && r.Code != 0 && strings.Contains(r.Out, "Nothing was changed") {
		w.T.Errorf("the private label has %q, and the error says that nothing was changed: %s", inBooks, r.Out)
	}
	restoring := []string{"", "remove", "assign SILVER", "attach SEATS 2", "assign GOLD", "attach DOCS 1"}
	for call := range strings.SplitSeq(w.Writes(), ", ") {
		if !strings.HasPrefix(call, "detach ") && !slices.Contains(restoring, call) { // more than two are detached if a call is retried
			w.T.Errorf("%s was not announced, and restores nothing", call)
		}
	}
}
