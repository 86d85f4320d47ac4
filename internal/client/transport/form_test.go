package transport

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A file that became shorter after it was opened is an error.
func TestForm_FileShrinks(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "logo.png")
	require.NoError(t, os.WriteFile(path, make([]byte, 4096), 0o600))
	form, err := OpenForm(nil, FormFile{Name: "logo", Path: path, ContentType: "image/png"})
	require.NoError(t, err)
	defer form.Close()
	require.NoError(t, os.Truncate(path, 10))
	_, err = io.ReadAll(form.reader())
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

// endless is a file without an end.
type endless struct {
	reads int
	then  func()
}

func (e *endless) Read(p []byte) (int, error) {
	e.reads++
	if e.reads == 3 {
		e.then()
	}
	return len(p), nil
}

func TestSHA256_EndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	file := &endless{then: cancel}
	if sum, err := SHA256(ctx, file); sum != "" || !errors.Is(err, context.Canceled) || file.reads != 3 {
		t.Errorf("%q, %v after %d reads", sum, err, file.reads)
	}
	const ofABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	sum, err := SHA256(t.Context(), strings.NewReader("abc"))
	require.NoError(t, err, "%q", sum)
	assert.Equal(t, ofABC, sum)
}
