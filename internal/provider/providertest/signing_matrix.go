package providertest

import (
	"strings"
)

// OnceCall is an operation of the Signing API: the block that declares it, and how often the books have it.
type OnceCall struct {
	Route   string
	Block   func(*SigningEnv) string
	Done    func(*SigningEnv) int
	Unclear []string // what an error with an unknown outcome says
	Settles bool     // reading finds a lost response
}

// OnceCalls are the one-time calls by name.
func OnceCalls() map[string]OnceCall {
	completed := func(w *SigningEnv) int {
		n := 0
		for _, mail := range w.Sim.Outbox() {
			if mail.Kind == "completed-document" {
				n++
			}
		}
		return n
	}
	return map[string]OnceCall{
		"upload": {
			Route: RouteUpload, Block: func(*SigningEnv) string { return MinimalDocument }, Done: func(w *SigningEnv) int {
				return max(len(w.Sim.Documents()), w.Mails(BobEmail))
			},
			Unclear: []string{"Document upload outcome unknown", `If the document "Terms" was uploaded`, "Look for it among the sent documents"},
			Settles: true,
		},
		"sign": {
			Route: RouteSign, Block: func(w *SigningEnv) string {
				return SigningOf(w.Sim.Documents()[0].ID, w.AnnotationOf(0, 0), w.Signature(), "")
			}, Done: completed,
			Unclear: []string{"Document signing outcome unknown", "Look at the document in the web application"},
			Settles: false,
		},
		"mint": {
			Route: RouteMint, Block: func(*SigningEnv) string { return MinimalMint }, Done: func(w *SigningEnv) int { return len(w.Sim.Minted()) },
			Unclear: []string{"Document minting outcome unknown", `If the asset "Acme terms 2026" was minted`, "Look for the asset in the account"},
			Settles: false,
		},
	}
}

// ConvergesOnce does what a user does who reads the error, and returns the outcome in words.
func (w *SigningEnv) ConvergesOnce(c Workspace, call OnceCall, acted Result) string {
	w.T.Helper()
	count := call.Done(w)
	if count > 1 {
		w.T.Fatalf("done %d times", count)
	}
	for address, i := range c.State() {
		if i.Status == "tainted" {
			w.T.Errorf("%s is tainted", address)
		}
	}
	if acted.Code == 0 {
		if count != 1 || len(c.State()) != 1 {
			w.T.Errorf("a success, done %d times, state %v", count, c.State())
		}
		w.Sim.ResetJournal()
		c.WantEmptyPlan()
		w.WantNoCalls()
		if strings.Contains(acted.Out, "Response lost, document found") {
			return "done, found"
		}
		return "done"
	}
	if len(c.State()) != 0 {
		w.T.Errorf("an error with state %v", c.State())
	}
	if count == 1 {
		// The user finds the document, and removes the resource from the configuration.
		acted.WantError(w.T, append(call.Unclear, "Nothing is in state")...)
		if call.Settles {
			w.T.Errorf("a lost answer was not settled:\n%s", acted.Out)
		}
		return "error, was done"
	}
	c.Apply().WantOK(w.T)
	c.WantEmptyPlan()
	if count = call.Done(w); count != 1 {
		w.T.Errorf("done %d times in the end", count)
	}
	if strings.Contains(acted.Out, "outcome unknown") {
		acted.WantText(w.T, call.Unclear...)
		return "error, open, then done"
	}
	return "error, then done"
}

// GoesOnAfterKill returns the outcome in words: one apply sends nothing, and adopts what it finds or says that an
// earlier run was ended. That error says to check before applying again.
func (w *SigningEnv) GoesOnAfterKill(c Workspace, call OnceCall) string {
	w.T.Helper()
	if len(c.State()) != 0 {
		w.T.Errorf("state after a kill: %v", c.State())
	}
	w.Sim.ResetJournal()
	next := c.Apply()
	for _, made := range w.Sim.Journal() {
		if made.Route == call.Route {
			w.T.Errorf("sent again: %v", made)
		}
	}
	if n := call.Done(w); n != 1 {
		w.T.Errorf("done %d times", n)
	}
	if call.Settles {
		next.WantOK(w.T)
		next.WantText(w.T, "Response lost, document found")
		c.WantEmptyPlan()
		return "done, found"
	}
	next.WantError(w.T, append(call.Unclear, "ended before its outcome was known", "Nothing is in state")...)
	if next = c.Plan(); next.Code != 2 {
		w.T.Errorf("exit code %d of the plan that follows\n%s", next.Code, next.Out)
	}
	// The user found it, and removes the resource from the configuration.
	c.Config("")
	c.WantEmptyPlan()
	return "error, was done"
}
