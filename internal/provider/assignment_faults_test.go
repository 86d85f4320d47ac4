package provider_test

import (
	"fmt"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// Every call of a package change fails, before or after its effect, once or for good. The private label keeps a package, or
// the error names the one that is lost; nothing else is assigned, attached or confirmed; and the next apply converges.
func TestAssignment_PackageChangeFaults(t *testing.T) {
	t.Parallel()
	routes := map[string]string{"detach": routeRemoveAddon, "remove": routeRemovePackage, "assign": routeAssign, "attach": routeAttachAddon}
	kinds := map[string]simulator.Fault{
		"500 before": {Kind: simulator.FaultServerError},
		"500 after":  {Kind: simulator.FaultServerError, After: true},
		"403":        {Kind: simulator.FaultForbidden},
		"detail 500": {Kind: simulator.FaultServerError, Route: routeDetail},
	}
	for routeName, route := range routes {
		for kindName, fault := range kinds {
			for _, times := range []int{1, -1} {
				t.Run(fmt.Sprintf("%s/%s/%d", routeName, kindName, times), func(t *testing.T) {
					t.Parallel()
					fault := fault
					w := newCatalogued(t, simulator.Assumptions{})
					w.withDocs()
					c := w.cli()
					c.config(w.assignment(w.gold, "addons = { SEATS = 2, DOCS = 1 }"))
					c.apply().wantOK(t)
					c.config(w.assignment(w.silver, "addons = { SEATS = 2 }\n"+allowChange))
					c.promises()
					if fault.Route == routeDetail { // reads fail from the call on
						w.sim.Inject(simulator.Fault{Route: route, Kind: simulator.FaultForbidden, Times: 1})
					} else {
						fault.Route = route
					}
					fault.Times = times
					w.sim.Inject(fault)
					w.sim.ResetJournal()
					r := c.applySaved()
					w.wantFault()
					w.keptOrNamed(r, times == 1 || routeName == "remove" && fault.Route == route)
					w.wantUntainted(c)
					w.sim.ClearFaults()
					c.apply().wantOK(t)
					c.wantEmptyPlan()
					w.wantHas("SILVER SEATS=2")
				})
			}
		}
	}
}

// keptOrNamed asserts on a package change from GOLD with two add-ons to SILVER with one. What can be restored is restored.
func (w *catalogued) keptOrNamed(r result, restorable bool) {
	w.t.Helper()
	has := w.has()
	for _, what := range []struct{ inBooks, name string }{{"GOLD", "package GOLD"}, {"SEATS=2", "add-on SEATS (quantity 2)"}} {
		kept := strings.Contains(has, what.inBooks) || what.inBooks == "GOLD" && strings.Contains(has, "SILVER")
		// Under the new package an add-on that was rejected is not restored: consent is bounded there.
		if !kept && (restorable && !strings.Contains(has, "SILVER") || !strings.Contains(r.out, what.name)) {
			w.t.Errorf("the private label has %q without %s: %s", has, what.name, r.out)
		}
	}
	if changed := has != "GOLD DOCS=1 SEATS=2"; changed && r.code != 0 && strings.Contains(r.out, "Nothing was changed") {
		w.t.Errorf("the private label has %q, and the error says that nothing was changed: %s", has, r.out)
	}
	for call := range strings.SplitSeq(w.writes(), ", ") {
		name, _, _ := strings.Cut(call, " ")
		if name == "detach" { // more than two where a call is sent again
			continue
		}
		switch call {
		case "", "remove", "assign SILVER", "attach SEATS 2", "assign GOLD", "attach DOCS 1":
		default:
			w.t.Errorf("%s was not announced, and restores nothing", call)
		}
	}
}

// The first Ctrl-C in the middle of a package change: the private label has the old package or the new one.
func TestAssignment_PackageChangeInterrupted(t *testing.T) {
	t.Parallel()
	for name, route := range map[string]string{"after the detach": routeRemoveAddon, "after the removal": routeRemovePackage, "after the assignment": routeAssign} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCatalogued(t, simulator.Assumptions{})
			server := httptest.NewServer(w.sim)
			t.Cleanup(server.Close)
			c := installedCLI(t, "RESELLER_BASE_URL="+server.URL, "RESELLER_API_KEY="+w.apiKey(), "RESELLER_TOKEN_CACHE_DIR="+t.TempDir())
			c.config(w.body(w.gold, "addons = { SEATS = 2 }"))
			c.apply().wantOK(t)
			c.config(w.body(w.silver, "addons = { SEATS = 2 }\n"+allowChange))
			cmd := exec.Command(cliBinary(t), "apply", "-no-color", "-input=false", "-auto-approve")
			cmd.Dir, cmd.Env = c.dir, c.env
			ownProcessGroup(t, cmd)
			var out strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &out
			started := make(chan int, 1)
			w.sim.Inject(simulator.Fault{Route: route, After: true, Hook: func() {
				if err := interruptGroup(<-started); err != nil {
					t.Error(err)
				}
			}})
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			started <- cmd.Process.Pid
			_ = cmd.Wait() // an interrupted apply may fail or succeed
			if got := w.has(); !strings.HasPrefix(got, "GOLD") && !strings.HasPrefix(got, "SILVER") {
				t.Errorf("the private label has %q\n%s", got, out.String())
			}
			w.wantUntainted(c)
			c.apply().wantOK(t)
			c.wantEmptyPlan()
			w.wantHas("SILVER SEATS=2")
		})
	}
}
