package provider_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const keptLifecycle = "  lifecycle {\n    destroy = false\n  }\n"

// lifecycle { destroy = false } removes from state what a deletion_policy protects or would remove: no call, and the review
// says forgotten. The CLIs differ in what it covers.
func TestDestroyFalse(t *testing.T) {
	t.Parallel()
	least := "1.16.0"
	if providertest.IsTofu(t) {
		least = "1.12.0"
	}
	providertest.NeedsCLI(t, least, "lifecycle { destroy = false }")
	const (
		labels = "reseller_private_label.of"
		bob    = "reseller_member.bob"
	)
	people := func(email string) string {
		return "resource \"reseller_member\" \"bob\" {\n  private_label_id = reseller_private_label.of[\"sign.acme.example\"].id\n" +
			"  email = \"" + email + "\"\n  first_name = \"Bob\"\n  last_name = \"Byte\"\n" + keptLifecycle + "}\n"
	}
	clients := func(hosts ...string) string {
		return "resource \"reseller_private_label\" \"of\" {\n  for_each = toset([\"" + strings.Join(hosts, "\", \"") + "\"])\n  domain = each.key\n  app_name = \"Sign\"\n" +
			"  owner = {\n    email = \"ada@acme.example\"\n    first_name = \"Ada\"\n    last_name = \"Lovelace\"\n  }\n" + keptLifecycle + "}\n"
	}
	both := clients("sign.acme.example", "sign.harbour.example") + people("bob@acme.example")
	begin := func(t *testing.T) (*providertest.TestEnv, *providertest.CLI) {
		t.Helper()
		w := providertest.NewTestEnv(t)
		c := w.Cli()
		c.Config(w.Config(both))
		c.Apply().WantOK(t, "3 added")
		w.Sim.ResetJournal()
		return w, c
	}
	reviewed := func(t *testing.T, c *providertest.CLI, args ...string) []string {
		t.Helper()
		c.Ok(append([]string{"plan", "-input=false", "-out=saved.plan"}, args...)...)
		return listed(t, c.Raw("show", "-json", "saved.plan"))
	}
	wantRows := func(t *testing.T, rows []string, want ...string) {
		t.Helper()
		wantSameRows(t, rows, want)
	}
	applySaved := func(t *testing.T, c *providertest.CLI, left ...string) {
		t.Helper()
		applied := c.Run("apply", "-no-color", "-input=false", "saved.plan")
		if !providertest.IsTofu(t) || !strings.Contains(applied.Out, "left behind forgotten instances") { // by `destroy`, which the guide says
			applied.WantOK(t)
		}
		assert.Equal(t, left, slices.Sorted(maps.Keys(c.State())))
	}
	const (
		keptBob     = "forgotten " + bob + ": resource removed from state only: bob@acme.example"
		keptAcme    = "forgotten " + labels + `["sign.acme.example"]: resource removed from state only: sign.acme.example`
		keptHarbour = "forgotten " + labels + `["sign.harbour.example"]: resource removed from state only: sign.harbour.example`
	)

	t.Run("destroy", func(t *testing.T) {
		t.Parallel()
		w, c := begin(t)
		wantRows(t, reviewed(t, c, "-destroy"), keptBob, keptAcme, keptHarbour)
		applySaved(t, c)
		w.WantReads()
	})
	t.Run("key removed", func(t *testing.T) {
		t.Parallel()
		w, c := begin(t)
		c.Config(w.Config(clients("sign.acme.example") + people("bob@acme.example")))
		wantRows(t, reviewed(t, c), keptHarbour)
		applySaved(t, c, bob, labels+`["sign.acme.example"]`)
		w.WantReads()
	})
	// Terraform reads the setting in the configuration only; OpenTofu stores it in state, too.
	t.Run("block removed", func(t *testing.T) {
		t.Parallel()
		w, c := begin(t)
		if providertest.IsTofu(t) {
			c.Config(w.Config(""))
			wantRows(t, reviewed(t, c), keptBob, keptAcme, keptHarbour)
			applySaved(t, c)
			w.WantReads()
			return
		}
		c.Config(w.Config(clients("sign.acme.example", "sign.harbour.example")))
		wantRows(t, reviewed(t, c), "removed "+bob+": "+signedOut+": bob@acme.example")
		c.Config(w.Config(""))
		c.Plan().WantError(t, effect.SummaryProtected)
	})
	// A replacement keeps the old object with OpenTofu. Terraform destroys it.
	t.Run("replacement", func(t *testing.T) {
		t.Parallel()
		w, c := begin(t)
		c.Config(w.Config(clients("sign.acme.example", "sign.harbour.example") + people("eve@acme.example")))
		rows, removals := reviewed(t, c), 0
		if providertest.IsTofu(t) {
			wantRows(t, rows, "email "+bob+": "+emailing+": eve@acme.example", keptBob)
		} else {
			removals = 1
			wantRows(t, rows, "email "+bob+": "+emailing+": eve@acme.example", "removed "+bob+": "+signedOut+": bob@acme.example")
		}
		applySaved(t, c, bob, labels+`["sign.acme.example"]`, labels+`["sign.harbour.example"]`)
		assert.Equal(t, removals, w.Calls(providertest.RouteRemove))
	})
}
