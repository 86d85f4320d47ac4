//go:build unix

package onetime

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Anything in the place of a marker that is not a regular file is never written to.
func TestMarkers_NotARegularFile(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]func(t *testing.T, path string) error{
		"directory":     func(_ *testing.T, path string) error { return os.Mkdir(path, 0o700) },
		"pipe":          func(_ *testing.T, path string) error { return syscall.Mkfifo(path, 0o600) },
		"dangling link": func(t *testing.T, path string) error { return os.Symlink(filepath.Join(t.TempDir(), "none"), path) },
		"link to a file": func(t *testing.T, path string) error {
			file := filepath.Join(t.TempDir(), "file")
			return errors.Join(os.WriteFile(file, []byte("mine"), 0o600), os.Symlink(file, path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := operationsDir(t)
			op := begin(t, NewMarkers(dir), "upload")
			op.Remove(t.Context())
			require.NoError(t, put(t, op.path))
			wantMarkerError(t, NewMarkers(dir), "is not a regular file of this user; remove it")
			if target, err := os.Readlink(op.path); err == nil {
				if raw, err := os.ReadFile(target); err == nil && string(raw) != "mine" || err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("the link's target: %q, %v", raw, err)
				}
			}
		})
	}
}

// A directory that is a link, or that another user can write to, holds no marker.
func TestMarkers_UnsafeDirectory(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		spoil func(dir string) (spoilt string, err error)
		says  string
	}{
		"link":            {func(dir string) (string, error) { return dir + "-link", os.Symlink(dir, dir+"-link") }, "is a symbolic link"},
		"world can write": {func(dir string) (string, error) { return dir, os.Chmod(dir, 0o777) }, "has mode 0777: other users may write to it"},
		"device":          {func(string) (string, error) { return os.DevNull, nil }, "mkdir " + os.DevNull + ": not a directory"},
		"another user's": {func(dir string) (string, error) {
			if os.Geteuid() != 0 {
				return "/", nil // owned by root
			}
			return dir, os.Chown(dir, 65534, 65534)
		}, "belongs to another user"},
		"a link in place of the lock": {func(dir string) (string, error) {
			return dir, os.Symlink(dir+"-none", filepath.Join(dir, markerDirLock))
		}, "too many levels of symbolic links"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "operations")
			require.NoError(t, os.Mkdir(dir, 0o700))
			dir, err := tc.spoil(dir)
			require.NoError(t, err)
			wantMarkerError(t, NewMarkers(dir), tc.says)
		})
	}
}

func TestMarkers_ReadOnlyDirectory(t *testing.T) {
	t.Parallel()
	dir := operationsDir(t)
	op := begin(t, NewMarkers(dir), "earlier")
	op.Keep(t.Context(), nil)
	makeReadOnly(t, dir)
	require.Error(t, os.WriteFile(filepath.Join(dir, "probe"), nil, 0o600), "the directory can be written")
	m := NewMarkers(dir)
	wantMarkerError(t, m, "")
	assert.True(t, begin(t, m, "earlier").Interrupted, "the marker in the directory that cannot be written does not count")
}
