//go:build unix

package signing

import (
	"path/filepath"
	"syscall"
	"testing"
)

// Opening a pipe would block until its other end is opened.
func TestUpload_RejectsPipe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pipe.pdf")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	cannotBeSent(t, path)
}
