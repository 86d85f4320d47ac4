//go:build unix

package file

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Opening a pipe would wait for its other end.
func TestOpenLogo_Pipe(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe.png")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	_, err := OpenLogo(pipe)
	assert.ErrorContains(t, err, "is not a file")
}
