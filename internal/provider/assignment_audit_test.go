package provider_test

import (
	"fmt"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// later is a value that is known after apply.
func later(name, value string) string {
	return fmt.Sprintf("resource \"terraform_data\" %q {\n  input = %q\n}\n", name, value)
}

// A package that is known after apply and turns out to be the assigned one is no change, whatever the plan could not know.
func TestAssignment_UnknownPackageIsTheSame(t *testing.T) {
	t.Parallel()
	const unknown = "${terraform_data.package.output}"
	for name, tc := range map[string]struct {
		inState bool
		extra   string
		want    []string
	}{
		"adopted, unmanaged":           {false, allowChange, []string{"Package is known after apply", "creating this resource does not change it"}},
		"adopted, add-ons as they are": {false, allowChange + "addons = { SEATS = 2 }", []string{"Package is known after apply"}},
		"in state, unmanaged":          {true, allowChange, []string{sumPackage, "package GOLD may be removed", "add-on SEATS may be detached (quantity 2)", "add-ons known after apply may be detached", "add-ons known after apply may be attached"}},
		"in state, becomes managed":    {true, allowChange + "addons = { SEATS = 2 }", []string{sumPackage, "add-on SEATS may be attached (quantity 2)"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCatalogued(t, simulator.Assumptions{})
			c := w.cli()
			if tc.inState {
				c.config(w.assignment(w.gold, ""))
				c.apply().wantOK(t)
			}
			w.console(w.gold, map[string]float64{w.seats: 2})
			c.config(w.config(later("package", w.gold) + w.body(unknown, tc.extra)))
			wantPromise(t, c.promises(), tc.want)
			w.sim.ResetJournal()
			c.applySaved().wantOK(t)
			w.wantWrites("")
			w.wantHas("GOLD SEATS=2")
			c.wantEmptyPlan()
		})
	}
}

// One that turns out to be another package is an error of a create, and the announced change of an update.
func TestAssignment_UnknownPackageIsAnother(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	w.console(w.gold, map[string]float64{w.seats: 2})
	c.config(w.config(later("package", w.silver) + w.body("${terraform_data.package.output}", allowChange)))
	c.promises()
	w.sim.ResetJournal()
	c.applySaved().wantError(t, "Private label has another package", "Nothing was changed")
	w.wantWrites("")
	c.config(w.config(w.body(w.gold, "")))
	c.apply().wantOK(t)
	c.config(w.config(later("other", w.silver) + w.body("${terraform_data.other.output}", allowChange)))
	c.promises()
	c.applySaved().wantOK(t)
	w.wantHas("SILVER SEATS=2")
	c.wantEmptyPlan()
}

// The CLI shows no warning of the second plan of -replace, so that every such plan is rejected: also where the private
// label is known after apply, and where the package has gone meanwhile.
func TestAssignment_ReplaceIsRejectedAnyway(t *testing.T) {
	t.Parallel()
	w := newCatalogued(t, simulator.Assumptions{})
	c := w.cli()
	c.config(w.assignment(w.gold, "addons = { SEATS = 2 }"))
	c.apply().wantOK(t)
	w.sim.ResetJournal()
	c.config(w.config(later("label", w.label) + fmt.Sprintf("resource \"reseller_assignment\" \"acme\" {\n  private_label_id = terraform_data.label.output\n  package_id = %q\n  addons = { SEATS = 2 }\n}\n", w.gold)))
	c.apply("-replace="+assigned).wantError(t, "Assignments cannot be replaced", acmeHost)
	w.wantHas("GOLD SEATS=2")
	c.config(w.assignment(w.gold, "addons = { SEATS = 2 }"))
	w.removePackage()
	c.apply("-replace="+assigned, "-refresh=false").wantError(t, "Assignments cannot be replaced", acmeHost)
	w.wantHas("")
	w.wantReads()
	c.apply("-replace="+assigned).wantOK(t, "Assignment not found, removed from state", sumBilled, "1 added")
	w.wantHas("GOLD SEATS=2")
	c.wantEmptyPlan()
}
