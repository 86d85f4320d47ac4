package coretest

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
)

// target is a configuration in the form of both drivers.
type target struct {
	blocks  []*block
	moved   map[string]string // addresses, from and to
	removed map[string]bool   // addresses that only leave the state
	outputs map[string]output
}

func (t *target) block(address string) *block {
	i := slices.IndexFunc(t.blocks, func(b *block) bool { return b.address() == address })
	if i < 0 {
		return nil
	}
	return t.blocks[i]
}

// declares reports whether a resource has a block, with this instance or without it.
func (t *target) declares(address string) bool {
	resource, _, _ := strings.Cut(address, "[")
	return slices.ContainsFunc(t.blocks, func(b *block) bool { return strings.TrimSuffix(b.address(), b.key) == resource })
}

// movedTo follows the moved blocks.
func (t *target) movedTo(address string) string {
	for to, ok := t.moved[address]; ok; to, ok = t.moved[address] {
		address = to
	}
	return address
}

// configuration reads the files of a workspace. What it does not know ends the test.
type configuration struct {
	t         *testing.T
	dir       string
	variables map[string]cty.Value
	groups    map[string]*group
	target    *target
}

// target is the configuration in the files.
func (c *Workspace) target() *target {
	c.t.Helper()
	read := &configuration{t: c.t, dir: c.dir, variables: map[string]cty.Value{}, groups: map[string]*group{}, target: &target{
		moved: map[string]string{}, removed: map[string]bool{}, outputs: map[string]output{},
	}}
	var all []*hclsyntax.Block
	for _, name := range slices.Sorted(maps.Keys(c.text)) {
		file, diags := hclsyntax.ParseConfig([]byte(c.text[name]), name, hcl.InitialPos)
		require.False(c.t, diags.HasErrors(), diags)
		body, ok := file.Body.(*hclsyntax.Body)
		require.True(c.t, ok, "%T is no body", file.Body)
		all = append(all, body.Blocks...)
	}
	for _, pass := range []func(*hclsyntax.Block){read.variable, read.declare, read.fill} {
		for _, b := range all {
			pass(b)
		}
	}
	for _, b := range all {
		if b.Type == "provider" {
			require.NoError(c.t, c.core.configureWith(read.attributes(b.Body, nil)))
		}
	}
	return read.target
}

// variable takes the default of a variable.
func (r *configuration) variable(b *hclsyntax.Block) {
	r.t.Helper()
	if b.Type == "variable" {
		r.variables[b.Labels[0]] = r.known(b.Body.Attributes["default"].Expr)
	}
}

// declare lists the instances of a resource or of a data source.
func (r *configuration) declare(b *hclsyntax.Block) {
	r.t.Helper()
	if b.Type != "resource" && b.Type != "data" {
		return
	}
	first := block{typ: b.Labels[0], name: b.Labels[1], isData: b.Type == "data"}
	g := &group{address: first.address()}
	var keys []string
	switch {
	case b.Body.Attributes["count"] != nil:
		g.repeated = counted
		number, _ := r.known(b.Body.Attributes["count"].Expr).AsBigFloat().Int64()
		for i := range number {
			keys = append(keys, instanceKey(cty.NumberIntVal(i)))
		}
	case b.Body.Attributes["for_each"] != nil:
		g.repeated = forEach
		for key := range r.known(b.Body.Attributes["for_each"].Expr).Elements() {
			keys = append(keys, instanceKey(key))
		}
	default:
		keys = []string{""}
	}
	for _, key := range keys {
		instance := first
		instance.key = key
		g.instances = append(g.instances, &instance)
	}
	r.groups[g.address] = g
	r.target.blocks = append(r.target.blocks, g.instances...)
}

// fill reads what may refer to resources.
func (r *configuration) fill(b *hclsyntax.Block) {
	r.t.Helper()
	attribute := func(name string) hclsyntax.Expression { return b.Body.Attributes[name].Expr }
	switch b.Type {
	case "variable", "provider":
	case "resource":
		r.instances(r.groups[b.Labels[0]+"."+b.Labels[1]], b.Body)
	case "data":
		r.instances(r.groups[dataPrefix+b.Labels[0]+"."+b.Labels[1]], b.Body)
	case "output":
		r.target.outputs[b.Labels[0]] = output{r.formula(attribute("value"), nil), b.Body.Attributes["sensitive"] != nil}
	case "moved":
		r.target.moved[r.address(attribute("from"))] = r.address(attribute("to"))
	case "removed":
		destroy := b.Body.Blocks[0].Body.Attributes["destroy"].Expr // in lifecycle
		r.target.removed[r.address(attribute("from"))] = r.known(destroy).False()
	case "import":
		to := r.target.block(r.address(attribute("to")))
		to.imports = r.known(attribute("id")).AsString()
	default:
		r.t.Fatalf("a block %q is not for the core", b.Type)
	}
}

func (r *configuration) instances(g *group, body *hclsyntax.Body) {
	r.t.Helper()
	for i, b := range g.instances {
		each := map[string]cty.Value{}
		switch g.repeated {
		case counted:
			each["count"] = cty.ObjectVal(map[string]cty.Value{"index": cty.NumberIntVal(int64(i))})
		case forEach:
			forEachValue, key := r.known(body.Attributes["for_each"].Expr), cty.StringVal(b.eachKey())
			value := key
			if !forEachValue.Type().IsSetType() {
				value = forEachValue.AsValueMap()[b.eachKey()]
			}
			each["each"] = cty.ObjectVal(map[string]cty.Value{"key": key, "value": value})
		case once:
		}
		b.attrs = r.attributes(body, each)
		b.before = r.createsFirst(body)
		if after := body.Attributes["depends_on"]; after != nil {
			list, _ := hcl.ExprList(after.Expr)
			for _, reference := range list {
				b.after = append(b.after, r.group(r.address(reference)))
			}
		}
	}
}

// createsFirst reads the lifecycle block, of which the core has only create_before_destroy.
func (r *configuration) createsFirst(body *hclsyntax.Body) (before bool) {
	r.t.Helper()
	for _, inner := range body.Blocks {
		argument := inner.Body.Attributes["create_before_destroy"]
		if argument == nil || len(inner.Body.Attributes) != 1 {
			r.t.Fatalf("a block %q with anything but create_before_destroy is not for the core", inner.Type)
		}
		before = r.known(argument.Expr).True()
	}
	return before
}

// attributes are those of a block without the arguments of the language.
func (r *configuration) attributes(body *hclsyntax.Body, each map[string]cty.Value) object {
	r.t.Helper()
	for _, inner := range body.Blocks {
		if inner.Type != "lifecycle" {
			r.t.Fatalf("a block %q is not for the core", inner.Type)
		}
	}
	out := object{}
	for name, a := range body.Attributes {
		switch name {
		case "count", "for_each", "depends_on":
		case "provider":
			r.t.Fatalf("the argument %q is not for the core", name)
		default:
			out[name] = r.formula(a.Expr, each)
		}
	}
	return out
}

func (r *configuration) formula(e hclsyntax.Expression, each map[string]cty.Value) formula {
	r.t.Helper()
	f := formula{expr: e, known: map[string]cty.Value{
		"var": cty.ObjectVal(r.variables), "path": cty.ObjectVal(map[string]cty.Value{"module": cty.StringVal(r.dir)}),
	}}
	maps.Copy(f.known, each)
	for _, path := range e.Variables() {
		if _, isKnown := f.known[path.RootName()]; isKnown {
			continue
		}
		names := path[:2]
		if path.RootName() == "data" {
			names = path[:3]
		}
		if g := r.group(addressOf(names)); !slices.Contains(f.groups, g) {
			f.groups = append(f.groups, g)
		}
	}
	return f
}

func (r *configuration) group(address string) *group {
	r.t.Helper()
	g := r.groups[address]
	require.NotNil(r.t, g, "%s is not declared", address)
	return g
}

// known is the value of an expression without resources.
func (r *configuration) known(e hclsyntax.Expression) cty.Value {
	r.t.Helper()
	f := r.formula(e, nil)
	require.Empty(r.t, f.groups, "a resource in a count, a for_each, an ID or a default is not for the core")
	value, err := f.value(nil)
	require.NoError(r.t, err)
	return value
}

func (r *configuration) address(e hcl.Expression) string {
	r.t.Helper()
	path, diags := hcl.AbsTraversalForExpr(e)
	require.False(r.t, diags.HasErrors(), diags)
	return addressOf(path)
}

// output is an output of the configuration.
type output struct {
	formula
	sensitive bool
}

// outputsOf evaluates the outputs. One is absent if a resource of it is.
func (c *Workspace) outputsOf(target *target, in *scope) map[string]cty.Value {
	c.t.Helper()
	out := map[string]cty.Value{}
	for name, f := range target.outputs {
		value, err := f.value(in)
		switch {
		case err == nil:
			out[name] = value
		case !errors.Is(err, errUnplanned):
			c.t.Fatal(err)
		}
	}
	return out
}
