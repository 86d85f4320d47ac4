package simulatordata

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
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
	if err != nil {
		t.Fatal(err)
	}
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
	one, other := command(100, "1"), command(200, "1")
	probe := running(one, other)
	dir := mustOpen(t, root, one, probe)
	if again := mustOpen(t, root, one, probe); again != dir {
		t.Errorf("a second process of the command is in %s, the first in %s", again, dir)
	}
	if mustOpen(t, root, other, probe) == dir {
		t.Error("two commands share a simulator")
	}
	if !exists(dir) {
		t.Error("the simulator of a running command was removed")
	}
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
	if err := os.WriteFile(data, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := mustOpen(t, root, now, running(now))
	if dir == stale || exists(filepath.Join(dir, "reseller-simulator.json")) {
		t.Error("the simulator of an ended command was taken")
	}
	if exists(stale) {
		t.Error("the simulator of an ended command was left")
	}
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
	made := time.Now()
	for name, tc := range map[string]struct {
		dir  string
		age  time.Duration
		now  time.Time
		gone bool
	}{
		"running":                    {alive.dirName(), 48 * time.Hour, made, false},
		"ended":                      {dead.dirName(), 0, made, true},
		"not known":                  {unclear.dirName(), 48 * time.Hour, made, false},
		"another boot, recent":       {foreign.dirName(), time.Hour, made, false},
		"another boot, old":          {foreign.dirName(), 48 * time.Hour, made, true},
		"another boot, time unknown": {foreign.dirName(), 48 * time.Hour, time.Time{}, false},
		"of something else":          {"operations", 48 * time.Hour, made, false},
		"no process":                 {system() + "-x-1", 48 * time.Hour, made, false},
		"more than a process":        {dead.dirName() + "-1", 48 * time.Hour, made, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			dir := filepath.Join(root, tc.dir)
			if err := os.MkdirAll(filepath.Join(dir, "x.tokens"), 0o700); err != nil {
				t.Fatal(err)
			}
			at := made.Add(-tc.age)
			if err := os.Chtimes(dir, at, at); err != nil {
				t.Fatal(err)
			}
			removeEnded(root, tc.now, probe)
			if exists(dir) == tc.gone {
				t.Errorf("exists: %t", exists(dir))
			}
		})
	}
}

// A link or a file instead of a directory is neither followed nor removed.
func TestRemoveEnded_OnlyDirectories(t *testing.T) {
	t.Parallel()
	root, elsewhere := t.TempDir(), t.TempDir()
	kept := filepath.Join(elsewhere, "kept")
	for _, path := range []string{kept, filepath.Join(root, command(7, "1").dirName())} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(elsewhere, filepath.Join(root, command(8, "1").dirName())); err != nil {
		t.Skip(err)
	}
	removeEnded(root, time.Now(), running())
	if !exists(kept) || !exists(filepath.Join(root, command(7, "1").dirName())) {
		t.Error("something else than a simulator was removed")
	}
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
			if err := tc.prepare(root); err != nil {
				t.Fatal(err)
			}
			if _, err := open(root, me, running(me)); err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), root) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// Two provider processes of one command have one parent: this test is one of them.
func TestOfCommand(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	one, err := OfCommand()
	if err != nil {
		t.Fatal(err)
	}
	two, err := OfCommand()
	if err != nil || one != two || !strings.HasPrefix(one, tmp) {
		t.Errorf("%s and %s, %v", one, two, err)
	}
	RemoveEnded()
	if !exists(one) {
		t.Error("the simulator of a running command was removed")
	}
}
