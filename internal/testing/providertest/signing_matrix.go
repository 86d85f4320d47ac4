package providertest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// OnceCall is an operation of the Signing API: the block that declares it, and how often the books have it.
type OnceCall struct {
	Route   string
	Block   func(*SigningEnv) string
	Done    func(*SigningEnv) int
	Unclear []string // what an error with an unknown outcome says
	Address string
	ID      func(*SigningEnv) string // by which the object is imported
	Shown   func(*SigningEnv) string // the ID in the import block of the error
}

// Unlisted is the operation if no list shows what it has made.
func (c OnceCall) Unlisted() *OnceCall {
	c.Shown = func(*SigningEnv) string { return "DOCUMENT_ID" }
	return &c
}

// OnceCalls are the one-time calls by name.
func OnceCalls() map[string]OnceCall {
	completed := func(w *SigningEnv) int {
		return Count(w.Sim.Outbox(), func(mail simulator.Email) bool { return mail.Kind == "completed-document" })
	}
	docID := func(w *SigningEnv) string { return w.Sim.Documents()[0].ID }
	return map[string]OnceCall{
		"upload": {
			Route: RouteUpload, Block: func(*SigningEnv) string { return MinimalDocument }, Done: func(w *SigningEnv) int {
				return max(len(w.Sim.Documents()), w.Mails(BobEmail))
			},
			Unclear: []string{document.SummaryUploadUnknown, `"Terms"`, "Look for it among the sent documents"},
			Address: Terms, ID: docID, Shown: docID,
		},
		"sign": {
			Route: RouteSign, Block: func(w *SigningEnv) string {
				return SigningOf(w.Sim.Documents()[0].ID, w.AnnotationOf(0, 0), w.Signature(), "")
			}, Done: completed,
			Unclear: []string{document.SummarySignUnknown, "Look at the document in the web application"},
			Address: TermsSigning, ID: docID, Shown: docID,
		},
		"mint": {
			Route: RouteMint, Block: func(*SigningEnv) string { return MinimalMint }, Done: func(w *SigningEnv) int { return len(w.Sim.Minted()) },
			Unclear: []string{document.SummaryMintUnknown, "If it was minted", "Look for the asset in the account"},
			Address: MintedTerms, ID: func(w *SigningEnv) string { return strconv.FormatInt(w.Sim.Minted()[0].AssetID, 10) },
			Shown: func(*SigningEnv) string { return "ASSET_ID" },
		},
	}
}

// ConvergesOnce does what a user does who reads the error.
func (w *SigningEnv) ConvergesOnce(c Workspace, call OnceCall, acted Result) {
	w.T.Helper()
	count := call.Done(w)
	require.LessOrEqual(w.T, count, 1, "done times")
	w.WantUntainted(c)
	if acted.Code == 0 {
		assert.Equal(w.T, 1, count, "a success, done times, state %v", c.State())
		assert.Len(w.T, c.State(), 1, "a success, done %d times, state", count)
		w.Sim.ResetJournal()
		c.WantEmptyPlan()
		w.WantNoCalls()
		return
	}
	assert.Empty(w.T, c.State(), "an error with state")
	inDoubt := strings.Contains(acted.Out, "outcome unknown")
	if inDoubt {
		w.staysInDoubt(c, call)
	}
	if count == 1 {
		w.importsWhatWasDone(c, call, acted)
		return
	}
	block := call.Block(w)
	if inDoubt {
		acted.WantText(w.T, append(call.Unclear, "set attempt = 2")...)
		c.Config(w.Config(Again(block)))
	}
	c.Apply().WantOK(w.T)
	c.WantEmptyPlan()
	if count = call.Done(w); count != 1 {
		w.T.Errorf("done %d times in the end", count)
	}
	if inDoubt {
		c.Config(w.Config(block)) // attempt is no change of what was sent
		c.WantEmptyPlan()
	}
}

// Again is a block with a second attempt.
func Again(block string) string {
	return strings.Replace(block, "\" {\n", "\" {\n  attempt = 2\n", 1)
}

// staysInDoubt asserts that neither a plan nor an apply sends an operation with an unknown outcome: each is the same error.
func (w *SigningEnv) staysInDoubt(c Workspace, call OnceCall) {
	w.T.Helper()
	sent, done := w.Calls(call.Route), call.Done(w)
	for _, next := range []Result{c.Plan(), c.Apply()} {
		next.WantError(w.T, append(call.Unclear, "An earlier run started it", "set attempt = 2")...)
	}
	if w.Calls(call.Route) != sent || call.Done(w) != done || len(c.State()) != 0 {
		w.T.Errorf("sent %d times instead of %d, done %d times, state %v", w.Calls(call.Route), sent, call.Done(w), c.State())
	}
}

// importsWhatWasDone does what a user does who finds the object that an error names: the import sends nothing.
func (w *SigningEnv) importsWhatWasDone(c Workspace, call OnceCall, acted Result) {
	w.T.Helper()
	acted.WantError(w.T, append(call.Unclear, "Nothing is in state", "import {", fmt.Sprintf("id = %q", call.Shown(w)))...)
	w.Sim.ResetJournal()
	c.File("import.tf", Imports{call.Address: call.ID(w)}.Blocks())
	c.Plan().WantText(w.T, "1 to import", "0 to add", document.SummaryRecorded)
	c.Apply().WantOK(w.T, "1 imported, 0 added, 1 changed, 0 destroyed")
	c.WantEmptyPlan()
	w.WantNoCalls()
	assert.Equal(w.T, 1, call.Done(w), "done times")
}

// GoesOnAfterKill applies once, which sends nothing and says that an earlier run was ended. That error says to check
// before applying again.
func (w *SigningEnv) GoesOnAfterKill(c Workspace, call OnceCall) {
	w.T.Helper()
	assert.Empty(w.T, c.State(), "state after a kill")
	w.Sim.ResetJournal()
	next := c.Apply()
	assert.Equal(w.T, 0, w.Calls(call.Route), "sent times")
	next.WantText(w.T, "An earlier run started it")
	w.importsWhatWasDone(c, call, next)
}
