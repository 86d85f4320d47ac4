package conformance_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// faults tries every call of a type with every fault, once or permanently. In every cell: the effect exactly once, no
// taint, nothing lost, and a next plan that converges. One call of each type meets one of the faults through the CLI.
func faults(t *testing.T, c providertest.Case) {
	cells, callNames := matrix.Of(t), slices.Sorted(maps.Keys(c.Calls))
	throughCLI := matrix.Cells(cells, callNames, c.Type, "CLI")
	for i, callName := range callNames {
		call := c.Calls[callName]
		for j, faultName := range slices.Sorted(maps.Keys(providertest.Faults())) {
			lasting := cells.Pairs(i, j)
			if call.OnlyReads {
				lasting = []bool{false}
			}
			for _, repeated := range lasting {
				t.Run(fmt.Sprintf("%s/%s/lasting=%t", callName, faultName, repeated), func(t *testing.T) {
					t.Parallel()
					fault := providertest.Faults()[faultName]
					w := providertest.NewWorldInForms(t, nil)
					ws := workspace(t, w, faultName == "500 after" && slices.Contains(throughCLI, callName))
					before(t, w, ws, call, w.Config)
					fault.Route, fault.Times = call.Route, 1
					if repeated {
						fault.Times = -1
					}
					w.Sim.Inject(fault)
					ws.Config(w.Config(providertest.Body(w, call.After)))
					acted := ws.Apply("-parallelism=1")
					w.WantFault()
					if c.Once == nil { // the Signing API has other codes
						acted.WantCodeOf(t, fault)
					}
					w.Sim.ClearFaults()
					switch rejected := call.Rejected[fault.Kind]; {
					case rejected != nil:
						acted.WantError(t, rejected...)
					case !repeated && c.Once == nil:
						acted.WantOK(t) // by a retry if that is safe, by reading otherwise
					}
					goesOn(t, w, ws, c, call, acted)
				})
			}
		}
	}
}

// kills ends the provider, or the CLI and the provider, immediately before or after the effect of each call. Nothing can
// be saved then.
func kills(t *testing.T, c providertest.Case) {
	providertest.NeedsProc(t)
	cells := matrix.Of(t)
	for i, callName := range slices.Sorted(maps.Keys(c.Calls)) {
		call := c.Calls[callName]
		if call.NoEffect {
			continue
		}
		for j, whom := range []string{"provider", "both"} {
			for _, after := range cells.Pairs(i, j) {
				t.Run(fmt.Sprintf("%s/%s/after=%t", callName, whom, after), func(t *testing.T) {
					t.Parallel()
					// The process waits by its own clock, and the simulator's stands still.
					call, w := call, providertest.NewWorldInForms(t, simulator.Forms{"late": "now"})
					if c.Once != nil {
						w = providertest.NewWorldNow(t)
					}
					if c.Once != nil && call.Prepare != nil { // before the simulator is served over HTTP
						call.Prepare(w)
						call.Prepare = nil
					}
					ws := coretest.NewKillable(t, w.TestEnv)
					files(t, ws)
					settings := func(body string) string { return body } // the environment has them
					before(t, w, ws.Workspace, call, settings)
					ws.Config(providertest.Body(w, call.After))
					if out, code := ws.KilledAt(w.Sim, call.Route, after, whom); code == 0 && !call.OnlyReads {
						t.Errorf("the apply succeeded although it was killed\n%s", out)
					}
					if c.Once != nil {
						w.GoesOnAfterKill(ws, *c.Once)
						return
					}
					converges(t, w, ws, c, call, settings)
				})
			}
		}
	}
}

// before applies what is there before the call.
func before(t *testing.T, w *providertest.World, ws providertest.Workspace, call providertest.Call, config func(string) string) {
	t.Helper()
	if call.Prepare != nil {
		call.Prepare(w)
		w.Settle()
	}
	if call.Before != nil {
		ws.Config(config(call.Before(w)))
		ws.Apply().WantOK(t)
		w.Settle()
	}
}

func goesOn(t *testing.T, w *providertest.World, ws providertest.Workspace, c providertest.Case, call providertest.Call, acted providertest.Result) {
	t.Helper()
	if c.Once != nil {
		w.ConvergesOnce(ws, *c.Once, acted)
		return
	}
	converges(t, w, ws, c, call, w.Config)
}

var importBlock = regexp.MustCompile(`to\s+= (\S+)\s[^}]*?id\s+= "([^"]+)"`)

// converges applies again, and pastes the import block of an error that has one.
func converges(t *testing.T, w *providertest.World, ws providertest.Workspace, c providertest.Case, call providertest.Call, config func(string) string) {
	t.Helper()
	unharmed(t, w, ws, c, call)
	w.Settle()
	next := ws.Apply()
	if block := importBlock.FindStringSubmatch(strings.ReplaceAll(next.Out, "│", " ")); next.Code != 0 && block != nil {
		ws.Config(config(providertest.Body(w, call.After) + providertest.Imports{c.Type + ".it": block[2]}.Blocks()))
		w.Settle()
		next = ws.Apply()
	}
	next.WantOK(t)
	w.Settle()
	ws.WantEmptyPlan()
	unharmed(t, w, ws, c, call)
	if call.Want != nil {
		assert.NoError(t, call.Want(w))
	}
	assert.Len(t, ws.State(), strings.Count(providertest.Body(w, call.After), "resource \""), "objects in state in the end")
}

func unharmed(t *testing.T, w *providertest.World, ws providertest.Workspace, c providertest.Case, call providertest.Call) {
	t.Helper()
	w.WantUntainted(ws)
	if call.Before != nil && call.After != nil && len(ws.State()) == 0 {
		t.Error("the object was lost from state")
	}
	if c.Harmed != nil {
		assert.NoError(t, c.Harmed(w, ws, call))
	}
}

// truth: the read that proves a write fails, is limited or is older than the write, and what an error says of the write is
// true. No read proves what signs or mints: there, the response is lost or the run is canceled.
func truth(t *testing.T, c providertest.Case) {
	for callName, call := range c.Calls {
		reads := call.Reads
		if len(reads) == 0 && c.Once != nil {
			reads = []string{""}
		}
		for _, read := range reads {
			for name, p := range providertest.Proofs() {
				if read == "" && p.OfRead() {
					continue
				}
				t.Run(callName+"/"+read+"/"+name, func(t *testing.T) {
					t.Parallel()
					c := c
					w := providertest.NewWorldInForms(t, simulator.Forms{"sent-method": "post"}) // as in providertest.RouteSent
					ws := coretest.New(t, w.TestEnv)
					files(t, ws)
					before(t, w, ws, call, w.Config)
					p.Inject(w.Sim, ws.Interrupt, call.Route, read)
					ws.Config(w.Config(providertest.Body(w, call.After)))
					effects := w.Effects()
					r := ws.Apply("-parallelism=1")
					p.WantTruth(t, r, w.Effects() != effects)
					w.Sim.ClearFaults()
					w.NextWindow()
					switch {
					case c.Once == nil && p.IsOvercome():
						r.WantOK(t)
					case c.Once != nil && p.OfRead(): // the user has to look for the ID
						c.Once = c.Once.Unlisted()
					}
					goesOn(t, w, ws, c, call, r)
				})
			}
		}
	}
}
