//go:build unix

package transport

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/privatefile"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// Faults of this machine.
func TestLocalFaults(t *testing.T) {
	t.Parallel()
	outside := func(s *spoiler) string {
		path := filepath.Join(s.t.TempDir(), "outside")
		s.write(path, []byte("not ours to touch"))
		return path
	}
	pipe := func(path string) error { return syscall.Mkfifo(path, 0o600) }
	linkTo := func(target string) func(string) error {
		return func(path string) error { return os.Symlink(target, path) }
	}
	spoilCache(t, []cacheFault{
		{"folder is a link", func(s *spoiler) {
			link := filepath.Join(s.t.TempDir(), "link")
			s.replace(link, linkTo(s.dir))
			s.dir = link
		}, true, "is a symbolic link"},
		{"folder of another user", func(s *spoiler) {
			if os.Geteuid() != 0 {
				s.dir = "/usr" // owned by root
				return
			}
			s.require.NoError(os.Chown(s.dir, 65534, 65534))
		}, true, "belongs to another user"},
		{"folder that others may write", func(s *spoiler) { s.require.NoError(os.Chmod(s.dir, 0o777)) }, true, "other users may write"},
		{"folder that is read-only", func(s *spoiler) {
			if os.Geteuid() == 0 {
				s.dir = "/proc/self" // root can write to any other directory
				return
			}
			dir := s.dir
			s.require.NoError(os.Chmod(dir, 0o500))
			s.t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
			s.require.Error(os.Remove(s.file(cachedLock)), "the folder can be written")
		}, true, "cannot be used"},
		{"token is a link", func(s *spoiler) { s.replace(s.file(cachedToken), linkTo(outside(s))) }, false, "cannot be used"},
		{"token is a pipe", func(s *spoiler) { s.replace(s.file(cachedToken), pipe) }, false, "not a regular file"},
		{"token is readable by others", func(s *spoiler) { s.require.NoError(os.Chmod(s.file(cachedToken), 0o644)) }, false, "instead of 0600"},
		{"token of another user", func(s *spoiler) {
			if os.Geteuid() != 0 {
				s.t.Skip("only root can give a file away")
			}
			s.require.NoError(os.Chown(s.file(cachedToken), 65534, 65534))
		}, false, "belongs to another user"},
		{"lock is a pipe", func(s *spoiler) { s.replace(s.file(cachedLock), pipe) }, true, "not a regular file"},
		{"lock is a link to nowhere", func(s *spoiler) {
			target := filepath.Join(s.t.TempDir(), "nowhere")
			s.t.Cleanup(func() { assert.NoFileExists(s.t, target, "a file was made through the link") })
			s.replace(s.file(cachedLock), linkTo(target))
		}, true, "cannot be used"},
		{"part is a link", func(s *spoiler) {
			s.replace(s.file(cachedToken)+".part", linkTo(outside(s)))
			s.remove(cachedToken)
		}, false, ""},
		{"lock is held", func(s *spoiler) {
			holdLock(s.t, s.file(cachedLock))
			s.wait = time.Millisecond
		}, true, "another process has held"},
		{"holder of the lock was killed", func(s *spoiler) {
			holdLock(s.t, s.file(cachedLock))()
			s.remove(cachedToken)
		}, false, ""},
	})
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
	_, address := tokenService(t)
	dir := t.TempDir()
	for process := 1; process <= 2; process++ {
		cmd := childProcess(t, childFault+"=full", childAddress+"="+address, childFolder+"="+dir)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "process %d: %s", process, out)
		assert.Equal(t, fmt.Sprintf("token-%04d", process), strings.TrimSpace(string(out)), "process %d: %s", process, out)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*.part"))
	assert.Empty(t, names, "left behind")
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
			s := transporttest.Serve(t, tokenScript+"token; GET {labels} -> exhausted", transporttest.Answers{
				"exhausted": func(r *http.Request) (*http.Response, error) {
					reset := fmt.Sprint(clock.Now().Add(time.Minute).Unix())
					return transporttest.OK(transporttest.NoLabels, "RateLimit-Limit", "60", "RateLimit-Remaining", "0", "RateLimit-Reset", reset)(r)
				},
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
