//go:build unix

package file

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Opening a pipe would wait for its other end.
func TestOpenLogo_Pipe(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe.png")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLogo(pipe); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("error %v", err)
	}
}
