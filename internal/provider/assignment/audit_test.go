package assignment_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// terraformData is a block whose output, the value of an expression, is known after apply.
func terraformData(name, expression string) string {
	return fmt.Sprintf("resource \"terraform_data\" %q {\n  input = %s\n}\n", name, expression)
}

// The CLI shows no warning of the second plan of -replace, so every such plan is rejected, also if the private label is
// known after apply, and if the package no longer exists.
func TestAssignment_ReplaceIsRejectedAnyway(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, "addons = { SEATS = 2 }"))
	w.Sim.ResetJournal()
	c.Config(w.Config(terraformData("label", strconv.Quote(w.Label)) + fmt.Sprintf("resource \"reseller_assignment\" \"acme\" {\n  private_label_id = terraform_data.label.output\n  package_id = %q\n  addons = { SEATS = 2 }\n}\n", w.Gold)))
	c.Apply("-replace="+providertest.Assigned).WantError(t, assignment.SummaryNotReplaceable, providertest.AcmeHost)
	w.WantHas("GOLD SEATS=2")
	c.Config(w.Assignment(w.Gold, "addons = { SEATS = 2 }"))
	w.RemovePackage()
	c.Apply("-replace="+providertest.Assigned, "-refresh=false").WantError(t, assignment.SummaryNotReplaceable, providertest.AcmeHost)
	w.WantHas("")
	w.WantReads()
	c.Apply("-replace="+providertest.Assigned).WantOK(t, assignment.SummaryNotFound, assignment.TopicBilling.Summary, "1 added")
	w.WantHas("GOLD SEATS=2")
	c.WantEmptyPlan()
}
