package provider_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/branding"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/catalog"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// manyClients is a configuration of n private labels, each with a package, an add-on, two members and branding.
func manyClients(n int) string {
	return fmt.Sprintf(`
locals {
  clients = toset([for i in range(%d) : "c${i}"])
  people  = { for p in setproduct(local.clients, ["bob", "cy"]) : "${p[1]}@${p[0]}.example" => p[0] }
}

resource "reseller_package" "gold" {
  code     = "GOLD"
  name     = "Gold"
  currency = "EUR"
}

resource "reseller_addon" "seats" {
  code     = "SEATS"
  name     = "Seats"
  currency = "EUR"
}

resource "reseller_private_label" "client" {
  for_each = local.clients
  domain   = "sign.${each.key}.example"
  app_name = each.key
  owner    = { email = "ada@${each.key}.example", first_name = "Ada", last_name = "Lovelace" }

  deletion_policy = "SUSPEND"
}

resource "reseller_assignment" "client" {
  for_each         = local.clients
  private_label_id = reseller_private_label.client[each.key].id
  package_id       = reseller_package.gold.id
  addons           = { (reseller_addon.seats.code) = 2 }
}

resource "reseller_member" "person" {
  for_each         = local.people
  private_label_id = reseller_private_label.client[each.value].id
  email            = each.key
  first_name       = "Bob"
  last_name        = "Byte"
}

resource "reseller_branding" "client" {
  for_each                 = local.clients
  domain                   = reseller_private_label.client[each.key].domain
  color_primary            = "#ffffff"
  color_primary_foreground = "#eeeeee"
}
`, n)
}

// blocks are the summaries of the warnings that a command prints, and the number of lines that they take.
func blocks(out string) (summaries []string, lines int) {
	inside := false
	for line := range strings.Lines(out) {
		switch {
		case strings.HasPrefix(line, "Warning: "):
			inside = true
			summaries = append(summaries, strings.TrimSpace(strings.TrimPrefix(line, "Warning: ")))
		case strings.HasPrefix(line, "Apply complete!"), strings.HasPrefix(line, "Destroy complete!"), strings.HasPrefix(line, "─"):
			inside = false
		}
		if inside {
			lines++
		}
	}
	return summaries, lines
}

// For any number of objects in a plan, the CLI prints one block for each kind of effect, and an apply prints no more
// blocks than its plan.
func TestWarnings_Fold(t *testing.T) {
	t.Parallel()
	const clients = 5
	w := providertest.NewTestEnv(t)
	c := w.Cli()
	c.Config(w.Config(manyClients(clients)))
	planned := wantFolded(t, "plan", c.Raw("plan", "-no-color", "-input=false"), []string{
		catalog.TopicAddonCode.Summary, member.TopicAddingMember.Summary, branding.SummaryContrast,
		catalog.TopicPackageCode.Summary, assignment.TopicBilling.Summary, privatelabel.TopicProvisioning.Summary,
	})
	assert.LessOrEqual(t, len(wantFolded(t, "apply", c.Raw("apply", "-no-color", "-input=false", "-auto-approve"), nil)), len(planned)+1,
		"the apply prints, its plan printed %q", planned)
	for i := range clients {
		w.VerifyDNS(fmt.Sprintf("sign.c%d.example", i))
	}
	wantFolded(t, "destroy", c.Raw("destroy", "-no-color", "-input=false", "-auto-approve"), []string{
		branding.TopicKeptBranding.Summary, catalog.TopicDeactivating.Summary, privatelabel.TopicSuspendOnly.Summary,
		member.TopicRemovingMember.Summary, assignment.TopicUnassigning.Summary,
	})
}

// wantFolded asserts that no summary is printed twice, and that they are these; nil does not compare them.
func wantFolded(t *testing.T, command, out string, want []string) []string {
	t.Helper()
	printed, lines := blocks(out)
	t.Logf("%s: %d blocks in %d lines", command, len(printed), lines)
	slices.Sort(printed)
	assert.Len(t, slices.Compact(slices.Clone(printed)), len(printed), "%s: a warning is printed twice: %q", command, printed)
	if want != nil && !slices.Equal(printed, want) {
		t.Errorf("%s prints %q, want %q", command, printed, want)
	}
	return printed
}
