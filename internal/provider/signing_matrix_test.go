package provider_test

import (
	"fmt"
	"strings"
	"testing"
)

// onceCall is a deed of the Signing API: what declares it, and how often the
// books have it.
type onceCall struct {
	route   string
	block   func(*signed) string
	done    func(*signed) int
	unclear []string // what an error says that leaves it open
	settles bool     // a lost answer is found by reading
}

func onceCalls() map[string]onceCall {
	completed := func(w *signed) int {
		n := 0
		for _, mail := range w.sim.Outbox() {
			if mail.Kind == "completed-document" {
				n++
			}
		}
		return n
	}
	return map[string]onceCall{
		"upload": {
			routeUpload, func(*signed) string { return minimalDocument }, func(w *signed) int { return max(len(w.sim.Documents()), w.mails(bobEmail)) },
			[]string{`Whether the document "Terms" was uploaded is not certain`, "Look for it among the sent documents"},
			true,
		},
		"sign": {
			routeSign, func(w *signed) string {
				return signingOf(w.sim.Documents()[0].ID, w.annotationOf(0, 0), w.signature(), "")
			}, completed,
			[]string{"was done is not certain", "look at it in the web application"},
			false,
		},
		"mint": {
			routeMint, func(*signed) string { return minimalMint }, func(w *signed) int { return len(w.sim.Minted()) },
			[]string{`Whether the asset "Acme terms 2026" was minted is not certain`, "Look for the asset in the account"},
			false,
		},
	}
}

// TestFaultMatrix_Signing tries each deed with every fault, once and lasting.
// In every cell: it is done once at most, an error that leaves it open says so,
// nothing is tainted, and whoever does what the error says ends with it done
// once and an empty plan.
func TestFaultMatrix_Signing(t *testing.T) {
	t.Parallel()
	report := newMatrixReport(t, matrixOfSigning)
	for callName, call := range onceCalls() {
		for faultName, fault := range faults() {
			for _, lasting := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/lasting=%t", callName, faultName, lasting), func(t *testing.T) {
					t.Parallel()
					fault := fault
					w := newSigned(t)
					if callName == "sign" {
						w.withDocument(minimalDocument)
					}
					c := w.cliWith(onePage("Terms"))
					c.config(w.config(call.block(w)))
					fault.Route, fault.Times = call.route, 1
					if lasting {
						fault.Times = -1
					}
					w.sim.Inject(fault)
					acted := c.apply()
					w.wantFault()
					w.sim.ClearFaults()
					report.add(callName, faultName, lasting, w.convergesOnce(c, call, acted))
				})
			}
		}
	}
}

// convergesOnce does what a person does who reads the error, and returns the
// outcome in words.
func (w *signed) convergesOnce(c *cli, call onceCall, acted result) string {
	w.t.Helper()
	count := call.done(w)
	if count > 1 {
		w.t.Fatalf("done %d times", count)
	}
	for address, i := range c.state() {
		if i.Status == "tainted" {
			w.t.Errorf("%s is tainted", address)
		}
	}
	if acted.code == 0 {
		if count != 1 || len(c.state()) != 1 {
			w.t.Errorf("a success, done %d times, state %v", count, c.state())
		}
		w.sim.ResetJournal()
		c.wantEmptyPlan()
		w.wantNoCalls()
		if strings.Contains(acted.out, "Response lost, document found") {
			return "done, found"
		}
		return "done"
	}
	if len(c.state()) != 0 {
		w.t.Errorf("an error with state %v", c.state())
	}
	if count == 1 {
		// They look, find it, and take the resource out.
		acted.wantError(w.t, append(call.unclear, "Nothing is in state")...)
		if call.settles {
			w.t.Errorf("a lost answer was not settled:\n%s", acted.out)
		}
		return "error, was done"
	}
	c.apply().wantOK(w.t)
	c.wantEmptyPlan()
	if count = call.done(w); count != 1 {
		w.t.Errorf("done %d times in the end", count)
	}
	if strings.Contains(acted.out, "is not certain") {
		acted.wantText(w.t, call.unclear...)
		return "error, open, then done"
	}
	return "error, then done"
}

// TestKill_Signing ends the provider, or the CLI and the provider, with SIGKILL
// while each deed is under way. The service goes on with what it got; the next
// apply knows that it began, looks, and sends nothing: what it finds it takes
// over, of what cannot be looked up it tells.
func TestKill_Signing(t *testing.T) {
	t.Parallel()
	needsProc(t)
	report := newMatrixReport(t, matrixOfSigning)
	for callName, call := range onceCalls() {
		for _, after := range []bool{false, true} {
			for _, whom := range killed() {
				t.Run(fmt.Sprintf("%s/%s/after=%t", callName, whom, after), func(t *testing.T) {
					t.Parallel()
					w := newSignedNow(t)
					if callName == "sign" {
						w.withDocument(minimalDocument)
					}
					c := w.servedCLI()
					c.file("terms.pdf", string(onePage("Terms")))
					c.config(call.block(w))
					if out, code := c.killedAt(w.sim, call.route, after, whom); code == 0 {
						t.Errorf("the apply succeeded although it was killed\n%s", out)
					}
					report.addKill(callName, whom, after, w.goesOnAfterKill(c, call))
				})
			}
		}
	}
}

// goesOnAfterKill returns the outcome in words: one apply sends nothing, and
// takes over what it finds or says that an earlier run was ended. Whoever applies
// again then was told to look before.
func (w *signed) goesOnAfterKill(c *cli, call onceCall) string {
	w.t.Helper()
	if len(c.state()) != 0 {
		w.t.Errorf("state after a kill: %v", c.state())
	}
	w.sim.ResetJournal()
	next := c.apply()
	for _, made := range w.sim.Journal() {
		if made.Route == call.route {
			w.t.Errorf("sent again: %v", made)
		}
	}
	if n := call.done(w); n != 1 {
		w.t.Errorf("done %d times", n)
	}
	if call.settles {
		next.wantOK(w.t)
		next.wantText(w.t, "Response lost, document found")
		c.wantEmptyPlan()
		return "done, found"
	}
	next.wantError(w.t, append(call.unclear, "ended before its outcome was known", "Nothing is in state")...)
	if next = c.plan(); next.code != 2 {
		w.t.Errorf("exit code %d of the plan that follows\n%s", next.code, next.out)
	}
	// They found it, and take the resource out.
	c.config("")
	c.wantEmptyPlan()
	return "error, was done"
}
