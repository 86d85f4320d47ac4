package simulatordata

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// running is a prober that knows these processes only.
func running(all ...process) prober {
	return func(pid int) (process, error) {
		for _, p := range all {
			if p.pid == pid {
				return p, nil
			}
		}
		return process{}, errEnded
	}
}

func mustOpen(t *testing.T, root string, command process, probe prober) string {
	t.Helper()
	dir, err := open(root, command, probe)
	require.NoError(t, err)
	return dir
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func command(pid int, start string) process { return process{system(), pid, start} }

func TestOpen_OneForEachCommand(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "root")
	first, other := command(100, "1"), command(200, "1")
	probe := running(first, other)
	dir := mustOpen(t, root, first, probe)
	assert.Equal(t, dir, mustOpen(t, root, first, probe), "a second process of the command is in, the first")
	assert.NotEqual(t, dir, mustOpen(t, root, other, probe), "two commands share a simulator")
	assert.True(t, exists(dir), "the simulator of a running command was removed")
	for _, path := range []string{root, dir} {
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

// A reused process number: the simulator of the earlier command is not used, and removed.
func TestOpen_ReusedProcessNumber(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "root")
	before, now := command(100, "1"), command(100, "2")
	stale := mustOpen(t, root, before, running(before))
	data := filepath.Join(stale, "reseller-simulator.json")
	require.NoError(t, os.WriteFile(data, []byte("{}"), 0o600))
	dir := mustOpen(t, root, now, running(now))
	assert.NotEqual(t, stale, dir, "the simulator of an ended command was taken")
	assert.False(t, exists(filepath.Join(dir, "reseller-simulator.json")), "the simulator of an ended command was taken")
	assert.False(t, exists(stale), "the simulator of an ended command was left")
}

func TestRemoveEnded(t *testing.T) {
	t.Parallel()
	alive, dead, unclear := command(100, "1"), command(200, "1"), command(300, "1")
	foreign := process{"other0boot", 100, "1"}
	probe := func(pid int) (process, error) {
		if pid == unclear.pid {
			return process{}, errors.New("not permitted")
		}
		return running(alive)(pid)
	}
	createdAt := time.Now()
	for name, tc := range map[string]struct {
		dir  string
		age  time.Duration
		now  time.Time
		gone bool
	}{
		"running":                    {alive.dirName(), 48 * time.Hour, createdAt, false},
		"ended":                      {dead.dirName(), 0, createdAt, true},
		"not known":                  {unclear.dirName(), 48 * time.Hour, createdAt, false},
		"another boot, recent":       {foreign.dirName(), time.Hour, createdAt, false},
		"another boot, old":          {foreign.dirName(), 48 * time.Hour, createdAt, true},
		"another boot, time unknown": {foreign.dirName(), 48 * time.Hour, time.Time{}, false},
		"of something else":          {"operations", 48 * time.Hour, createdAt, false},
		"no process":                 {system() + "-x-1", 48 * time.Hour, createdAt, false},
		"more than a process":        {dead.dirName() + "-1", 48 * time.Hour, createdAt, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			dir := filepath.Join(root, tc.dir)
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "x.tokens"), 0o700))
			at := createdAt.Add(-tc.age)
			require.NoError(t, os.Chtimes(dir, at, at))
			removeEnded(root, tc.now, probe)
			assert.NotEqual(t, tc.gone, exists(dir), "exists: %t", exists(dir))
		})
	}
}

// A link or a file instead of a directory is neither followed nor removed.
func TestRemoveEnded_OnlyDirectories(t *testing.T) {
	t.Parallel()
	root, elsewhere := t.TempDir(), t.TempDir()
	kept := filepath.Join(elsewhere, "kept")
	for _, path := range []string{kept, filepath.Join(root, command(7, "1").dirName())} {
		require.NoError(t, os.WriteFile(path, nil, 0o600))
	}
	if err := os.Symlink(elsewhere, filepath.Join(root, command(8, "1").dirName())); err != nil {
		t.Skip(err)
	}
	removeEnded(root, time.Now(), running())
	assert.True(t, exists(kept), "something else than a simulator was removed")
	assert.True(t, exists(filepath.Join(root, command(7, "1").dirName())), "something else than a simulator was removed")
	removeEnded(filepath.Join(root, "none"), time.Now(), running())
}

func TestOpen_NotPrivate(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits, and links only with a right")
	}
	me := command(100, "1")
	for name, tc := range map[string]struct {
		prepare func(root string) error
		want    string
	}{
		"link": {func(root string) error { return os.Symlink(t.TempDir(), root) }, "is a symbolic link"},
		"link of a command": {func(root string) error {
			return errors.Join(os.Mkdir(root, 0o700), os.Symlink(t.TempDir(), filepath.Join(root, me.dirName())))
		}, "is a symbolic link"},
		"file":               {func(root string) error { return os.WriteFile(root, nil, 0o600) }, "not a directory"},
		"readable by others": {func(root string) error { return errors.Join(os.Mkdir(root, 0o700), os.Chmod(root, 0o755)) }, "mode 0755 instead of 0700"},
		"writable by others": {func(root string) error { return errors.Join(os.Mkdir(root, 0o700), os.Chmod(root, 0o777)) }, "other users may write"},
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "root")
			require.NoError(t, tc.prepare(root))
			_, err := open(root, me, running(me))
			assert.ErrorContains(t, err, tc.want)
			assert.ErrorContains(t, err, root)
		})
	}
}

// Two provider processes of one command have one parent: this test is one of them.
func TestOfCommand(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	dir, err := OfCommand()
	require.NoError(t, err)
	two, err := OfCommand()
	require.NoError(t, err, "%s and %s", dir, two)
	assert.Equal(t, two, dir)
	assert.True(t, strings.HasPrefix(dir, tmp), "%s and %s, %v", dir, two, err)
	RemoveEnded()
	assert.True(t, exists(dir), "the simulator of a running command was removed")
}
