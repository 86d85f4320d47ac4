package privatelabel_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Each kind of destroy is rejected at plan time, and the error names the remedies.
func TestPrivateLabel_Protected(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	declared := w.Config(providertest.Label("acme", providertest.AcmeHost, ""))
	c := coretest.Applied(t, w, declared)
	w.VerifyDNS(providertest.AcmeHost)
	protected := []string{effect.SummaryProtected, providertest.AcmeHost, "PREVENT"}

	t.Run("destroy", func(t *testing.T) {
		c.Destroy().WantError(t, protected...)
		c.Plan("-destroy").WantError(t, protected...)
	})
	t.Run("block removed", func(t *testing.T) {
		c.Config(w.Config(""))
		c.Plan().WantError(t, protected...)
	})
	t.Run("removed with destroy", func(t *testing.T) {
		c.Config(w.Config("removed {\n  from = " + providertest.Acme + "\n  lifecycle { destroy = true }\n}\n"))
		c.Plan().WantError(t, protected...)
	})
	t.Run("replace", func(t *testing.T) {
		c.Config(declared)
		c.Plan("-replace="+providertest.Acme).WantError(t, privatelabel.SummaryNotReplaceable, providertest.AcmeHost)
	})
	t.Run("taint", func(t *testing.T) {
		c.Taint(providertest.Acme, true)
		c.Plan().WantError(t, privatelabel.SummaryExists, providertest.AcmeHost, "is in this state", "moved {", "terraform untaint")
		c.Apply().WantError(t)
		c.Taint(providertest.Acme, false)
		c.WantEmptyPlan()
	})
	t.Run("a policy that this version does not know", func(t *testing.T) {
		c.Store(providertest.Acme, "deletion_policy", "LATER")
		c.Destroy("-refresh=false").WantError(t, effect.SummaryProtected, providertest.AcmeHost)
		c.Store(providertest.Acme, "deletion_policy", effect.PolicyPrevent)
	})
	t.Run("policy only in the configuration", func(t *testing.T) {
		// A destroy uses the policy in state.
		c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, `deletion_policy = "DEPROVISION"`)))
		c.Destroy().WantError(t, protected...)
	})
	for _, route := range []string{providertest.RouteDeprovision, providertest.RouteSuspend} {
		assert.Equal(t, 0, w.Calls(route), "%s: calls", route)
	}
	assert.Equal(t, 1, w.Calls(providertest.RouteProvision), "provisions")
	t.Run("removed without destroy", func(t *testing.T) {
		c.Config(w.Config("removed {\n  from = " + providertest.Acme + "\n  lifecycle { destroy = false }\n}\n"))
		c.Apply().WantOK(t)
		assert.Len(t, w.Sim.Labels(), 1, "the label is gone")
	})
}

// A destroy plans as if to apply first, and so finds the host name that cannot be reused. The remedy of the error
// works, and makes no API call.
func TestPrivateLabel_DestroyOfWhatIsGone(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := w.Cli()
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "") + `
resource "reseller_member" "bob" {
  private_label_id = reseller_private_label.acme.id
  email            = "bob@acme.example"
  first_name       = "Bob"
  last_name        = "Byte"
}
resource "reseller_branding" "acme" {
  domain        = reseller_private_label.acme.domain
  color_primary = "#0a0"
}
`))
	c.Apply().WantOK(t)
	require.NoError(t, w.Sim.DeprovisionInConsole(providertest.AcmeHost))
	w.Sim.ResetJournal()
	c.Destroy().WantError(t, privatelabel.SummaryHostRetired, providertest.AcmeHost, "terraform destroy -refresh=false")
	c.Destroy("-refresh=false").WantOK(t)
	assert.Empty(t, c.State(), "left in state")
	for _, call := range w.Sim.Journal() {
		assert.NotEqual(t, providertest.RouteProvision, call.Route, "sent: %s", call.Route)
		assert.NotEqual(t, providertest.RouteDeprovision, call.Route, "sent: %s", call.Route)
		assert.NotEqual(t, providertest.RouteColors, call.Route, "sent: %s", call.Route)
	}
}
