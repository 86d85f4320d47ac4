package transport

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A file that became shorter after it was opened is an error.
func TestForm_FileShrinks(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "logo.png")
	if err := os.WriteFile(path, make([]byte, 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	form, err := OpenForm(nil, FormFile{Name: "logo", Path: path, ContentType: "image/png"})
	if err != nil {
		t.Fatal(err)
	}
	defer form.Close()
	if err := os.Truncate(path, 10); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(form.reader()); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v, want an unexpected end", err)
	}
}
