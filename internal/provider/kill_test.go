package provider_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// TestKill ends the provider, or the CLI and the provider, with SIGKILL right
// before and right after the effect of each call of a label's life. Nothing can
// be saved then; what must hold is that there is no second label, no taint, and
// a way on that the messages tell.
func TestKill(t *testing.T) {
	t.Parallel()
	needsProc(t)
	report := newMatrixReport(t, matrixOfLabels)
	for callName, call := range lifeCalls() {
		for _, after := range []bool{false, true} {
			for _, whom := range killed() {
				name := fmt.Sprintf("%s/%s/before", callName, whom)
				if after {
					name = fmt.Sprintf("%s/%s/after", callName, whom)
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					report.addKill(callName, whom, after, runKill(t, call, after, whom))
				})
			}
		}
	}
}

// runKill returns the outcome in words for the report.
func runKill(t *testing.T, call lifeCall, after bool, whom string) string {
	w := newWorld(t)
	c := w.servedCLI()
	declare := func(extra string) {
		if extra == "-" {
			c.config("")
			return
		}
		c.config(label("acme", acmeHost, extra))
	}
	if call.prepare != nil {
		if err := call.prepare(w); err != nil {
			t.Fatal(err)
		}
	}
	if call.before != "-" {
		declare(call.before)
		c.apply().wantOK(t)
	}
	declare(call.act)

	if out, code := c.killedAt(w.sim, call.route, after, whom); code == 0 && call.writes {
		t.Errorf("the apply succeeded although it was killed\n%s", out)
	}
	assertUnharmed(t, w, c, call)

	outcome := "converges"
	next := c.apply()
	if next.code != 0 && strings.Contains(next.out, "Private label already exists") {
		outcome = "import, then converges"
		id := w.sim.Labels()[0].ID
		c.config(label("acme", acmeHost, call.act) + "import {\n  to = " + acme + "\n  id = \"" + id + "\"\n}\n")
		next = c.apply()
	}
	next.wantOK(t)
	c.wantEmptyPlan()
	assertUnharmed(t, w, c, call)
	return outcome
}

// servedCLI is a working folder whose provider is a process of its own, which
// finds the simulated service by its environment.
func (w *world) servedCLI() *cli {
	w.t.Helper()
	served := &sync.WaitGroup{}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		served.Add(1)
		defer served.Done()
		w.sim.ServeHTTP(rw, r)
	}))
	w.t.Cleanup(server.Close)
	c := installedCLI(w.t,
		"RESELLER_BASE_URL="+server.URL,
		"RESELLER_UPLOAD_URL="+server.URL+simulator.UploadPrefix,
		"RESELLER_API_KEY="+w.apiKey(),
		"RESELLER_SIGNING_URL="+server.URL,
		"RESELLER_SIGNING_API_KEY="+w.sim.SigningAPIKey(),
		"RESELLER_TOKEN_CACHE_DIR="+w.t.TempDir())
	c.served = served
	return c
}

func needsProc(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("finds the provider's process in /proc, which this system does not have")
	}
}

// killed is who gets the SIGKILL.
func killed() []string { return []string{"provider", "both"} }

// killedAt applies, and ends the provider, or the CLI and the provider, right
// before or right after the effect of a call.
func (c *cli) killedAt(sim *simulator.Simulator, route string, after bool, whom string) (out string, code int) {
	c.t.Helper()
	started := make(chan int, 1)
	var struck atomic.Bool
	sim.Inject(simulator.Fault{Route: route, Times: 1, After: after, Hook: func() {
		struck.Store(true)
		kill(c.t, <-started, whom)
	}})
	cmd := exec.Command(cliBinary(c.t), "apply", "-no-color", "-input=false", "-auto-approve")
	cmd.Dir, cmd.Env = c.dir, c.env
	var text strings.Builder
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	started <- cmd.Process.Pid
	_ = cmd.Wait()  // the exit code tells
	c.served.Wait() // a CLI that is killed first ends before its provider, and before the call has its effect
	if !struck.Load() {
		c.t.Fatalf("the call was not made\n%s", text.String())
	}
	sim.ClearFaults()
	if whom == "both" {
		// The CLI left its lock on the state behind, as it would anywhere.
		_ = os.Remove(c.dir + "/.terraform.tfstate.lock.info")
	}
	return text.String(), cmd.ProcessState.ExitCode()
}

// kill ends the provider started by a CLI; "both" ends the CLI first.
func kill(t *testing.T, cliPID int, whom string) {
	children := childrenOf(cliPID)
	if whom == "both" {
		if err := killProcess(cliPID); err != nil {
			t.Error(err)
		}
	}
	for _, child := range children {
		if err := killProcess(child); err != nil {
			t.Error(err)
		}
	}
	if len(children) == 0 {
		t.Error("the CLI has no provider")
	}
}

func killProcess(pid int) error {
	process, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return process.Kill()
}

func childrenOf(parent int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var children []int
	for _, entry := range entries {
		var pid, ppid int
		if _, err := fmt.Sscan(entry.Name(), &pid); err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + entry.Name() + "/stat")
		if err != nil {
			continue
		}
		// pid (name) state ppid …; the name may hold anything but ends at the last ")".
		_, rest, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')'):]), " ")
		var state string
		if _, err := fmt.Sscan(rest, &state, &ppid); err == nil && ppid == parent {
			children = append(children, pid)
		}
	}
	return children
}
