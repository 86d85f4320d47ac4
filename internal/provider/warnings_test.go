package provider_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/branding"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/catalog"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
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

func TestTopics_EveryKindIsAnnounced(t *testing.T) {
	t.Parallel()
	for _, kind := range effect.Kinds() {
		announced := kind == effect.Drift || kind == effect.Conflict // a review alone sees them
		for _, topic := range effect.Topics() {
			announced = announced || topic.Announces(kind)
		}
		assert.True(t, announced, "no topic announces %q", kind)
	}
	for _, topic := range effect.Topics() {
		assert.NotEmpty(t, topic.Kinds, "%q announces nothing", topic.Summary)
	}
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
	c.Planned().WantWarning(t, privatelabel.SummaryRecordedOnly, providertest.AcmeHost, "app_name, support_url")
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 changed")
	w.WantReads()
	c.Planned().WantNone(t)
}

// A package that the same run creates is another one, which a plan request does not show: the plan warns, and the apply
// does not change the assignment.
func TestAssignment_ChangeToANewPackage(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, ""))
	declare := func(extra string) {
		c.Config(w.Assignment("${reseller_package.plus.id}", extra) + providertest.Item("package", "plus", "PLUS", ""))
	}
	declare("")
	c.Plan().WantText(t, assignment.SummaryPackageLater, "allow_package_change is not true", "Remove depends_on from a data source")
	c.Apply().WantError(t, assignment.SummaryPackageChange, "allow_package_change = true")
	w.WantHas("GOLD")
	declare("allow_package_change = true")
	c.Plan().WantText(t, assignment.TopicChangingPackage.Summary, "package GOLD is removed and package PLUS is assigned")
	c.Apply().WantOK(t, "1 changed")
	w.WantHas("PLUS")
	c.WantEmptyPlan()
}

// The same for a private label that the same run creates.
func TestAssignment_ChangeToANewLabel(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, ""))
	c.Config(w.Config(providertest.Label("new", "sign.new.example", "") + fmt.Sprintf("resource \"reseller_assignment\" \"acme\" {\n  private_label_id = reseller_private_label.new.id\n  package_id = %q\n}\n", w.Gold)))
	c.Plan().WantText(t, assignment.SummaryLabelLater, providertest.AcmeHost)
	c.Apply().WantError(t, "private_label_id of "+w.Label+" cannot change")
	w.WantHas("GOLD")
	for _, l := range w.Sim.Labels() {
		if l.Host != providertest.AcmeHost && l.Package != "" {
			t.Errorf("%s has %s", l.Host, l.Package)
		}
	}
}

// A signing whose document may be another one: the plan warns, and the apply
// signs nothing.
func TestDocumentSigning_ChangeToANewDocument(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	w.WithDocument(providertest.MinimalDocument)
	before := len(w.Sim.Documents())
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	signing := providertest.SigningOf(w.Sim.Documents()[0].ID, w.AnnotationOf(0, 0), w.Signature(), "")
	c.Config(w.Config(signing))
	c.Apply().WantOK(t)
	other := strings.NewReplacer(`"Terms"`, `"Other terms"`).Replace(providertest.MinimalDocument)
	c.Config(w.Config(other + strings.Replace(signing, fmt.Sprintf("%q", w.Sim.Documents()[0].ID), "reseller_document.terms.id", 1)))
	id := w.Sim.Documents()[0].ID
	c.Plan().WantText(t, document.SummaryChangeLater, "doc_id", id)
	w.Sim.ResetJournal()
	c.Apply().WantError(t, session.SummaryImmutable, "doc_id", id)
	n := len(w.Sim.Documents())
	assert.Equal(t, before+1, n, "documents, %d signings", w.Calls(providertest.RouteSign))
	assert.Equal(t, 0, w.Calls(providertest.RouteSign), "%d documents, signings", n)
}

func TestPlan_WarnsPermanentWithUnknownNames(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.New(t, w)
	named := func(block, was, attribute string) string {
		return strings.Replace(block, fmt.Sprintf("%q", was), "terraform_data.name.output."+attribute, 1)
	}
	c.Config(w.Config("resource \"terraform_data\" \"name\" {\n input = { host = \"" + providertest.AcmeHost + "\", code = \"GOLD\" }\n}\n" +
		named(providertest.Label("acme", providertest.AcmeHost, ""), providertest.AcmeHost, "host") + named(providertest.Item("package", "gold", "GOLD", ""), "GOLD", "code") + named(providertest.Item("addon", "gold", "GOLD", ""), "GOLD", "code")))
	told := c.Planned()
	told.WantWarning(t, privatelabel.TopicProvisioning.Summary, "The host name of Acme Sign (known after apply)", "ada@acme.example")
	told.WantWarning(t, catalog.TopicPackageCode.Summary, "The code of package \"Gold\" is known after apply", "99 remain)")
	told.WantWarning(t, catalog.TopicAddonCode.Summary, "The code of add-on \"Gold\" is known after apply")
	c.Apply().WantOK(t, "4 added")
	c.WantEmptyPlan()
}

// A lost state, and an export whose private label went, have one error for each private label, with its remedy: nothing asks
// for values that only a new private label needs.
func TestPlan_HostBeforeValues(t *testing.T) {
	t.Parallel()
	const label = "resource \"reseller_private_label\" \"acme\" {\n  domain = %q\n}\n" +
		"resource \"reseller_member\" \"bob\" {\n  private_label_id = reseller_private_label.acme.id\n  email = \"bob@acme.example\"\n  first_name = \"Bob\"\n  last_name = \"Byte\"\n}\n"
	const imports = "import {\n  to = reseller_private_label.acme\n  id = %q\n}\n"
	for name, tc := range map[string]struct {
		gone bool
		want []string
	}{
		"lost state":    {false, []string{"import {", "to = reseller_private_label.NAME"}},
		"label is gone": {true, []string{"is still in the configuration, and the host name of a deprovisioned private label can never be provisioned again", "Remove the resource or the client's file"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			c := coretest.New(t, w.TestEnv)
			config := w.Config(fmt.Sprintf(label, providertest.AcmeHost))
			c.Config(config)
			if tc.gone {
				c.Config(config + fmt.Sprintf(imports, w.Label))
				c.Apply().WantOK(t)
				c.Config(config)
				require.NoError(t, w.Sim.MoveAway(providertest.AcmeHost))
			}
			r := c.Plan()
			if n := strings.Count(r.Out, "Error: "); r.Code != 1 || n != 1 || strings.Contains(r.Out, "Missing ") {
				t.Errorf("%d errors: %s", n, r.Out)
			}
			for _, text := range tc.want {
				assert.Contains(t, r.Out, text, "is missing")
			}
			assert.NotContains(t, r.Out, "can never be provisioned again here", "the platform may have moved it")
		})
	}
}
