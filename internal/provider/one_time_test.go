package provider_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// operationsDir is where the providers of a world keep their markers.
func (w *world) operationsDir() string {
	return filepath.Join(w.env.get("RESELLER_TOKEN_CACHE_DIR"), "operations")
}

func wantMarkers(t *testing.T, dir string, n int) {
	t.Helper()
	if found, err := filepath.Glob(filepath.Join(dir, "*.deed")); err != nil || len(found) != n {
		t.Errorf("markers %v, %v, want %d", found, err, n)
	}
}

// oneTimeCLI is a configuration of one one-time call, with the provider watched.
func (w *signed) oneTimeCLI(callName string, call onceCall) (*cli, *watchedServer) {
	w.t.Helper()
	if callName == "sign" {
		w.withDocument(minimalDocument)
	}
	server := w.watched()
	return w.oneTimeFolder(call, server), server
}

func (w *signed) oneTimeFolder(call onceCall, server *watchedServer) *cli {
	w.t.Helper()
	c := w.cliOf(server)
	c.file("terms.pdf", string(onePage("Terms")))
	c.config(w.config(call.block(w)))
	return c
}

// wantSent asserts how often the call was sent, and that it is done once.
func (w *signed) wantSent(call onceCall, n int) {
	w.t.Helper()
	if w.calls(call.route) != n || call.done(w) != 1 {
		w.t.Errorf("sent %d times, want %d; done %d times", w.calls(call.route), n, call.done(w))
	}
}

// A CLI that is killed ends its connection, which cancels the request; the call
// goes on, and its result reaches nobody. The next apply adopts it.
func TestOneTime_CLIKilledFirst(t *testing.T) {
	t.Parallel()
	for callName, call := range onceCalls() {
		for name, after := range map[string]bool{"before the effect": false, "after the effect": true} {
			t.Run(callName+"/"+name, func(t *testing.T) {
				t.Parallel()
				w := newSigned(t)
				c, server := w.oneTimeCLI(callName, call)
				started := make(chan *exec.Cmd, 1)
				w.sim.Inject(simulator.Fault{Route: call.route, After: after, Hook: func() {
					if err := (<-started).Process.Kill(); err != nil {
						t.Error(err)
					}
					<-(<-server.applying).Done() // the provider has heard of it, and the API has not answered yet
				}})
				cmd := exec.Command(cliBinary(t), "apply", "-no-color", "-input=false", "-auto-approve")
				cmd.Dir, cmd.Env = c.dir, c.env
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				started <- cmd
				_ = cmd.Wait()
				<-server.applied
				_ = os.Remove(filepath.Join(c.dir, ".terraform.tfstate.lock.info"))
				w.wantSent(call, 1)
				wantMarkers(t, w.operationsDir(), 1)
				if len(c.state()) != 0 {
					t.Errorf("state %v", c.state())
				}
				c.apply().wantOK(t, "Result of an earlier run adopted", "this run sent nothing")
				w.wantSent(call, 1)
				wantMarkers(t, w.operationsDir(), 0)
				c.wantEmptyPlan()
			})
		}
	}
}

// An interrupt cancels the request, too, but the CLI saves the result: the next
// plan sees it in state, and removes the marker. The same can be sent again then.
func TestOneTime_Interrupted(t *testing.T) {
	t.Parallel()
	for callName, call := range onceCalls() {
		t.Run(callName, func(t *testing.T) {
			t.Parallel()
			w := newSigned(t)
			c, server := w.oneTimeCLI(callName, call)
			started := make(chan *exec.Cmd, 1)
			w.sim.Inject(simulator.Fault{Route: call.route, Hook: func() {
				if err := (<-started).Process.Signal(syscall.SIGINT); err != nil {
					t.Error(err)
				}
				<-(<-server.applying).Done()
			}})
			cmd := exec.Command(cliBinary(t), "apply", "-no-color", "-input=false", "-auto-approve")
			cmd.Dir, cmd.Env = c.dir, c.env
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			started <- cmd
			_ = cmd.Wait()
			if len(c.state()) != 1 {
				t.Errorf("state %v", c.state())
			}
			w.wantSent(call, 1)
			wantMarkers(t, w.operationsDir(), 1)
			c.wantEmptyPlan()
			wantMarkers(t, w.operationsDir(), 0)
			w.wantSent(call, 1)
		})
	}
}

// While one apply is at a call, another one of the same is rejected, wherever it
// runs; when the first has ended, the second may do it again.
func TestOneTime_TwoApplies(t *testing.T) {
	t.Parallel()
	for callName, call := range onceCalls() {
		t.Run(callName, func(t *testing.T) {
			t.Parallel()
			w := newSigned(t)
			first, _ := w.oneTimeCLI(callName, call)
			second := w.oneTimeFolder(call, w.watched())
			w.sim.Inject(simulator.Fault{Route: call.route, Hook: func() {
				second.apply().wantError(t, "Operation is already in progress", w.operationsDir(), "Nothing was sent", "Wait until that run ends")
			}})
			first.apply().wantOK(t, "1 added")
			w.wantSent(call, 1)
			wantMarkers(t, w.operationsDir(), 0)
			if len(second.state()) != 0 {
				t.Errorf("state of the second %v", second.state())
			}
			first.wantEmptyPlan()
		})
	}
}

// Without a marker nothing is sent, wherever tokens are kept; the error names
// the setting.
func TestOneTime_NoMarker(t *testing.T) {
	t.Parallel()
	for callName, call := range onceCalls() {
		for _, cache := range []string{"disk", "memory"} {
			t.Run(callName+"/"+cache, func(t *testing.T) {
				t.Parallel()
				w := newSigned(t)
				c, _ := w.oneTimeCLI(callName, call)
				done := call.done(w)
				w.env.set("RESELLER_TOKEN_CACHE", cache)
				w.env.set("RESELLER_OPERATIONS_DIR", "/dev/full/operations")
				w.sim.ResetJournal()
				c.apply().wantError(t, "Operation marker cannot be created", "operations_dir", "RESELLER_OPERATIONS_DIR", "/dev/full", "Nothing was sent")
				if w.calls(call.route) != 0 || call.done(w) != done || len(c.state()) != 0 {
					t.Errorf("sent %d times, state %v", w.calls(call.route), c.state())
				}
				// In the block; the markers of both are apart.
				dir := filepath.Join(t.TempDir(), "markers")
				c.config(strings.Replace(w.config(call.block(w)), "provider \"reseller\" {", "provider \"reseller\" {\n  operations_dir = \""+dir+"\"", 1))
				w.sim.Inject(simulator.Fault{Route: call.route, Hook: func() { wantMarkers(t, dir, 1) }})
				c.apply().wantOK(t, "1 added")
				w.wantSent(call, 1)
				wantMarkers(t, dir, 0)
				wantMarkers(t, w.operationsDir(), 0)
			})
		}
	}
}

// Where the cache directory cannot be used, the Terraform data directory is; a
// token cache in memory changes nothing.
func TestOneTime_DataDirectory(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	data := t.TempDir()
	w.env.set("RESELLER_TOKEN_CACHE_DIR", "/dev/full")
	w.env.set("RESELLER_TOKEN_CACHE", "memory")
	w.env.set("TF_DATA_DIR", data)
	c := w.cliWith(onePage("Terms"))
	c.config(w.config(minimalDocument))
	w.sim.Inject(simulator.Fault{Route: routeUpload, Hook: func() { wantMarkers(t, filepath.Join(data, "operations"), 1) }})
	c.apply().wantOK(t, "1 added")
	wantMarkers(t, filepath.Join(data, "operations"), 0)
	if _, err := os.Stat(filepath.Join(data, "operations", "operations.lock")); err != nil {
		t.Error(err)
	}
}

// Each sandbox keeps its markers beside its data.
func TestOneTime_Sandbox(t *testing.T) {
	t.Parallel()
	c := installedCLI(t, "RESELLER_TOKEN_CACHE=memory")
	c.file("terms.pdf", string(onePage("Terms")))
	c.config(inSandbox + strings.Replace(minimalDocument, "domain", "# domain", 1))
	c.apply().wantOK(t, "1 added")
	entries, err := os.ReadDir(filepath.Join(c.dir, sandboxFile+".tokens"))
	if err != nil || len(entries) != 1 || entries[0].Name() != "operations" {
		t.Errorf("%v, %v", entries, err)
	}
	wantMarkers(t, filepath.Join(c.dir, sandboxFile+".tokens", "operations"), 0)
	c.wantEmptyPlan()
}

// A tainted object whose plan has an unknown value is not recognized at plan;
// the apply rejects the first half of its replacement, and state and service
// stay as they are.
func TestOneTime_TaintedWithUnknown(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cliWith(onePage("Terms"))
	block := replaced(t, minimalDocument, `"Terms"`, "terraform_data.title.output")
	title := func(trigger string) string {
		return w.config(block + "resource \"terraform_data\" \"title\" {\n  input = \"Terms\"\n  triggers_replace = [\"" + trigger + "\"]\n}\n")
	}
	c.config(title("1"))
	c.apply().wantOK(t)
	id := c.state()[terms].Attributes["id"]
	c.ok("taint", "-no-color", terms)
	w.sim.ResetJournal()
	c.config(title("2"))
	c.apply().wantError(t, `The document "Terms" cannot be replaced`)
	w.wantNoCalls()
	if state := c.state()[terms]; state.Attributes["id"] != id || len(w.sim.Documents()) != 1 {
		t.Errorf("state %v", state)
	}
	c.ok("untaint", "-no-color", terms)
	c.config(title("1"))
	c.wantEmptyPlan()
}
