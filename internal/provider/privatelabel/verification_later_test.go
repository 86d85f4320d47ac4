package privatelabel_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func verificationWith(required string) string {
	return "resource \"reseller_domain_verification\" \"acme\" {\n  private_label_id = reseller_private_label.acme.id\n  required = " + required +
		"\n  timeouts = { create = \"0s\" }\n}\n"
}

// A suspended private label whose detail the API rejects shows nothing of its DNS: the verification stays as it is, and the
// suspension can be lifted.
func TestVerification_Suspended(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnvAssuming(t, simulator.Forms{"suspended-detail": "rejected"})
	c := coretest.New(t, w)
	verification := verificationWith("false")
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "") + verification))
	c.Apply().WantOK(t, "2 added")
	require.NoError(t, w.Sim.SuspendInConsole(providertest.AcmeHost, "unpaid"))
	c.Apply().WantOK(t)
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "suspended = false") + verification))
	c.Apply().WantOK(t, "0 added, 1 changed, 0 destroyed")
	assert.Equal(t, "Active", w.Sim.Labels()[0].Status)
}

// required may be known after apply only.
func TestVerification_RequiredLater(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.New(t, w)
	label := providertest.Label("acme", providertest.AcmeHost, "")
	c.Config(w.Config(label + verificationWith("false")))
	c.Apply().WantOK(t, "2 added")
	later := "resource \"terraform_data\" \"required\" {\n  input = false\n}\n"
	c.Config(w.Config(label + verificationWith("terraform_data.required.output") + later))
	c.Apply().WantOK(t, "1 added, 1 changed, 0 destroyed")
	c.WantEmptyPlan()
}
