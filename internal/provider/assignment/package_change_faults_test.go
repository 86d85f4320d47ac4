package assignment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Every call of a package change fails, before or after its effect, in one attempt or in all. The private label keeps a
// package, or the error names the one that is lost; nothing else is assigned, attached or confirmed; and the next apply
// converges.
func TestAssignment_PackageChangeFaults(t *testing.T) {
	t.Parallel()
	routes := map[string]string{"detach": providertest.RouteRemoveAddon, "remove": providertest.RouteRemovePackage, "assign": providertest.RouteAssign, "attach": providertest.RouteAttachAddon}
	kinds := map[string]simulator.Fault{
		"500 before": {Kind: simulator.FaultServerError},
		"500 after":  {Kind: simulator.FaultServerError, After: true},
		"403":        {Kind: simulator.FaultForbidden},
		"detail 500": {Kind: simulator.FaultServerError, Route: providertest.RouteDetail},
	}
	for routeName, route := range routes {
		for kindName, fault := range kinds {
			for _, times := range []int{1, -1} {
				t.Run(fmt.Sprintf("%s/%s/%d", routeName, kindName, times), func(t *testing.T) {
					t.Parallel()
					fault := fault
					w := providertest.NewAssignmentEnv(t, simulator.Forms{})
					w.WithDocs()
					c := coretest.For(t, w.TestEnv, kindName == "500 after" && times == 1)
					c.Config(w.Assignment(w.Gold, "addons = { SEATS = 2, DOCS = 1 }"))
					c.Apply().WantOK(t)
					c.Config(w.Assignment(w.Silver, "addons = { SEATS = 2 }\n"+"allow_package_change = true\n"))
					if fault.Route == providertest.RouteDetail { // reads fail from the call on
						w.Sim.Inject(simulator.Fault{Route: route, Kind: simulator.FaultForbidden, Times: 1})
					} else {
						fault.Route = route
					}
					fault.Times = times
					w.Sim.Inject(fault)
					w.Sim.ResetJournal()
					r := c.Apply()
					w.WantFault()
					w.KeptOrNamed(r, times == 1 || routeName == "remove" && fault.Route == route)
					w.WantUntainted(c)
					w.Sim.ClearFaults()
					c.Apply().WantOK(t)
					c.WantEmptyPlan()
					w.WantHas("SILVER SEATS=2")
				})
			}
		}
	}
}

// TestTruth_PackageChange: a private label never stays without its package because a read failed or was old, or because
// the run was canceled, and the error says what was restored.
func TestTruth_PackageChange(t *testing.T) {
	t.Parallel()
	for callName, tc := range map[string]struct{ route, pkg, addons string }{
		"package: detach":  {providertest.RouteRemoveAddon, "silver", "addons = { SEATS = 2 }"},
		"package: remove":  {providertest.RouteRemovePackage, "silver", "addons = { SEATS = 2 }"},
		"package: assign":  {providertest.RouteAssign, "silver", "addons = { SEATS = 2 }"},
		"package: attach":  {providertest.RouteAttachAddon, "silver", "addons = { SEATS = 2 }"},
		"quantity: detach": {providertest.RouteRemoveAddon, "gold", "addons = { SEATS = 3 }"},
		"quantity: attach": {providertest.RouteAttachAddon, "gold", "addons = { SEATS = 3 }"},
	} {
		for name, p := range providertest.Proofs() {
			t.Run(callName+"/"+name, func(t *testing.T) {
				t.Parallel()
				w := providertest.NewAssignmentEnv(t, simulator.Forms{})
				c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, "addons = { SEATS = 2 }"))
				p.Inject(w.Sim, c.Interrupt, tc.route, providertest.RouteDetail)
				id, want := w.Gold, "GOLD SEATS=3"
				if tc.pkg == "silver" {
					id, want = w.Silver, "SILVER SEATS=2"
				}
				c.Config(w.Assignment(id, tc.addons+"\nallow_package_change = true"))
				r := c.Apply()
				inBooks := w.Has()
				p.WantTruth(t, r, inBooks != "GOLD SEATS=2")
				if p.IsOvercome() {
					r.WantOK(t)
				}
				if !strings.Contains(inBooks, "SEATS=") && !strings.Contains(r.Out, "add-on SEATS (quantity 2)") || inBooks == "" {
					t.Errorf("the private label has %q:\n%s", inBooks, r.Out)
				}
				w.WantUntainted(c)
				w.Sim.ClearFaults()
				w.NextWindow()
				c.Apply().WantOK(t)
				c.WantEmptyPlan()
				w.WantHas(want)
			})
		}
	}
}
