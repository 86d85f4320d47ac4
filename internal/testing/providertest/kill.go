package providertest

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// killable is what KilledAt runs instead of the CLI that is attached to the test.
type killable struct {
	env   []string     // the provider is a process of the CLI, and finds the simulator by this environment
	calls sync.RWMutex // held while the simulator serves a call
}

// KillableCLI is a working directory whose provider can be killed: KilledAt starts it as a process of the CLI. All
// other commands are attached to a provider in the test, which has the same environment.
func (w *TestEnv) KillableCLI() *CLI {
	w.T.Helper()
	k := &killable{}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		k.calls.RLock()
		defer k.calls.RUnlock()
		w.Sim.ServeHTTP(rw, r)
	}))
	w.T.Cleanup(server.Close)
	w.Transport = http.DefaultTransport
	settings := w.settingsAt(server.URL)
	for name, value := range settings {
		w.Env.Set(name, value)
	}
	c := w.Cli()
	k.env = slices.Concat(processEnv(), []string{"TF_CLI_CONFIG_FILE=" + c.File("killable.tfrc", overrides(w.T))}, entries(settings), entries(quick))
	c.killable = k
	return c
}

// settingsAt are the provider's environment variables for this test environment, served over HTTP.
func (w *TestEnv) settingsAt(url string) map[string]string {
	return map[string]string{
		"RESELLER_BASE_URL":        url,
		"RESELLER_UPLOAD_URL":      url + simulator.UploadPrefix,
		"RESELLER_API_KEY":         w.APIKey(),
		"RESELLER_SIGNING_URL":     url,
		"RESELLER_SIGNING_API_KEY": w.Sim.SigningAPIKey(),
		"RESELLER_TOKEN_CACHE_DIR": w.T.TempDir(),
	}
}

// entries are variables as an environment has them.
func entries(variables map[string]string) (env []string) {
	for name, value := range variables {
		env = append(env, name+"="+value)
	}
	return env
}

func NeedsProc(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("finds the provider's process in /proc, which this system does not have")
	}
}

// KilledAt applies, and kills the provider, or the CLI and the provider, immediately before or after the effect of a
// call.
func (c *CLI) KilledAt(sim *simulator.Simulator, route string, after bool, whom string) (out string, code int) {
	c.T.Helper()
	started := make(chan int, 1)
	var struck atomic.Bool
	sim.Inject(simulator.Fault{Route: route, Times: 1, After: after, Hook: func() {
		struck.Store(true)
		kill(c.T, <-started, whom)
	}})
	cmd := exec.Command(CliBinary(c.T), "apply", "-no-color", "-input=false", "-auto-approve")
	cmd.Dir, cmd.Env = c.Dir, c.killable.env
	var text strings.Builder
	cmd.Stdout, cmd.Stderr = &text, &text
	require.NoError(c.T, cmd.Start())
	started <- cmd.Process.Pid
	_ = cmd.Wait()   // the exit code shows it
	c.waitForCalls() // a CLI that is killed first ends before its provider, and before the call has its effect
	require.True(c.T, struck.Load(), "the call was not made\n%s", text.String())
	sim.ClearFaults()
	if whom == "both" {
		// The killed CLI leaves its lock on the state.
		_ = os.Remove(c.Dir + "/.terraform.tfstate.lock.info")
	}
	return text.String(), cmd.ProcessState.ExitCode()
}

// waitForCalls returns when the calls that are being served have ended. A WaitGroup must not start counting again while
// anything waits for it.
func (c *CLI) waitForCalls() {
	c.killable.calls.Lock()
	c.killable.calls.Unlock() //nolint:staticcheck,gocritic // SA2001, badLock: only the wait matters
}

// kill ends the provider that a CLI started; "both" ends the CLI first. It returns when the provider has released its files
// and their locks.
func kill(t *testing.T, cliPID int, whom string) {
	children := childrenOf(cliPID)
	if whom == "both" {
		killProcess(t, cliPID)
	}
	for _, child := range children {
		killProcess(t, child)
		for !hasEnded(child) {
			runtime.Gosched()
		}
	}
	assert.NotEmpty(t, children, "the CLI has no provider")
}

func killProcess(t *testing.T, pid int) {
	process, err := os.FindProcess(pid)
	if assert.NoError(t, err) {
		assert.NoError(t, process.Kill())
	}
}

func childrenOf(parent int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var children []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if stat := statOf(pid); err == nil && stat != nil && stat[1] == strconv.Itoa(parent) {
			children = append(children, pid)
		}
	}
	return children
}

// hasEnded reports whether no thread of a process is left. Nobody may have waited for it.
func hasEnded(pid int) bool {
	const threads = 17
	stat := statOf(pid)
	return len(stat) == 0 || stat[0] == "Z" && stat[threads] < "2"
}

// statOf returns the state of a process, its parent and so on (proc(5)), nil for none. What comes before is its name, which
// may contain any characters and ends at the last parenthesis.
func statOf(pid int) []string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 {
		return nil
	}
	return fields
}
