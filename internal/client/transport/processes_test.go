package transport

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// The test binary starts itself as a second process: with this in the environment it makes one call and prints its
// token.
const (
	childAddress = "RESELLER_TEST_CHILD_ADDRESS"
	childFolder  = "RESELLER_TEST_CHILD_FOLDER"
	childFault   = "RESELLER_TEST_CHILD_FAULT"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // as main does: net/http logs parts of what it receives
	address, fault := os.Getenv(childAddress), os.Getenv(childFault)
	if address == "" && fault == "" {
		os.Exit(m.Run())
	}
	run := func() error { return child(address, os.Getenv(childFolder)) }
	if fault != "" {
		run = func() error { return faultyChild(fault) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func child(address, folder string) error {
	c := newAPI(address, Config{APIKey: transporttest.Key, TokenCacheDir: folder})
	if err := c.findSlug(context.Background()); err != nil {
		return err
	}
	if err := c.read(context.Background()); err != nil {
		return err
	}
	token, err := c.token(context.Background())
	fmt.Fprintln(os.Stdout, token)
	return err
}

// childProcess returns a command that runs this test binary with more in its environment.
func childProcess(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// tokenService serves what a child process asks for, with another token for each exchange.
func tokenService(t *testing.T) (f *transporttest.Fake, address string) {
	t.Helper()
	f = transporttest.Serve(t, `
		POST {exchange} -> grant token-0001
		POST {exchange} -> grant token-0002
		GET /console/dashboard -> 200 {dashboard}
		GET {labels} -> 200 {no labels}
	`)
	s := httptest.NewServer(transporttest.Answer(f.RoundTrip))
	t.Cleanup(s.Close)
	return f, s.URL
}

func TestProcesses_ShareOneExchange(t *testing.T) {
	t.Parallel()
	f, address := tokenService(t)
	dir := t.TempDir()
	const processes, atATime = 20, 10
	var group errgroup.Group
	group.SetLimit(atATime)
	for range processes {
		group.Go(func() error {
			out, err := childProcess(t, childAddress+"="+address, childFolder+"="+dir).CombinedOutput()
			if err == nil && strings.TrimSpace(string(out)) != "token-0001" {
				err = fmt.Errorf("printed %q", out)
			}
			if err != nil {
				return fmt.Errorf("%w: %s", err, out)
			}
			return nil
		})
	}
	assert.NoError(t, group.Wait())
	assert.Equal(t, 1, f.Count(transporttest.ReqExchange), "exchanges")
	assert.Equal(t, 1, f.Count(transporttest.ReqDashboard), "dashboards")
	assert.Equal(t, processes, f.Count(transporttest.ReqList), "lists")
}
