package simulator_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// running is a started `simulate`.
type running struct {
	env    map[string]string
	stop   func() int    // returns the exit code
	stderr *bytes.Buffer // to be read after it has stopped
}

const greeting = 5 // lines

var exportLine = regexp.MustCompile(`^export (RESELLER_[A-Z_]+)=([[:graph:]]+)$`)

func simulate(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var stderr bytes.Buffer
	out, written := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- simulator.Main(ctx, append([]string{"-listen", "127.0.0.1:0"}, args...), written, &stderr)
		_ = written.Close()
	}()
	r := &running{env: map[string]string{}, stderr: &stderr, stop: sync.OnceValue(func() int { cancel(); return <-code })}
	t.Cleanup(func() { r.stop() })
	lines := bufio.NewScanner(out)
	for range greeting {
		require.True(t, lines.Scan(), "simulate ended: %v", lines.Err())
		line := lines.Text()
		parts := exportLine.FindStringSubmatch(line)
		require.NotNil(t, parts, "no export line: %q", line)
		r.env[parts[1]] = parts[2]
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return r
}

func (r *running) caller(t *testing.T) *caller {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	transportOfSlug := &ofOwnSlug{next: transport}
	c := (&caller{t: t, doer: &http.Client{Transport: transportOfSlug}, base: r.env["RESELLER_BASE_URL"]}).as(r.env["RESELLER_API_KEY"])
	transportOfSlug.slug = as[string](c.get("/console/dashboard").data()["slug"])
	return c
}

// ofOwnSlug replaces ownSlug in paths with the slug of the reseller that `simulate` created.
type ofOwnSlug struct {
	next http.RoundTripper
	slug string
}

func (o *ofOwnSlug) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.URL.Path = strings.Replace(req.URL.Path, "/"+ownSlug+"/", "/"+o.slug+"/", 1)
	return o.next.RoundTrip(req)
}

func TestSimulateServes(t *testing.T) {
	t.Parallel()
	t.Run("serves, saves the data, and continues", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "new", "data.json")
		first := simulate(t, "-data", path, "-seed", "4")
		for _, name := range []string{"RESELLER_BASE_URL", "RESELLER_UPLOAD_URL", "RESELLER_API_KEY", "RESELLER_SIGNING_URL", "RESELLER_SIGNING_API_KEY"} {
			assert.NotEmpty(t, first.env[name], "no %s", name)
		}
		base := first.env["RESELLER_BASE_URL"]
		assert.False(t, strings.HasSuffix(base, ":0"), "got %v", first.env)
		assert.Equal(t, base+simulator.UploadPrefix, first.env["RESELLER_UPLOAD_URL"], "got %v", first.env)
		c := first.caller(t)
		require.Len(t, c.items(), 4)
		c.provision(client)
		require.Equal(t, 0, first.stop())

		second := simulate(t, "-data", path, "-seed", "4")
		require.Equal(t, first.env["RESELLER_API_KEY"], second.env["RESELLER_API_KEY"])
		c = second.caller(t)
		require.Len(t, c.items(), 5)
		for _, item := range c.items() {
			c.del(labelsPath + "/" + as[string](as[object](item)["tenantId"])).data()
		}
		require.Equal(t, 0, second.stop())
		// Not seeded again, even if nothing is left.
		third := simulate(t, "-data", path, "-seed", "4")
		require.Len(t, third.caller(t).items(), 0)
		require.Equal(t, 0, third.stop())
	})
	t.Run("on all addresses it greets with one that can be called", func(t *testing.T) {
		t.Parallel()
		r := simulate(t, "-listen", ":0")
		base := r.env["RESELLER_BASE_URL"]
		assert.True(t, strings.HasPrefix(base, "http://127.0.0.1:"), "the address is %s", base)
		require.Len(t, r.caller(t).items(), 0)
		require.Equal(t, 0, r.stop())
	})
	t.Run("shows a person where to look", func(t *testing.T) {
		t.Parallel()
		r := simulate(t)
		c := r.caller(t).with("")
		page := c.get("/").raw
		assert.Contains(t, page, simulator.SlugSuffix)
		assert.Contains(t, page, "No private labels yet.")
		require.Equal(t, 0, r.stop())
		assert.Contains(t, r.stderr.String(), " "+c.base+"/ ", "standard error is %q", r.stderr)
	})
	t.Run("in memory and fast", func(t *testing.T) {
		t.Parallel()
		r := simulate(t, "-fast")
		require.Len(t, r.caller(t).items(), 0)
		require.Equal(t, 0, r.stop())
	})
}

func TestSimulateEndsWithACode(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	corrupt := dataFile(t)
	require.NoError(t, os.WriteFile(corrupt, []byte("hello"), 0o600))
	unused := dataFile(t)
	t.Cleanup(func() {
		_, err := os.Stat(unused)
		assert.ErrorIs(t, err, os.ErrNotExist, "a start that failed left data behind")
	})
	for name, test := range map[string]struct {
		args   []string
		code   int
		stderr string
	}{
		"unknown flag":   {[]string{"-nonsense"}, 2, "-nonsense"},
		"bad number":     {[]string{"-seed", "many"}, 2, "-seed"},
		"negative seed":  {[]string{"-seed", "-1"}, 2, "-seed"},
		"argument":       {[]string{"now"}, 2, "-h"},
		"busy port":      {[]string{"-data", unused, "-seed", "3", "-listen", listener.Addr().String()}, 1, listener.Addr().String()},
		"no address":     {[]string{"-listen", "nonsense"}, 1, "nonsense"},
		"corrupt file":   {[]string{"-listen", "127.0.0.1:0", "-data", corrupt}, 1, corrupt},
		"file in a file": {[]string{"-listen", "127.0.0.1:0", "-data", filepath.Join(corrupt, "x")}, 1, corrupt},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			require.Equal(t, test.code, simulator.Main(t.Context(), test.args, &stdout, &stderr))
			require.Equal(t, "", stdout.String())
			assert.Contains(t, stderr.String(), test.stderr, "standard error")
		})
	}
	var help, silent bytes.Buffer
	require.Equal(t, 0, simulator.Main(t.Context(), []string{"-h"}, &help, &silent))
	require.Equal(t, "", silent.String())
	assert.Contains(t, help.String(), "-listen ADDRESS", "h prints")
	require.Equal(t, "hello", fileText(t, corrupt))
}
