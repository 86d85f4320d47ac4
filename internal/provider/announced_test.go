package provider_test

import (
	"fmt"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestAnnounced_RecordedOnly(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	block := func(extra string) string {
		return w.Config(fmt.Sprintf("resource \"reseller_private_label\" \"acme\" {\n  domain = %q\n%s\n}\nimport {\n  to = reseller_private_label.acme\n  id = %q\n}\n", providertest.AcmeHost, extra, providertest.AcmeHost))
	}
	c.Config(block(""))
	c.Apply().WantOK(t, "1 imported")
	c.Planned().WantNone(t)
	c.Config(block("app_name = \"Acme Sign\"\nsupport_url = \"https://acme.example/help\""))
	c.Planned().WantWarning(t, privatelabel.SummaryRecordedOnly, providertest.AcmeHost, "app_name, support_url")
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 changed")
	w.WantReads()
	c.Planned().WantNone(t)
}
