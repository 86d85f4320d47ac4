package privatelabel_test

import (
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The list is one read behind right after provisioning: the private label stays in state, since its detail shows it.
func TestPrivateLabel_ListIsBehind(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.New(t, w)
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "")))
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteList, Kind: simulator.FaultStale, Since: providertest.RouteProvision, Times: -1})
	c.Apply().WantOK(t, "1 added")
	r := c.Plan()
	if strings.Contains(r.Out, "no longer exists") || r.Code == 1 {
		t.Errorf("exit code %d: %s", r.Code, r.Out)
	}
	if _, kept := c.State()[providertest.Acme]; !kept {
		t.Errorf("the private label left the state: %s", r.Out)
	}
	w.WantFault()
}
