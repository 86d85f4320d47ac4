//go:build unix && !linux

package onetime

import (
	"os"
	"testing"
)

// makeReadOnly removes the write permission of a directory, which root does not need.
func makeReadOnly(t *testing.T, dir string) {
	t.Helper()
	if os.Geteuid() == 0 {
		t.Skip("root writes to every directory, and this test mounts nothing on this system")
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
}
