package provider_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const sandboxFile = ".terraform/reseller-sandbox.json"

const inSandbox = "provider \"reseller\" {\n  sandbox = {}\n}\n"

// books opens the sandbox of a configuration, as `simulate -data` would.
func (c *cli) books() *simulator.Simulator {
	c.t.Helper()
	sim, err := simulator.New(simulator.Options{File: filepath.Join(c.dir, sandboxFile)})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = sim.Close() })
	return sim
}

func countRoute(sim *simulator.Simulator, route string) int {
	n := 0
	for _, call := range sim.Journal() {
		if call.Route == route {
			n++
		}
	}
	return n
}

// The real binary, no network, no key: plan, apply, an empty plan and an
// import, all on one file.
func TestSandbox(t *testing.T) {
	t.Parallel()
	c := installedCLI(t)
	c.config(inSandbox + label("acme", acmeHost, "") + label("bolt", "sign.bolt.example", ""))
	c.plan().wantText(t, "Sandbox: nothing reaches the live service")
	if r := c.plan(); r.code != 2 {
		t.Errorf("exit code %d, want changes\n%s", r.code, r.out)
	}
	c.apply().wantOK(t, "Sandbox: nothing reaches the live service", "2 added")
	c.wantEmptyPlan()
	c.destroy().wantError(t, "Private label is protected from deletion")
	c.ok("state", "rm", "-no-color", acme)
	c.config(inSandbox + label("acme", acmeHost, "") + label("bolt", "sign.bolt.example", "") +
		"import {\n  to = " + acme + "\n  id = \"" + acmeHost + "\"\n}\n")
	c.apply().wantOK(t, "1 imported")
	c.wantEmptyPlan()

	books := c.books()
	if n := len(books.Labels()); n != 2 {
		t.Errorf("%d labels in the sandbox", n)
	}
	if n := countRoute(books, routeToken); n != 1 {
		t.Errorf("%d exchanges, want 1 for all runs", n)
	}
	if n := countRoute(books, routeDashboard); n != 1 {
		t.Errorf("%d dashboard calls, want 1 for all runs", n)
	}
}

func TestSandbox_FromEnvironment(t *testing.T) {
	t.Parallel()
	c := installedCLI(t, "RESELLER_SANDBOX=box.json")
	c.config(label("acme", acmeHost, ""))
	c.apply().wantOK(t, "kept in box.json")
	c.wantEmptyPlan()
}

// A file that cannot be read is an error, and nothing of it is lost.
func TestSandbox_Corrupt(t *testing.T) {
	t.Parallel()
	c := installedCLI(t)
	c.config(inSandbox + label("acme", acmeHost, ""))
	broken := `{"labels": [{"half": `
	c.file(sandboxFile, broken)
	c.plan().wantError(t, "The sandbox cannot be opened", "reseller-sandbox.json", "move it away or delete it", "The file is the one that")
	raw, err := os.ReadFile(filepath.Join(c.dir, sandboxFile))
	if err != nil || string(raw) != broken {
		t.Errorf("the file was changed: %q, %v", raw, err)
	}
}

// Two configurations on one sandbox at once: both are in the books.
func TestSandbox_Shared(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "shared.json")
	var wg sync.WaitGroup
	for i := range 3 {
		c := installedCLI(t, "RESELLER_SANDBOX="+path)
		c.config(label("acme", fmt.Sprintf("sign%d.acme.example", i), ""))
		wg.Go(func() {
			c.apply().wantOK(t, "1 added")
			c.wantEmptyPlan()
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

// A cache folder that cannot be written costs exchanges, never a run.
func TestTokenCache_ReadOnly(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		// Root writes everywhere: a file in the folder's place does the same.
		t.Log("running as root: a file stands in the folder's place")
	}
	w := newWorld(t)
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o400); err != nil {
		t.Fatal(err)
	}
	w.env.set("RESELLER_TOKEN_CACHE_DIR", filepath.Join(blocked, "cache"))
	c := w.cli()
	c.config(w.config(`data "reseller_dashboard" "d" {}`))
	c.plan().wantOK(t)
	if n := w.calls(routeToken); n != 1 {
		t.Errorf("%d exchanges", n)
	}
}

func TestTokenCache_Corrupt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(`data "reseller_dashboard" "d" {}`))
	c.plan().wantOK(t)
	dir := w.env.get("RESELLER_TOKEN_CACHE_DIR")
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
		if strings.Contains(string(raw), w.sim.APIKey()) {
			t.Errorf("%s holds the key", e.Name())
		}
		if err := os.WriteFile(path, []byte("nonsense"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.plan().wantOK(t)
	if n := w.calls(routeToken); n != 2 {
		t.Errorf("%d exchanges, want 2", n)
	}
	c.plan().wantOK(t)
	if n := w.calls(routeToken); n != 2 {
		t.Errorf("the cache was not mended: %d exchanges", n)
	}
}
