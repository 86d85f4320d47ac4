// Package packed finds code that does several things in one line, where a reader expects one: assignments of several
// unrelated values, and functions whose body is on the line of their name.
package packed

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
)

// Find returns the position of each such line of a file.
func Find(path string, source []byte) (found []string, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	add := func(at token.Pos, what string) {
		found = append(found, fmt.Sprintf("%s:%d: %s", path, files.Position(at).Line, what))
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) > 1 && len(n.Lhs) == len(n.Rhs) && !isExchange(n) {
				add(n.Pos(), "assign each value on a line of its own")
			}
		case *ast.FuncDecl:
			if n.Body != nil && len(n.Body.List) > 0 && files.Position(n.Body.Lbrace).Line == files.Position(n.Body.Rbrace).Line {
				add(n.Pos(), "write the body of the function below its name")
			}
		}
		return true
	})
	return found, nil
}

// isExchange reports whether a variable is on both sides, so that the values must be assigned at once.
func isExchange(n *ast.AssignStmt) bool {
	assigned := map[string]bool{}
	for _, left := range n.Lhs {
		if name, ok := left.(*ast.Ident); ok {
			assigned[name.Name] = true
		}
	}
	both := false
	for _, right := range n.Rhs {
		ast.Inspect(right, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok && assigned[name.Name] {
				both = true
			}
			return true
		})
	}
	return both
}
