package packed

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rooms have no packed code. Others follow.
var rooms = []string{
	"internal/anyjson", "internal/client", "internal/client/forms", "internal/client/signing", "internal/client/transport", "internal/dns",
	"internal/fault", "internal/inventory", "internal/onetime", "internal/printable", "internal/privatefile",
	"internal/provider/file", "internal/secrets", "internal/slice", "internal/tool/packed", "internal/walk",
}

func TestRooms(t *testing.T) {
	t.Parallel()
	for _, room := range rooms {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", filepath.FromSlash(room), "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files, room)
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			source, err := os.ReadFile(path)
			require.NoError(t, err)
			found, err := Find(path, source)
			require.NoError(t, err)
			assert.Empty(t, found)
		}
	}
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
