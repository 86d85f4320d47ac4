package wording_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../../.."

// source is a source file.
type source struct {
	pkg  string // its directory
	fset *token.FileSet
	file *ast.File
}

// at returns the position of a node.
func (s source) at(n ast.Node) string { return s.fset.Position(n.Pos()).String() }

// sources parses the Go files below some directories, without tests and packages that only tests use.
func sources(t *testing.T, below ...string) []source {
	t.Helper()
	var out []source
	for _, dir := range below {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && strings.HasSuffix(entry.Name(), "test"):
				return filepath.SkipDir
			case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
			out = append(out, source{filepath.Base(filepath.Dir(path)), fset, file})
			return err
		})
		require.NoError(t, err)
	}
	return out
}

// literals calls see with every string of a file, except for import paths and tags.
func (s source) literals(see func(at ast.Node, text string)) {
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			return n.Tag == nil
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				see(n, text)
			}
		}
		return true
	})
}

// called is the name of a called function.
func called(call *ast.CallExpr) string { return nameOf(call.Fun) }

// nameOf is the last name of an expression: of a.b.C it is C.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	default:
		return ""
	}
}
