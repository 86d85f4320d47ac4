package export_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The guide "A lost state", to the letter: with imports.tf the next plan imports everything; without it, one error for each
// private label says that it is live, nothing is written, and one export brings imports.tf back.
func TestExport_LostState(t *testing.T) {
	t.Parallel()
	w := env(t)
	require.NoError(t, w.Sim.Seed(3))
	c, files, _ := exported(w)
	c.Run("apply", "-no-color", "-input=false", "-auto-approve").WantOK(t, "imported, 0 added, 0 changed, 0 destroyed.")
	c.WantEmptyPlan()
	lose := func() {
		t.Helper()
		require.NoError(t, os.Remove(filepath.Join(c.Dir, "terraform.tfstate")))
	}
	lose()
	c.Run("plan", "-no-color", "-input=false").WantOK(t, " to import, 0 to add, 0 to change, 0 to destroy.")

	require.NoError(t, os.Remove(filepath.Join(c.Dir, "imports.tf")))
	w.Sim.ResetJournal()
	r := c.Run("plan", "-no-color", "-input=false")
	all, live, codes := strings.Count(r.Out, "Error: "), strings.Count(r.Out, "Error: Private label already exists"), strings.Count(r.Out, "Error: Catalog item already exists")
	t.Logf("a lost state of %d private labels: %d errors, %d of them of private labels, %d of the catalog", len(w.Sim.Labels()), all, live, codes)
	if r.Code != 1 || live != len(w.Sim.Labels()) || codes == 0 || all != live+codes || strings.Contains(r.Out, "Missing ") {
		t.Errorf("%d errors, %d, %d: %s", all, live, codes, r.Out)
	}
	w.WantReads()

	again, restored, _ := exported(w)
	c.File("imports.tf", restored["imports.tf"])
	assert.Equal(t, files["imports.tf"], restored["imports.tf"], "an export in %s imports something else", again.Dir)
	c.Run("apply", "-no-color", "-input=false", "-auto-approve").WantOK(t, "imported, 0 added, 0 changed, 0 destroyed.")
	c.WantEmptyPlan()
}
