package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

var (
	provisioningSummary = providertest.SumProvisioned
	suspendingSummary   = "Suspending a private label signs out its members"
)

// A plan announces what signs out all members, what is no longer managed, and what is only recorded in state.
func TestAnnounced_Suspension(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.New(t, w)
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "suspended = true")))
	told := c.Planned()
	told.WantWarning(t, provisioningSummary, providertest.AcmeHost, "ada@acme.example")
	told.WantWarning(t, suspendingSummary, providertest.AcmeHost, "signed out immediately")
	c.Apply().WantOK(t)
	c.Planned().WantNone(t)

	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "")))
	told = c.Planned()
	told.WantWarning(t, "Suspension stays and is no longer managed", providertest.AcmeHost, "suspended = false")
	told.Want(t, 0, "warning", suspendingSummary)
	c.Apply().WantOK(t)
	assert.Equal(t, "Suspended", w.Sim.Labels()[0].Status)
	c.Planned().WantNone(t)

	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "suspended = false")))
	c.Planned().WantWarning(t, "Lifting a suspension lets its members sign in", providertest.AcmeHost)
	c.Apply().WantOK(t)
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "suspended = true")))
	c.Planned().WantWarning(t, suspendingSummary, providertest.AcmeHost)
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "suspended = terraform_data.later.output") + "resource \"terraform_data\" \"later\" {\n  input = true\n}\n"))
	c.Planned().WantWarning(t, suspendingSummary, providertest.AcmeHost, "known after apply")
}

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
	c.Planned().WantWarning(t, "Provisioning attributes are only recorded in state", providertest.AcmeHost, "app_name, support_url")
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 changed")
	w.WantReads()
	c.Planned().WantNone(t)
}

func TestAnnounced_Deactivation(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.New(t, w)
	const deactivated = "Deactivated code stays reserved"
	c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "active = false") + providertest.Item("addon", "seats", "SEATS", "")))
	told := c.Planned()
	told.WantWarning(t, providertest.SumPackageCode, "GOLD", "99 remain)")
	told.WantWarning(t, providertest.SumAddonCode, "SEATS")
	told.WantWarning(t, deactivated, "Package GOLD", "limit of 100 packages")
	c.Apply().WantOK(t)
	c.Planned().WantNone(t)
	c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "active = true") + providertest.Item("addon", "seats", "SEATS", "active = false")))
	told = c.Planned()
	told.WantWarning(t, deactivated, "Add-on SEATS", "limit of 100 add-ons")
	assert.Len(t, told, 1)
	c.Apply().WantOK(t)
	c.Planned().WantNone(t)
}

// What a deprovisioning takes with it differs for each private label, so none is folded into another; the rest is.
func TestAnnounced_Folded(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := w.Cli()
	config := func(policy string, hosts ...string) string {
		return w.Config(fmt.Sprintf(`
resource "reseller_private_label" "client" {
  for_each        = toset(%s)
  domain          = each.key
  app_name        = "Sign"
  deletion_policy = %q
  owner           = { email = "ada@${each.key}", first_name = "Ada", last_name = "Lovelace" }
}
resource "reseller_member" "bob" {
  for_each         = reseller_private_label.client
  private_label_id = each.value.id
  email            = "bob@${each.key}"
  first_name       = "Bob"
  last_name        = "Byte"
}
`, providertest.JSONOf(t, hosts), policy))
	}
	hosts := []string{"sign.a.example", "sign.b.example", "sign.c.example", "sign.d.example"}
	blocks := func(out string) int { return strings.Count(out, "Warning: ") }
	c.Config(config("DEPROVISION", hosts...))
	created := c.PlanText()
	assert.Equal(t, 2, blocks(created.Out), "blocks of warnings:\n%s", created.Out)
	created.WantText(t, provisioningSummary, "(and 3 more similar warnings elsewhere)")
	told := c.Planned()
	told.Want(t, 4, "warning", provisioningSummary, "sign.d.example")
	told.Want(t, 4, "warning", providertest.SumMemberAdded, "bob@sign.d.example")
	c.Apply().WantOK(t)

	c.Config(config("DEPROVISION", hosts[2:]...))
	told = c.Planned()
	for _, host := range hosts[:2] {
		told.WantWarning(t, "Deprovisioning "+host+" is permanent", host, "2 members", "no package")
	}
	told.Want(t, 2, "warning", providertest.SumMemberRemoved, "bob@sign.a.example")
	c.Plan().WantText(t, "Deprovisioning sign.a.example is permanent", "Deprovisioning sign.b.example is permanent")
}
