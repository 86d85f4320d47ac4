package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// writingCall is one writing call of the catalogue or of an assignment: what is
// declared before, what the command under test declares, and the books then.
type writingCall struct {
	route         string
	before, after func(*catalogued) string // bodies below the provider block
	want          func(*catalogued) error
}

func (w *catalogued) assignmentBlock(extra string) string {
	return fmt.Sprintf("resource \"reseller_assignment\" \"acme\" {\n  private_label_id = %q\n  package_id = %q\n%s\n}\n", w.label, w.gold, extra)
}

// hasBooks compares what the label has.
func hasBooks(pkg string, seats float64) func(*catalogued) error {
	return func(w *catalogued) error {
		if p, s := w.books(); p != pkg || s != seats {
			return fmt.Errorf("the label has %q and %g seats, want %q and %g", p, s, pkg, seats)
		}
		return nil
	}
}

// hasBronze compares the one package that the calls make and change.
func hasBronze(active bool) func(*catalogued) error {
	return func(w *catalogued) error {
		found := 0
		for _, p := range w.sim.Packages() {
			if p.Code == "BRONZE" && p.Active == active {
				found++
			}
		}
		if found != 1 || len(w.sim.Packages()) != 3 {
			return fmt.Errorf("packages: %v", w.sim.Packages())
		}
		return nil
	}
}

func writingCalls() map[string]writingCall {
	none := func(*catalogued) string { return "" }
	with := func(quantity int) func(*catalogued) string {
		return func(w *catalogued) string { return w.assignmentBlock(w.addons(quantity)) }
	}
	bronze := func(extra string) func(*catalogued) string {
		return func(*catalogued) string { return item("package", "bronze", "BRONZE", extra) }
	}
	return map[string]writingCall{
		"create":     {routePackages, none, bronze(""), hasBronze(true)},
		"update":     {routePackageUpdate, bronze(""), bronze("active = false"), hasBronze(false)},
		"deactivate": {routePackageUpdate, bronze(""), none, hasBronze(false)},
		"assign":     {routeAssign, none, with(2), hasBooks("GOLD", 2)},
		"attach":     {routeAttachAddon, none, with(2), hasBooks("GOLD", 2)},
		"detach":     {routeRemoveAddon, with(2), func(w *catalogued) string { return w.assignmentBlock("addons = {}") }, hasBooks("GOLD", 0)},
		"remove":     {routeRemovePackage, with(2), none, hasBooks("", 0)},
	}
}

// TestFaultMatrix_Catalogue tries every writing call with every fault, once and
// lasting. In every cell: the effect exactly once, no taint, nothing lost, and
// a next plan that converges.
func TestFaultMatrix_Catalogue(t *testing.T) {
	t.Parallel()
	report := newMatrixReport(t, matrixOfCatalogue)
	for callName, call := range writingCalls() {
		for faultName, fault := range faults() {
			for _, lasting := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/lasting=%t", callName, faultName, lasting), func(t *testing.T) {
					t.Parallel()
					fault := fault
					w := newCatalogued(t, simulator.Assumptions{})
					c := w.cli()
					c.config(w.config(call.before(w)))
					c.apply().wantOK(t)
					fault.Route, fault.Times = call.route, 1
					if lasting {
						fault.Times = -1
					}
					w.sim.Inject(fault)
					c.config(w.config(call.after(w)))
					acted := c.apply("-parallelism=1")
					w.wantFault()
					acted.wantCodeOf(t, fault)
					w.sim.ClearFaults()
					if !lasting {
						acted.wantOK(t)
					}
					outcome := "done"
					if acted.code != 0 {
						outcome = "error"
					}
					report.add(callName, faultName, lasting, outcome)
					w.wantUntainted(c)
					w.converges(c, call)
				})
			}
		}
	}
}

func (w *catalogued) wantUntainted(c *cli) {
	w.t.Helper()
	for address, i := range c.state() {
		if i.Status == "tainted" {
			w.t.Errorf("%s is tainted", address)
		}
	}
}

// converges applies again, importing what the message says is there already.
func (w *catalogued) converges(c *cli, call writingCall) {
	w.t.Helper()
	next := c.apply()
	if next.code != 0 && strings.Contains(next.out, "Catalog item already exists") {
		c.file("import.tf", "import {\n  to = reseller_package.bronze\n  id = \"BRONZE\"\n}\n")
		next = c.apply()
	}
	next.wantOK(w.t)
	c.wantEmptyPlan()
	if err := call.want(w); err != nil {
		w.t.Error(err)
	}
}

// TestKill_Catalogue ends the provider, or the CLI and the provider, with SIGKILL
// right before and right after the effect of each writing call.
func TestKill_Catalogue(t *testing.T) {
	t.Parallel()
	needsProc(t)
	report := newMatrixReport(t, matrixOfCatalogue)
	for callName, call := range writingCalls() {
		for _, after := range []bool{false, true} {
			for _, whom := range killed() {
				t.Run(fmt.Sprintf("%s/%s/after=%t", callName, whom, after), func(t *testing.T) {
					t.Parallel()
					w := newCatalogued(t, simulator.Assumptions{})
					c := w.servedCLI()
					c.config(call.before(w))
					c.apply().wantOK(t)
					c.config(call.after(w))
					if out, code := c.killedAt(w.sim, call.route, after, whom); code == 0 {
						t.Errorf("the apply succeeded although it was killed\n%s", out)
					}
					w.wantUntainted(c)
					w.converges(c, call)
					report.addKill(callName, whom, after, "converges")
				})
			}
		}
	}
}
