package assignment_test

import (
	"fmt"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// Every call of a package change fails, before or after its effect, once or for good. The private label keeps a package, or
// the error names the one that is lost; nothing else is assigned, attached or confirmed; and the next apply converges.
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
					w := providertest.NewAssignmentEnv(t, simulator.Assumptions{})
					w.WithDocs()
					c := w.Cli()
					c.Config(w.Assignment(w.Gold, "addons = { SEATS = 2, DOCS = 1 }"))
					c.Apply().WantOK(t)
					c.Config(w.Assignment(w.Silver, "addons = { SEATS = 2 }\n"+allowChange))
					c.Promises()
					if fault.Route == providertest.RouteDetail { // reads fail from the call on
						w.Sim.Inject(simulator.Fault{Route: route, Kind: simulator.FaultForbidden, Times: 1})
					} else {
						fault.Route = route
					}
					fault.Times = times
					w.Sim.Inject(fault)
					w.Sim.ResetJournal()
					r := c.ApplySaved()
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

// The first Ctrl-C in the middle of a package change: the private label has the old package or the new one.
func TestAssignment_PackageChangeInterrupted(t *testing.T) {
	t.Parallel()
	for name, route := range map[string]string{"after the detach": providertest.RouteRemoveAddon, "after the removal": providertest.RouteRemovePackage, "after the assignment": providertest.RouteAssign} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Assumptions{})
			server := httptest.NewServer(w.Sim)
			t.Cleanup(server.Close)
			c := providertest.InstalledCLI(t, "RESELLER_BASE_URL="+server.URL, "RESELLER_API_KEY="+w.APIKey(), "RESELLER_TOKEN_CACHE_DIR="+t.TempDir())
			c.Config(w.Body(w.Gold, "addons = { SEATS = 2 }"))
			c.Apply().WantOK(t)
			c.Config(w.Body(w.Silver, "addons = { SEATS = 2 }\n"+allowChange))
			cmd := exec.Command(providertest.CliBinary(t), "apply", "-no-color", "-input=false", "-auto-approve")
			cmd.Dir, cmd.Env = c.Dir, c.Env
			providertest.OwnProcessGroup(t, cmd)
			var out strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &out
			started := make(chan int, 1)
			w.Sim.Inject(simulator.Fault{Route: route, After: true, Hook: func() {
				if err := providertest.InterruptGroup(<-started); err != nil {
					t.Error(err)
				}
			}})
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			started <- cmd.Process.Pid
			_ = cmd.Wait() // an interrupted apply may fail or succeed
			if got := w.Has(); !strings.HasPrefix(got, "GOLD") && !strings.HasPrefix(got, "SILVER") {
				t.Errorf("the private label has %q\n%s", got, out.String())
			}
			w.WantUntainted(c)
			c.Apply().WantOK(t)
			c.WantEmptyPlan()
			w.WantHas("SILVER SEATS=2")
		})
	}
}
