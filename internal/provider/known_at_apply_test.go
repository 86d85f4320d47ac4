package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/catalog"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

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
