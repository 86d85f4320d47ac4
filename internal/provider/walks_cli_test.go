package provider_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The tests of the whole configurations pass in one process that is configured once, without an error caused by an
// earlier run.
func TestWalks_Configurations(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.6.0", "terraform test")
	configurations, err := filepath.Glob("../../examples/configurations/*/main.tf")
	require.NoError(t, err, "no configurations")
	require.NotEmpty(t, configurations, "no configurations: %v", err)
	for _, configuration := range configurations {
		folder := filepath.Dir(configuration)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLiveAndSimulated(t, func(*simulator.Simulator) {})
			c := w.OneSession(nil)
			require.NoError(t, os.CopyFS(c.Dir, os.DirFS(folder)))
			c.Ok("init", "-no-color", "-input=false")
			c.Run("test", "-no-color").WantOK(t)
			require.NotEmpty(t, w.Simulated.Journal(), "the test did not run in the simulator")
			assert.Empty(t, w.Sim.Journal(), "the test did not run in the simulator")
		})
	}
}

// The whole life of a configuration, several times in one process.
func TestWalks_ThroughTheCLI(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := w.OneSession(nil)
	configuration := func(email, color string) string {
		return w.Config(w.Person("bob", email, "Bob") + fmt.Sprintf("resource \"reseller_branding\" \"acme\" {\n  domain = %q\n  color_primary = %q\n}\n", providertest.AcmeHost, color))
	}
	for range 3 {
		c.Config(configuration(providertest.BobEmail, "#0a0"))
		c.Plan().WantText(t, "2 to add")
		c.Apply().WantOK(t, "2 added")
		c.WantEmptyPlan()
		c.Config(configuration("eve@acme.example", "#0b0"))
		c.Apply().WantOK(t, "1 added, 1 changed, 1 destroyed")
		c.WantEmptyPlan()
		c.Destroy().WantOK(t, "2 destroyed")
		assert.Equal(t, 1, w.Seats())
	}
}
