package wording_test

import (
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	_ "github.com/privatelabels/terraform-provider-reseller/internal/provider" // has all topics
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/goldentest"
	"github.com/privatelabels/terraform-provider-reseller/internal/tool/wording"
)

const golden = "testdata/summaries.txt"

// summaryName is the name of a constant that is a summary; summaryField one of a variable, parameter or field that holds
// one.
var (
	summaryName  = regexp.MustCompile(`^(s|S)ummary[A-Z]`)
	summaryField = regexp.MustCompile(`^(s|S)ummary$`)
)

// constructors are the functions of the framework that take a summary, and its place among their arguments.
var constructors = map[string]int{
	"AddError": 0, "AddWarning": 0, "AddAttributeError": 1, "AddAttributeWarning": 1,
	"NewErrorDiagnostic": 0, "NewWarningDiagnostic": 0, "NewAttributeErrorDiagnostic": 1, "NewAttributeWarningDiagnostic": 1,
}

// summaries returns each summary with the package that it is in.
func summaries(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	add := func(summary, pkg string) {
		other, twice := found[summary]
		assert.False(t, twice, "%q is in %s and in %s: a summary is unique to its kind", summary, pkg, other)
		found[summary] = pkg
	}
	for _, s := range sources(t, "internal/provider") {
		for _, decl := range s.file.Decls {
			consts, ok := decl.(*ast.GenDecl)
			if !ok || consts.Tok != token.CONST {
				continue
			}
			for _, spec := range consts.Specs {
				for name, value := range constantsOf(spec) {
					if summaryName.MatchString(name) {
						add(value, s.pkg)
					}
				}
			}
		}
	}
	for _, topic := range effect.Topics() {
		add(topic.Summary, "effect")
		if strings.HasPrefix(topic.Summary, "Deprovisioning ") {
			add(topic.ForHost(summaryHost).Summary, "effect")
		}
	}
	return found
}

const summaryHost = "sign.acme.example"

func constantsOf(spec ast.Spec) map[string]string {
	values, ok := spec.(*ast.ValueSpec)
	if !ok {
		return nil
	}
	out := map[string]string{}
	for i, name := range values.Names {
		if i < len(values.Values) {
			if literal, ok := values.Values[i].(*ast.BasicLit); ok {
				out[name.Name], _ = strconv.Unquote(literal.Value)
			}
		}
	}
	return out
}

// properNames may have a capital letter in the middle of a summary.
var properNames = map[string]bool{"API": true, "ID": true, "URL": true, "Terraform": true}

var plainWord = regexp.MustCompile(`^[a-z][a-z-]*,?$`)

func TestSummaries_Form(t *testing.T) {
	t.Parallel()
	for summary := range summaries(t) {
		words := strings.Fields(summary)
		if len(words) == 0 || len(words) > 8 {
			t.Errorf("%q has %d words, want 1 to 8", summary, len(words))
			continue
		}
		first := summary[:1]
		assert.Equal(t, strings.ToUpper(first), first, "%q does not begin with a capital letter, or ends with a period", summary)
		assert.False(t, strings.HasSuffix(summary, "."), "%q does not begin with a capital letter, or ends with a period", summary)
		for _, word := range words[1:] {
			if !plainWord.MatchString(word) && !properNames[word] && word != "app_name" && word != "-replace" && word != summaryHost {
				t.Errorf("%q: %q is not in sentence case, or is a value", summary, word)
			}
		}
		for _, found := range wording.Banned(summary) {
			t.Errorf("%q: %s", summary, found)
		}
	}
}

// isCleaned reports whether a value is a summary without what cannot be shown.
func isCleaned(value ast.Expr) bool {
	call, ok := value.(*ast.CallExpr)
	return ok && called(call) == "ShownLine"
}

// Every diagnostic has one of the constants as summary.
func TestSummaries_Constant(t *testing.T) {
	t.Parallel()
	program := sources(t, "internal/provider")
	places := placesOfSummaries(program)
	checked := 0
	for _, s := range program {
		ast.Inspect(s.file, func(n ast.Node) bool {
			var given ast.Expr
			switch n := n.(type) {
			case *ast.CallExpr:
				if at, ok := places[called(n)]; ok && at < len(n.Args) {
					given = n.Args[at]
				}
			case *ast.KeyValueExpr:
				if key := nameOf(n.Key); (summaryField.MatchString(key) || summaryName.MatchString(key)) && s.pkg != "effect" && !isFunctionDefinition(n) {
					given = n.Value
				}
			case *ast.AssignStmt:
				if len(n.Lhs) == 1 && len(n.Rhs) == 1 && summaryField.MatchString(nameOf(n.Lhs[0])) && !isCleaned(n.Rhs[0]) {
					given = n.Rhs[0]
				}
			}
			if given == nil {
				return true
			}
			checked++
			if !isSummary(given) {
				t.Errorf("%s: the summary is no constant with a name like summaryCreate", s.at(given))
			}
			return true
		})
	}
	assert.GreaterOrEqual(t, checked, 100, "only summaries were found")
}

// placesOfSummaries adds the functions of the program with a parameter named summary.
func placesOfSummaries(program []source) map[string]int {
	places := maps.Clone(constructors)
	for _, s := range program {
		for _, decl := range s.file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			at := 0
			for _, field := range fn.Type.Params.List {
				for _, name := range field.Names {
					if name.Name == "summary" {
						places[fn.Name.Name] = at
					}
					at++
				}
			}
		}
	}
	return places
}

// isSummary reports whether an expression is a constant, or a variable that is checked where it is set.
func isSummary(e ast.Expr) bool {
	if call, ok := e.(*ast.CallExpr); ok {
		return summaryField.MatchString(called(call)) // d.Summary()
	}
	name := nameOf(e)
	return summaryName.MatchString(name) || summaryField.MatchString(name)
}

// isFunctionDefinition: the summary of a provider function is documentation.
func isFunctionDefinition(kv *ast.KeyValueExpr) bool {
	literal, ok := kv.Value.(*ast.BasicLit)
	return ok && strings.HasPrefix(literal.Value, `"The `)
}

// A change of a summary is seen in review. RESELLER_UPDATE_GOLDEN=1 writes the file.
func TestSummaries_Golden(t *testing.T) {
	t.Parallel()
	lines := make([]string, 0, 200)
	for summary, pkg := range summaries(t) {
		lines = append(lines, pkg+"\t"+summary+"\n")
	}
	slices.Sort(lines)
	goldentest.Check(t, golden, strings.Join(lines, ""))
}

// Diagnostics, errors, log lines, schema descriptions and the simulator's messages contain no banned word.
func TestProgram_Words(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, s := range sources(t, "internal/provider", "internal/client", "internal/inventory", "internal/simulator") {
		s.literals(func(at ast.Node, text string) {
			seen++
			for _, found := range wording.Banned(text) {
				t.Errorf("%s: %s", s.at(at), found)
			}
		})
	}
	assert.GreaterOrEqual(t, seen, 1000, "only texts were found")
}
