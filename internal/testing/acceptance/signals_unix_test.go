//go:build unix

package acceptance

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An export that a signal ends leaves neither a file nor a temporary directory.
func TestCommands_Signals(t *testing.T) {
	t.Parallel()
	binary := binaryOf(t)
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sent.String(), func(t *testing.T) {
			t.Parallel()
			if signal.Ignored(sent) {
				t.Skip("the tests run where this signal is ignored")
			}
			asked, over := make(chan struct{}, 10), make(chan struct{})
			api := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
				asked <- struct{}{}
				<-over
			}))
			defer func() {
				close(over)
				api.Close()
			}()
			out := filepath.Join(t.TempDir(), "out")
			cmd := exec.Command(binary, "export", "-out", out)
			cmd.Env = shell(map[string]string{"RESELLER_BASE_URL": api.URL, "RESELLER_ACCESS_TOKEN": "token-of-a-test", "RESELLER_SLUG": "partner.example"}, "NO_PROXY=127.0.0.1")
			var said bytes.Buffer
			cmd.Stderr = &said
			require.NoError(t, cmd.Start())
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			select {
			case <-asked:
			case err := <-ended:
				t.Fatalf("no call: %v\n%s", err, said.String())
			}
			left, err := filepath.Glob(filepath.Join(out, ".export-*"))
			require.NoError(t, err, "before the signal: %v", left)
			assert.Len(t, left, 1, "before the signal")
			require.NoError(t, cmd.Process.Signal(sent))
			require.Error(t, <-ended, "it ended with %v\n%s", cmd.ProcessState, said.String())
			assert.Equal(t, 1, cmd.ProcessState.ExitCode(), "it ended with %v\n%s", cmd.ProcessState, said.String())
			if _, err := os.Stat(out); !os.IsNotExist(err) {
				left, _ := filepath.Glob(filepath.Join(out, "*"))
				hidden, _ := filepath.Glob(filepath.Join(out, ".*"))
				t.Errorf("left %v %v", left, hidden)
			}
		})
	}
}
