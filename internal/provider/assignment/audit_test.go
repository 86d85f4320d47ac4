package assignment_test

import (
	"fmt"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// later is a value that is known after apply.
func later(name, value string) string {
	return fmt.Sprintf("resource \"terraform_data\" %q {\n  input = %q\n}\n", name, value)
}

// A package that is known after apply and turns out to be the assigned one is no change.
func TestAssignment_UnknownPackageIsTheSame(t *testing.T) {
	t.Parallel()
	const unknown, isLater = "${terraform_data.package.output}", assignment.SummaryPackageLater
	for name, tc := range map[string]struct {
		inState bool
		extra   string
		want    [][]string
	}{
		"create, unmanaged":           {false, allowChange, [][]string{{isLater, "creating this resource does not change it"}, {assignment.TopicBilling.Summary, assignment.Announced("assign ?")}}},
		"create, add-ons as they are": {false, allowChange + "addons = { SEATS = 2 }", [][]string{{isLater}, {assignment.TopicBilling.Summary, assignment.Announced("assign ?"), diagnostic.Capitalize(assignment.InEffect("attach SEATS 2"))}}},
		"in state, unmanaged":         {true, allowChange, [][]string{{isLater, "does not manage SEATS (quantity 2) yet"}, {assignment.TopicChangingPackage.Summary, assignment.Possible("remove GOLD")}}},
		"in state, becomes managed":   {true, allowChange + "addons = { SEATS = 2 }", [][]string{{isLater, "does not manage SEATS (quantity 2) yet"}, {assignment.TopicChangingPackage.Summary, assignment.Possible("attach SEATS 2")}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			c := coretest.New(t, w.TestEnv)
			if tc.inState {
				c.Config(w.Assignment(w.Gold, ""))
				c.Apply().WantOK(t)
			}
			w.Console(w.Gold, map[string]float64{w.Seats: 2})
			c.Config(w.Config(later("package", w.Gold) + w.Body(unknown, tc.extra)))
			wantPromise(t, c.Planned().OfAssignments(), tc.want...)
			w.Sim.ResetJournal()
			c.ApplySaved().WantOK(t)
			w.WantWrites("")
			w.WantHas("GOLD SEATS=2")
			c.WantEmptyPlan()
		})
	}
}

// One that turns out to be another package is an error of a create, and of an update that would detach what it does not
// manage.
func TestAssignment_UnknownPackageIsAnother(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.New(t, w.TestEnv)
	w.Console(w.Gold, map[string]float64{w.Seats: 2})
	c.Config(w.Config(later("package", w.Silver) + w.Body("${terraform_data.package.output}", allowChange)))
	c.Planned()
	w.Sim.ResetJournal()
	c.ApplySaved().WantError(t, assignment.SummaryOtherPackage, "import {")
	c.Config(w.Config(w.Body(w.Gold, "")))
	c.Apply().WantOK(t)
	c.Config(w.Config(later("other", w.Silver) + w.Body("${terraform_data.other.output}", allowChange)))
	c.Planned()
	c.ApplySaved().WantError(t, assignment.SummaryOtherAddons, "SEATS (quantity 2)")
	w.WantWrites("")
	c.Config(w.Config(later("last", w.Silver) + w.Body("${terraform_data.last.output}", allowChange+"addons = { SEATS = 2 }")))
	wantPromise(t, c.Planned().OfAssignments(), []string{assignment.TopicChangingPackage.Summary, assignment.Possible("detach SEATS 2"), assignment.Possible("remove GOLD"), assignment.Possible("attach SEATS 2")})
	c.ApplySaved().WantOK(t)
	w.WantHas("SILVER SEATS=2")
	c.WantEmptyPlan()
}

// The CLI shows no warning of the second plan of -replace, so every such plan is rejected, also if the private label is
// known after apply, and if the package no longer exists.
func TestAssignment_ReplaceIsRejectedAnyway(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, "addons = { SEATS = 2 }"))
	w.Sim.ResetJournal()
	c.Config(w.Config(later("label", w.Label) + fmt.Sprintf("resource \"reseller_assignment\" \"acme\" {\n  private_label_id = terraform_data.label.output\n  package_id = %q\n  addons = { SEATS = 2 }\n}\n", w.Gold)))
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

// Add-ons that are known after apply, and turn out to change what nobody has announced.
func TestAssignment_UnknownAddonsThatDoNotFit(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		inState bool
		addons  string
	}{
		"create":                 {false, "addons = terraform_data.addons.output"},
		"create, one quantity":   {false, "addons = { SEATS = terraform_data.addons.output.SEATS }"},
		"in state":               {true, "addons = terraform_data.addons.output"},
		"in state, one quantity": {true, "addons = { SEATS = terraform_data.addons.output.SEATS }"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			c := coretest.New(t, w.TestEnv)
			if tc.inState {
				c.Config(w.Assignment(w.Gold, ""))
				c.Apply().WantOK(t)
			}
			w.Console(w.Gold, map[string]float64{w.Seats: 2})
			c.Config(w.Config("resource \"terraform_data\" \"addons\" {\n  input = { SEATS = 3 }\n}\n" + w.Body(w.Gold, tc.addons)))
			c.Planned()
			w.Sim.ResetJournal()
			c.ApplySaved().WantError(t, assignment.SummaryOtherAddons, "SEATS (quantity 2)")
			w.WantWrites("")
			w.WantHas("GOLD SEATS=2")
		})
	}
}
