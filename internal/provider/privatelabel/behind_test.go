package privatelabel_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

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
	assert.NotContains(t, r.Out, "no longer exists", "exit code %d", r.Code)
	assert.NotEqual(t, 1, r.Code, "exit code %d: %s", r.Code, r.Out)
	_, kept := c.State()[providertest.Acme]
	assert.True(t, kept, "the private label left the state: %s", r.Out)
	w.WantFault()
}
