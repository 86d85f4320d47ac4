// Package coretest plans and applies as the core of Terraform does, through the provider's protocol and without a CLI: a
// test takes milliseconds. Its own tests try random configurations, and compare the driver with the real CLI.
package coretest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
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

	saved *corePlan // nil after a plan with an error
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

// NewWithFile is a workspace with a file.
func NewWithFile(t *testing.T, w *providertest.TestEnv, name string, content []byte) *Workspace {
	t.Helper()
	c := New(t, w)
	c.File(name, string(content))
	return c
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
func (c *Workspace) Plan(options ...string) providertest.Result {
	c.t.Helper()
	p, found := c.plan(c.options(options))
	r := resultOf(p, found)
	if r.Code == 0 && len(r.Changes) > 0 {
		r.Code = 2
	}
	if r.Code != 1 {
		n := p.counts()
		r.Out = fmt.Sprintf("%d to import, %d to add, %d to change, %d to destroy\n", n.imported, n.added, n.changed, n.destroyed) + r.Out
	}
	c.saved = p
	return r
}

// Validate checks the configuration without a call.
func (c *Workspace) Validate() providertest.Result {
	c.t.Helper()
	var found []finding
	for _, b := range c.target().blocks {
		config, _ := c.core.configOf(b, func(ref) (tftypes.Value, bool) { return tftypes.Value{}, false })
		diags, err := c.core.validate(b.typ, config)
		if err != nil {
			c.t.Fatal(err)
		}
		found = append(found, findings(b.address(), diags)...)
	}
	return resultOf(nil, found)
}

// Refresh takes what it reads into the state.
func (c *Workspace) Refresh() {
	c.t.Helper()
	p, found := c.plan(planOptions{})
	if p == nil {
		c.t.Fatal(found)
	}
	maps.DeleteFunc(p.state, func(address string, _ *instanceState) bool { return c.core.state[address] == nil })
	c.core.state = p.state
}

// Taint marks an object to be replaced, or takes the mark away.
func (c *Workspace) Taint(address string, tainted bool) {
	c.t.Helper()
	c.core.state[address].tainted = tainted
}

// Forget removes an object from the state.
func (c *Workspace) Forget(address string) { delete(c.core.state, address) }

// Promises returns what a plan announces about assignments, and saves the plan.
func (c *Workspace) Promises() providertest.Diagnostics {
	c.t.Helper()
	return c.Planned().OfAssignments()
}

// ApplySaved applies the last plan.
func (c *Workspace) ApplySaved() providertest.Result {
	c.t.Helper()
	if c.saved == nil {
		c.t.Fatal("there is no plan")
	}
	return c.applySaved(c.saved, planOptions{}, nil)
}

// AddonsOf returns the add-ons of an assignment in state.
func (c *Workspace) AddonsOf(address string) map[string]any {
	return providertest.AddonsIn(c.State(), address)
}

// Planned returns every diagnostic of a plan.
func (c *Workspace) Planned(options ...string) providertest.Diagnostics {
	c.t.Helper()
	return c.Plan(options...).Diagnostics
}

// Apply plans, and applies the plan.
func (c *Workspace) Apply(options ...string) providertest.Result {
	c.t.Helper()
	return c.apply(c.options(options))
}

// Destroy plans to destroy everything, and does it.
func (c *Workspace) Destroy(options ...string) providertest.Result {
	c.t.Helper()
	o := c.options(options)
	o.destroy = true
	return c.apply(o)
}

// options are the arguments of a plan that the core has.
func (c *Workspace) options(arguments []string) (o planOptions) {
	c.t.Helper()
	for _, argument := range arguments {
		// It never plans in parallel.
		if argument == "-parallelism=1" || argument == "-refresh=true" {
			continue
		}
		address, replaces := strings.CutPrefix(argument, "-replace=")
		switch {
		case replaces:
			o.replace = append(o.replace, address)
		case argument == "-refresh=false":
			o.noRefresh = true
		default:
			c.t.Fatalf("%s is not for the core", argument)
		}
	}
	return o
}

// plan returns nil with an error among the findings.
func (c *Workspace) plan(o planOptions) (*corePlan, []finding) {
	c.t.Helper()
	saved, found, err := c.core.Plan(c.target(), o)
	if err != nil {
		c.t.Fatal(err)
	}
	p, _ := saved.(*corePlan)
	return p, found
}

func (c *Workspace) apply(o planOptions) providertest.Result {
	c.t.Helper()
	p, found := c.plan(o)
	if p == nil {
		return resultOf(nil, found)
	}
	return c.applySaved(p, o, found)
}

func (c *Workspace) applySaved(p *corePlan, o planOptions, planned []finding) providertest.Result {
	c.t.Helper()
	found, err := c.core.Apply(p, o)
	var broke broken
	switch {
	case errors.As(err, &broke) && broke.final != "": // the CLI says so, and applies the rest
		found = append(found, finding{address: broke.final, summary: providertest.SumInconsistent, isError: true})
	case err != nil:
		c.t.Fatal(err)
	}
	r := resultOf(p, append(planned, found...))
	if r.Code == 0 {
		n := p.counts()
		r.Out = fmt.Sprintf("%d imported, %d added, %d changed, %d destroyed\n", n.imported, n.added, n.changed, n.destroyed) + r.Out
	}
	return r
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

// resultOf has each diagnostic on a line.
func resultOf(p *corePlan, found []finding) (r providertest.Result) {
	if hasError(found) {
		r.Code = 1
	} else if p != nil {
		r.Changes = p.pending()
	}
	for _, f := range found {
		d := providertest.Diagnostic{Severity: "warning", Summary: f.summary, Detail: f.detail, Address: f.address, Attribute: f.attribute}
		if f.isError {
			d.Severity = "error"
		}
		r.Diagnostics = append(r.Diagnostics, d)
		r.Out += d.String() + " " + d.Attribute + "\n"
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
			case "moved":
				from, _ := c.expression(b.Body.Attributes["from"].Expr).(ref)
				to, _ := c.expression(b.Body.Attributes["to"].Expr).(ref)
				if t.moved == nil {
					t.moved = map[string]string{}
				}
				t.moved[from.address] = to.address
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
	case *hclsyntax.ParenthesesExpr:
		return c.expression(e.Expression)
	case *hclsyntax.TemplateWrapExpr:
		return c.expression(e.Wrapped)
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
