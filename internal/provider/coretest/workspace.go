// Package coretest plans and applies as the core of Terraform does, through the provider's protocol and without a CLI: a
// test takes milliseconds. Its own tests try random configurations, and compare the driver with the real CLI.
package coretest

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/providertest"
)

// Workspace is a configuration with its state, for tests of what a provider plans and applies. The lives of objects, and
// what options of the CLI do, are tests of the real CLI.
type Workspace struct {
	t    *testing.T
	core *core
	dir  string
	text map[string]string // by file name
}

var _ providertest.Workspace = (*Workspace)(nil)

// New is an empty workspace.
func New(t *testing.T, w *providertest.TestEnv) *Workspace {
	t.Helper()
	c, err := newCore(w, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	return &Workspace{t: t, core: c, dir: t.TempDir(), text: map[string]string{}}
}

// For is a workspace of the core driver, or of the real CLI.
func For(t *testing.T, w *providertest.TestEnv, throughCLI bool) providertest.Workspace {
	t.Helper()
	if throughCLI {
		return w.Cli()
	}
	return New(t, w)
}

func (c *Workspace) File(name, text string) string {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if strings.HasSuffix(name, ".tf") {
		c.text[name] = text
		return path
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
	return path
}

func (c *Workspace) Config(text string) {
	c.t.Helper()
	c.File("main.tf", text)
}

// Plan exits like plan -detailed-exitcode.
func (c *Workspace) Plan(...string) providertest.Result {
	c.t.Helper()
	p, found := c.plan()
	switch {
	case hasError(found):
		return resultOf(found, 1)
	case len(p.pending()) > 0:
		return resultOf(found, 2)
	default:
		return resultOf(found, 0)
	}
}

// Apply plans, and applies the plan.
func (c *Workspace) Apply(...string) providertest.Result {
	c.t.Helper()
	p, found := c.plan()
	if hasError(found) {
		return resultOf(found, 1)
	}
	more, err := c.core.Apply(p, planOptions{})
	if err != nil {
		c.t.Fatal(err)
	}
	found = append(found, more...)
	if hasError(found) {
		return resultOf(found, 1)
	}
	return resultOf(found, 0)
}

func (c *Workspace) plan() (savedPlan, []finding) {
	c.t.Helper()
	p, found, err := c.core.Plan(c.target(), planOptions{})
	if err != nil {
		c.t.Fatal(err)
	}
	return p, found
}

func (c *Workspace) WantEmptyPlan() {
	c.t.Helper()
	if r := c.Plan(); r.Code != 0 {
		c.t.Errorf("the plan is not empty: exit code %d\n%s", r.Code, r.Out)
	}
}

func (c *Workspace) State() map[string]providertest.Instance {
	out := map[string]providertest.Instance{}
	for address, attributes := range c.core.instances() {
		one := providertest.Instance{Attributes: attributes}
		if c.core.state[address].tainted {
			one.Status = "tainted"
		}
		out[address] = one
	}
	return out
}

func resultOf(found []finding, code int) providertest.Result {
	r := providertest.Result{Code: code}
	for _, f := range found {
		d := providertest.Diagnostic{Severity: "warning", Summary: f.summary, Detail: f.detail, Address: f.address}
		if f.isError {
			d.Severity = "error"
		}
		r.Diagnostics = append(r.Diagnostics, d)
		r.Out += d.String() + "\n"
	}
	return r
}

// target reads the configuration: resources, import blocks and the provider's settings, with abspath as the only
// function, and with references to whole attributes.
func (c *Workspace) target() *target {
	c.t.Helper()
	t := &target{}
	imports := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(c.text)) {
		file, diags := hclsyntax.ParseConfig([]byte(c.text[name]), name, hcl.InitialPos)
		if diags.HasErrors() {
			c.t.Fatal(diags)
		}
		body, ok := file.Body.(*hclsyntax.Body)
		if !ok {
			c.t.Fatalf("%T is no body", file.Body)
		}
		for _, b := range body.Blocks {
			switch b.Type {
			case "provider":
				c.configure(b.Body)
			case "resource":
				t.blocks = append(t.blocks, &block{typ: b.Labels[0], name: b.Labels[1], attrs: c.attributes(b.Body)})
			case "import":
				to, _ := c.expression(b.Body.Attributes["to"].Expr).(ref)
				imports[to.address], _ = c.expression(b.Body.Attributes["id"].Expr).(string)
			default:
				c.t.Fatalf("a block %q is not for the core", b.Type)
			}
		}
	}
	for address, id := range imports {
		t.block(address).imports = id
	}
	return t
}

func (c *Workspace) configure(body *hclsyntax.Body) {
	c.t.Helper()
	if err := c.core.configureWith(c.attributes(body)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *Workspace) attributes(body *hclsyntax.Body) object {
	c.t.Helper()
	out := object{}
	for name, a := range body.Attributes {
		out[name] = c.expression(a.Expr)
	}
	return out
}

func (c *Workspace) expression(e hclsyntax.Expression) expression {
	c.t.Helper()
	switch e := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return reference(c.t, e.Traversal)
	case *hclsyntax.TupleConsExpr:
		out := list{}
		for _, inner := range e.Exprs {
			out = append(out, c.expression(inner))
		}
		return out
	case *hclsyntax.ObjectConsExpr:
		out := table{}
		for _, item := range e.Items {
			out = append(out, row{c.key(item.KeyExpr), c.expression(item.ValueExpr)})
		}
		return simplest(out)
	}
	value, diags := e.Value(&hcl.EvalContext{
		Variables: map[string]cty.Value{"path": cty.ObjectVal(map[string]cty.Value{"module": cty.StringVal(c.dir)})},
		Functions: map[string]function.Function{"abspath": absolute},
	})
	if diags.HasErrors() {
		c.t.Fatal(diags)
	}
	return plain(c.t, value)
}

func (c *Workspace) key(e hclsyntax.Expression) expression {
	c.t.Helper()
	if key, ok := e.(*hclsyntax.ObjectConsKeyExpr); ok && hcl.ExprAsKeyword(key.Wrapped) == "" {
		return c.expression(key.Wrapped)
	}
	return hcl.ExprAsKeyword(e)
}

// absolute is abspath of a path that is absolute.
var absolute = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "path", Type: cty.String}},
	Type:   function.StaticReturnType(cty.String),
	Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return args[0], nil },
})

// simplest is an object if all keys are literal.
func simplest(rows table) expression {
	out := object{}
	for _, r := range rows {
		key, ok := r.key.(string)
		if !ok {
			return rows
		}
		out[key] = r.value
	}
	return out
}

func reference(t *testing.T, path hcl.Traversal) expression {
	t.Helper()
	names := []string{path.RootName()}
	for _, step := range path[1:] {
		attr, ok := step.(hcl.TraverseAttr)
		if !ok {
			t.Fatalf("%T in a reference is not for the core", step)
		}
		names = append(names, attr.Name)
	}
	switch len(names) {
	case 2:
		return ref{address: strings.Join(names, ".")}
	case 3:
		return ref{address: strings.Join(names[:2], "."), attribute: names[2]}
	default:
		t.Fatalf("the reference %v is not for the core", names)
		return nil
	}
}

func plain(t *testing.T, v cty.Value) expression {
	t.Helper()
	switch {
	case v.IsNull():
		return nil
	case v.Type() == cty.String:
		return v.AsString()
	case v.Type() == cty.Bool:
		return v.True()
	case v.Type() == cty.Number:
		number, _ := v.AsBigFloat().Float64()
		return number
	default:
		t.Fatalf("%s is not for the core", v.GoString())
		return nil
	}
}
