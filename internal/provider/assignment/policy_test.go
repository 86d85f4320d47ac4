package assignment_test

import (
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

var (
	isProtected   = effect.SummaryProtected
	notReplaced   = assignment.SummaryNotReplaceable
	onlyFromState = assignment.TopicKeptAssignment.Summary
)

// What a destroy does follows from deletion_policy in state: a block that is removed, a destroy, -replace, and a tainted
// resource.
func TestAssignment_DeletionPolicy(t *testing.T) {
	t.Parallel()
	for policy, tc := range map[string]struct {
		destroy, replace []string // errors; none: it is done
		announced        string
		inBooks          string
	}{
		"REMOVE":  {nil, []string{notReplaced}, assignment.TopicUnassigning.Summary, ""},
		"ABANDON": {nil, []string{notReplaced}, onlyFromState, "GOLD SEATS=2"},
		"PREVENT": {[]string{isProtected, providertest.AcmeHost}, []string{notReplaced}, "", "GOLD SEATS=2"},
	} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			block := w.Body(w.Gold, "addons = { SEATS = 2 }\ndeletion_policy = \""+policy+"\"")
			for _, destroy := range []func(c *coretest.Workspace, options ...string) providertest.Result{
				func(c *coretest.Workspace, options ...string) providertest.Result { return c.Destroy(options...) },
				func(c *coretest.Workspace, options ...string) providertest.Result {
					c.Config(w.Config(""))
					return c.Apply(options...)
				},
			} {
				for _, options := range [][]string{nil, {"-refresh=false"}} {
					c := coretest.Applied(t, w.TestEnv, w.Config(block))
					w.Sim.ResetJournal()
					for _, refresh := range []string{"-refresh=true", "-refresh=false"} {
						c.Plan("-replace="+providertest.Assigned, refresh).WantError(t, tc.replace...)
						c.Apply("-replace="+providertest.Assigned, refresh).WantError(t, tc.replace...)
					}
					r := destroy(c, options...)
					if tc.destroy == nil {
						r.WantOK(t, "1 destroyed", tc.announced, providertest.AcmeHost)
					} else {
						r.WantError(t, tc.destroy...)
						w.WantReads()
					}
					if tc.inBooks != "" {
						w.WantWrites("")
					}
					w.WantHas(tc.inBooks)
				}
			}
		})
	}
}

// No plan announces the destroy of a tainted assignment: Delete returns the error. Under ABANDON a destroy takes nothing
// away, and the create finds all steps in effect.
func TestAssignment_Tainted(t *testing.T) {
	t.Parallel()
	for policy, want := range map[string]string{"REMOVE": notReplaced, "PREVENT": isProtected, "ABANDON": ""} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, "addons = { SEATS = 2 }\ndeletion_policy = \""+policy+"\""))
			c.Taint(providertest.Assigned, true)
			c.Planned().WantWarning(t, assignment.TopicAdopting.Summary, assignment.InEffect("assign GOLD", "attach SEATS 2"))
			w.Sim.ResetJournal()
			if want == "" {
				c.Apply().WantOK(t, "1 added", "1 destroyed")
			} else {
				c.Apply().WantError(t, want, providertest.AcmeHost)
				c.Apply("-refresh=false").WantError(t, want, providertest.AcmeHost)
				c.Taint(providertest.Assigned, false)
			}
			w.WantWrites("")
			w.WantHas("GOLD SEATS=2")
			c.WantEmptyPlan()
		})
	}
}

// A policy takes effect from the state: without an apply in between, the former one does.
func TestAssignment_PolicyOfTheState(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, `deletion_policy = "PREVENT"`))
	c.Config(w.Assignment(w.Gold, `deletion_policy = "ABANDON"`))
	c.Destroy().WantError(t, isProtected)
	c.Planned().WantWarning(t, effect.LoweringProtection.Summary, providertest.AcmeHost, "from PREVENT to ABANDON")
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 changed")
	w.WantReads()
	c.Destroy().WantOK(t, "1 destroyed")
	w.WantHas("GOLD")
}

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
	told.WantWarning(t, onlyFromState, "sign.stork.example")
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
