package forms

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A form is tried, read or shown.
func TestQuestions(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, q := range Questions {
		assert.False(t, names[q.Name], "two questions %s", q.Name)
		names[q.Name] = true
		assert.NotEmpty(t, q.Text, q.Name)
		assert.Regexp(t, `^(Signing )?\d(\.\d+)?(, \d(\.\d+)?)*$`, q.Section, q.Name)
		_, err := regexp.Compile(q.At)
		assert.NoError(t, err, q.Name)
		for _, f := range q.Forms {
			assert.True(t, f.Method+f.Path+f.Shown != "" || f.Names != nil || q == UpdateBody, "%s of %s says nothing", f.Name, q.Name)
			assert.Equal(t, f.Shown != "", f.Means != "" || q == EmptyArrays, "%s of %s is shown and has a meaning", f.Name, q.Name)
			for line := range strings.FieldsSeq(f.Shown) {
				_, err := regexp.Compile(line)
				assert.NoError(t, err, "%s of %s", f.Name, q.Name)
			}
			assert.Equal(t, f.Name, q.Form(f.Name).Name)
		}
	}
}

// The table has no row that nothing reads: what a client sends or reads by is named in its code, the rest is asked by the
// subcommand `check`.
func TestQuestions_EachIsUsed(t *testing.T) {
	t.Parallel()
	own := parsed(t, "forms.go")
	var rows []string
	ast.Inspect(own, func(n ast.Node) bool {
		spec, isValue := n.(*ast.ValueSpec)
		if !isValue || len(spec.Values) == 0 {
			return true
		}
		if at, isAddress := spec.Values[0].(*ast.UnaryExpr); isAddress && at.Op == token.AND {
			rows = append(rows, spec.Names[0].Name)
		}
		return true
	})
	require.Len(t, Questions, len(rows), "questions that are listed, and those that are declared")
	used := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		ast.Inspect(parsed(t, path), func(n ast.Node) bool {
			if s, isSelector := n.(*ast.SelectorExpr); isSelector {
				if x, isName := s.X.(*ast.Ident); isName && x.Name == "forms" {
					used[s.Sel.Name] = true
				}
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
	listed := map[string]*Question{}
	ast.Inspect(own, func(n ast.Node) bool {
		spec, isValue := n.(*ast.ValueSpec)
		if isValue && spec.Names[0].Name == "Questions" {
			list, _ := spec.Values[0].(*ast.CompositeLit)
			for i, element := range list.Elts {
				name, _ := element.(*ast.Ident)
				listed[name.Name] = Questions[i]
			}
		}
		return true
	})
	for _, row := range rows {
		q := listed[row]
		require.NotNil(t, q, "%s is not in the list of questions", row)
		for _, f := range q.Forms {
			if f.Method+f.Path != "" || f.Names != nil {
				assert.True(t, used[row], "%s has what a client sends or reads in the form %q, and no code reads it", row, f.Name)
			}
		}
		assert.True(t, used[row] || q.IsShown(), "nothing asks %s", row)
	}
}

func parsed(t *testing.T, path string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	return file
}
