package assignment_test

import (
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The first Ctrl-C in the middle of a package change: the private label has the old package or the new one.
func TestAssignment_PackageChangeInterrupted(t *testing.T) {
	t.Parallel()
	for name, route := range map[string]string{"after the detach": providertest.RouteRemoveAddon, "after the removal": providertest.RouteRemovePackage, "after the assignment": providertest.RouteAssign} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
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
				assert.NoError(t, providertest.InterruptGroup(<-started))
			}})
			require.NoError(t, cmd.Start())
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
