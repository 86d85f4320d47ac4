package privatelabel_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
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
	c.Apply().WantOK(t, privatelabel.SummaryRecordedOnly, "support_url", "1 changed")
	c.WantEmptyPlan()
	w.WantReads()
}

// What is sent at provisioning only, and the owner whom the console has changed, are recorded. Another owner is rejected, also
// if the address becomes known during the apply.
func TestPrivateLabel_Recorded(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	owner := func(email, last string) string {
		return w.Config(fmt.Sprintf(`
resource "terraform_data" "owner" {
  input = %q
}
resource "reseller_private_label" "acme" {
  domain       = %q
  app_name     = "Acme %s"
  social_links = {}
  owner        = { email = terraform_data.owner.output, first_name = "Ada", last_name = %q }
}
`, email, providertest.AcmeHost, last, last))
	}
	c := coretest.Applied(t, w, owner("ada@acme.example", "Lovelace"))
	w.Sim.ResetJournal()
	c.Config(owner("ada@acme.example", "Byron"))
	c.Apply().WantOK(t, privatelabel.SummaryRecordedOnly, "app_name, owner.last_name", "1 changed")
	c.WantEmptyPlan()

	c.Config(owner("eve@acme.example", "Byron"))
	c.Apply().WantError(t, session.SummaryImmutable, "owner.email of "+providertest.AcmeHost, "The API shows the owner ada@acme.example")
	require.NoError(t, w.Sim.ChangeEmailInConsole(providertest.AcmeHost, "ada@acme.example", "eve@acme.example"))
	c.Apply().WantOK(t, "1 changed")
	c.WantEmptyPlan()
	w.WantReads()
}
