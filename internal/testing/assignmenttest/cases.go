// Package assignmenttest has the conformance case of assignments.
package assignmenttest

import (
	"fmt"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Assignment is the conformance case of an assignment.
var Assignment = providertest.Case{
	Type:  "reseller_assignment",
	Make:  func(w *providertest.World) { w.Console(w.Gold, map[string]float64{w.Seats: 2}) },
	Block: with(2),
	Named: "the assignment of " + providertest.AcmeHost,
	IDs: func(w *providertest.World) []string {
		return []string{w.Label, providertest.AcmeHost, strings.ToUpper(providertest.AcmeHost)}
	},
	Identity: func(w *providertest.World) map[string]string { return map[string]string{"private_label_id": w.Label} },
	Wrong:    func(w *providertest.World) map[string]string { return w.NotLabels() },
	Form:     providertest.AcmeHost,
	Settled: []func(*providertest.World) providertest.Settled{
		func(w *providertest.World) providertest.Settled {
			return settled(w, addons(w, 2), addons(w, 3), bare(w, w.Gold), w.Gold, map[string]float64{w.Seats: 3})
		},
		func(w *providertest.World) providertest.Settled { // without add-ons, under another package
			w.Console(w.Gold, nil)
			return settled(w, bare(w, w.Gold), bare(w, w.Silver), addons(w, 1), w.Silver, nil)
		},
	},
	Exported: true, Generated: "private_label_id package_id addons",
	Hostile: providertest.Hostile{
		Config: `{"private_label_id":"$free@","package_id":"$package","allow_excess":{"seats":1000,"documents":1000,"templates":1000,"notarizations":1000}}`,
		Change: `{"package_id":"$other","allow_package_change":true}`, Import: "free-d.hostile.example",
	},
	Stored: providertest.StoredAs(`
resource "reseller_assignment" "acme" {
  private_label_id = reseller_private_label.acme.id
  package_id       = reseller_package.gold.id
  addons           = { (reseller_addon.seats.code) = 2 }
  allow_excess     = { seats = 3 }
}
`),
	Calls: map[string]providertest.Call{
		"assign": {Route: providertest.RouteAssign, Reads: shows, After: with(2), Want: wantHas("GOLD SEATS=2")},
		"attach": {Route: providertest.RouteAttachAddon, Reads: shows, After: with(2), Want: wantHas("GOLD SEATS=2")},
		"detach": {Route: providertest.RouteRemoveAddon, Reads: shows, Before: with(2), After: body("addons = {}"), Want: wantHas("GOLD")},
		"remove": {Route: providertest.RouteRemovePackage, Reads: shows, Before: with(2), Want: wantHas("")},
	},
}

func bare(w *providertest.World, packageID string) providertest.Values {
	return providertest.Values{"private_label_id": w.Label, "package_id": packageID}
}

func addons(w *providertest.World, seats int) providertest.Values {
	return bare(w, w.Gold).With(providertest.Values{"addons": providertest.Values{"SEATS": seats}})
}

// settled are the moves of an assignment to which the console assigns another package or other add-ons.
func settled(w *providertest.World, config, again, other providertest.Values, packageID string, with map[string]float64) providertest.Settled {
	return providertest.Settled{
		Config: config, Again: again, Other: other,
		Drift:  func() error { return w.Sim.AssignInConsole(providertest.AcmeHost, packageID, with) },
		Remove: func() error { return w.Sim.RemovePackageInConsole(providertest.AcmeHost) },
		Read:   providertest.RouteList, Reads: 2, // one of them shows whether the private label still exists
	}
}

var shows = []string{providertest.RouteDetail}

func body(extra string) func(*providertest.World) string {
	return func(w *providertest.World) string {
		return providertest.As(w.Body(w.Gold, extra), "it")
	}
}

func with(seats int) func(*providertest.World) string {
	return body(fmt.Sprintf("addons = { SEATS = %d }", seats))
}

// wantHas compares what the private label has.
func wantHas(want string) func(*providertest.World) error {
	return func(w *providertest.World) error {
		if got := w.Has(); got != want {
			return fmt.Errorf("the private label has %q, want %q", got, want)
		}
		return nil
	}
}
