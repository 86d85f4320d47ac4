package assignment_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// wantPromise asserts that just these are announced: a summary and parts of its detail each.
func wantPromise(t *testing.T, got providertest.Diagnostics, want ...[]string) {
	t.Helper()
	assert.Len(t, got, len(want), "announcements")
	for _, parts := range want {
		if !slices.ContainsFunc(got, func(d providertest.Diagnostic) bool {
			return d.Summary == parts[0] && !slices.ContainsFunc(parts[1:], func(p string) bool { return !strings.Contains(d.Detail, p) })
		}) {
			t.Errorf("%q is not announced: %+v", parts, got)
		}
	}
}

const allowChange = "allow_package_change = true\n"

// A private label, its package, its add-on and its assignment in one plan: the plan announces what they bill, by code.
func TestAssignmentPromise_EverythingInOnePlan(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.New(t, w)
	c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "") + providertest.Item("addon", "seats", "SEATS", "") + providertest.Label("acme", providertest.AcmeHost, "") + `
resource "terraform_data" "documents" {
  input = 4
}
resource "reseller_addon" "documents" {
  code     = "Docs"
  name     = "Documents"
  currency = "EUR"
}
resource "reseller_assignment" "acme" {
  private_label_id = reseller_private_label.acme.id
  package_id       = reseller_package.gold.id
  addons           = { (reseller_addon.seats.code) = 2, (reseller_addon.documents.code) = terraform_data.documents.output }
  allow_excess     = { seats = 5 }
}`))
	wantPromise(t, c.Planned().OfAssignments(), []string{
		assignment.TopicBilling.Summary, "A private label known after apply", assignment.Announced("assign ?"),
		assignment.Announced("attach SEATS 2"), assignment.Announced("attach DOCS ?"), "seats by up to 5",
	})
	c.ApplySaved().WantOK(t, "6 added")
	got := providertest.AddonsIn(c.State(), providertest.Assigned)
	assert.Equal(t, 2.0, got["SEATS"], "addons = %v", got)
	assert.Equal(t, 4.0, got["Docs"], "addons = %v", got)
	c.WantEmptyPlan()
}

// One apply moves a private label to another package and deactivates the old one, in the order that Terraform chooses.
func TestAssignment_RetiredPackage(t *testing.T) {
	t.Parallel()
	for _, option := range []string{"-parallelism=1", "-parallelism=10"} {
		for _, retired := range []string{"old", "a", "z"} {
			t.Run(retired+option, func(t *testing.T) {
				t.Parallel()
				w := providertest.NewAssignmentEnv(t, simulator.Forms{})
				c := coretest.New(t, w.TestEnv)
				old := providertest.Item("package", retired, "OLD", "")
				c.Config(w.Config(old + w.Body("${reseller_package."+retired+".id}", "addons = { SEATS = 2 }")))
				c.Apply().WantOK(t)
				c.Config(w.Config(providertest.Item("package", retired, "OLD", "active = false") + w.Body(w.Silver, "addons = { SEATS = 2 }\n"+allowChange)))
				c.Apply(option).WantOK(t, "2 changed", session.SummaryNotRestorable, providertest.AcmeHost+": this plan replaces package OLD") // whichever is planned second
				w.WantHas("SILVER SEATS=2")
				c.WantEmptyPlan()
			})
		}
	}
}

// A package that the same apply activates is not an error of its plan.
func TestAssignment_PackageActivatedInTheSameApply(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.New(t, w.TestEnv)
	plus := providertest.Item("package", "plus", "PLUS", "active = false")
	c.Config(w.Config(plus + w.Body(w.Gold, "")))
	c.Apply().WantOK(t)
	change := w.Body("${reseller_package.plus.id}", allowChange)
	c.Config(w.Config(plus + change))
	c.Plan().WantError(t, assignment.SummaryPackageInactive, "package PLUS is deactivated")
	c.Config(w.Config(strings.Replace(plus, "active = false", "active = true", 1) + change))
	c.Apply().WantOK(t, "2 changed")
	w.WantHas("PLUS")
	c.WantEmptyPlan()
}

// Without add-ons, a read uses only the list of private labels, which has the package's code and name.
func TestAssignment_PackageNameIsRefreshed(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, ""))
	w.UpdateItem("package", w.Gold, `"name":"Gold Plus"`)
	w.Sim.ResetJournal()
	c.Refresh()
	assert.Equal(t, 0, w.Calls(providertest.RouteDetail), "details")
	assert.Equal(t, "Gold Plus", c.State()[providertest.Assigned].Attributes["package_name"])
	c.WantEmptyPlan()
}

// Two applies of one plan, the second in the middle of the first.
func TestAssignment_TwoAppliesAtOnce(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		before, after string
		route         string
		inBooks       string
	}{
		"create, at the package":  {"", "addons = { SEATS = 2 }", providertest.RouteAssign, "GOLD SEATS=2"},
		"create, at the add-on":   {"", "addons = { SEATS = 2 }", providertest.RouteAttachAddon, "GOLD SEATS=2"},
		"quantity, at the detach": {"addons = { SEATS = 2 }", "addons = { SEATS = 5 }", providertest.RouteRemoveAddon, "GOLD SEATS=5"},
		"quantity, at the attach": {"addons = { SEATS = 2 }", "addons = { SEATS = 5 }", providertest.RouteAttachAddon, "GOLD SEATS=5"},
		"package, at the detach":  {"addons = { SEATS = 2 }", "silver", providertest.RouteRemoveAddon, "SILVER SEATS=2"},
		"package, at the assign":  {"addons = { SEATS = 2 }", "silver", providertest.RouteAssign, "SILVER SEATS=2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			first, second := coretest.New(t, w.TestEnv), coretest.New(t, w.TestEnv)
			if tc.before != "" {
				first.Config(w.Assignment(w.Gold, tc.before))
				first.Apply().WantOK(t)
				second.Config(w.Assignment(w.Gold, tc.before))
				second.CopyState(first)
			}
			for _, c := range []*coretest.Workspace{first, second} {
				if tc.after == "silver" {
					c.Config(w.Assignment(w.Silver, tc.before+"\n"+allowChange))
				} else {
					c.Config(w.Assignment(w.Gold, tc.after))
				}
				c.Planned()
			}
			var other providertest.Result
			w.Sim.Inject(simulator.Fault{Route: tc.route, Hook: func() { other = second.ApplySaved() }})
			r := first.ApplySaved()
			w.WantFault()
			other.WantOK(t)
			if r.Code != 0 {
				t.Logf("the first apply: %s", r.Out)
			}
			w.WantHas(tc.inBooks)
			first.Refresh()
			first.WantEmptyPlan()
			second.WantEmptyPlan()
		})
	}
}
