package privatelabel_test

import (
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// After an import, the configured values are recorded without a writing call.
func TestPrivateLabel_ImportTakesOver(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.Applied(t, w, w.Config(providertest.Label("acme", providertest.AcmeHost, "")))
	w.VerifyDNS(providertest.AcmeHost)
	c.Forget(providertest.Acme)
	w.Sim.ResetJournal()

	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, `support_url = "https://acme.example/help"`)))
	c.Import(providertest.Acme, providertest.AcmeHost).WantOK(t)
	c.Apply().WantOK(t, "1 changed")
	c.WantEmptyPlan()
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, `support_url = "https://acme.example/hulp"`)))
	c.Plan().WantError(t, "support_url of "+providertest.AcmeHost+" cannot change")
	w.WantReads()
}
