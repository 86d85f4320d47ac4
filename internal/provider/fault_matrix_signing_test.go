package provider_test

import (
	"fmt"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// TestFaultMatrix_Signing tries each operation with every fault, once and permanently. In every cell: the operation
// takes effect at most once, an error with an unknown outcome says so, nothing is tainted, and a user who follows the
// error ends with one effect and a plan without changes.
func TestFaultMatrix_Signing(t *testing.T) {
	t.Parallel()
	for callName, call := range providertest.OnceCalls() {
		for faultName, fault := range providertest.Faults() {
			for _, lasting := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/lasting=%t", callName, faultName, lasting), func(t *testing.T) {
					t.Parallel()
					fault := fault
					w := providertest.NewSigningEnvDrawn(t)
					if callName == "sign" {
						w.WithDocument(providertest.MinimalDocument)
					}
					c := coretest.For(t, w.TestEnv, faultName == "500 after" && !lasting)
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
					w.ConvergesOnce(c, call, acted)
				})
			}
		}
	}
}

// TestKill_Signing kills the provider, or the CLI and the provider, during each operation. The simulator completes the
// request; the next apply knows that the operation began, checks, and sends nothing. It adopts what it finds, and
// reports what cannot be checked.
func TestKill_Signing(t *testing.T) {
	t.Parallel()
	providertest.NeedsProc(t)
	for callName, call := range providertest.OnceCalls() {
		for _, after := range []bool{false, true} {
			for _, whom := range providertest.Killed() {
				t.Run(fmt.Sprintf("%s/%s/after=%t", callName, whom, after), func(t *testing.T) {
					t.Parallel()
					w := providertest.NewSigningEnvNow(t)
					if callName == "sign" {
						w.WithDocument(providertest.MinimalDocument)
					}
					c := coretest.NewKillable(t, w.TestEnv)
					c.File("terms.pdf", string(providertest.OnePage("Terms")))
					c.Config(call.Block(w))
					if out, code := c.KilledAt(w.Sim, call.Route, after, whom); code == 0 {
						t.Errorf("the apply succeeded although it was killed\n%s", out)
					}
					w.GoesOnAfterKill(c, call)
				})
			}
		}
	}
}
