//go:build unix

package transport

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/privatefile"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// Faults of this machine, and the token cache's reaction to each. None is an error and none blocks; if the cache cannot
// be used, each process makes one exchange and writes one log line.
func TestLocalFaults(t *testing.T) {
	t.Parallel()
	outside := func(t *testing.T) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), "outside")
		if err := os.WriteFile(path, []byte("not ours to touch"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	replace := func(t *testing.T, path string, with func(path string) error) {
		t.Helper()
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := with(path); err != nil {
			t.Fatal(err)
		}
	}
	pipe := func(path string) error { return syscall.Mkfifo(path, 0o600) }
	const (
		journal = "exchanges-????????????????????????????????"
		lock    = "????????????????????????????????.lock"
	)
	for _, tc := range []struct {
		name string
		// spoil changes the directory that a first process left, and returns the directory of the next processes.
		spoil  func(t *testing.T, dir string) string
		spoilt bool   // permanently: the next processes make an exchange, too
		says   string // part of the log
	}{
		{"folder is a link", func(t *testing.T, dir string) string {
			t.Helper()
			link := filepath.Join(t.TempDir(), "link")
			replace(t, link, func(path string) error { return os.Symlink(dir, path) })
			return link
		}, true, "is a symbolic link"},
		{"folder of another user", func(t *testing.T, dir string) string {
			t.Helper()
			if os.Geteuid() != 0 {
				return "/usr" // owned by root
			}
			if err := os.Chown(dir, 65534, 65534); err != nil {
				t.Fatal(err)
			}
			return dir
		}, true, "belongs to another user"},
		{"folder that others may write", func(t *testing.T, dir string) string {
			t.Helper()
			if err := os.Chmod(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			return dir
		}, true, "other users may write"},
		{"folder that is read-only", func(t *testing.T, dir string) string {
			t.Helper()
			if os.Geteuid() == 0 {
				return "/proc/self" // root can write to any other directory
			}
			if err := os.Chmod(dir, 0o500); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
			if err := os.Remove(cacheFile(t, dir, lock)); err == nil {
				t.Fatal("the folder can be written")
			}
			return dir
		}, true, "cannot be used"},
		{"token is a link", func(t *testing.T, dir string) string {
			t.Helper()
			target := outside(t)
			replace(t, cacheFile(t, dir, "*.token"), func(path string) error { return os.Symlink(target, path) })
			return dir
		}, false, "cannot be used"},
		{"token is a pipe", func(t *testing.T, dir string) string {
			t.Helper()
			replace(t, cacheFile(t, dir, "*.token"), pipe)
			return dir
		}, false, "not a regular file"},
		{"token is readable by others", func(t *testing.T, dir string) string {
			t.Helper()
			if err := os.Chmod(cacheFile(t, dir, "*.token"), 0o644); err != nil {
				t.Fatal(err)
			}
			return dir
		}, false, "instead of 0600"},
		{"token of another user", func(t *testing.T, dir string) string {
			t.Helper()
			if os.Geteuid() != 0 {
				t.Skip("only root can give a file away")
			}
			if err := os.Chown(cacheFile(t, dir, "*.token"), 65534, 65534); err != nil {
				t.Fatal(err)
			}
			return dir
		}, false, "belongs to another user"},
		{"journal is a pipe", func(t *testing.T, dir string) string {
			t.Helper()
			replace(t, cacheFile(t, dir, journal), pipe)
			replace(t, cacheFile(t, dir, "*.token"), func(string) error { return nil })
			return dir
		}, false, "not a regular file"},
		{"journal is a link", func(t *testing.T, dir string) string {
			t.Helper()
			target := outside(t)
			replace(t, cacheFile(t, dir, journal), func(path string) error { return os.Symlink(target, path) })
			replace(t, cacheFile(t, dir, "*.token"), func(string) error { return nil })
			return dir
		}, false, "cannot be used"},
		{"lock is a pipe", func(t *testing.T, dir string) string {
			t.Helper()
			replace(t, cacheFile(t, dir, lock), pipe)
			return dir
		}, true, "not a regular file"},
		{"lock is a link to nowhere", func(t *testing.T, dir string) string {
			t.Helper()
			target := filepath.Join(t.TempDir(), "nowhere")
			t.Cleanup(func() {
				if _, err := os.Lstat(target); err == nil {
					t.Error("a file was made through the link")
				}
			})
			replace(t, cacheFile(t, dir, lock), func(path string) error { return os.Symlink(target, path) })
			return dir
		}, true, "cannot be used"},
		{"part is a link", func(t *testing.T, dir string) string {
			t.Helper()
			target := outside(t)
			token := cacheFile(t, dir, "*.token")
			replace(t, token+".part", func(path string) error { return os.Symlink(target, path) })
			replace(t, token, func(string) error { return nil })
			return dir
		}, false, ""},
		{"lock is held", func(t *testing.T, dir string) string {
			t.Helper()
			holdLock(t, cacheFile(t, dir, lock))
			return dir
		}, true, "another process has held"},
		{"holder of the lock was killed", func(t *testing.T, dir string) string {
			t.Helper()
			holdLock(t, cacheFile(t, dir, lock))()
			replace(t, cacheFile(t, dir, "*.token"), func(string) error { return nil })
			return dir
		}, false, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir, clock := filepath.Join(t.TempDir(), "cache"), transporttest.NewClock()
			n := 2
			if tc.spoilt {
				n = 3
			}
			s := transporttest.Expect(t, exchanges(n, transporttest.Grant("token-0001"))...)
			first, _ := dial(t, s, withCache(dir), withClock(clock))
			if _, err := token(t, first); err != nil {
				t.Fatal(err)
			}
			dir = tc.spoil(t, dir)
			for process := range 2 {
				ctx, log := transporttest.Logged(t)
				c, _ := dial(t, s, withCache(dir), withClock(clock))
				c.tokens.dir.lockWait = 60 * time.Millisecond
				for range 2 {
					if tok, err := c.token(ctx); err != nil || tok != "token-0001" {
						t.Errorf("process %d: %q, %v", process, tok, err)
					}
				}
				if process == 0 && (!strings.Contains(log.String(), tc.says) || strings.Contains(log.String(), `"warn"`) != (tc.says != "")) {
					t.Errorf("the log says %s", log)
				}
			}
		})
	}
}

// The target of a link is neither read nor written nor removed.
func TestLocalFaults_LinksAreNotFollowed(t *testing.T) {
	t.Parallel()
	dir, target := t.TempDir(), filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(target, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "file")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if raw, err := privatefile.Read(link); err == nil {
		t.Errorf("read %q through a link", raw)
	}
	if err := os.Symlink(target, link+".part"); err != nil {
		t.Fatal(err)
	}
	if err := privatefile.Replace(link, []byte("after")); err != nil {
		t.Error(err)
	}
	if raw, err := os.ReadFile(target); err != nil || string(raw) != "before" {
		t.Errorf("%q, %v", raw, err)
	}
	if raw, err := privatefile.Read(link); err != nil || string(raw) != "after" {
		t.Errorf("%q, %v", raw, err)
	}
}

// A write that fails leaves what it should replace unchanged, and no other file.
func TestLocalFaults_FailedWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "directory")
	if err := os.MkdirAll(filepath.Join(path, "not empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := privatefile.Replace(path, []byte("after")); err == nil {
		t.Error("no error")
	}
	if names, _ := filepath.Glob(path + "?*"); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

// With a full disk, the process continues with what it has in memory. A limit on the size of files fails the same write
// as a full disk.
func TestLocalFaults_DiskFull(t *testing.T) {
	t.Parallel()
	var exchanged atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method + " " + r.URL.Path {
		case transporttest.ReqExchange:
			transporttest.Grant(fmt.Sprintf("token-%04d", exchanged.Add(1))).ServeHTTP(w, r)
		case transporttest.ReqDashboard:
			transporttest.OK(transporttest.Dashboard).ServeHTTP(w, r)
		case transporttest.ReqList:
			transporttest.OK(transporttest.NoLabels).ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	dir := t.TempDir()
	for process := 1; process <= 2; process++ {
		cmd := childProcess(t, childFault+"=full", childAddress+"="+s.URL, childFolder+"="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != fmt.Sprintf("token-%04d", process) {
			t.Errorf("process %d: %v: %s", process, err, out)
		}
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "*.part")); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

// Files with the times of a wrong clock do not delay a process.
func TestLocalFaults_WrongClock(t *testing.T) {
	t.Parallel()
	for name, left := range map[string]exchangeTimes{
		"closed for a day":       {Closed: transporttest.Start.Add(24 * time.Hour)},
		"closed for 16 minutes":  {Closed: transporttest.Start.Add(16 * time.Minute)},
		"exchanges to come":      {Made: []time.Time{transporttest.Start.Add(time.Hour), transporttest.Start.Add(time.Hour), transporttest.Start.Add(time.Hour), transporttest.Start.Add(time.Hour), transporttest.Start.Add(time.Hour)}},
		"exchanges of yesterday": {Made: []time.Time{transporttest.Start.Add(-24 * time.Hour), {}, {}, {}, {}, {}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqExchange, Answer: transporttest.Grant("token-0001")})
			c, clock := dial(t, s, withCache(dir), func(cfg *Config) { cfg.MaxWait = 0 })
			raw, err := json.Marshal(left)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, c.tokens.exchanger.name), raw, 0o600); err != nil {
				t.Fatal(err)
			}
			// A token in another format cannot be decrypted.
			if err := os.WriteFile(filepath.Join(dir, c.tokens.name+tokenSuffix), []byte("reseller-token-0 and then something else"), 0o600); err != nil {
				t.Fatal(err)
			}
			if tok, err := token(t, c); err != nil || tok != "token-0001" || clock.Slept() != 0 {
				t.Errorf("%q, %v after %s", tok, err, clock.Slept())
			}
		})
	}
}

// A change of the clock costs the next process at most one exchange.
func TestLocalFaults_ClockJumps(t *testing.T) {
	t.Parallel()
	for name, jump := range map[string]time.Duration{
		"a day back": -24 * time.Hour, "an hour back": -time.Hour, "an hour on": time.Hour, "a year on": 365 * 24 * time.Hour,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, clock := t.TempDir(), transporttest.NewClock()
			s := transporttest.Serve(t, transporttest.Replies{
				transporttest.ReqExchange: {transporttest.Grant("token-0001")},
				transporttest.ReqList: {func(r *http.Request) (*http.Response, error) {
					reset := fmt.Sprint(clock.Now().Add(time.Minute).Unix())
					return transporttest.OK(transporttest.NoLabels, "RateLimit-Limit", "60", "RateLimit-Remaining", "0", "RateLimit-Reset", reset)(r)
				}},
			})
			for range 3 { // processes
				c, _ := dial(t, s, withCache(dir), withClock(clock), func(cfg *Config) { cfg.MaxWait = 0 })
				if err := c.read(t.Context()); err != nil {
					t.Errorf("after the jump: %v", err)
				}
				clock.Move(jump)
			}
			if n := s.Count(transporttest.ReqExchange); n > 3 {
				t.Errorf("%d exchanges", n)
			}
		})
	}
}

// Within a process, a change of the clock has no effect: the times in headers are converted to the monotonic clock.
func TestLocalFaults_ClockJumpsInAProcess(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, told := range []string{"30", fmt.Sprint(now.Add(time.Minute).Unix()), fmt.Sprint(now.Add(time.Minute).UnixMilli())} {
		at, ok := resetAt(http.Header{"Ratelimit-Reset": {told}}, now)
		if !ok || !strings.Contains(at.String(), " m=") {
			t.Errorf("%s is read as %s", told, at)
		}
	}
}

// childProcess returns a command that runs this test binary with a fault in its environment.
func childProcess(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// holdLock makes another process hold a lock until kill is called or the test ends.
func holdLock(t *testing.T, path string) (kill func()) {
	t.Helper()
	cmd := childProcess(t, childFault+"=hold", childFolder+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = in.Close()
	}
	t.Cleanup(kill)
	if said, err := bufio.NewReader(out).ReadString('\n'); err != nil || said != "held\n" {
		t.Fatalf("the other process says %q, %v", said, err)
	}
	return kill
}

// faultyChild runs a child process with a fault.
func faultyChild(fault string) error {
	if fault == "full" {
		none := &syscall.Rlimit{}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, none); err != nil {
			return err
		}
		return child(os.Getenv(childAddress), os.Getenv(childFolder))
	}
	path := os.Getenv(childFolder)
	dir := newCacheDir(filepath.Dir(path), time.Minute)
	if _, err := dir.lock(context.Background(), strings.TrimSuffix(filepath.Base(path), ".lock")); err != nil {
		return err
	}
	fmt.Fprintln(os.Stdout, "held")
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}
