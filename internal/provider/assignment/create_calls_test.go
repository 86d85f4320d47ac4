package assignment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// creationConfig declares private labels with a package, an add-on and two members each, as a module for each client
// does.
func creationConfig(labels int) string {
	var config strings.Builder
	config.WriteString(`
resource "reseller_package" "p" {
  code     = "GOLD"
  name     = "Gold"
  currency = "EUR"
}
resource "reseller_addon" "a" {
  code     = "SEATS"
  name     = "Seats"
  currency = "EUR"
}`)
	for n := range labels {
		fmt.Fprintf(&config, `
resource "reseller_private_label" "l%[1]d" {
  domain   = "sign%[1]d.acme.example"
  app_name = "Acme"
  owner    = { email = "ada@acme.example", first_name = "Ada", last_name = "L" }
}
resource "reseller_assignment" "s%[1]d" {
  private_label_id = reseller_private_label.l%[1]d.id
  package_id       = reseller_package.p.id
  addons           = { (reseller_addon.a.code) = 2 }
}
resource "reseller_member" "m%[1]d" {
  count            = 2
  private_label_id = reseller_private_label.l%[1]d.id
  email            = "m${count.index}@acme.example"
  first_name       = "Mem"
  last_name        = "Ber"
}`, n)
	}
	return config.String()
}

// The calls that the API requires for each private label: provision, assign and attach, a call for each member; the
// detail (created_at, custom_domain), a read of the assignment (assigned_at, allocated, the IDs of add-ons), and a list
// of the members (status, role, created_at), which members that are added concurrently share.
func TestCreation_Calls(t *testing.T) {
	t.Parallel()
	const labels = 15
	w := providertest.NewTestEnv(t)
	c := w.Cli()
	c.Config(w.Config(creationConfig(labels)))
	began := w.Sim.Clock().Now()
	c.Apply().WantOK(t, fmt.Sprintf("%d added", 2+4*labels))
	t.Logf("%d calls, %s by the clock of the API", len(w.Sim.Journal()), w.Sim.Clock().Now().Sub(began))
	for route, want := range map[string]int{
		providertest.RouteProvision: labels, providertest.RouteAssign: labels, providertest.RouteAttachAddon: labels, providertest.RouteAdd: 2 * labels,
	} {
		assert.Equal(t, want, w.Calls(route), "%s: calls", route)
	}
	assert.Equal(t, 2*labels, w.Calls(providertest.RouteDetail)+w.Calls(routePackageRead), "details and package reads")
	n := w.Calls(providertest.RouteMembers)
	assert.GreaterOrEqual(t, n, labels, "members lists")
	assert.LessOrEqual(t, n, 2*labels, "members lists")
	lists := w.Calls(providertest.RouteList)
	assert.Equal(t, 2, lists, "lists of private labels") // a plan and an apply know the private labels that they provision
	const perRun = 10                                    // token, dashboard, searches, the catalog's two creates
	assert.LessOrEqual(t, len(w.Sim.Journal())-w.Calls(providertest.RouteMembers)-lists, 7*labels+perRun, "calls without lists")
	w.NextWindow()
	c.WantEmptyPlan()
}
