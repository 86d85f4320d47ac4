// Package coretest plans and applies as the core of Terraform does, through the provider's protocol and without a CLI: a
// test takes milliseconds. Its own tests compare the driver with the real CLI, and try random configurations.
package coretest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// summaryInconsistent is Terraform's own error if a plan differs at apply.
const summaryInconsistent = "Provider produced inconsistent final plan"

// Workspace is a configuration with its state, for tests of what a provider plans and applies. The lives of objects, and
// what options of the CLI do, are tests of the real CLI.
type Workspace struct {
	t    *testing.T
	core *core
	dir  string
	text map[string]string // by file name

	outputs map[string]cty.Value
	saved   *corePlan // nil after a plan with an error
}

var _ providertest.Workspace = (*Workspace)(nil)

// New is an empty workspace.
func New(t *testing.T, w *providertest.TestEnv) *Workspace {
	t.Helper()
	c, err := newCore(w, rand.New(rand.NewPCG(1, 2)))
	require.NoError(t, err)
	c.parallel = true
	return &Workspace{t: t, core: c, dir: t.TempDir(), text: map[string]string{}}
}

// Applied is a workspace whose configuration was applied, with what the apply has to say.
func Applied(t *testing.T, w *providertest.TestEnv, config string, said ...string) *Workspace {
	t.Helper()
	c := New(t, w)
	c.Config(config)
	c.Apply().WantOK(t, said...)
	return c
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

// Interrupt does to the provider what Ctrl-C does: it cancels the requests under way.
func (c *Workspace) Interrupt() { c.core.interrupt() }

func (c *Workspace) File(name, text string) string {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if strings.HasSuffix(name, ".tf") {
		c.text[name] = text
		return path
	}
	require.NoError(c.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func (c *Workspace) Config(text string) {
	c.t.Helper()
	c.File("main.tf", text)
}

// Plan exits like plan -detailed-exitcode.
func (c *Workspace) Plan(options ...string) providertest.Result {
	c.t.Helper()
	o := c.options(options)
	require.False(c.t, o.refreshOnly, "what a plan of a refresh says is not for the core")
	p, found := c.plan(o)
	r := resultOf(p, found)
	if r.Code == 0 && (len(r.Changes) > 0 || c.outputsChange(p)) {
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
	return resultOf(nil, c.validate(c.target()))
}

func (c *Workspace) validate(t *target) (found providertest.Diagnostics) {
	c.t.Helper()
	anything := newScope(c.core.anything)
	for _, b := range t.blocks {
		more, err := c.core.validateBlock(b, anything)
		require.NoError(c.t, err)
		found = append(found, more...)
	}
	return found
}

// Refresh takes what it reads into the state. The command of this name plans everything, unlike apply -refresh-only.
func (c *Workspace) Refresh() {
	c.t.Helper()
	p, found := c.plan(planOptions{})
	require.NotNil(c.t, p, found)
	maps.DeleteFunc(p.state, func(address string, _ *instanceState) bool { return c.core.state[address] == nil })
	c.core.state = p.state
}

// Import is the command, not the block.
func (c *Workspace) Import(address, id string) providertest.Result {
	c.t.Helper()
	b := c.target().block(address)
	require.NotNil(c.t, b, "%s is not declared", address)
	b.imports = id
	require.NoError(c.t, c.core.start())
	imported, found, err := c.core.importOne(b)
	require.NoError(c.t, err)
	switch {
	case providertest.AnyErrors(found):
	case c.core.state[address] != nil:
		found = append(found, providertest.Diagnostic{Severity: "error", Address: address, Summary: "Resource already managed by Terraform"})
	default:
		c.core.state[address] = imported
	}
	return resultOf(nil, found)
}

// CopyState takes the state of another workspace.
func (c *Workspace) CopyState(from *Workspace) {
	c.core.state = maps.Clone(from.core.state)
	c.core.late = maps.Clone(from.core.late)
}

// Taint marks an object to be replaced, or takes the mark away.
func (c *Workspace) Taint(address string, tainted bool) {
	c.t.Helper()
	c.core.state[address].tainted = tainted
}

// Store sets an attribute of an object in state, nil for null, as of a CLI that has no identities.
func (c *Workspace) Store(address, attribute string, value any) {
	c.t.Helper()
	stored := *c.core.state[address]
	var fields map[string]tftypes.Value
	require.NoError(c.t, stored.value.As(&fields))
	fields[attribute] = tftypes.NewValue(fields[attribute].Type(), value)
	stored.value, stored.identity = tftypes.NewValue(stored.value.Type(), fields), nil
	c.core.state[address] = &stored
}

// Forget drops an address from state with its deposed objects, as terraform state rm does.
func (c *Workspace) Forget(address string) {
	for in := range c.core.state {
		if addressWithout(in) == address {
			delete(c.core.state, in)
		}
	}
}

// ApplySaved applies the last plan.
func (c *Workspace) ApplySaved() providertest.Result {
	c.t.Helper()
	require.NotNil(c.t, c.saved, "there is no plan")
	return c.applySaved(c.saved, planOptions{}, nil)
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
		name, value, _ := strings.Cut(argument, "=")
		switch name {
		case "-refresh":
			o.noRefresh = value == "false"
		case "-destroy":
			o.destroy = true
		case "-refresh-only":
			o.refreshOnly = true
		case "-replace":
			o.replace = append(o.replace, value)
		case "-parallelism":
			o.concurrent, _ = strconv.Atoi(value)
		default:
			c.t.Fatalf("%s is not for the core", argument)
		}
	}
	return o
}

// plan returns nil with an error among the findings. The CLI plans nothing if a block is not valid.
func (c *Workspace) plan(o planOptions) (*corePlan, providertest.Diagnostics) {
	c.t.Helper()
	t := c.target()
	if found := c.validate(t); providertest.AnyErrors(found) {
		return nil, found
	}
	saved, found, err := c.core.Plan(t, o)
	require.NoError(c.t, err)
	for i := range found {
		if !t.declares(found[i].Address) { // the CLI shows the address where it has a block
			found[i].Address = ""
		}
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

func (c *Workspace) applySaved(p *corePlan, o planOptions, planned providertest.Diagnostics) providertest.Result {
	c.t.Helper()
	found, err := c.core.Apply(p, o)
	var broke broken
	switch {
	case errors.As(err, &broke) && broke.final != "": // the CLI says so, and applies the rest
		found = append(found, providertest.Diagnostic{Severity: "error", Address: broke.final, Summary: summaryInconsistent})
	case err != nil:
		c.t.Fatal(err)
	}
	r := resultOf(p, append(planned, found...))
	c.outputs = c.outputsOf(p.target, newScope(c.core.applied))
	if r.Code == 0 {
		n := p.counts()
		r.Out = fmt.Sprintf("%d imported, %d added, %d changed, %d destroyed\n", n.imported, n.added, n.changed, n.destroyed) + r.Out
		for _, name := range slices.Sorted(maps.Keys(c.outputs)) {
			shown := "(sensitive value)"
			if !p.target.outputs[name].sensitive {
				shown = c.Output(name)
			}
			r.Out += name + " = " + shown + "\n"
		}
	}
	return r
}

// outputsChange reports whether an apply would change an output.
func (c *Workspace) outputsChange(p *corePlan) bool {
	if p.destroy {
		return len(c.outputs) > 0
	}
	return !maps.EqualFunc(c.outputs, c.outputsOf(p.target, p.scope), cty.Value.RawEquals)
}

// Output returns an output as JSON.
func (c *Workspace) Output(name string) string {
	c.t.Helper()
	value, ok := c.outputs[name]
	require.True(c.t, ok, "no output %s", name)
	text, err := ctyjson.Marshal(value, value.Type())
	plain, unreadable := anyjson.Normalize(text) // without the escapes of HTML, as the CLI shows it
	require.NoError(c.t, errors.Join(err, unreadable))
	return string(plain)
}

// Want asserts an attribute of an object in state, or of a data source.
func (c *Workspace) Want(address, attribute string, check knownvalue.Check) {
	c.t.Helper()
	value, err := newScope(c.core.applied).value(ref{address, attribute})
	if err != nil {
		c.t.Errorf("%s has no %s: %v", address, attribute, err)
		return
	}
	text, err := ctyjson.Marshal(value, value.Type())
	require.NoError(c.t, err)
	plain, err := anyjson.Decode(text)
	require.NoError(c.t, err)
	assert.NoError(c.t, check.CheckValue(plain), "%s.%s", address, attribute)
}

func (c *Workspace) WantEmptyPlan() {
	c.t.Helper()
	r := c.Plan()
	assert.Equal(c.t, 0, r.Code, "the plan is not empty: exit code\n%s", r.Out)
}

func (c *Workspace) State() map[string]providertest.Instance {
	c.t.Helper()
	out := map[string]providertest.Instance{}
	for address, stored := range c.core.state {
		if isDeposed(address) {
			continue
		}
		var instance providertest.Instance
		text, err := providertest.InStateFile(stored.value)
		if err == nil {
			err = json.Unmarshal(text, &instance.Attributes)
		}
		require.NoError(c.t, err)
		if stored.tainted {
			instance.Status = tainted
		}
		out[address] = instance
	}
	return out
}

// resultOf has each diagnostic on a line.
func resultOf(p *corePlan, found providertest.Diagnostics) providertest.Result {
	r := providertest.Result{Diagnostics: found}
	if providertest.AnyErrors(found) {
		r.Code = 1
	} else if p != nil {
		r.Changes = p.pending()
	}
	for _, d := range found {
		r.Out += d.String() + " " + d.Attribute + "\n"
	}
	return r
}
