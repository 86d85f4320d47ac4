package provider_test

import (
	"fmt"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// hasBooks compares what the private label has.
func hasBooks(pkg string, seats float64) func(*providertest.AssignmentEnv) error {
	return func(w *providertest.AssignmentEnv) error {
		if p, s := w.Books(); p != pkg || s != seats {
			return fmt.Errorf("the label has %q and %g seats, want %q and %g", p, s, pkg, seats)
		}
		return nil
	}
}

// hasBronze compares the one package that the calls create and change.
func hasBronze(active bool) func(*providertest.AssignmentEnv) error {
	return func(w *providertest.AssignmentEnv) error {
		found := 0
		for _, p := range w.Sim.Packages() {
			if p.Code == "BRONZE" && p.Active == active {
				found++
			}
		}
		if found != 1 || len(w.Sim.Packages()) != 3 {
			return fmt.Errorf("packages: %v", w.Sim.Packages())
		}
		return nil
	}
}

func writingCalls() map[string]providertest.WritingCall {
	none := func(*providertest.AssignmentEnv) string { return "" }
	with := func(quantity int) func(*providertest.AssignmentEnv) string {
		return func(w *providertest.AssignmentEnv) string { return w.AssignmentBlock(w.Addons(quantity)) }
	}
	bronze := func(extra string) func(*providertest.AssignmentEnv) string {
		return func(*providertest.AssignmentEnv) string {
			return providertest.Item("package", "bronze", "BRONZE", extra)
		}
	}
	return map[string]providertest.WritingCall{
		"create":     {Route: providertest.RoutePackages, Before: none, After: bronze(""), Want: hasBronze(true)},
		"update":     {Route: providertest.RoutePackageUpdate, Before: bronze(""), After: bronze("active = false"), Want: hasBronze(false)},
		"deactivate": {Route: providertest.RoutePackageUpdate, Before: bronze(""), After: none, Want: hasBronze(false)},
		"assign":     {Route: providertest.RouteAssign, Before: none, After: with(2), Want: hasBooks("GOLD", 2)},
		"attach":     {Route: providertest.RouteAttachAddon, Before: none, After: with(2), Want: hasBooks("GOLD", 2)},
		"detach":     {Route: providertest.RouteRemoveAddon, Before: with(2), After: func(w *providertest.AssignmentEnv) string { return w.AssignmentBlock("addons = {}") }, Want: hasBooks("GOLD", 0)},
		"remove":     {Route: providertest.RouteRemovePackage, Before: with(2), After: none, Want: hasBooks("", 0)},
	}
}

// TestFaultMatrix_Catalog tries every writing call with every fault, once and permanently. In every cell: the effect
// exactly once, no taint, nothing lost, and a next plan that converges.
func TestFaultMatrix_Catalog(t *testing.T) {
	t.Parallel()
	for callName, call := range writingCalls() {
		for faultName, fault := range providertest.Faults() {
			for _, lasting := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/lasting=%t", callName, faultName, lasting), func(t *testing.T) {
					t.Parallel()
					fault := fault
					w := providertest.NewAssignmentEnv(t, providertest.DrawnForms(t, nil))
					c := coretest.For(t, w.TestEnv, faultName == "500 after" && !lasting)
					c.Config(w.Config(call.Before(w)))
					c.Apply().WantOK(t)
					fault.Route, fault.Times = call.Route, 1
					if lasting {
						fault.Times = -1
					}
					w.Sim.Inject(fault)
					c.Config(w.Config(call.After(w)))
					acted := c.Apply("-parallelism=1")
					w.WantFault()
					acted.WantCodeOf(t, fault)
					w.Sim.ClearFaults()
					if !lasting {
						acted.WantOK(t)
					}
					w.WantUntainted(c)
					w.Converges(c, call)
				})
			}
		}
	}
}

// TestKill_Catalog kills the provider, or the CLI and the provider, immediately before and after the effect of each
// writing call.
func TestKill_Catalog(t *testing.T) {
	t.Parallel()
	providertest.NeedsProc(t)
	for callName, call := range writingCalls() {
		for _, after := range []bool{false, true} {
			for _, whom := range providertest.Killed() {
				t.Run(fmt.Sprintf("%s/%s/after=%t", callName, whom, after), func(t *testing.T) {
					t.Parallel()
					w := providertest.NewAssignmentEnv(t, providertest.DrawnForms(t, nil))
					c := coretest.NewKillable(t, w.TestEnv)
					c.Config(call.Before(w))
					c.Apply().WantOK(t)
					c.Config(call.After(w))
					if out, code := c.KilledAt(w.Sim, call.Route, after, whom); code == 0 {
						t.Errorf("the apply succeeded although it was killed\n%s", out)
					}
					w.WantUntainted(c)
					w.Converges(c, call)
				})
			}
		}
	}
}
