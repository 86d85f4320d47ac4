package onetime

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// makeReadOnly removes write access to a directory, for root with a mount.
func makeReadOnly(t *testing.T, dir string) {
	t.Helper()
	if os.Geteuid() != 0 {
		require.NoError(t, os.Chmod(dir, 0o500))
		t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
		return
	}
	mount(t, dir, dir, "", syscall.MS_BIND, "")
	mount(t, dir, dir, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
}

func mount(t *testing.T, source, dir, kind string, flags uintptr, options string) {
	t.Helper()
	if err := syscall.Mount(source, dir, kind, flags, options); err != nil {
		t.Skipf("this system does not allow the mount that makes a directory read-only or small: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
}

// With a full disk, or without a free inode, there is no marker, no call, and no partial file that a later run would
// treat as an interrupted call.
func TestMarkers_FullDisk(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a small file system; TestProcesses_FileSizeLimit of the Signing API's client needs no root")
	}
	for name, tc := range map[string]struct {
		options string
		fill    func(dir string) error
	}{
		"no space": {"size=8k,mode=0700", func(dir string) error {
			err := os.WriteFile(filepath.Join(dir, "full"), make([]byte, 1<<20), 0o600)
			if !errors.Is(err, syscall.ENOSPC) {
				return errors.Join(errors.New("the disk is not full"), err)
			}
			return nil
		}},
		"no free file": {"nr_inodes=2,mode=0700", func(dir string) error { // used by the directory and its lock
			return os.WriteFile(filepath.Join(dir, markerDirLock), nil, 0o600)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			mount(t, "tmpfs", dir, "tmpfs", 0, tc.options)
			require.NoError(t, tc.fill(dir))
			wantMarkerError(t, NewMarkers(dir), "no space left on device")
			wantMarkers(t, dir, 0)
		})
	}
}

// A marker that cannot be removed stays.
func TestMarkers_RemoveOnReadOnly(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs the mount that only root can make: a file that is open for its user stays writable")
	}
	dir := operationsDir(t)
	op := begin(t, NewMarkers(dir), "upload")
	makeReadOnly(t, dir)
	op.Remove(t.Context()) // logs a warning
	wantMarkers(t, dir, 1)
}
