//go:build unix

package signing

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe would wait for its other end.
func TestAPipeIsNotSent(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pipe.pdf")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	cannotBeSent(t, path)
}
