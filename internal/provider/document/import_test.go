package document_test

import (
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const recordedSummary = document.SummaryRecorded

// An import makes no call, and the first plan after it records the configured values with none. After that, the object
// is like one that was created.
func TestOneTime_Imported(t *testing.T) {
	t.Parallel()
	rows := map[string]struct {
		address, id, block string
		want               map[string]any // in state, after the import and after the update
		old, with, blocked string         // a change
	}{
		"document": {
			providertest.Terms, "d-42", providertest.FullDocument,
			map[string]any{"title": "Terms", "file_sha256": providertest.Hashed(providertest.OnePage("Terms")), "passcode": "71928374", "reseller": nil},
			`"Terms"`, `"Other"`, `title of the document "Terms" cannot change`,
		},
		"document signing": {
			providertest.TermsSigning, "d-42", providertest.SigningOf("d-42", "a1", "x.png", ""),
			map[string]any{"doc_id": "d-42", "domain": "acme.example", "reseller": nil},
			`"x.png"`, `"y.png"`, "of the signing of d-42 cannot change",
		},
		"minted document": {
			providertest.MintedTerms, "1234", providertest.MinimalMint,
			map[string]any{"asset_name": "Acme terms 2026", "asset_id": 1234.0, "transaction_id": nil, "metadata_json": nil, "file_sha256": providertest.Hashed(providertest.OnePage("Terms")), "reseller": nil},
			`"TERMS"`, `"TERM"`, "unit_name of the asset",
		},
	}
	for name, tc := range matrix.Rows(matrix.Of(t), rows, 1, t.Name()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewSigningEnv(t)
			c := w.CliWith(providertest.OnePage("Terms"))
			c.Config(w.Config(tc.block))
			w.Sim.ResetJournal()
			c.Import(tc.address, tc.id).WantOK(t)
			if got := c.State()[tc.address].Attributes; got["id"] != tc.id || got["file_path"] != nil {
				t.Errorf("imported %v", got)
			}
			planned := c.Planned()
			planned.Want(t, 1, "warning", recordedSummary, tc.id, "no API call is made")
			assert.Len(t, planned, 1)
			c.Apply().WantOK(t, "0 added, 1 changed, 0 destroyed")
			c.WantEmptyPlan()
			got := c.State()[tc.address].Attributes
			tc.want["id"] = tc.id
			for attribute, want := range tc.want {
				assert.Equal(t, want, got[attribute], attribute)
			}
			c.Config(w.Config(providertest.Replaced(t, tc.block, tc.old, tc.with)))
			c.Plan().WantError(t, tc.blocked)
			c.Config(w.Config(tc.block))
			c.Plan("-replace="+tc.address).WantError(t, "cannot be replaced")
			c.Destroy().WantOK(t, document.TopicLeaving.Summary, "1 destroyed")
			w.WantNoCalls()
		})
	}
}

// What an import cannot take.
func TestOneTime_ImportRejected(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.Config(w.Config(providertest.MinimalDocument + providertest.MinimalMint + providertest.SigningOf("d-42", "a", "b", "")))
	for _, address := range []string{providertest.Terms, providertest.TermsSigning, providertest.MintedTerms} {
		for _, id := range []string{" d", "d ", "a/b", "a\nb", "a\tb", "a\x1b[2Jb", "\u202ed", strings.Repeat("x", 129)} {
			c.Import(address, id).WantError(t, document.SummaryImportID, "Nothing was imported")
		}
		c.Import(address, strings.Repeat("é", 128)).WantOK(t)
	}
	w.WantNoCalls()

	// A file that cannot be hashed, another document than the imported one.
	c = coretest.New(t, w.TestEnv)
	c.Config(w.Config(providertest.MinimalDocument + providertest.SigningOf("d-43", "a", "b", "")))
	c.Import(providertest.Terms, "d-42").WantOK(t)
	c.Import(providertest.TermsSigning, "d-42").WantOK(t)
	c.Plan().WantError(t, file.SummaryInvalid, session.SummaryImmutable, "doc_id")
	w.WantNoCalls()
}

// Values that are known after apply are recorded by the apply that follows an import; an object that was imported only
// can be destroyed.
func TestOneTime_ImportedWithUnknown(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	block := strings.NewReplacer(`"${abspath(path.module)}/terms.pdf"`, `"${abspath(path.module)}/${terraform_data.file.output}"`, `"Terms"`, "terraform_data.title.output").Replace(providertest.MinimalDocument)
	later := func(file string) string {
		return w.Config(block + "resource \"terraform_data\" \"file\" {\n  input = \"" + file + "\"\n}\nresource \"terraform_data\" \"title\" {\n  input = \"Terms\"\n}\n")
	}
	c.Config(later("none.pdf"))
	c.Import(providertest.Terms, "d-42").WantOK(t)
	c.Apply().WantError(t, file.SummaryInvalid)
	got := c.State()[providertest.Terms]
	assert.Nil(t, got.Attributes["title"], "state %v", got)
	assert.NotEqual(t, "tainted", got.Status, "state %v", got)
	c.Config(later("terms.pdf"))
	c.Apply().WantOK(t)
	c.WantEmptyPlan()
	if got := c.State()[providertest.Terms].Attributes; got["title"] != "Terms" || got["file_sha256"] != providertest.Hashed(providertest.OnePage("Terms")) {
		t.Errorf("state %v", got)
	}
	c.Forget(providertest.Terms)
	c.Import(providertest.Terms, "d-42").WantOK(t)
	c.Destroy().WantOK(t, document.TopicLeaving.Summary, `document "d-42"`)
	w.WantNoCalls()
}

// A run that is killed after a lost response leaves its marker. An import of the object settles the operation: its
// marker is removed, so that the same content can be sent again.
func TestOneTime_ImportSettlesMarker(t *testing.T) {
	t.Parallel()
	for callName, call := range matrix.Rows(matrix.Of(t), providertest.OnceCalls(), 1, t.Name()) {
		t.Run(callName, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewSigningEnv(t)
			c, server := w.OneTimeCLI(callName, call)
			applySignaled(w, c, server, simulator.Fault{Route: call.Route, After: true, Kind: simulator.FaultServerError}, syscall.SIGKILL)
			wantMarkers(t, w.OperationsDir(), 1)
			w.Sim.ResetJournal()
			c.Import(call.Address, call.ID(w)).WantOK(t)
			c.Apply().WantOK(t, "1 changed")
			wantMarkers(t, w.OperationsDir(), 0)
			c.WantEmptyPlan()
			w.WantNoCalls()
		})
	}
}
