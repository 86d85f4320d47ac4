package simulator_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// running is a started `simulate`.
type running struct {
	env    map[string]string
	stop   func() int    // returns the exit code
	stderr *bytes.Buffer // to be read after it has stopped
}

// firstLines passes on what is written until there are as many lines.
type firstLines struct {
	mu    sync.Mutex
	buf   bytes.Buffer
	lines chan string
	sent  bool
}

const greeting = 5

func (w *firstLines) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buf.Write(p)
	if !w.sent && strings.Count(w.buf.String(), "\n") >= greeting {
		w.sent = true
		w.lines <- w.buf.String()
	}
	return len(p), nil
}

var exportLine = regexp.MustCompile(`^export (RESELLER_[A-Z_]+)=([[:graph:]]+)$`)

func simulate(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, code := &firstLines{lines: make(chan string, 1)}, make(chan int, 1)
	var stderr bytes.Buffer
	go func() { code <- simulator.Main(ctx, append([]string{"-listen", "127.0.0.1:0"}, args...), out, &stderr) }()
	r := &running{env: map[string]string{}, stderr: &stderr, stop: sync.OnceValue(func() int { cancel(); return <-code })}
	t.Cleanup(func() { r.stop() })
	var lines string
	select {
	case lines = <-out.lines:
	case got := <-code:
		code <- got
		cancel()
		t.Fatalf("simulate ended with %d: %s", got, stderr.String())
	}
	for _, line := range strings.Split(strings.TrimSuffix(lines, "\n"), "\n")[:greeting] {
		parts := exportLine.FindStringSubmatch(line)
		if parts == nil {
			t.Fatalf("no export line: %q", line)
		}
		r.env[parts[1]] = parts[2]
	}
	return r
}

func (r *running) caller(t *testing.T) *caller {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	own := &ofOwnSlug{next: transport}
	c := (&caller{t: t, doer: &http.Client{Transport: own}, base: r.env["RESELLER_BASE_URL"]}).as(r.env["RESELLER_API_KEY"])
	own.slug = as[string](c.get("/console/dashboard").data()["slug"])
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

func TestMain_Simulate(t *testing.T) {
	t.Parallel()
	t.Run("serves, saves the data, and continues", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "new", "data.json")
		first := simulate(t, "-data", path, "-seed", "4")
		for _, name := range []string{"RESELLER_BASE_URL", "RESELLER_UPLOAD_URL", "RESELLER_API_KEY", "RESELLER_SIGNING_URL", "RESELLER_SIGNING_API_KEY"} {
			if first.env[name] == "" {
				t.Errorf("no %s", name)
			}
		}
		if base := first.env["RESELLER_BASE_URL"]; strings.HasSuffix(base, ":0") || first.env["RESELLER_UPLOAD_URL"] != base+simulator.UploadPrefix {
			t.Errorf("got %v", first.env)
		}
		c := first.caller(t)
		equal(t, len(c.items()), 4)
		c.provision(client)
		equal(t, first.stop(), 0)

		second := simulate(t, "-data", path, "-seed", "4")
		equal(t, second.env["RESELLER_API_KEY"], first.env["RESELLER_API_KEY"])
		c = second.caller(t)
		equal(t, len(c.items()), 5)
		for _, item := range c.items() {
			c.del(labelsPath + "/" + as[string](as[object](item)["tenantId"])).data()
		}
		equal(t, second.stop(), 0)
		// Not seeded again, even if nothing is left.
		third := simulate(t, "-data", path, "-seed", "4")
		equal(t, len(third.caller(t).items()), 0)
		equal(t, third.stop(), 0)
	})
	t.Run("on all addresses it greets with one that can be called", func(t *testing.T) {
		t.Parallel()
		r := simulate(t, "-listen", ":0")
		if base := r.env["RESELLER_BASE_URL"]; !strings.HasPrefix(base, "http://127.0.0.1:") {
			t.Errorf("the address is %s", base)
		}
		equal(t, len(r.caller(t).items()), 0)
		equal(t, r.stop(), 0)
	})
	t.Run("shows a person where to look", func(t *testing.T) {
		t.Parallel()
		r := simulate(t)
		c := r.caller(t).with("")
		shows(t, c.get("/").raw, simulator.SlugSuffix, "No private labels yet.")
		equal(t, r.stop(), 0)
		if !strings.Contains(r.stderr.String(), " "+c.base+"/ ") {
			t.Errorf("standard error is %q", r.stderr)
		}
	})
	t.Run("in memory and fast", func(t *testing.T) {
		t.Parallel()
		r := simulate(t, "-fast")
		equal(t, len(r.caller(t).items()), 0)
		equal(t, r.stop(), 0)
	})
}

func TestMain_ExitCodes(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	corrupt := dataFile(t)
	must(t, os.WriteFile(corrupt, []byte("hello"), 0o600))
	unused := dataFile(t)
	t.Cleanup(func() {
		if _, err := os.Stat(unused); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a start that failed left data behind: %v", err)
		}
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
			equal(t, simulator.Main(t.Context(), test.args, &stdout, &stderr), test.code)
			equal(t, stdout.String(), "")
			if !strings.Contains(stderr.String(), test.stderr) {
				t.Errorf("standard error is %q", stderr.String())
			}
		})
	}
	var help, silent bytes.Buffer
	equal(t, simulator.Main(t.Context(), []string{"-h"}, &help, &silent), 0)
	equal(t, silent.String(), "")
	if !strings.Contains(help.String(), "-listen ADDRESS") {
		t.Errorf("-h prints %q", help.String())
	}
	left, err := os.ReadFile(corrupt)
	must(t, err)
	equal(t, string(left), "hello")
}
