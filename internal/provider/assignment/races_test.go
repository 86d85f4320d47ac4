package assignment_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Two assignments that each fit alone, in one apply: the API checks one after the other.
func TestAssignment_AtTheSameMoment(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	gold, err := w.Sim.AddPackage("GOLD", map[string]float64{"documents": 60}, true)
	require.NoError(t, err)
	require.NoError(t, w.Sim.SetAllowance(map[string]float64{"documents": 100, "seats": 100}))
	c := coretest.New(t, w)
	both := providertest.Label("a", "a.acme.example", "") + providertest.Label("b", "b.acme.example", "")
	for _, name := range []string{"a", "b"} {
		both += fmt.Sprintf("resource \"reseller_assignment\" %[1]q {\n  private_label_id = reseller_private_label.%[1]s.id\n  package_id = %[2]q\n}\n", name, gold)
	}
	c.Config(w.Config(both))
	c.Apply().WantError(t, assignment.SummaryExcess, "documents: requested 60, remaining 40, excess 20")
	with := 0
	for _, l := range w.Sim.Labels() {
		if l.Package == "GOLD" {
			with++
		}
	}
	assert.Equal(t, 1, with, "labels have the package")
}

// The key of a confirmation is a permission to exceed: it is in no log, no
// state and no output.
func TestSecrets_ConfirmationKey(t *testing.T) {
	t.Parallel()
	w := providertest.NewAssignmentEnv(t, simulator.Forms{})
	require.NoError(t, w.Sim.SetAllowance(map[string]float64{"documents": 80, "seats": 100}))
	server := httptest.NewServer(w.Sim)
	t.Cleanup(server.Close)
	c := providertest.InstalledCLI(t,
		"RESELLER_BASE_URL="+server.URL,
		"RESELLER_API_KEY="+w.APIKey(),
		"RESELLER_TOKEN_CACHE_DIR="+t.TempDir(),
		"TF_LOG=TRACE")
	block := func(extra string) string {
		return fmt.Sprintf("resource \"reseller_assignment\" \"acme\" {\n  private_label_id = %q\n  package_id = %q\n%s\n}\n", w.Label, w.Gold, extra)
	}
	c.Config(block(""))
	out := c.Apply().Out
	c.Config(block("allow_excess = { documents = 20 }"))
	last := c.Apply()
	last.WantOK(t)
	out += last.Out
	state, err := os.ReadFile(filepath.Join(c.Dir, "terraform.tfstate"))
	require.NoError(t, err)
	out += string(state)
	keys := w.Sim.ConfirmationKeys()
	require.NotEmpty(t, keys, "nothing had to be confirmed")
	for _, key := range keys {
		assert.NotContains(t, out, key, "a confirmation key is in the output or the state")
	}
}
