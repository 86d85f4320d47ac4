package privatelabel_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestPrivateLabel_AttachedAgain(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	w.Sim.FailAttach(1)
	c := coretest.Applied(t, w, w.Config(providertest.Label("acme", providertest.AcmeHost, "")), privatelabel.SummaryNotAttached, providertest.AcmeHost)
	assert.Equal(t, false, c.State()[providertest.Acme].Attributes["domain_attached"])
	r := c.Plan()
	assert.Equal(t, 2, r.Code, "exit code\n%s", r.Out)
	c.Apply().WantOK(t, "1 changed")
	assert.Equal(t, 1, w.Calls(providertest.RouteAttach), "calls of attach")
	c.WantEmptyPlan()
}

func TestPrivateLabel_Gone(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.Applied(t, w, w.Config(providertest.Label("acme", providertest.AcmeHost, "")))
	require.NoError(t, w.Sim.MoveAway(providertest.AcmeHost))
	// The host name cannot be reused: a plan must not show it as a new private label.
	r := c.Plan()
	r.WantError(t, privatelabel.SummaryNotFound, privatelabel.SummaryHostRetired, providertest.AcmeHost)
	t.Run("another host in its place", func(t *testing.T) {
		c.Config(w.Config(providertest.Label("acme", "other.acme.example", "")))
		r := c.Plan()
		r.WantText(t, "1 to add")
		assert.Equal(t, 2, r.Code, "exit code\n%s", r.Out)
	})
	c.Config(w.Config(""))
	// Terraform 1.11 plans the destroy from the stored state, as -refresh=false does with every version; 1.15 reads
	// first, and has nothing left to destroy.
	c.Plan("-refresh=false").WantText(t, privatelabel.SummaryNotFound, providertest.AcmeHost)
	c.Plan().WantOK(t, privatelabel.SummaryNotFound, providertest.AcmeHost)
	c.Apply().WantOK(t)
	assert.Empty(t, c.State())
	assert.Equal(t, 1, w.Calls(providertest.RouteProvision), "provisions")
}
