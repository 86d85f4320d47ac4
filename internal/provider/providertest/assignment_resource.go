package providertest

import (
	"fmt"
	"testing"

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

func NewAssignmentEnv(t *testing.T, assumptions simulator.Assumptions) *AssignmentEnv {
	t.Helper()
	w := &AssignmentEnv{TestEnv: NewTestEnvAssuming(t, assumptions)}
	must := func(id string, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	w.Gold = must(w.Sim.AddPackage("GOLD", map[string]float64{"documents": 100, "seats": 10}, true))
	w.Silver = must(w.Sim.AddPackage("SILVER", map[string]float64{"documents": 50, "seats": 5}, true))
	w.Seats = must(w.Sim.AddAddon("SEATS", map[string]float64{"seats": 1}, true))
	w.Label = must(w.Sim.AddConsoleLabel(AcmeHost, "ada@acme.example"))
	w.VerifyDNS(AcmeHost)
	w.Sim.ResetJournal()
	return w
}

func (w *AssignmentEnv) Assignment(packageID, extra string) string {
	return w.Config(fmt.Sprintf("resource \"reseller_assignment\" \"acme\" {\n  private_label_id = %q\n  package_id = %q\n%s\n}\n", w.Label, packageID, extra))
}

func (w *AssignmentEnv) Addons(quantity int) string {
	return fmt.Sprintf("addons = { SEATS = %d }", quantity)
}

// Books returns what the simulator has: the package and the attached seats.
func (w *AssignmentEnv) Books() (pkg string, seats float64) {
	l := w.Sim.Labels()[0]
	for _, a := range l.Addons {
		if a.Code == "SEATS" {
			seats = a.Quantity
		}
	}
	return l.Package, seats
}

func (w *AssignmentEnv) WantBooks(pkg string, seats float64) {
	w.T.Helper()
	if p, s := w.Books(); p != pkg || s != seats {
		w.T.Errorf("the label has %q and %g seats, want %q and %g", p, s, pkg, seats)
	}
}
