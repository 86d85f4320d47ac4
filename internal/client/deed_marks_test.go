package client

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func marksIn(t *testing.T, dir string) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*.deed*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

func TestDeedMarks(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "made")
	killed := NewDeedMarks(dir)
	if earlier, _ := killed.Begin(t.Context(), testStart, "upload", "a"); !earlier.IsZero() {
		t.Errorf("a first deed began at %s", earlier)
	}

	next := NewDeedMarks(dir)
	if earlier, done := next.Begin(t.Context(), testStart.Add(time.Hour), "upload", "b"); !earlier.IsZero() {
		t.Errorf("another deed began at %s", earlier)
	} else {
		done()
	}
	for range 2 { // one that looks and is killed, too, leaves it as it was
		if earlier, _ := next.Begin(t.Context(), testStart.Add(time.Hour), "upload", "a"); !earlier.Equal(testStart) {
			t.Errorf("the deed of a killed run began at %s", earlier)
		}
	}
	_, done := next.Begin(t.Context(), testStart, "upload", "a")
	done()
	done() // twice does no harm
	if n := marksIn(t, dir); n != 0 {
		t.Errorf("%d marks stay", n)
	}
	if earlier, _ := next.Begin(t.Context(), testStart, "upload", "a"); !earlier.IsZero() {
		t.Errorf("a deed that ended began at %s", earlier)
	}
}

// Neither a missing folder nor a damaged mark is an error; the latter is a mark.
func TestDeedMarksThatCannotBeKept(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, marks := range map[string]*DeedMarks{"nil": nil, "no folder": NewDeedMarks(""), "a file": NewDeedMarks(file)} {
		for range 2 {
			earlier, done := marks.Begin(t.Context(), testStart, "upload")
			done()
			if !earlier.IsZero() {
				t.Errorf("%s: began at %s", name, earlier)
			}
		}
	}
	for name, text := range map[string]string{"empty": "", "nonsense": "yesterday"} {
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, fingerprint("upload")+".deed")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, testStart, testStart); err != nil {
			t.Fatal(err)
		}
		if earlier, _ := NewDeedMarks(dir).Begin(t.Context(), testStart.Add(time.Hour), "upload"); !earlier.Equal(testStart) {
			t.Errorf("%s: began at %s", name, earlier)
		}
	}
}
