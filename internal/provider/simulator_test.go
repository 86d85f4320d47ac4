package provider_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

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
	c.Plan().WantText(t, "Simulator mode is active")
	if r := c.Plan(); r.Code != 2 {
		t.Errorf("exit code %d, want changes\n%s", r.Code, r.Out)
	}
	c.Apply().WantOK(t, "Simulator mode is active", "2 added")
	c.WantEmptyPlan()
	c.Destroy().WantError(t, "Resource is protected from deletion")
	c.Forget(providertest.Acme)
	c.Config(providertest.InSimulator + providertest.Label("acme", providertest.AcmeHost, "") + providertest.Label("bolt", "sign.bolt.example", "") +
		"import {\n  to = " + providertest.Acme + "\n  id = \"" + providertest.AcmeHost + "\"\n}\n")
	c.Apply().WantOK(t, "1 imported")
	c.WantEmptyPlan()

	books := c.Books()
	if n := len(books.Labels()); n != 2 {
		t.Errorf("%d labels in the simulator", n)
	}
	if n := countRoute(books, providertest.RouteToken); n != 1 {
		t.Errorf("%d exchanges, want 1 for all runs", n)
	}
	if n := countRoute(books, providertest.RouteDashboard); n != 1 {
		t.Errorf("%d dashboard calls, want 1 for all runs", n)
	}
}

func TestSimulator_FromEnvironment(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t, "RESELLER_SIMULATOR=box.json")
	c.Config(providertest.Label("acme", providertest.AcmeHost, ""))
	c.Apply().WantOK(t, "stored in box.json")
	c.WantEmptyPlan()
	for _, name := range []string{".gitignore", filepath.Dir(providertest.SimulatorFile)} {
		if _, err := os.Stat(filepath.Join(c.Dir, name)); err == nil {
			t.Errorf("a file of the user's choice has a %s beside it", name)
		}
	}
}

// A file that cannot be read is an error, and nothing of it is lost.
func TestSimulator_Corrupt(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t)
	c.Config(providertest.InSimulator + providertest.Label("acme", providertest.AcmeHost, ""))
	broken := `{"labels": [{"half": `
	c.Plan() // creates the directory
	c.File(providertest.SimulatorFile, broken)
	c.Plan().WantError(t, "Error opening simulator", "default.json", "Move or delete it", "The file is set by")
	raw, err := os.ReadFile(filepath.Join(c.Dir, providertest.SimulatorFile))
	if err != nil || string(raw) != broken {
		t.Errorf("the file was changed: %q, %v", raw, err)
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
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sim.Close() }()
	if n := len(sim.Labels()); n != 3 {
		t.Errorf("%d labels", n)
	}
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
	if err := os.WriteFile(blocked, nil, 0o400); err != nil {
		t.Fatal(err)
	}
	w.Env.Set("RESELLER_TOKEN_CACHE_DIR", filepath.Join(blocked, "cache"))
	c := coretest.New(t, w)
	c.Config(w.Config(`data "reseller_dashboard" "d" {}`))
	c.Plan().WantOK(t)
	if n := w.Calls(providertest.RouteToken); n != 1 {
		t.Errorf("%d exchanges", n)
	}
}

func TestTokenCache_Corrupt(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.New(t, w)
	c.Config(w.Config(`data "reseller_dashboard" "d" {}`))
	c.Plan().WantOK(t)
	dir := w.Env.Get("RESELLER_TOKEN_CACHE_DIR")
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		t.Fatalf("no cache: %v", err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(raw), w.Sim.APIKey()) {
			t.Errorf("%s holds the key", e.Name())
		}
		if err := os.WriteFile(path, []byte("nonsense"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.Plan().WantOK(t)
	if n := w.Calls(providertest.RouteToken); n != 2 {
		t.Errorf("%d exchanges, want 2", n)
	}
	c.Plan().WantOK(t)
	if n := w.Calls(providertest.RouteToken); n != 2 {
		t.Errorf("the cache was not mended: %d exchanges", n)
	}
}
