package provider_test

import (
	"fmt"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/providertest"
)

// TestFaultMatrix_Signing tries each operation with every fault, once and lasting.
// In every cell: it is done once at most, an error that leaves it open says so,
// nothing is tainted, and the one that does what the error says ends with it done
// once and an empty plan.
func TestFaultMatrix_Signing(t *testing.T) {
	t.Parallel()
	report := providertest.NewMatrixReport(t, providertest.MatrixOfSigning)
	for callName, call := range providertest.OnceCalls() {
		for faultName, fault := range providertest.Faults() {
			for _, lasting := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/lasting=%t", callName, faultName, lasting), func(t *testing.T) {
					t.Parallel()
					fault := fault
					w := providertest.NewSigningEnv(t)
					if callName == "sign" {
						w.WithDocument(providertest.MinimalDocument)
					}
					c := workspaceFor(t, w.TestEnv, faultName == "500 after" && !lasting)
					c.File("terms.pdf", string(providertest.OnePage("Terms")))
					c.Config(w.Config(call.Block(w)))
					fault.Route, fault.Times = call.Route, 1
					if lasting {
						fault.Times = -1
					}
					w.Sim.Inject(fault)
					acted := c.Apply()
					w.WantFault()
					w.Sim.ClearFaults()
					report.Add(callName, faultName, lasting, w.ConvergesOnce(c, call, acted))
				})
			}
		}
	}
}

// TestKill_Signing ends the provider, or the CLI and the provider, with SIGKILL
// while each operation is under way. The service goes on with what it got; the next
// apply knows that it began, looks, and sends nothing: what it finds it takes
// over, of what cannot be looked up it tells.
func TestKill_Signing(t *testing.T) {
	t.Parallel()
	providertest.NeedsProc(t)
	report := providertest.NewMatrixReport(t, providertest.MatrixOfSigning)
	for callName, call := range providertest.OnceCalls() {
		for _, after := range []bool{false, true} {
			for _, whom := range providertest.Killed() {
				t.Run(fmt.Sprintf("%s/%s/after=%t", callName, whom, after), func(t *testing.T) {
					t.Parallel()
					w := providertest.NewSigningEnvNow(t)
					if callName == "sign" {
						w.WithDocument(providertest.MinimalDocument)
					}
					c := w.ServedCLI()
					c.File("terms.pdf", string(providertest.OnePage("Terms")))
					c.Config(call.Block(w))
					if out, code := c.KilledAt(w.Sim, call.Route, after, whom); code == 0 {
						t.Errorf("the apply succeeded although it was killed\n%s", out)
					}
					report.AddKill(callName, whom, after, w.GoesOnAfterKill(c, call))
				})
			}
		}
	}
}
