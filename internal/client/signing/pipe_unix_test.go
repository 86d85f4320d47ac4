//go:build unix

package signing

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Opening a pipe would block until its other end is opened.
func TestUpload_RejectsPipe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pipe.pdf")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	cannotBeSent(t, path)
}
