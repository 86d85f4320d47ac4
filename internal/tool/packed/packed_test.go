package packed

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// No shipped file has packed code. Tests are read in tables.
func TestShippedCode(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	seen := 0
	require.NoError(t, filepath.WalkDir(filepath.Join(root, "internal"), func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testing" || entry.Name() == "testdata"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		seen++
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		found, err := Find(path, source)
		assert.Empty(t, found)
		return err
	}))
	assert.Greater(t, seen, 200, "files")
}

func TestFind(t *testing.T) {
	t.Parallel()
	for line, finds := range map[string]bool{
		"func f() { a, b := 1, 2; _, _ = a, b }": true,
		"func f() {\n\ta, b := 1, 2\n}":          true,
		"func f() {\n\ta.x, a.y = 1, 2\n}":       true,
		"func f() {\n\ta, b = b, a\n}":           false,
		"func f() {\n\ta, b = b, a+b\n}":         false,
		"func f() {\n\ta, b := g()\n}":           false,
		"func f() {\n\ta, ok := m[1]\n}":         false,
		"func f() int { return 1 }":              true,
		"func f() {}":                            false,
		"func f() {\n\tg(func() { h() })\n}":     false,
		"func f()":                               false,
	} {
		found, err := Find("a.go", []byte("package a\n\n"+line+"\n"))
		require.NoError(t, err, line)
		assert.Equal(t, finds, len(found) > 0, line)
	}
	_, err := Find("a.go", []byte("package"))
	assert.Error(t, err)
}
