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

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
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
		make func(t *testing.T) (dir string)
		says string
	}{
		"link": {func(t *testing.T) string {
			t.Helper()
			target, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
			require.NoError(t, errors.Join(os.Chmod(target, 0o700), os.Symlink(target, link)))
			return link
		}, "is a symbolic link"},
		"world can write": {func(t *testing.T) string {
			t.Helper()
			dir := t.TempDir()
			require.NoError(t, os.Chmod(dir, 0o777))
			return dir
		}, "has mode 0777: other users may write to it"},
		"device": {func(*testing.T) string { return os.DevNull }, "mkdir " + os.DevNull + ": not a directory"},
		"another user's": {func(t *testing.T) string {
			t.Helper()
			if os.Geteuid() != 0 {
				return "/" // owned by root
			}
			dir := t.TempDir()
			require.NoError(t, os.Chown(dir, 65534, 65534))
			return dir
		}, "belongs to another user"},
		"a link in place of the lock": {func(t *testing.T) string {
			t.Helper()
			dir := t.TempDir()
			require.NoError(t, errors.Join(os.Chmod(dir, 0o700), os.Symlink(filepath.Join(t.TempDir(), "none"), filepath.Join(dir, markerDirLock))))
			return dir
		}, "too many levels of symbolic links"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantMarkerError(t, NewMarkers(tc.make(t)), tc.says)
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
	_, err := m.Begin(t.Context(), transporttest.Start, "upload")
	assert.True(t, isMarkerError(err), "got %v", err)
	assert.True(t, begin(t, m, "earlier").Interrupted, "the marker in the directory that cannot be written does not count")
}

func isMarkerError(err error) bool {
	_, ok := errors.AsType[*MarkerError](err)
	return ok
}
