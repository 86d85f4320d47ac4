package provider_test

import (
	"fmt"
	"strings"
	"testing"
)

const (
	provisioningSummary = "Provisioning is permanent and emails the owner"
	suspendingSummary   = "Suspending a private label signs out its members"
)

// What signs everybody out, or is no longer managed, is announced; so is what only goes into the state.
func TestAnnounced_Suspension(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "suspended = true")))
	told := c.planned()
	told.wantWarning(t, provisioningSummary, acmeHost, "ada@acme.example")
	told.wantWarning(t, suspendingSummary, acmeHost, "signed out immediately")
	c.apply().wantOK(t)
	c.planned().wantNone(t)

	c.config(w.config(label("acme", acmeHost, "")))
	told = c.planned()
	told.wantWarning(t, "Suspension stays and is no longer managed", acmeHost, "suspended = false")
	told.want(t, 0, "warning", suspendingSummary)
	c.apply().wantOK(t)
	if status := w.sim.Labels()[0].Status; status != "Suspended" {
		t.Errorf("status %s", status)
	}
	c.planned().wantNone(t)

	c.config(w.config(label("acme", acmeHost, "suspended = false")))
	c.planned().wantNone(t)
	c.apply().wantOK(t)
	c.config(w.config(label("acme", acmeHost, "suspended = true")))
	c.planned().wantWarning(t, suspendingSummary, acmeHost)
	c.config(w.config(label("acme", acmeHost, "suspended = terraform_data.later.output") + "resource \"terraform_data\" \"later\" {\n  input = true\n}\n"))
	c.planned().wantWarning(t, suspendingSummary, acmeHost, "known after apply")
}

func TestAnnounced_RecordedOnly(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	block := func(extra string) string {
		return w.config(fmt.Sprintf("resource \"reseller_private_label\" \"acme\" {\n  domain = %q\n%s\n}\nimport {\n  to = reseller_private_label.acme\n  id = %q\n}\n", acmeHost, extra, acmeHost))
	}
	c.config(block(""))
	c.apply().wantOK(t, "1 imported")
	c.planned().wantNone(t)
	c.config(block("app_name = \"Acme Sign\"\nsupport_url = \"https://acme.example/help\""))
	c.planned().wantWarning(t, "Provisioning attributes are only recorded in state", acmeHost, "app_name, support_url")
	w.sim.ResetJournal()
	c.apply().wantOK(t, "1 changed")
	w.wantReads()
	c.planned().wantNone(t)
}

func TestAnnounced_Deactivation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	const deactivated = "Deactivated code stays reserved"
	c.config(w.config(item("package", "gold", "GOLD", "active = false") + item("addon", "seats", "SEATS", "")))
	told := c.planned()
	told.wantWarning(t, "Package code is permanent", "GOLD", "99 remain after this apply")
	told.wantWarning(t, "Add-on code is permanent", "SEATS")
	told.wantWarning(t, deactivated, "Package GOLD", "limit of 100 packages")
	c.apply().wantOK(t)
	c.planned().wantNone(t)
	c.config(w.config(item("package", "gold", "GOLD", "active = true") + item("addon", "seats", "SEATS", "active = false")))
	told = c.planned()
	told.wantWarning(t, deactivated, "Add-on SEATS", "limit of 100 add-ons")
	if len(told) != 1 {
		t.Errorf("told %+v", told)
	}
	c.apply().wantOK(t)
	c.planned().wantNone(t)
}

// What a deprovisioning takes with it differs for each private label, so none is folded into another; the rest is.
func TestAnnounced_Folded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	config := func(policy string, hosts ...string) string {
		return w.config(fmt.Sprintf(`
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
`, jsonOf(t, hosts), policy))
	}
	hosts := []string{"sign.a.example", "sign.b.example", "sign.c.example", "sign.d.example"}
	blocks := func(out string) int { return strings.Count(out, "Warning: ") }
	c.config(config("DEPROVISION", hosts...))
	created := c.plan()
	if n := blocks(created.out); n != 2 {
		t.Errorf("%d blocks of warnings, want one for provisioning and one for members:\n%s", n, created.out)
	}
	created.wantText(t, provisioningSummary, "(and 3 more similar warnings elsewhere)")
	told := c.planned()
	told.want(t, 4, "warning", provisioningSummary, "sign.d.example")
	told.want(t, 4, "warning", "Adding a member sends an email", "bob@sign.d.example")
	c.apply().wantOK(t)

	c.config(config("DEPROVISION", hosts[2:]...))
	told = c.planned()
	for _, host := range hosts[:2] {
		told.wantWarning(t, "Deprovisioning "+host+" is permanent", host, "2 members", "no package")
	}
	told.want(t, 2, "warning", "Removed member is signed out immediately", "bob@sign.a.example")
	c.plan().wantText(t, "Deprovisioning sign.a.example is permanent", "Deprovisioning sign.b.example is permanent")
}
