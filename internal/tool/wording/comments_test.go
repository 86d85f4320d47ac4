package wording_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/tool/wording"
)

// Comments contain none of the banned words, except for the name that they begin with.
func TestComments_Words(t *testing.T) {
	t.Parallel()
	seen := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, comment := range file.Comments {
			seen++
			_, text, _ := strings.Cut(comment.Text(), " ")
			for _, found := range wording.Banned(text) {
				t.Errorf("%s: %s", fset.Position(comment.Pos()), found)
			}
		}
		return nil
	})
	require.NoError(t, err)
	assert.GreaterOrEqual(t, seen, 1000, "only comments were found")
}
