package document_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Two runs upload different documents with one title at the same time, and one response is lost. Its run adopts
// nothing: the error lists both documents, or the other one alone.
func TestDocument_SameTitleAtOnce(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"before the effect": false, "after the effect": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewSigningEnv(t)
			ours := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
			theirs := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Other terms"))
			ours.Config(w.Config(providertest.MinimalDocument))
			theirs.Config(w.Config(providertest.MinimalDocument))
			w.Sim.Inject(simulator.Fault{Route: providertest.RouteUpload, Kind: simulator.FaultServerError, After: after, Hook: func() {
				theirs.Apply().WantOK(t, "1 added")
			}})
			r := ours.Apply()
			r.WantError(t, document.SummaryUploadUnknown, "another run may have sent the same title", "Nothing is in state", "to = reseller_document.NAME")
			listed := 0
			for _, d := range w.Sim.Documents() {
				block := `id = "` + d.ID + `" # sent at 2026-03-14T`
				r.WantText(t, block)
				if d.SHA256 == providertest.Hashed(providertest.OnePage("Terms")) {
					r.WantText(t, "with the checksum of the file")
				}
				listed++
			}
			assert.Equal(t, map[bool]int{false: 1, true: 2}[after], listed, "documents, state %v, sent %d times", ours.State(), w.Calls(providertest.RouteUpload))
			require.Empty(t, ours.State(), "%d documents, state, sent %d times", listed, w.Calls(providertest.RouteUpload))
			assert.Equal(t, 2, w.Calls(providertest.RouteUpload), "%d documents, state %v, sent times", listed, ours.State())
			wantMarkers(t, w.OperationsDir(), 1)
			theirs.WantEmptyPlan()
		})
	}
}
