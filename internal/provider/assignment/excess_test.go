package assignment_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// billingOf are the ways in which the API may count the remaining allowance.
var billingOf = map[string]simulator.Forms{
	"remaining stops at 0":   {},
	"remaining goes below 0": {"remaining": "negative"},
}

// confirmedExcess lists what was confirmed since an entry of the books.
func confirmedExcess(w *providertest.AssignmentEnv, since int) (out []string) {
	for _, e := range w.Sim.Books()[since:] {
		if e.Kind == simulator.EntryExcessConfirmed {
			out = append(out, fmt.Sprintf("%s %g %s", e.Code, e.Excess, e.Allowance))
		}
	}
	return out
}

func wantConfirmed(t *testing.T, w *providertest.AssignmentEnv, since int, want ...string) {
	t.Helper()
	assert.Equal(t, want, confirmedExcess(w, since))
}

// What one apply confirms is bounded in sum: a package and two add-ons exceed the allowance by 25 each.
func TestAssignment_ExcessInSum(t *testing.T) {
	t.Parallel()
	for name, billing := range billingOf {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			below := billing["remaining"] == "negative"
			w := providertest.NewAssignmentEnv(t, billing)
			must := func(id string, err error) string {
				require.NoError(t, err)
				return id
			}
			included := map[string]float64{"documents": 25}
			base := must(w.Sim.AddPackage("BASE", included, true))
			must(w.Sim.AddAddon("ONE", included, true))
			must(w.Sim.AddAddon("TWO", included, true))
			must("", w.Sim.SetAllowance(map[string]float64{"documents": 0, "seats": 100}))
			c := coretest.New(t, w.TestEnv)
			config := func(documents int) {
				c.Config(w.Assignment(base, fmt.Sprintf("addons = { ONE = 1, TWO = 1 }\nallow_excess = { documents = %d }", documents)))
			}

			config(25)
			numbers := "documents: requested 25, remaining 0, excess 25"
			if below {
				numbers = "documents: requested 25, remaining -25, excess 50"
			}
			c.Apply().WantError(t, "Attaching add-on ONE (quantity 1) to "+providertest.AcmeHost+" needs more than the remaining allowance",
				numbers+" (this apply confirmed 25 before)", assignment.Written("assign BASE"),
				"Left after this step: add-on TWO (quantity 1). By how much they exceed the allowance is known only when the API is asked.", "set allow_excess = { documents = 50 }")
			wantConfirmed(t, w, 0, "BASE 25 documents")

			since := len(w.Sim.Books())
			config(50)
			// What the private label has counts, because nothing remains: an earlier run may have exceeded the allowance by it.
			numbers = "remaining 0, excess 25"
			if below {
				numbers = "remaining -50, excess 75"
			}
			c.Apply().WantError(t, "Attaching add-on TWO", numbers+" (this apply confirmed 25 before) (the private label has 25, which counts because nothing remains)",
				"set allow_excess = { documents = 75 }")
			wantConfirmed(t, w, since, "ONE 25 documents")
			since = len(w.Sim.Books())
			config(75)
			c.Apply().WantOK(t, "1 added")
			wantConfirmed(t, w, since, "TWO 25 documents")
			c.WantEmptyPlan()
		})
	}
}

// The error names what the next apply asks for, which counts all that the private label has by then, also what did not exceed.
func TestAssignment_ExcessNamesWhatLetsIt(t *testing.T) {
	t.Parallel()
	for name, billing := range billingOf {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, billing)
			base, err := w.Sim.AddPackage("BASE", map[string]float64{"documents": 10}, true)
			require.NoError(t, err)
			_, err = w.Sim.AddAddon("ONE", map[string]float64{"documents": 1}, true)
			require.NoError(t, err)
			require.NoError(t, w.Sim.SetAllowance(map[string]float64{"documents": 2, "seats": 100}))
			c := coretest.New(t, w.TestEnv)
			config := func(documents int) {
				c.Config(w.Assignment(base, fmt.Sprintf("addons = { ONE = 4 }\nallow_excess = { documents = %d }", documents)))
			}
			config(10)
			c.Apply().WantError(t, assignment.Written("assign BASE"), "set allow_excess = { documents = 14 }", "What else the run assigns changes these numbers.")
			config(14)
			c.Apply().WantOK(t, "1 added")
			c.WantEmptyPlan()
		})
	}
}

// A rejected package change restores the old package beyond allow_excess, but not more than the private label had.
func TestAssignment_ExcessOfRestoration(t *testing.T) {
	t.Parallel()
	for name, billing := range billingOf {
		billing = maps.Clone(billing)
		billing["removed-item"] = "freed"
		for _, grows := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, package grows: %t", name, grows), func(t *testing.T) {
				t.Parallel()
				w := providertest.NewAssignmentEnv(t, billing)
				big, err := w.Sim.AddPackage("BIG", map[string]float64{"documents": 1e6}, true)
				require.NoError(t, err)
				require.NoError(t, w.Sim.SetAllowance(map[string]float64{"documents": 80, "seats": 11}))
				c := coretest.Applied(t, w.TestEnv, w.Assignment(w.Gold, w.Addons(5)+"\nallow_excess = { documents = 20, seats = 4 }"), "1 added")
				if grows {
					w.Sim.Inject(simulator.Fault{Route: providertest.RouteRemovePackage, After: true, Hook: func() {
						assert.NoError(t, w.Sim.SetPackageIncluded(w.Gold, map[string]float64{"documents": 150, "seats": 10}))
					}})
				}
				since := len(w.Sim.Books())
				c.Config(w.Assignment(big, w.Addons(5)+"\nallow_package_change = true"))
				if grows {
					c.Apply().WantError(t, assignment.SummaryExcess,
						"Package GOLD exceeds the allowance and was not restored, because it now allocates more than the private label had (in sum documents 150 instead of 100). To restore it, configure it with allow_excess = { documents = 70 }.")
					w.WantHas("")
					wantConfirmed(t, w, since)
					return
				}
				c.Apply().WantError(t, assignment.SummaryExcess, assignment.Restored("assign GOLD", "attach SEATS 5"))
				w.WantHas("GOLD SEATS=5")
				wantConfirmed(t, w, since, "GOLD 20 documents", "SEATS 4 seats")
			})
		}
	}
}
