package assignment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestAssignment_Lifecycle(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := w.Cli()
	c.Config(w.Assignment(w.Gold, w.Addons(5)))
	c.Plan().WantText(t, assignment.TopicBilling.Summary, providertest.AcmeHost+": "+assignment.Announced("assign GOLD", "attach SEATS 5"))
	c.Apply().WantOK(t, "1 added")
	w.WantHas("GOLD SEATS=5")
	state := c.State()[providertest.Assigned].Attributes
	for name, want := range map[string]any{"id": w.Label, "package_code": "GOLD", "currency": "EUR"} {
		assert.Equal(t, want, state[name], name)
	}
	c.WantEmptyPlan()

	t.Run("changed quantity is detached and attached", func(t *testing.T) {
		c.Config(w.Assignment(w.Gold, w.Addons(7)))
		c.Plan().WantText(t, assignment.TopicChangingAddons.Summary, assignment.Announced("detach SEATS 5", "attach SEATS 7"))
		w.Sim.ResetJournal()
		c.Apply().WantOK(t, "1 changed")
		w.WantHas("GOLD SEATS=7")
		if w.Calls(providertest.RouteRemoveAddon) != 1 || w.Calls(providertest.RouteAttachAddon) != 1 || w.Calls(providertest.RouteAssign) != 0 {
			t.Errorf("calls: %v", w.Sim.Journal())
		}
		c.WantEmptyPlan()
	})
	t.Run("unknown quantity is no removal", func(t *testing.T) {
		later := "resource \"terraform_data\" \"later\" {\n input = 9\n}\n"
		c.Config(later + w.Assignment(w.Gold, "addons = { SEATS = terraform_data.later.output }"))
		c.Plan().WantText(t, assignment.TopicChangingAddons.Summary, assignment.Possible("detach SEATS 7", "attach SEATS ?"))
		c.Config(later + w.Assignment(w.Gold, "addons = terraform_data.later.output == 9 ? { SEATS = 7 } : {}"))
		c.Plan().WantText(t, assignment.TopicChangingAddons.Summary, assignment.Possible("detach SEATS 7", "attach ?"))
		c.Config(fmt.Sprintf("resource \"terraform_data\" \"package\" {\n input = %q\n}\n", w.Gold) + w.Assignment("${terraform_data.package.output}", w.Addons(7)))
		c.Plan().WantText(t, assignment.SummaryPackageLater, providertest.AcmeHost+": "+assignment.Announced("assign GOLD"))
		c.Apply().WantOK(t, "1 added")
		w.WantHas("GOLD SEATS=7")
	})
	t.Run("not managed: not changed", func(t *testing.T) {
		c.Config(w.Assignment(w.Gold, ""))
		r := c.Plan()
		r.WantText(t, assignment.TopicUnmanagingAddons.Summary, "SEATS (quantity 7)")
		assert.NotContains(t, r.Out, "detached", "warned of what is not managed")
		w.Sim.ResetJournal()
		c.Apply().WantOK(t, "1 changed")
		w.WantHas("GOLD SEATS=7")
		assert.Equal(t, 0, w.Calls(providertest.RouteRemoveAddon), "removals")
		c.WantEmptyPlan()
	})
	t.Run("none: all are detached", func(t *testing.T) {
		c.Config(w.Assignment(w.Gold, "addons = {}"))
		c.Apply().WantOK(t, "1 changed")
		w.WantHas("GOLD")
		c.WantEmptyPlan()
	})
	t.Run("what allows changes no call", func(t *testing.T) {
		c.Config(w.Assignment(w.Gold, "addons = {}\nallow_excess = { seats = 3 }"))
		w.Sim.ResetJournal()
		c.Apply().WantOK(t, "1 changed")
		assert.Equal(t, 0, w.Calls(providertest.RouteAssign)+w.Calls(providertest.RouteAttachAddon), "writing calls")
	})
	t.Run("a package changes on request only", func(t *testing.T) {
		c.Config(w.Assignment(w.Silver, "addons = {}"))
		c.Plan().WantError(t, assignment.SummaryPackageChange, "from GOLD to SILVER", "allow_package_change = true")
		c.Config(w.Assignment(w.Silver, "addons = {}\nallow_package_change = true"))
		c.Plan().WantText(t, assignment.TopicChangingPackage.Summary, assignment.Announced("remove GOLD", "assign SILVER"))
		c.Apply().WantOK(t, "1 changed")
		w.WantHas("SILVER")
		c.WantEmptyPlan()
	})
	t.Run("replacing is rejected", func(t *testing.T) {
		c.Plan("-replace="+providertest.Assigned).WantError(t, assignment.SummaryNotReplaceable, providertest.AcmeHost)
		c.Ok("taint", "-no-color", providertest.Assigned)
		w.Sim.ResetJournal()
		c.Apply().WantError(t, assignment.SummaryNotReplaceable, "terraform untaint")
		w.WantReads()
		w.WantHas("SILVER")
		c.Ok("untaint", "-no-color", providertest.Assigned)
	})
	t.Run("another label is blocked", func(t *testing.T) {
		c.Config(strings.Replace(w.Assignment(w.Silver, "addons = {}\nallow_package_change = true"), w.Label, strings.Repeat("ab", 16), 1))
		c.Plan().WantError(t, "private_label_id of "+w.Label+" cannot change")
	})
	t.Run("destroy", func(t *testing.T) {
		c.Config(w.Config(""))
		c.Plan().WantText(t, assignment.TopicUnassigning.Summary, providertest.AcmeHost+": "+assignment.Announced("remove SILVER"))
		c.Apply().WantOK(t, "1 destroyed")
		w.WantHas("")
	})
}

// A plan over private labels with packages needs the list; with add-ons also a read of each assignment.
func TestAssignment_PlanCalls(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, ""))
	w.Sim.ResetJournal()
	c.WantEmptyPlan()
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteList: 1}))
	c.Config(w.Assignment(w.Gold, w.Addons(1)))
	c.Apply().WantOK(t)
	w.Sim.ResetJournal()
	c.WantEmptyPlan()
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteList: 1, routePackageRead: 1}))
}
