package assignment_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
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

// What a create or an update would have to change or remove without having announced it is an error of the plan, and of
// an apply whose plan did not see it.
func TestAssignment_DoesNotFit(t *testing.T) {
	t.Parallel()
	const otherPackage, otherAddons = assignment.SummaryOtherPackage, assignment.SummaryOtherAddons
	for name, tc := range map[string]struct {
		before  string // of GOLD; "" for no assignment
		console map[string]float64
		silver  bool
		after   string
		want    []string
		imports bool
	}{
		"create, another package":                  {"", nil, true, "", []string{otherPackage, "package GOLD is already assigned"}, true},
		"create, an add-on more":                   {"", map[string]float64{"SEATS": 2, "DOCS": 1}, false, "addons = { SEATS = 2 }", []string{otherAddons, "DOCS (quantity 1)"}, true},
		"create, another quantity":                 {"", map[string]float64{"SEATS": 2}, false, "addons = { SEATS = 5 }", []string{otherAddons, "SEATS (quantity 2)"}, true},
		"create, none wanted":                      {"", map[string]float64{"SEATS": 2}, false, "addons = {}", []string{otherAddons, "SEATS (quantity 2)"}, true},
		"add-ons become managed: none":             {" ", map[string]float64{"SEATS": 2}, false, "addons = {}", []string{otherAddons, "SEATS (quantity 2)", "does not manage yet"}, false},
		"add-ons become managed: another quantity": {" ", map[string]float64{"SEATS": 2, "DOCS": 1}, false, "addons = { SEATS = 3, DOCS = 1 }", []string{otherAddons, "SEATS (quantity 2)"}, false},
		"package change, attached in the console":  {" ", map[string]float64{"SEATS": 2}, true, allowChange, []string{otherAddons, "SEATS (quantity 2)", "A package change detaches all add-ons"}, false},
		"package change, becomes managed":          {" ", map[string]float64{"SEATS": 2}, true, allowChange + "addons = { SEATS = 2 }", []string{otherAddons, "SEATS (quantity 2)"}, false},
		"package change, no longer managed":        {"addons = { SEATS = 2 }", map[string]float64{"SEATS": 2}, true, allowChange, []string{otherAddons, "SEATS (quantity 2)"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			ids := map[string]string{"SEATS": w.Seats, "DOCS": w.WithDocs()}
			c := coretest.New(t, w.TestEnv)
			if tc.before != "" {
				c.Config(w.Assignment(w.Gold, tc.before))
				c.Apply().WantOK(t)
			}
			id := w.Gold
			if tc.silver {
				id = w.Silver
			}
			c.Config(w.Assignment(id, tc.after))
			saved := coretest.New(t, w.TestEnv)
			saved.CopyState(c)
			saved.Config(w.Assignment(id, tc.after))
			if name != "package change, no longer managed" { // which the state shows
				saved.Planned()
			}
			addons := map[string]float64{}
			for code, quantity := range tc.console {
				addons[ids[code]] = quantity
			}
			w.Console(w.Gold, addons)
			inBooks := w.Has()
			w.Sim.ResetJournal()
			want := slices.Concat(tc.want, []string{providertest.AcmeHost})
			if tc.imports {
				want = append(want, "import {", "to = reseller_assignment.NAME", fmt.Sprintf("id = %q", w.Label))
			}
			c.Planned().WantError(t, want[0], want[1:]...)
			c.Apply().WantError(t, want...)
			if name != "package change, no longer managed" {
				saved.ApplySaved().WantError(t, want...)
			}
			w.WantWrites("")
			w.WantHas(inBooks)
		})
	}
}

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

// A private label that is known, a package that is not, and one that may be the same.
func TestAssignmentPromise_UnknownPackage(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.New(t, w.TestEnv)
	later := func(id string) string {
		return fmt.Sprintf("resource \"terraform_data\" \"package\" {\n  input = %q\n}\n", id)
	}
	c.Config(w.Config(later(w.Gold) + w.Body("${terraform_data.package.output}", "addons = { SEATS = 2 }")))
	wantPromise(t, c.Planned().OfAssignments(), []string{assignment.TopicBilling.Summary, assignment.Announced("assign ?"), assignment.Announced("attach SEATS 2")})
	c.ApplySaved().WantOK(t, "2 added")
	w.WantHas("GOLD SEATS=2")
	c.Config(w.Config(later(w.Silver) + w.Body("${terraform_data.package.output}", allowChange+"addons = { SEATS = 2 }")))
	wantPromise(t, c.Planned().OfAssignments(), []string{assignment.TopicChangingPackage.Summary, assignment.Possible("remove GOLD"), assignment.Possible("assign ?"), assignment.Possible("attach SEATS 2")})
	c.ApplySaved().WantOK(t)
	w.WantHas("SILVER SEATS=2")
	c.WantEmptyPlan()
	c.Config(w.Config(later(w.Gold) + w.Body("${terraform_data.package.output}", "addons = { SEATS = 3 }")))
	wantPromise(t, c.Planned().OfAssignments(),
		[]string{assignment.SummaryPackageLater, providertest.AcmeHost, assignment.Announced("assign SILVER"), "allow_package_change is not true"},
		[]string{assignment.TopicChangingAddons.Summary, assignment.Announced("attach SEATS 3")})
	w.Sim.ResetJournal()
	c.ApplySaved().WantError(t, assignment.SummaryPackageChange, "from SILVER to")
	w.WantWrites("")
	w.WantHas("SILVER SEATS=2")
}

// What changed after the plan is never billed or removed, and the error says so before the first API call.
func TestAssignmentPromise_MovedAfterThePlan(t *testing.T) {
	t.Parallel()
	seats := func(n int) string { return fmt.Sprintf("addons = { SEATS = %d }", n) }
	changed := func(step string) []string {
		return []string{object.SummaryChanged, providertest.AcmeHost, "a change that the plan did not announce: " + step, "Nothing was changed", "Plan again"}
	}
	for name, tc := range map[string]struct {
		before, after string // "" for no assignment; prefix "silver " for the other package
		moves         func(w *providertest.AssignmentEnv)
		fails         []string // none: the apply does what is left
		inBooks       string
	}{
		"add-on attached before a change of another":   {seats(2), seats(3), func(w *providertest.AssignmentEnv) { w.Console(w.Gold, map[string]float64{w.Seats: 2, w.Docs(): 1}) }, changed("detach add-on DOCS (quantity 1)"), "GOLD DOCS=1 SEATS=2"},
		"quantity changed":                             {seats(2), seats(3), func(w *providertest.AssignmentEnv) { w.Console(w.Gold, map[string]float64{w.Seats: 7}) }, changed("detach add-on SEATS (quantity 7)"), "GOLD SEATS=7"},
		"package changed before a change of an add-on": {seats(2), seats(3), func(w *providertest.AssignmentEnv) { w.Console(w.Silver, map[string]float64{w.Seats: 2}) }, changed("remove package SILVER"), "SILVER SEATS=2"},
		"package removed before a change of an add-on": {seats(2), seats(3), func(w *providertest.AssignmentEnv) { w.RemovePackage() }, changed("assign package "), ""},
		"add-on detached before its change":            {seats(2), seats(3), func(w *providertest.AssignmentEnv) { w.Console(w.Gold, nil) }, nil, "GOLD SEATS=3"},
		"changed already":                              {seats(2), seats(3), func(w *providertest.AssignmentEnv) { w.Console(w.Gold, map[string]float64{w.Seats: 3}) }, nil, "GOLD SEATS=3"},
		"add-on attached before a package change":      {seats(2), "silver " + allowChange + seats(2), func(w *providertest.AssignmentEnv) { w.Console(w.Gold, map[string]float64{w.Seats: 2, w.Docs(): 1}) }, changed("detach add-on DOCS (quantity 1)"), "GOLD DOCS=1 SEATS=2"},
		"package changed before a package change":      {seats(2), "silver " + allowChange + seats(2), func(w *providertest.AssignmentEnv) { w.Console(w.Bronze(), nil) }, changed("remove package BRONZE"), "BRONZE"},
		"package removed before a package change":      {seats(2), "silver " + allowChange + seats(2), func(w *providertest.AssignmentEnv) { w.RemovePackage() }, nil, "SILVER SEATS=2"},
		"package changed already":                      {seats(2), "silver " + allowChange + seats(2), func(w *providertest.AssignmentEnv) { w.Console(w.Silver, map[string]float64{w.Seats: 2}) }, nil, "SILVER SEATS=2"},
		"add-on attached before a destroy":             {seats(2), "", func(w *providertest.AssignmentEnv) { w.Console(w.Gold, map[string]float64{w.Seats: 2, w.Docs(): 1}) }, changed("detach add-on DOCS (quantity 1)"), "GOLD DOCS=1 SEATS=2"},
		"add-on attached before an unmanaged destroy":  {" ", "", func(w *providertest.AssignmentEnv) { w.Console(w.Gold, map[string]float64{w.Seats: 2}) }, changed("detach add-on SEATS (quantity 2)"), "GOLD SEATS=2"},
		"package changed before a destroy":             {seats(2), "", func(w *providertest.AssignmentEnv) { w.Console(w.Silver, map[string]float64{w.Seats: 2}) }, changed("remove package SILVER"), "SILVER SEATS=2"},
		"package removed before a destroy":             {seats(2), "", func(w *providertest.AssignmentEnv) { w.RemovePackage() }, nil, ""},
		"same package assigned before a create":        {"", seats(2), func(w *providertest.AssignmentEnv) { w.Console(w.Gold, map[string]float64{w.Seats: 2}) }, nil, "GOLD SEATS=2"},
		"package removed before a create of it":        {"console", seats(2), func(w *providertest.AssignmentEnv) { w.RemovePackage() }, nil, "GOLD SEATS=2"},
		"add-on detached before a create of it":        {"console", seats(2), func(w *providertest.AssignmentEnv) { w.Console(w.Gold, nil) }, nil, "GOLD SEATS=2"},
		"assigned again before a create of it":         {"console", seats(2), func(w *providertest.AssignmentEnv) { w.Console(w.Gold, map[string]float64{w.Seats: 2}) }, nil, "GOLD SEATS=2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			w.WithDocs()
			c := coretest.New(t, w.TestEnv)
			declare := func(text string) {
				id := w.Gold
				if rest, other := strings.CutPrefix(text, "silver "); other {
					id, text = w.Silver, rest
				}
				if text == "" {
					c.Config(w.Config(""))
					return
				}
				c.Config(w.Config(w.Body(id, text)))
			}
			switch tc.before {
			case "":
			case "console":
				w.Console(w.Gold, map[string]float64{w.Seats: 2})
			default:
				declare(tc.before)
				c.Apply().WantOK(t)
			}
			declare(tc.after)
			c.Planned()
			tc.moves(w)
			w.Sim.ResetJournal()
			r := c.ApplySaved()
			if len(tc.fails) > 0 {
				r.WantError(t, tc.fails...)
				w.WantWrites("")
			} else {
				r.WantOK(t)
			}
			w.WantHas(tc.inBooks)
			if len(tc.fails) == 0 {
				c.WantEmptyPlan()
			}
		})
	}
}

// A package change is rejected before anything is removed if the new package is inactive, also where it became so after
// the plan.
func TestAssignment_PackageChangeRefusedFirst(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, "addons = { SEATS = 2 }"))
	c.Config(w.Assignment(w.Silver, "addons = { SEATS = 2 }\n"+allowChange))
	c.Planned()
	w.UpdateItem("package", w.Silver, `"active":false`)
	w.Sim.ResetJournal()
	want := []string{assignment.SummaryPackageInactive, "package SILVER is deactivated"}
	c.ApplySaved().WantError(t, want...)
	w.WantWrites("")
	c.Plan().WantError(t, want...)
	w.WantHas("GOLD SEATS=2")
}

// An inactive old package is no reason to reject. The plan says that it could not be restored, and the error of a
// rejected change says what is lost.
func TestAssignment_PackageChangeFromInactive(t *testing.T) {
	t.Parallel()
	for _, rejected := range []bool{false, true} {
		t.Run(fmt.Sprintf("rejected: %t", rejected), func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, "addons = { SEATS = 2 }"))
			w.UpdateItem("package", w.Gold, `"active":false`)
			c.Config(w.Assignment(w.Silver, "addons = { SEATS = 2 }\n"+allowChange))
			wantPromise(t, c.Planned().OfAssignments(), []string{session.SummaryNotRestorable, "replaces package GOLD, which is deactivated,"},
				[]string{assignment.TopicChangingPackage.Summary, "A deactivated package could not be restored"})
			if !rejected {
				c.ApplySaved().WantOK(t)
				w.WantHas("SILVER SEATS=2")
				c.WantEmptyPlan()
				return
			}
			w.Sim.Inject(simulator.Fault{Route: providertest.RouteAssign, Hook: func() { w.UpdateItem("package", w.Silver, `"active":false`) }})
			c.ApplySaved().WantError(t, assignment.NotTaken("assign SILVER"), "PACKAGE_INACTIVE", "Lost: package GOLD and add-on SEATS (quantity 2).")
			w.WantHas("")
			w.UpdateItem("package", w.Silver, `"active":true`)
			c.Apply().WantOK(t)
			w.WantHas("SILVER SEATS=2")
			c.WantEmptyPlan()
		})
	}
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

// Inactive add-ons and other currencies are for the API to reject.
func TestAssignment_AddonRejected(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Assignment(w.Gold, "addons = { SEATS = 2 }"))
	w.UpdateItem("addon", w.Seats, `"active":false`)
	c.Apply().WantError(t, assignment.SummaryCreate, assignment.NotTaken("attach SEATS"), assignment.Written("assign GOLD"), "Nothing is in state", "ADDON_INACTIVE")
	w.WantHas("GOLD")
	w.UpdateItem("addon", w.Seats, `"active":true`)
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 added")
	w.WantWrites("attach SEATS 2")
	c.WantEmptyPlan()
	w.UpdateItem("addon", w.Seats, `"active":false`)
	c.Config(w.Assignment(w.Silver, "addons = { SEATS = 2 }\n"+allowChange))
	c.Apply().WantError(t, assignment.SummaryUpdate, assignment.NotTaken("attach SEATS"), "package SILVER assigned.", assignment.Lost("attach SEATS 2"), "ADDON_INACTIVE")
	w.WantHas("SILVER")
	w.WantUntainted(c)
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

// The API rejects the new package after the old one is removed: the former package and add-ons are restored without a
// bound. What is attached to a new package is within allow_excess.
func TestAssignment_PackageChangeRestores(t *testing.T) {
	t.Parallel()
	for _, extra := range []string{"addons = { SEATS = 2 }\n", "addons = {}\n"} {
		t.Run(fmt.Sprintf("rejected %q", extra), func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, "addons = { SEATS = 2 }"))
			c.Config(w.Assignment(w.Silver, extra+allowChange))
			c.Planned()
			w.Sim.Inject(simulator.Fault{Route: providertest.RouteAssign, Hook: func() {
				w.UpdateItem("package", w.Silver, `"active":false`)
				w.Allowance(0, 0)
			}})
			w.Sim.ResetJournal()
			c.ApplySaved().WantError(t, assignment.SummaryUpdate, providertest.AcmeHost+": package SILVER was not assigned", "PACKAGE_INACTIVE",
				"Written: add-on SEATS detached (quantity 2), package GOLD removed.", "Restored: package GOLD assigned, add-on SEATS attached (quantity 2).")
			w.WantHas("GOLD SEATS=2")
			assert.Equal(t, "GOLD", c.State()[providertest.Assigned].Attributes["package_code"], "package_code in state")
			c.Config(w.Assignment(w.Gold, "addons = { SEATS = 2 }"))
			c.Apply().WantOK(t)
			c.WantEmptyPlan()
		})
	}
	t.Run("an add-on beyond the consent is not attached under the new package", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewAssignmentEnv(t, simulator.Forms{})
		w.Allowance(1000, 20)
		c := coretest.New(t, w.TestEnv)
		c.Config(w.Assignment(w.Gold, "addons = { SEATS = 5 }"))
		c.Apply().WantOK(t) // 15 seats, 5 remain
		c.Config(w.Assignment(w.Silver, "addons = { SEATS = 12 }\n"+allowChange))
		w.Sim.ResetJournal()
		c.Apply().WantError(t, assignment.SummaryExcess, "Attaching add-on SEATS (quantity 12)", "seats: requested", assignment.Written("detach SEATS 5", "remove GOLD", "assign SILVER"), assignment.Lost("attach SEATS 5"))
		w.WantHas("SILVER")
		for _, key := range w.Sim.Journal() {
			assert.NotContains(t, string(key.Body), "confirmationKey", "an excess was confirmed beyond the consent")
		}
		assert.Equal(t, "SILVER", c.State()[providertest.Assigned].Attributes["package_code"], "package_code in state")
		c.Config(w.Assignment(w.Silver, "addons = {}"))
		c.Apply().WantOK(t)
		c.WantEmptyPlan()
	})
}

// The package cannot be removed: what was detached before is attached again, or named as lost.
func TestAssignment_PackageNotRemoved(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		attachFails bool
		want        []string
		inBooks     string
	}{
		"restored": {false, []string{assignment.NotTaken("remove GOLD"), assignment.Written("detach DOCS 1", "detach SEATS 2"), assignment.Restored("attach DOCS 1", "attach SEATS 2")}, "GOLD DOCS=1 SEATS=2"},
		"lost":     {true, []string{assignment.NotTaken("remove GOLD"), assignment.Written("detach DOCS 1", "detach SEATS 2"), assignment.Lost("attach DOCS 1", "attach SEATS 2")}, "GOLD"},
	} {
		for _, extra := range []string{"addons = {}\n", "addons = { SEATS = 9 }\n"} {
			t.Run(name+", "+extra, func(t *testing.T) {
				t.Parallel()
				w := providertest.NewAssignmentEnv(t, simulator.Forms{})
				w.WithDocs()
				c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, "addons = { SEATS = 2, DOCS = 1 }"))
				c.Config(w.Assignment(w.Silver, extra+allowChange))
				c.Planned()
				w.Sim.Inject(simulator.Fault{Route: providertest.RouteRemovePackage, Kind: simulator.FaultForbidden, Times: -1})
				if tc.attachFails {
					w.Sim.Inject(simulator.Fault{Route: providertest.RouteAttachAddon, Kind: simulator.FaultForbidden, Times: -1})
				}
				r := c.ApplySaved()
				r.WantError(t, append(tc.want, assignment.SummaryUpdate, providertest.AcmeHost, "FORBIDDEN")...)
				assert.NotContains(t, r.Out, "Nothing was changed", "the error says that nothing was changed")
				w.WantHas(tc.inBooks)
				w.Sim.ClearFaults()
				c.Apply().WantOK(t)
				w.WantUntainted(c)
				c.WantEmptyPlan()
			})
		}
	}
}

// A partial create says what it wrote, and the next apply continues.
func TestAssignment_CreateSaysWhatItWrote(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	w.Allowance(1000, 20)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Assignment(w.Gold, "addons = { SEATS = 12 }\nallow_excess = { documents = 7 }"))
	r := c.Apply()
	r.WantError(t, assignment.SummaryExcess, "Attaching add-on SEATS (quantity 12) to "+providertest.AcmeHost, assignment.Written("assign GOLD"), "Nothing is in state", "allow_excess = { documents = 7, seats = 2 }")
	assert.NotContains(t, r.Out, "Nothing was changed", "the error says that nothing was changed")
	assert.Empty(t, c.State())
	c.Config(w.Assignment(w.Gold, "addons = { SEATS = 12 }\nallow_excess = { documents = 7, seats = 2 }"))
	wantPromise(t, c.Planned().OfAssignments(), []string{assignment.TopicBilling.Summary, assignment.Announced("attach SEATS 12"), diagnostic.Capitalize(assignment.InEffect("assign GOLD")), "seats by up to 2"})
	w.Sim.ResetJournal()
	c.ApplySaved().WantOK(t)
	w.WantWrites("attach SEATS 12, attach SEATS 12 confirmed")
	c.WantEmptyPlan()
}

// A code that is not in the catalog is an error at plan time, and before the first API call if it is known after apply.
func TestAssignment_AddonsTheCatalogLacks(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Assignment(w.Gold, "addons = { Nope = 1 }"))
	w.Sim.ResetJournal()
	told := c.Planned()
	told.WantError(t, assignment.SummaryAddonNotFound, "no add-on with code NOPE")
	assert.Contains(t, told.Of("error", assignment.SummaryAddonNotFound)[0].Attribute, "addons")
	w.WantReads()
	later := "resource \"terraform_data\" \"code\" {\n  input = \"LATER\"\n}\n"
	c.Config(w.Config(later + w.Body(w.Gold, "addons = { (terraform_data.code.output) = 1 }")))
	wantPromise(t, c.Planned().OfAssignments(), []string{assignment.TopicBilling.Summary, "package GOLD is assigned and add-ons known after apply may be attached"})
	w.Sim.ResetJournal()
	c.ApplySaved().WantError(t, assignment.SummaryAddonNotFound, "no add-on with code LATER")
	w.WantWrites("")
	w.WantHas("")
	c.Config(w.Assignment(strings.Repeat("ab", 16), ""))
	c.Plan().WantError(t, assignment.SummaryPackageNotFound, providertest.AcmeHost, strings.Repeat("ab", 16))
	w.UpdateItem("package", w.Silver, `"active":false`)
	c.Config(w.Assignment(w.Silver, ""))
	c.Plan().WantError(t, assignment.SummaryPackageInactive, "package SILVER is deactivated")
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

// An assignment to a private label of another reseller.
func TestAssignment_OfAnotherReseller(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Assignment(w.Gold, "addons = { SEATS = 2 }"))
	c.Planned()
	require.NoError(t, w.Sim.MoveAway(providertest.AcmeHost))
	w.Sim.ResetJournal()
	c.ApplySaved().WantError(t, session.SummaryLabelNotFound, w.Label)
	w.WantWrites("")
	c.Plan().WantError(t, session.SummaryLabelNotFound, w.Label, "another reseller")
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
