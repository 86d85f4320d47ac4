package provider_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func countRoute(sim *simulator.Simulator, route string) int {
	n := 0
	for _, call := range sim.Journal() {
		if call.Route == route {
			n++
		}
	}
	return n
}

// The real binary, no network, no API key: plan, apply, a plan without changes and an import, all with one file.
func TestSimulator(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t)
	c.Config(providertest.InSimulator + providertest.Label("acme", providertest.AcmeHost, "") + providertest.Label("bolt", "sign.bolt.example", ""))
	c.Plan().WantText(t, provider.SummarySimulator)
	r := c.Plan()
	assert.Equal(t, 2, r.Code, "exit code\n%s", r.Out)
	c.Apply().WantOK(t, provider.SummarySimulator, "2 added")
	c.WantEmptyPlan()
	c.Destroy().WantError(t, effect.SummaryProtected)
	c.Forget(providertest.Acme)
	c.Config(providertest.InSimulator + providertest.Label("acme", providertest.AcmeHost, "") + providertest.Label("bolt", "sign.bolt.example", "") +
		"import {\n  to = " + providertest.Acme + "\n  id = \"" + providertest.AcmeHost + "\"\n}\n")
	c.Apply().WantOK(t, "1 imported")
	c.WantEmptyPlan()

	books := c.Books()
	assert.Len(t, books.Labels(), 2, "labels in the simulator")
	assert.Equal(t, 1, countRoute(books, providertest.RouteToken), "exchanges")
	assert.Equal(t, 1, countRoute(books, providertest.RouteDashboard), "dashboard calls")
}

func TestSimulator_FromEnvironment(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t, "RESELLER_SIMULATOR=box.json")
	c.Config(providertest.Label("acme", providertest.AcmeHost, ""))
	c.Apply().WantOK(t, "(box.json)")
	c.WantEmptyPlan()
	for _, name := range []string{".gitignore", filepath.Dir(providertest.SimulatorFile)} {
		_, err := os.Stat(filepath.Join(c.Dir, name))
		assert.Error(t, err, "a file of the user's choice has a %s beside it", name)
	}
}

// Two configurations with one simulator at the same time: both are in the books.
func TestSimulator_Shared(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "shared.json")
	var wg sync.WaitGroup
	for i := range 3 {
		c := providertest.InstalledCLI(t, "RESELLER_SIMULATOR="+path)
		c.Config(providertest.Label("acme", fmt.Sprintf("sign%d.acme.example", i), ""))
		wg.Go(func() {
			c.Apply().WantOK(t, "1 added")
			c.WantEmptyPlan()
		})
	}
	wg.Wait()
	sim, err := simulator.New(simulator.Options{File: path})
	require.NoError(t, err)
	defer func() { _ = sim.Close() }()
	assert.Len(t, sim.Labels(), 3)
}

// A cache directory that cannot be written costs token exchanges, but no run fails.
func TestTokenCache_ReadOnly(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		// Root can write everywhere: a file instead of the directory has the same effect.
		t.Log("running as root: a file is in the directory's place")
	}
	w := providertest.NewTestEnv(t)
	blocked := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(blocked, nil, 0o400))
	w.Env.Set("RESELLER_TOKEN_CACHE_DIR", filepath.Join(blocked, "cache"))
	c := coretest.New(t, w)
	c.Config(w.Config(`data "reseller_dashboard" "d" {}`))
	c.Plan().WantOK(t)
	assert.Equal(t, 1, w.Calls(providertest.RouteToken), "exchanges")
}

func TestTokenCache_Corrupt(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.New(t, w)
	c.Config(w.Config(`data "reseller_dashboard" "d" {}`))
	c.Plan().WantOK(t)
	dir := w.Env.Get("RESELLER_TOKEN_CACHE_DIR")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err, "no cache")
	require.NotEmpty(t, entries, "no cache: %v", err)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		if strings.Contains(string(raw), w.Sim.APIKey()) {
			t.Errorf("%s holds the key", e.Name())
		}
		require.NoError(t, os.WriteFile(path, []byte("nonsense"), 0o600))
	}
	c.Plan().WantOK(t)
	assert.Equal(t, 2, w.Calls(providertest.RouteToken), "exchanges")
	c.Plan().WantOK(t)
	assert.Equal(t, 2, w.Calls(providertest.RouteToken), "the cache was not mended: exchanges")
}
