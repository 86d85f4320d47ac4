package assignment_test

import (
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// A client leaves: the private label and all that belongs to it is removed from the configuration, and everything stays.
func TestAssignment_ClientLeaves(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := w.Cli()
	client := func(keys string) string {
		return w.Config(strings.NewReplacer("KEYS", keys, "GOLD", w.Gold).Replace(`
locals {
  clients = toset([KEYS])
}
resource "reseller_private_label" "of" {
  for_each        = local.clients
  domain          = "sign.${each.key}.example"
  app_name        = "Sign"
  owner           = { email = "ada@${each.key}.example", first_name = "Ada", last_name = "L" }
  deletion_policy = "ABANDON"
}
resource "reseller_assignment" "of" {
  for_each         = local.clients
  private_label_id = reseller_private_label.of[each.key].id
  package_id       = "GOLD"
  addons           = { SEATS = 2 }
  deletion_policy  = "ABANDON"
}
resource "reseller_member" "of" {
  for_each         = local.clients
  private_label_id = reseller_private_label.of[each.key].id
  email            = "bob@${each.key}.example"
  first_name       = "Bob"
  last_name        = "Byte"
  deletion_policy  = "ABANDON"
}
`))
	}
	c.Config(client(`"crane", "stork"`))
	c.Apply().WantOK(t, "6 added")
	c.Config(client(`"crane"`))
	told := c.Planned()
	told.WantWarning(t, assignment.TopicKeptAssignment.Summary, "sign.stork.example")
	told.Want(t, 0, "warning", assignment.TopicUnassigning.Summary)
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "3 destroyed")
	w.WantReads()
	for _, l := range w.Sim.Labels() {
		if l.Host == "sign.stork.example" && (l.Package != "GOLD" || len(l.Addons) != 1 || l.Members != 2) {
			t.Errorf("it has %q, %v and %v", l.Package, l.Addons, l.People)
		}
	}
	c.WantEmptyPlan()
}
