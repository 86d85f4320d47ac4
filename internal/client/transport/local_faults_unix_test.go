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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
		require.NoError(t, os.WriteFile(path, []byte("not ours to touch"), 0o600))
		return path
	}
	replace := func(t *testing.T, path string, with func(path string) error) {
		t.Helper()
		require.NoError(t, os.RemoveAll(path))
		require.NoError(t, with(path))
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
			require.NoError(t, os.Chown(dir, 65534, 65534))
			return dir
		}, true, "belongs to another user"},
		{"folder that others may write", func(t *testing.T, dir string) string {
			t.Helper()
			require.NoError(t, os.Chmod(dir, 0o777))
			return dir
		}, true, "other users may write"},
		{"folder that is read-only", func(t *testing.T, dir string) string {
			t.Helper()
			if os.Geteuid() == 0 {
				return "/proc/self" // root can write to any other directory
			}
			require.NoError(t, os.Chmod(dir, 0o500))
			t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
			require.Error(t, os.Remove(cacheFile(t, dir, lock)), "the folder can be written")
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
			require.NoError(t, os.Chmod(cacheFile(t, dir, "*.token"), 0o644))
			return dir
		}, false, "instead of 0600"},
		{"token of another user", func(t *testing.T, dir string) string {
			t.Helper()
			if os.Geteuid() != 0 {
				t.Skip("only root can give a file away")
			}
			require.NoError(t, os.Chown(cacheFile(t, dir, "*.token"), 65534, 65534))
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
				_, err := os.Lstat(target)
				assert.Error(t, err, "a file was made through the link")
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
			_, err := token(t, first)
			require.NoError(t, err)
			dir = tc.spoil(t, dir)
			for process := range 2 {
				ctx, log := transporttest.Logged(t)
				c, _ := dial(t, s, withCache(dir), withClock(clock))
				c.tokens.dir.lockWait = 60 * time.Millisecond
				for range 2 {
					tok, err := c.token(ctx)
					require.NoError(t, err, "process %d: %q", process, tok)
					assert.Equal(t, "token-0001", tok, "process %d", process)
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
	require.NoError(t, os.WriteFile(target, []byte("before"), 0o600))
	link := filepath.Join(dir, "file")
	require.NoError(t, os.Symlink(target, link))
	raw, err := privatefile.Read(link)
	assert.Error(t, err, "read %q through a link", raw)
	require.NoError(t, os.Symlink(target, link+".part"))
	assert.NoError(t, privatefile.Replace(link, []byte("after")))
	raw, err = os.ReadFile(target)
	require.NoError(t, err, "%q", raw)
	assert.Equal(t, "before", string(raw))
	raw, err = privatefile.Read(link)
	require.NoError(t, err, "%q", raw)
	assert.Equal(t, "after", string(raw))
}

// A write that fails leaves what it should replace unchanged, and no other file.
func TestLocalFaults_FailedWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "directory")
	require.NoError(t, os.MkdirAll(filepath.Join(path, "not empty"), 0o700))
	assert.Error(t, privatefile.Replace(path, []byte("after")), "no error")
	names, _ := filepath.Glob(path + "?*")
	assert.Empty(t, names, "left behind")
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
		require.NoError(t, err, "process %d: %s", process, out)
		assert.Equal(t, fmt.Sprintf("token-%04d", process), strings.TrimSpace(string(out)), "process %d: %s", process, out)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*.part"))
	assert.Empty(t, names, "left behind")
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
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, c.tokens.exchanger.name), raw, 0o600))
			// A token in another format cannot be decrypted.
			require.NoError(t, os.WriteFile(filepath.Join(dir, c.tokens.name+tokenSuffix), []byte("reseller-token-0 and then something else"), 0o600))
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
				assert.NoError(t, c.read(t.Context()), "after the jump")
				clock.Move(jump)
			}
			assert.LessOrEqual(t, s.Count(transporttest.ReqExchange), 3, "exchanges")
		})
	}
}

// Within a process, a change of the clock has no effect: the times in headers are converted to the monotonic clock.
func TestLocalFaults_ClockJumpsInAProcess(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, told := range []string{"30", fmt.Sprint(now.Add(time.Minute).Unix()), fmt.Sprint(now.Add(time.Minute).UnixMilli())} {
		at, ok := resetAt(http.Header{"Ratelimit-Reset": {told}}, now)
		require.True(t, ok, "%s is read as %s", told, at)
		assert.Contains(t, at.String(), " m=", "%s is read as %s", told, at)
	}
}

// childProcess returns a command that runs this test binary with a fault in its environment.
func childProcess(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// holdLock makes another process hold a lock until kill is called or the test ends.
func holdLock(t *testing.T, path string) (kill func()) {
	t.Helper()
	cmd := childProcess(t, childFault+"=hold", childFolder+"="+path)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	kill = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = in.Close()
	}
	t.Cleanup(kill)
	said, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, "the other process says %q", said)
	require.Equal(t, "held\n", said, "the other process says")
	return kill
}

// faultyChild runs a child process with a fault.
func faultyChild(fault string) error {
	if fault == "full" {
		unlimited := &syscall.Rlimit{}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, unlimited); err != nil {
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
