package existing

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two files are two states, which may manage the same objects, also with one lineage or content.
func TestReadStates_Identity(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	const shown = `{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"reseller_package.gold","mode":"managed",` +
		`"type":"reseller_package","values":{"id":"0123456789abcdef0123456789abcdef","code":"GOLD"}}]}}}`
	const stored = `{"version":4,"lineage":"a-b","resources":[]}`
	first, other := write("one.json", shown), write("other.json", shown)
	link := filepath.Join(dir, "link.json")
	if err := os.Symlink(first, link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	for name, test := range map[string]struct {
		files []string
		want  int
	}{
		"equal outputs":           {[]string{first, other}, 2},
		"one file twice":          {[]string{first, first}, 1},
		"one file by another way": {[]string{first, link}, 1},
		"one lineage":             {[]string{write("a.tfstate", stored), write("b.tfstate", stored)}, 2},
	} {
		read, err := ReadStates(test.files)
		require.NoError(t, err, "%s: %d states, want %d", name, read.Files, test.want)
		assert.Equal(t, test.want, read.Files, "%s: states", name)
	}
}
