package provider_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// TestKill ends the provider, or the CLI and the provider, with SIGKILL right
// before and right after the effect of each call of a label's life. Nothing can
// be saved then; what must hold is that there is no second label, no taint, and
// a way on that the messages tell.
func TestKill(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("finds the provider's process in /proc, which this system does not have")
	}
	report := newMatrixReport(t, matrixOfLabels)
	for callName, call := range lifeCalls() {
		for _, after := range []bool{false, true} {
			for _, whom := range []string{"provider", "both"} {
				if callName != "provision" && whom == "both" {
					continue // the rest of the matrix is the same for both; the provision is what can be lost
				}
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
	server := httptest.NewServer(w.sim)
	t.Cleanup(server.Close)
	c := installedCLI(t,
		"RESELLER_BASE_URL="+server.URL,
		"RESELLER_API_KEY="+w.sim.APIKey(),
		"RESELLER_TOKEN_CACHE_DIR="+t.TempDir())
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

	started := make(chan int, 1)
	var killed atomic.Bool
	w.sim.Inject(simulator.Fault{Route: call.route, Times: 1, After: after, Hook: func() {
		killed.Store(true)
		kill(t, <-started, whom)
	}})
	cmd := exec.Command(cliBinary(t), "apply", "-no-color", "-input=false", "-auto-approve")
	cmd.Dir, cmd.Env = c.dir, c.env
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	started <- cmd.Process.Pid
	if err := cmd.Wait(); err == nil && call.writes {
		t.Errorf("the apply succeeded although it was killed\n%s", out.String())
	}
	if !killed.Load() {
		t.Fatalf("the call was not made\n%s", out.String())
	}
	w.sim.ClearFaults()
	if whom == "both" {
		// The CLI left its lock on the state behind, as it would anywhere.
		_ = os.Remove(c.dir + "/.terraform.tfstate.lock.info")
	}
	assertUnharmed(t, w, c, call)

	outcome := "converges"
	next := c.apply()
	if next.code != 0 && strings.Contains(next.out, "is already live on this reseller") {
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

// kill ends the provider started by a CLI; "both" ends the CLI first.
func kill(t *testing.T, cliPID int, whom string) {
	children := childrenOf(cliPID)
	if whom == "both" {
		if err := syscall.Kill(cliPID, syscall.SIGKILL); err != nil {
			t.Error(err)
		}
	}
	for _, child := range children {
		if err := syscall.Kill(child, syscall.SIGKILL); err != nil {
			t.Error(err)
		}
	}
	if len(children) == 0 {
		t.Error("the CLI has no provider")
	}
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
