package acceptance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// logbook is a directory with a changelog, fragments and the script.
type logbook struct {
	t   *testing.T
	dir string
}

const someLog = `# Changelog

Words.

## Unreleased

### Added

- Something with 'quotes', a \n and $HOME.
  It goes on.

### Fixed

- A fault.

## 0.9.0 - 2026-01-02

### Added

- The first thing.
`

func newLogbook(t *testing.T, log string, fragments map[string]string) *logbook {
	t.Helper()
	b := &logbook{t, t.TempDir()}
	for _, dir := range []string{"scripts", ".changelog"} {
		require.NoError(t, os.Mkdir(filepath.Join(b.dir, dir), 0o700))
	}
	write(t, filepath.Join(b.dir, "scripts", "changelog"), readFile(t, "scripts/changelog"))
	write(t, filepath.Join(b.dir, "CHANGELOG.md"), log)
	write(t, filepath.Join(b.dir, ".changelog", "README.md"), "# Not a fragment\n")
	for name, text := range fragments {
		write(t, filepath.Join(b.dir, ".changelog", name), text)
	}
	return b
}

func (b *logbook) run(args ...string) (string, error) {
	b.t.Helper()
	out, err := exec.Command("bash", append([]string{filepath.Join(b.dir, "scripts", "changelog")}, args...)...).CombinedOutput()
	return string(out), err
}

func (b *logbook) read() string {
	b.t.Helper()
	return readFile(b.t, filepath.Join(b.dir, "CHANGELOG.md"))
}

// The repository's own changelog and fragments can be read.
func TestChangelog_Own(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("bash", "scripts/changelog").CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestChangelog_Release(t *testing.T) {
	t.Parallel()
	b := newLogbook(t, someLog, map[string]string{
		"a.added.md":    "- From a fragment \\t.\n  It goes on.\n- Another.\n",
		"z.removed.md":  "- A thing.\n",
		"b.c.added.md":  "- With a dot in its name.",
		"y.security.md": "- A hole.\n",
	})
	if out, err := b.run("release", "1.0.0", "2026-03-14"); err != nil || out != "" {
		t.Fatalf("%v\n%s", err, out)
	}
	const want = `# Changelog

Words.

## Unreleased

## 1.0.0 - 2026-03-14

### Added

- Something with 'quotes', a \n and $HOME.
  It goes on.
- From a fragment \t.
  It goes on.
- Another.
- With a dot in its name.

### Removed

- A thing.

### Fixed

- A fault.

### Security

- A hole.

## 0.9.0 - 2026-01-02

### Added

- The first thing.
`
	assert.Equal(t, want, b.read())
	left, err := filepath.Glob(filepath.Join(b.dir, ".changelog", "*"))
	require.NoError(t, err, "left in the folder: %v", left)
	require.Len(t, left, 1, "left in the folder")
	assert.Equal(t, "README.md", filepath.Base(left[0]), "left in the folder: %v", left)

	notes, err := b.run("notes", "0.9.0")
	require.NoError(t, err, notes)
	assert.Equal(t, "### Added\n\n- The first thing.", strings.TrimSpace(notes), notes)
	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"twice":             {[]string{"release", "1.0.0"}, "has a section 1.0.0 already"},
		"nothing to tell":   {[]string{"release", "1.1.0"}, "nothing is unreleased"},
		"no version":        {[]string{"release", "v1.1"}, "'v1.1' is no version"},
		"notes of none":     {[]string{"notes", "1.1.0"}, "has no section 1.1.0"},
		"notes of a prefix": {[]string{"notes", "1.0"}, "has no section 1.0"},
		"another word":      {[]string{"relaese", "1.1.0"}, "see the top"},
	} {
		if out, err := b.run(tc.args...); err == nil || !strings.Contains(out, tc.want) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	assert.Equal(t, want, b.read(), "a rejection changed the file")
}

func TestChangelog_Refuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		log       string
		fragments map[string]string
		want      string
	}{
		"another kind":       {someLog, map[string]string{"a.improved.md": "- A.\n"}, "a.improved.md: name it"},
		"no kind":            {someLog, map[string]string{"added.md": "- A.\n"}, "added.md: name it"},
		"no name":            {someLog, map[string]string{"no.md.txt": "- A.\n"}, "no.md.txt: name it"},
		"empty":              {someLog, map[string]string{"a.added.md": ""}, "a.added.md is empty"},
		"no list":            {someLog, map[string]string{"a.added.md": "A.\n"}, "a.added.md: a line"},
		"begins in the air":  {someLog, map[string]string{"a.added.md": "  goes on\n"}, "a.added.md: a line"},
		"a heading":          {someLog, map[string]string{"a.added.md": "- A.\n## 2.0.0\n"}, "a.added.md: a line"},
		"no Unreleased":      {"# Changelog\n", nil, "has no section Unreleased"},
		"text without kind":  {"## Unreleased\n\n- A.\n", nil, "each line of Unreleased"},
		"a kind of its own":  {"## Unreleased\n\n### Improved\n\n- A.\n", nil, "each line of Unreleased"},
		"kind as a fragment": {"## Unreleased\n\n### Add\n\n- A.\n", nil, "each line of Unreleased"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newLogbook(t, tc.log, tc.fragments)
			out, err := b.run("release", "1.0.0")
			require.Error(t, err, out)
			assert.Contains(t, out, tc.want, err)
			assert.Equal(t, tc.log, b.read(), "the file was changed")
		})
	}
}
