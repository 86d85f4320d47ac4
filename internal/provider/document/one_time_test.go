package document_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func wantMarkers(t *testing.T, dir string, n int) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*.operation"))
	require.NoError(t, err, "markers %v, want %d", found, n)
	assert.Len(t, found, n, "markers")
}

// applySignaled applies, and signals the CLI while the API processes the call. The API responds after the provider has
// received the cancellation.
func applySignaled(w *providertest.SigningEnv, c *providertest.CLI, server *providertest.WatchedServer, fault simulator.Fault, signal os.Signal) {
	w.T.Helper()
	started := make(chan *exec.Cmd, 1)
	fault.Hook = func() {
		assert.NoError(w.T, (<-started).Process.Signal(signal))
		<-(<-server.Applying).Done()
	}
	w.Sim.Inject(fault)
	cmd := exec.Command(providertest.CliBinary(w.T), "apply", "-no-color", "-input=false", "-auto-approve")
	cmd.Dir, cmd.Env = c.Dir, c.Env
	require.NoError(w.T, cmd.Start())
	started <- cmd
	_ = cmd.Wait()
	<-server.Applied
	_ = os.Remove(filepath.Join(c.Dir, ".terraform.tfstate.lock.info"))
}

// A CLI that is killed ends its connection, which cancels the request. The call continues, and its result is not
// received. The next apply adopts it.
func TestOneTime_CLIKilledFirst(t *testing.T) {
	t.Parallel()
	for callName, call := range matrix.Rows(matrix.Of(t), providertest.OnceCalls(), 1, t.Name()) {
		for name, after := range map[string]bool{"before the effect": false, "after the effect": true} {
			t.Run(callName+"/"+name, func(t *testing.T) {
				t.Parallel()
				w := providertest.NewSigningEnv(t)
				c, server := w.OneTimeCLI(callName, call)
				applySignaled(w, c, server, simulator.Fault{Route: call.Route, After: after}, syscall.SIGKILL)
				w.WantSent(call, 1)
				wantMarkers(t, w.OperationsDir(), 1)
				assert.Empty(t, c.State())
				c.Apply().WantOK(t, document.SummaryAdopted, "this run sent nothing")
				w.WantSent(call, 1)
				wantMarkers(t, w.OperationsDir(), 0)
				c.WantEmptyPlan()
			})
		}
	}
}

// An interrupt cancels the request, too, but the CLI saves the result: the next plan sees it in state, and removes the
// marker. After that, the same document can be sent again.
func TestOneTime_Interrupted(t *testing.T) {
	t.Parallel()
	for callName, call := range providertest.OnceCalls() {
		t.Run(callName, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewSigningEnv(t)
			c, server := w.OneTimeCLI(callName, call)
			applySignaled(w, c, server, simulator.Fault{Route: call.Route}, syscall.SIGINT)
			assert.Len(t, c.State(), 1)
			w.WantSent(call, 1)
			wantMarkers(t, w.OperationsDir(), 1)
			c.WantEmptyPlan()
			wantMarkers(t, w.OperationsDir(), 0)
			w.WantSent(call, 1)
		})
	}
}

// While one apply makes a call, another apply of the same operation is rejected in any directory; after the first one
// has ended, the second one may repeat it.
func TestOneTime_TwoApplies(t *testing.T) {
	t.Parallel()
	for callName, call := range matrix.Rows(matrix.Of(t), providertest.OnceCalls(), 1, t.Name()) {
		t.Run(callName, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewSigningEnv(t)
			first, _ := w.OneTimeCLI(callName, call)
			second := w.OneTimeFolder(call, w.Watched())
			w.Sim.Inject(simulator.Fault{Route: call.Route, Hook: func() {
				second.Apply().WantError(t, document.SummaryInProgress, w.OperationsDir(), "Nothing was sent", "Wait until it ends")
			}})
			first.Apply().WantOK(t, "1 added")
			w.WantSent(call, 1)
			wantMarkers(t, w.OperationsDir(), 0)
			assert.Empty(t, second.State(), "state of the second")
			first.WantEmptyPlan()
		})
	}
}

// Without a marker nothing is sent, with any token cache; the error names the setting.
func TestOneTime_NoMarker(t *testing.T) {
	t.Parallel()
	for callName, call := range providertest.OnceCalls() {
		for _, cache := range []string{"disk", "memory"} {
			t.Run(callName+"/"+cache, func(t *testing.T) {
				t.Parallel()
				w := providertest.NewSigningEnv(t)
				c, _ := w.OneTimeCLI(callName, call)
				done := call.Done(w)
				w.Env.Set("RESELLER_TOKEN_CACHE", cache)
				w.Env.Set("RESELLER_OPERATIONS_DIR", "/dev/full/operations")
				w.Sim.ResetJournal()
				c.Apply().WantError(t, document.SummaryNoMarker, "operations_dir", "RESELLER_OPERATIONS_DIR", "/dev/full", "Nothing was sent")
				assert.Equal(t, 0, w.Calls(call.Route), "sent times, state %v", c.State())
				assert.Equal(t, done, call.Done(w), "sent %d times, state %v", w.Calls(call.Route), c.State())
				assert.Empty(t, c.State(), "sent %d times, state", w.Calls(call.Route))
				// The setting in the block; each directory has its own markers.
				dir := filepath.Join(t.TempDir(), "markers")
				c.Config(strings.Replace(w.Config(call.Block(w)), "provider \"reseller\" {", "provider \"reseller\" {\n  operations_dir = \""+dir+"\"", 1))
				w.Sim.Inject(simulator.Fault{Route: call.Route, Hook: func() { wantMarkers(t, dir, 1) }})
				c.Apply().WantOK(t, "1 added")
				w.WantSent(call, 1)
				wantMarkers(t, dir, 0)
				wantMarkers(t, w.OperationsDir(), 0)
			})
		}
	}
}

// If the cache directory cannot be used, the Terraform data directory is used; a token cache in memory changes nothing.
func TestOneTime_DataDirectory(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	data := t.TempDir()
	w.Env.Set("RESELLER_TOKEN_CACHE_DIR", "/dev/full")
	w.Env.Set("RESELLER_TOKEN_CACHE", "memory")
	w.Env.Set("TF_DATA_DIR", data)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.Config(w.Config(providertest.MinimalDocument))
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteUpload, Hook: func() { wantMarkers(t, filepath.Join(data, "operations"), 1) }})
	c.Apply().WantOK(t, "1 added")
	wantMarkers(t, filepath.Join(data, "operations"), 0)
	_, err := os.Stat(filepath.Join(data, "operations", "operations.lock"))
	assert.NoError(t, err)
}

// Each simulator keeps its markers in the directory of its data.
func TestOneTime_Simulator(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t, "RESELLER_TOKEN_CACHE=memory")
	c.File("terms.pdf", string(providertest.OnePage("Terms")))
	c.Config(providertest.InSimulator + strings.Replace(providertest.MinimalDocument, "domain", "# domain", 1))
	c.Apply().WantOK(t, "1 added")
	entries, err := os.ReadDir(filepath.Join(c.Dir, providertest.SimulatorFile+".tokens"))
	require.NoError(t, err, entries)
	require.Len(t, entries, 1)
	assert.Equal(t, "operations", entries[0].Name(), entries)
	wantMarkers(t, filepath.Join(c.Dir, providertest.SimulatorFile+".tokens", "operations"), 0)
	c.WantEmptyPlan()
}

// A tainted object whose plan has an unknown value is not recognized at plan time. The apply rejects the first half of
// its replacement, and state and API stay unchanged.
func TestOneTime_TaintedWithUnknown(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	block := providertest.Replaced(t, providertest.MinimalDocument, `"Terms"`, "terraform_data.title.output")
	title := func(trigger string) string {
		return w.Config(block + "resource \"terraform_data\" \"title\" {\n  input = \"Terms\"\n  triggers_replace = [\"" + trigger + "\"]\n}\n")
	}
	c.Config(title("1"))
	c.Apply().WantOK(t)
	id := c.State()[providertest.Terms].Attributes["id"]
	c.Taint(providertest.Terms, true)
	w.Sim.ResetJournal()
	c.Config(title("2"))
	c.Apply().WantError(t, `The document "Terms" cannot be replaced`)
	w.WantNoCalls()
	state := c.State()[providertest.Terms]
	assert.Equal(t, id, state.Attributes["id"], "state %v", state)
	assert.Len(t, w.Sim.Documents(), 1, "state %v", state)
	c.Taint(providertest.Terms, false)
	c.Config(title("1"))
	c.WantEmptyPlan()
}
