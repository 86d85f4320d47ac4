package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// A figure or a flag that a response lacks, or has as null, is null in a data source, and not 0 or false.
func TestDataSources_FiguresNotShown(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"null", "omitted"} {
		w := &providertest.SigningEnv{LabelEnv: &providertest.LabelEnv{TestEnv: providertest.NewTestEnvAssuming(t, simulator.Forms{"figure-fields": form})}}
		label, err := w.Sim.AddConsoleLabel(providertest.AcmeHost, "ada@acme.example")
		require.NoError(t, err)
		document := w.WithDocument(providertest.FullDocument)
		c := coretest.New(t, w.TestEnv)
		c.Config(w.Config(`
data "reseller_private_labels" "all" {}
data "reseller_private_label" "acme" {
  id = "` + label + `"
}
data "reseller_document" "terms" {
  doc_id = "` + document + `"
  domain = "acme.example"
}
output "shown" {
  value = [
    data.reseller_private_labels.all.private_labels[0], data.reseller_private_label.acme.member_count,
    data.reseller_document.terms.document, data.reseller_document.terms.recipients[0],
  ]
}
`))
		c.Apply().WantOK(t)
		shown := c.Output("shown")
		for _, name := range []string{
			"documents_sent", "members", "total", "owner_trust_score", "trust_score",
			"verify_gov_id", "verify_id_check", "verify_mobile_phone", "verify_payment", "verify_wallet",
		} {
			assert.NotRegexp(t, `"`+name+`":[^n]`, shown, form)
		}
		assert.Contains(t, shown, `"trust_score":null`, form)
		c.Want("data.reseller_private_label.acme", "member_count", knownvalue.Null())
	}
}
