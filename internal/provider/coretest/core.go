package coretest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
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

// movedTo follows the moved blocks.
func (t *target) movedTo(address string) string {
	for to, has := t.moved[address]; has; to, has = t.moved[address] {
		address = to
	}
	return address
}

// savedPlan is a plan that can be applied.
type savedPlan interface {
	pending() []string // addresses that it would change
}

// core drives the protocol server as the CLI does, in milliseconds instead of seconds: it refreshes, plans with unknown
// values, keeps the plan, and applies it in the order of the dependencies. Its functions say what they copy from the
// CLI; some walks of the real CLI check it.
type core struct {
	// mu is held by who runs the driver, but not during a call of the provider.
	mu       sync.Mutex
	parallel bool // 10 at a time; otherwise one after another, in a random order

	w      *providertest.TestEnv
	shapes *tfprotov6.GetProviderSchemaResponse
	config *tfprotov6.DynamicValue
	server tfprotov6.ProviderServer
	rand   *rand.Rand
	state  map[string]*instanceState
	late   map[string]builtIn
	data   map[string]tftypes.Value // data sources, as last read
}

// instanceState is an object in state.
type instanceState struct {
	typ      string
	value    tftypes.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
	tainted  bool
	deps     []string
}

// finding is a diagnostic with the resource it belongs to.
type finding struct {
	address, summary, detail string
	isError                  bool
	attribute                string // path
}

// change is the planned change of one address.
type change struct {
	block    *block // nil: destroyed
	prior    *instanceState
	planned  tftypes.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
	replaced bool
	imported bool
	noop     bool
}

// corePlan is a saved plan.
type corePlan struct {
	state     map[string]*instanceState // as refreshed
	late      map[string]builtIn        // their output is unknown if they change
	before    map[string]builtIn
	data      map[string]tftypes.Value // unknown if the apply reads it
	scope     *scope
	changes   map[string]*change
	moved     []string // addresses in the configuration
	forgotten []string
	target    *target
	planOptions
}

// planOptions are the arguments of a plan.
type planOptions struct {
	destroy     bool
	noRefresh   bool
	refreshOnly bool
	concurrent  int // 0 is the default
	replace     []string
	// stale plans the destruction of removed blocks from the stored state, as CLIs up to 1.11 do.
	stale bool
	// sameProcess keeps the provider's process, as `terraform test` does.
	sameProcess bool
}

const (
	lateType   = "terraform_data"
	dataPrefix = "data."
)

func newCore(w *providertest.TestEnv, random *rand.Rand) (*core, error) {
	c := &core{w: w, rand: random, state: map[string]*instanceState{}, late: map[string]builtIn{}, data: map[string]tftypes.Value{}}
	c.mu.Lock()
	if err := c.start(); err != nil {
		return nil, err
	}
	return c, nil
}

// shapes are the schemas, which are the same in each process.
var shapes = sync.OnceValues(func() (*tfprotov6.GetProviderSchemaResponse, error) {
	return provider.NewServer("test")().GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
})

// start is a new process of the provider.
func (c *core) start() error {
	ctx := context.Background()
	server, err := c.w.Server()
	if err != nil {
		return err
	}
	c.server = server
	if c.shapes == nil {
		if c.shapes, err = shapes(); err != nil {
			return err
		}
		if err := c.configureWith(object{
			"base_url": simulator.BaseURL, "api_key": c.w.APIKey(),
			"signing": object{"url": simulator.SigningURL, "user_api_key": c.w.Sim.SigningAPIKey()},
		}); err != nil {
			return err
		}
	}
	resp, err := c.server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{TerraformVersion: "1.14.0", Config: c.config})
	if err != nil {
		return err
	}
	return firstError(resp.Diagnostics)
}

// configureWith sets the provider block of the processes that start later.
func (c *core) configureWith(settings object) error {
	typ := c.shapes.Provider.ValueType()
	value, err := evaluate(withNulls(settings, typ), typ, newScope(func(string) (tftypes.Value, bool) { return tftypes.Value{}, false }))
	if err != nil {
		return err
	}
	c.config, err = dynamic(value)
	return err
}

func firstError(diags []*tfprotov6.Diagnostic) error {
	for _, d := range diags {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			return fmt.Errorf("%s: %s", d.Summary, d.Detail)
		}
	}
	return nil
}

// withNulls adds the attributes of nested objects that a configuration omits.
func withNulls(e expression, typ tftypes.Type) expression {
	switch e := e.(type) {
	case object:
		out := object{}
		if shape, ok := typ.(tftypes.Object); ok {
			for name := range shape.AttributeTypes {
				out[name] = nil
			}
		}
		for name, inner := range e {
			out[name] = withNulls(inner, elementType(typ, name, 0))
		}
		return out
	case list:
		out := list{}
		for i, inner := range e {
			out = append(out, withNulls(inner, elementType(typ, "", i)))
		}
		return out
	default:
		return e
	}
}

func (c *core) schema(typ string) *tfprotov6.Schema { return c.shapes.ResourceSchemas[typ] }

// broken is a bug of the provider, with any configuration.
type broken struct {
	what  string
	final string // address whose final plan differs from the plan
}

func (b broken) Error() string { return b.what }

// guarded runs calls of the provider; a panic is a bug.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = broken{what: fmt.Sprintf("panic: %v\n%s", r, debug.Stack())}
		}
	}()
	return f()
}

// call is a call of the provider, during which the others of the walk continue.
func call[Req, Resp any](c *core, of func(context.Context, *Req) (*Resp, error), req *Req) (*Resp, error) {
	c.mu.Unlock()
	defer c.mu.Lock()
	return of(context.Background(), req)
}

func findings(address string, diags []*tfprotov6.Diagnostic) []finding {
	var out []finding
	for _, d := range diags {
		f := finding{address: address, summary: d.Summary, detail: d.Detail, isError: d.Severity == tfprotov6.DiagnosticSeverityError}
		if d.Attribute != nil {
			f.attribute = d.Attribute.String()
		}
		out = append(out, f)
	}
	return out
}

func hasError(fs []finding) bool {
	return slices.ContainsFunc(fs, func(f finding) bool { return f.isError })
}

func dynamic(v tftypes.Value) (*tfprotov6.DynamicValue, error) {
	out, err := tfprotov6.NewDynamicValue(v.Type(), v)
	return &out, err
}

func null(typ tftypes.Type) tftypes.Value { return tftypes.NewValue(typ, nil) }

// Plan refreshes and plans. A plan with an error is nil, and changes no state.
func (c *core) Plan(t *target, o planOptions) (saved savedPlan, found []finding, err error) {
	if !o.sameProcess {
		if err := c.start(); err != nil {
			return nil, nil, err
		}
	}
	p := &corePlan{
		state: map[string]*instanceState{}, late: maps.Clone(c.late), before: maps.Clone(c.late), data: map[string]tftypes.Value{}, changes: map[string]*change{},
		target: t, planOptions: o,
	}
	p.scope = newScope(p.planned)
	for address, is := range c.state {
		p.state[t.movedTo(address)] = is
		if to := t.movedTo(address); to != address {
			p.moved = append(p.moved, to)
		}
	}
	err = c.walk(c.planOrder(t, p, o), o, func(address string) error {
		more, err := c.planOne(p, address, o)
		found = append(found, more...)
		if errors.Is(err, errUnplanned) && hasError(found) {
			return nil
		}
		return err
	})
	if err != nil || hasError(found) {
		return nil, found, err
	}
	return p, found, nil
}

// planOrder has what each block refers to; destroyed objects are anywhere.
func (c *core) planOrder(t *target, p *corePlan, o planOptions) map[string][]string {
	deps := map[string][]string{}
	for _, b := range t.blocks {
		deps[b.address()] = b.references()
	}
	if o.destroy {
		deps = map[string][]string{}
	}
	for address := range p.state {
		if _, declared := deps[address]; !declared {
			deps[address] = nil
		}
	}
	return deps
}

// walk visits everything after its dependencies. It continues after an error.
func (c *core) walk(deps map[string][]string, o planOptions, visit func(name string) error) error {
	guardedVisit := func(name string) error {
		if err := guarded(func() error { return visit(name) }); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	order := c.sorted(deps)
	if !c.parallel || o.concurrent == 1 {
		for _, name := range order {
			if err := guardedVisit(name); err != nil {
				return err
			}
		}
		return nil
	}
	visited := map[string]chan struct{}{}
	for name := range deps {
		visited[name] = make(chan struct{})
	}
	slots := semaphore.NewWeighted(int64(cmp.Or(o.concurrent, 10)))
	var group errgroup.Group
	for _, name := range order {
		group.Go(func() error {
			defer close(visited[name])
			for _, on := range deps[name] {
				if done, node := visited[on]; node {
					<-done
				}
			}
			if err := slots.Acquire(context.Background(), 1); err != nil {
				return err
			}
			defer slots.Release(1)
			c.mu.Lock()
			defer c.mu.Unlock()
			return guardedVisit(name)
		})
	}
	c.mu.Unlock()
	defer c.mu.Lock()
	return group.Wait()
}

// sorted is a random order in which everything follows its dependencies.
func (c *core) sorted(deps map[string][]string) []string {
	var out []string
	done := map[string]bool{}
	left := slices.Sorted(maps.Keys(deps))
	for len(left) > 0 {
		var ready []int
		for i, name := range left {
			if !slices.ContainsFunc(deps[name], func(d string) bool { _, node := deps[d]; return node && !done[d] }) {
				ready = append(ready, i)
			}
		}
		if len(ready) == 0 {
			panic("the configuration depends on itself: " + strings.Join(left, ", "))
		}
		i := ready[c.rand.IntN(len(ready))]
		done[left[i]] = true
		out = append(out, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return out
}

func (c *core) planOne(p *corePlan, address string, o planOptions) ([]finding, error) {
	b := p.target.block(address)
	if o.destroy {
		b = nil
	}
	if b != nil && b.typ == lateType {
		if o.refreshOnly {
			return nil, nil
		}
		return nil, p.planLate(b)
	}
	if b != nil && b.isData {
		return c.planData(p, b)
	}
	prior := p.state[address]
	if prior != nil && prior.typ == lateType {
		return nil, nil
	}
	found, err := c.load(prior, address)
	if err != nil || hasError(found) {
		return found, err
	}
	if b != nil && prior == nil && b.imports != "" && !o.refreshOnly {
		imported, diags, err := c.importOne(b)
		found = append(found, findings(address, diags)...)
		if err != nil || imported == nil || hasError(found) {
			return found, err
		}
		prior = imported
		p.state[address] = prior
	}
	stored := prior
	if prior != nil && !o.noRefresh {
		read, diags, err := c.read(prior)
		found = append(found, findings(address, diags)...)
		if err != nil || hasError(found) {
			return found, err
		}
		prior = read
		p.state[address] = read
		if read.value.IsNull() {
			delete(p.state, address)
		}
	}
	if o.refreshOnly {
		return found, nil
	}
	if b == nil {
		if prior == nil {
			return found, nil
		}
		if p.target.removed[address] && !o.destroy {
			p.forgotten = append(p.forgotten, address)
			return found, nil
		}
		if o.stale && !o.destroy { // an object that the read found absent is planned, but is not in the plan
			more, err := c.planDestroy(p, address, stored)
			if prior.value.IsNull() {
				delete(p.changes, address)
			}
			return append(found, more...), err
		}
		if prior.value.IsNull() {
			return found, nil
		}
		more, err := c.planDestroy(p, address, prior)
		return append(found, more...), err
	}
	more, err := c.planBlock(p, b, prior, slices.Contains(o.replace, address))
	return append(found, more...), err
}

// builtIn is a terraform_data.
type builtIn struct{ output, triggers tftypes.Value }

// builtInOf evaluates a terraform_data.
func builtInOf(b *block, in *scope) (is builtIn, err error) {
	e := b.attrs["input"]
	if is.output, err = evaluate(e, tftypes.DynamicPseudoType, in); err != nil {
		return is, err
	}
	if is.output.Type().Is(tftypes.DynamicPseudoType) {
		is.output = tftypes.NewValue(objectType(e), primitive(e))
	}
	is.triggers, err = evaluate(b.attrs["triggers_replace"], tftypes.DynamicPseudoType, in)
	return is, err
}

// planLate plans a built-in resource: its output is known only if it does not change.
func (p *corePlan) planLate(b *block) error {
	now, err := builtInOf(b, p.scope)
	if errors.Is(err, errUnplanned) {
		delete(p.late, b.address())
		return nil
	}
	same := func(before, now tftypes.Value) bool {
		return before.IsFullyKnown() && now.IsFullyKnown() && before.Type().Equal(now.Type()) && before.Equal(now)
	}
	before, has := p.late[b.address()]
	if !has || !same(before.output, now.output) || !same(before.triggers, now.triggers) {
		now.output = tftypes.NewValue(now.output.Type(), tftypes.UnknownValue)
	}
	p.late[b.address()] = now
	return err
}

// planned is the scope of a plan.
func (p *corePlan) planned(address string) (tftypes.Value, bool) {
	if strings.HasPrefix(address, lateType+".") {
		is, ok := p.late[address]
		if !ok {
			return tftypes.Value{}, false
		}
		return is.object(), true
	}
	if strings.HasPrefix(address, dataPrefix) {
		value, ok := p.data[address]
		return value, ok
	}
	if is := p.state[address]; p.refreshOnly && is != nil {
		return is.value, true
	}
	ch, ok := p.changes[address]
	if !ok || ch.planned.IsNull() {
		return tftypes.Value{}, false
	}
	return ch.planned, true
}

// object is what others refer to.
func (is builtIn) object() tftypes.Value {
	typ := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"output": is.output.Type()}}
	return tftypes.NewValue(typ, map[string]tftypes.Value{"output": is.output})
}

// planData reads a data source, or leaves that to the apply: if its configuration is unknown, or what it depends on
// explicitly changes.
func (c *core) planData(p *corePlan, b *block) ([]finding, error) {
	config, found, err := c.configOf(b, p.scope)
	if err != nil || hasError(found) {
		return found, err
	}
	after := map[string]bool{}
	collectGroups(b.after, after)
	if !config.IsFullyKnown() || slices.ContainsFunc(p.pending(), func(address string) bool { return after[address] }) {
		p.data[b.address()] = tftypes.NewValue(config.Type(), tftypes.UnknownValue)
		return nil, nil
	}
	value, found, err := c.readData(b, config)
	if err == nil && !hasError(found) {
		p.data[b.address()] = value
	}
	return found, err
}

func (c *core) readData(b *block, config tftypes.Value) (read tftypes.Value, found []finding, err error) {
	diags, err := c.validateData(b.typ, config)
	if found = findings(b.address(), diags); err != nil || hasError(found) {
		return read, found, err
	}
	value, err := dynamic(config)
	if err != nil {
		return read, found, err
	}
	resp, err := call(c, c.server.ReadDataSource, &tfprotov6.ReadDataSourceRequest{TypeName: b.typ, Config: value})
	if err != nil {
		return read, found, err
	}
	if found = append(found, findings(b.address(), resp.Diagnostics)...); hasError(found) {
		return read, found, nil
	}
	read, err = resp.State.Unmarshal(config.Type())
	if err == nil && !read.IsFullyKnown() {
		err = broken{what: "what was read has unknown values: " + read.String()}
	}
	return read, found, err
}

// load passes an object of the state through the provider, as the CLI does before it uses it.
func (c *core) load(is *instanceState, address string) ([]finding, error) {
	if is == nil {
		return nil, nil
	}
	text, err := inStateFile(is.value)
	if err != nil {
		return nil, err
	}
	resp, err := call(c, c.server.UpgradeResourceState, &tfprotov6.UpgradeResourceStateRequest{
		TypeName: is.typ, Version: c.schema(is.typ).Version, RawState: &tfprotov6.RawState{JSON: text},
	})
	if err != nil {
		return nil, err
	}
	found := findings(address, resp.Diagnostics)
	if hasError(found) {
		return found, nil
	}
	upgraded, err := resp.UpgradedState.Unmarshal(is.value.Type())
	if err == nil && !upgraded.Equal(is.value) {
		err = broken{what: "an object of the present schema was upgraded to another one"}
	}
	return found, err
}

// inStateFile is an object as the state file has it, with the types of dynamic values.
func inStateFile(v tftypes.Value) ([]byte, error) {
	shape, err := toLanguage(null(v.Type()))
	if err != nil {
		return nil, err
	}
	value, err := toLanguage(v)
	if err != nil {
		return nil, err
	}
	return ctyjson.Marshal(value, shape.Type())
}

func (c *core) read(is *instanceState) (*instanceState, []*tfprotov6.Diagnostic, error) {
	current, err := dynamic(is.value)
	if err != nil {
		return nil, nil, err
	}
	resp, err := call(c, c.server.ReadResource, &tfprotov6.ReadResourceRequest{
		TypeName: is.typ, CurrentState: current, Private: is.private, CurrentIdentity: is.identity,
	})
	if err != nil {
		return nil, nil, err
	}
	value, err := resp.NewState.Unmarshal(is.value.Type())
	if err != nil {
		return nil, resp.Diagnostics, err
	}
	out := *is
	out.value, out.private, out.identity = value, resp.Private, resp.NewIdentity
	return &out, resp.Diagnostics, nil
}

func (c *core) importOne(b *block) (*instanceState, []*tfprotov6.Diagnostic, error) {
	resp, err := call(c, c.server.ImportResourceState, &tfprotov6.ImportResourceStateRequest{TypeName: b.typ, ID: b.imports})
	if err != nil || len(resp.ImportedResources) == 0 {
		return nil, resp.Diagnostics, err
	}
	one := resp.ImportedResources[0]
	value, err := one.State.Unmarshal(c.schema(b.typ).ValueType())
	if err != nil {
		return nil, nil, err
	}
	is := &instanceState{typ: b.typ, value: value, private: one.Private, identity: one.Identity, deps: b.references()}
	read, diags, err := c.read(is)
	if err == nil && firstError(diags) == nil && read.value.IsNull() {
		return nil, append(diags, &tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverityError, Summary: "Cannot import non-existent remote object"}), nil
	}
	return read, append(resp.Diagnostics, diags...), err
}

func (c *core) planDestroy(p *corePlan, address string, prior *instanceState) ([]finding, error) {
	nothing := null(prior.value.Type())
	resp, err := c.ask(prior.typ, prior.value, nothing, nothing, prior.private, prior.identity)
	if err != nil {
		return nil, err
	}
	p.changes[address] = &change{prior: prior, planned: nothing, private: resp.PlannedPrivate}
	return findings(address, resp.Diagnostics), nil
}

// ask is one PlanResourceChange.
func (c *core) ask(typ string, prior, proposed, config tftypes.Value, private []byte, identity *tfprotov6.ResourceIdentityData) (*tfprotov6.PlanResourceChangeResponse, error) {
	req := &tfprotov6.PlanResourceChangeRequest{TypeName: typ, PriorPrivate: private, PriorIdentity: identity}
	for into, value := range map[**tfprotov6.DynamicValue]tftypes.Value{&req.PriorState: prior, &req.ProposedNewState: proposed, &req.Config: config} {
		v, err := dynamic(value)
		if err != nil {
			return nil, err
		}
		*into = v
	}
	return call(c, c.server.PlanResourceChange, req)
}

// configOf evaluates a block. An error of the language is found.
func (c *core) configOf(b *block, in *scope) (tftypes.Value, []finding, error) {
	schema := c.schemaOf(b)
	config, err := evaluate(withNulls(b.attrs, schema.ValueType()), schema.ValueType(), in)
	if err == nil {
		err = missing(schema.Block.Attributes, members(config), "argument")
	}
	if wrong := (languageError{}); errors.As(err, &wrong) {
		return config, []finding{{address: b.address(), summary: wrong.summary, detail: wrong.detail, isError: true}}, nil
	}
	return config, nil, err
}

// validateBlock validates what the configuration says of a resource or of a data source.
func (c *core) validateBlock(b *block, in *scope) ([]finding, error) {
	if b.typ == lateType {
		return nil, nil
	}
	config, found, err := c.configOf(b, in)
	if err != nil || hasError(found) {
		return found, err
	}
	of := c.validate
	if b.isData {
		of = c.validateData
	}
	diags, err := of(b.typ, config)
	return findings(b.address(), diags), err
}

// anything is the scope of a validation.
func (c *core) anything(string) (tftypes.Value, bool) {
	return tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue), true
}

func (c *core) schemaOf(b *block) *tfprotov6.Schema {
	if b.isData {
		return c.shapes.DataSourceSchemas[b.typ]
	}
	return c.schema(b.typ)
}

func (c *core) validateData(typ string, config tftypes.Value) ([]*tfprotov6.Diagnostic, error) {
	value, err := dynamic(config)
	if err != nil {
		return nil, err
	}
	resp, err := call(c, c.server.ValidateDataResourceConfig, &tfprotov6.ValidateDataResourceConfigRequest{TypeName: typ, Config: value})
	if err != nil {
		return nil, err
	}
	return resp.Diagnostics, nil
}

func (c *core) validate(typ string, config tftypes.Value) ([]*tfprotov6.Diagnostic, error) {
	value, err := dynamic(config)
	if err != nil {
		return nil, err
	}
	resp, err := call(c, c.server.ValidateResourceConfig, &tfprotov6.ValidateResourceConfigRequest{TypeName: typ, Config: value})
	if err != nil {
		return nil, err
	}
	return resp.Diagnostics, nil
}

// planBlock plans a declared resource: as it is, and as a create if it must be replaced. The CLI shows no warning of
// the second plan.
func (c *core) planBlock(p *corePlan, b *block, prior *instanceState, forced bool) ([]finding, error) {
	config, found, err := c.configOf(b, p.scope)
	if err != nil || hasError(found) {
		return found, err
	}
	diags, err := c.validate(b.typ, config)
	found = findings(b.address(), diags)
	if err != nil || hasError(found) {
		return found, err
	}
	ch := &change{block: b, prior: prior}
	was, private, identity := null(config.Type()), []byte(nil), (*tfprotov6.ResourceIdentityData)(nil)
	if prior != nil && !prior.tainted {
		was, private, identity = prior.value, prior.private, prior.identity
	}
	resp, err := c.ask(b.typ, was, proposedState(c.schema(b.typ), was, config), config, private, identity)
	if err != nil {
		return found, err
	}
	found = append(found, findings(b.address(), resp.Diagnostics)...)
	if hasError(found) {
		return found, nil
	}
	ch.planned, err = resp.PlannedState.Unmarshal(config.Type())
	if err != nil {
		return found, err
	}
	ch.private, ch.identity = resp.PlannedPrivate, resp.PlannedIdentity
	ch.replaced = !was.IsNull() && (forced || replaces(resp.RequiresReplace, was, ch.planned))
	if ch.replaced {
		nothing := null(config.Type())
		second, err := c.ask(b.typ, nothing, proposedState(c.schema(b.typ), nothing, config), config, ch.private, ch.identity)
		if err != nil {
			return found, err
		}
		if again := findings(b.address(), second.Diagnostics); hasError(again) {
			return append(found, again...), nil
		}
		if ch.planned, err = second.PlannedState.Unmarshal(config.Type()); err != nil {
			return found, err
		}
		ch.private, ch.identity = second.PlannedPrivate, second.PlannedIdentity
	}
	if prior != nil && prior.tainted {
		ch.replaced = true
	}
	if prior != nil && prior.value.IsNull() { // the read found it absent
		ch.prior = nil
	}
	ch.imported = prior != nil && c.state[b.address()] == nil && b.imports != "" && len(p.target.moved) == 0
	ch.noop = ch.prior != nil && !ch.replaced && ch.planned.Equal(prior.value)
	p.changes[b.address()] = ch
	return found, nil
}

// replaces reports whether a path that requires a replacement has another value.
func replaces(paths []*tftypes.AttributePath, was, planned tftypes.Value) bool {
	for _, path := range paths {
		before, _, errBefore := tftypes.WalkAttributePath(was, path)
		after, _, errAfter := tftypes.WalkAttributePath(planned, path)
		a, isValue := before.(tftypes.Value)
		b, isToo := after.(tftypes.Value)
		if errBefore != nil || errAfter != nil || !isValue || !isToo || !a.Equal(b) {
			return true
		}
	}
	return false
}

// pending reports whether a plan has changes.
func (p *corePlan) pending() []string {
	var out []string
	for address, ch := range p.changes {
		if !ch.noop || ch.imported || slices.Contains(p.moved, address) {
			out = append(out, address)
		}
	}
	out = append(out, p.forgotten...)
	for address, is := range p.late {
		if !is.output.IsKnown() || p.target.block(address) == nil {
			out = append(out, address)
		}
	}
	slices.Sort(out)
	return out
}

// lateReplaced reports whether a built-in resource is destroyed and created.
func (p *corePlan) lateReplaced(address string) bool {
	before, had := p.before[address]
	now, has := p.late[address]
	return had && has && !now.triggers.Equal(before.triggers)
}

// counts are the numbers in the last line of a plan or an apply.
type counts struct{ imported, added, changed, destroyed int }

func (p *corePlan) counts() (n counts) {
	for _, ch := range p.changes {
		if ch.imported {
			n.imported++
		}
		switch {
		case ch.block == nil:
			n.destroyed++
		case ch.replaced:
			n.added++
			n.destroyed++
		case ch.noop:
		case ch.prior == nil:
			n.added++
		default:
			n.changed++
		}
	}
	for address, is := range p.late {
		switch _, has := p.before[address]; {
		case p.target.block(address) == nil || p.destroy:
			n.destroyed++
		case !has:
			n.added++
		case p.lateReplaced(address):
			n.added++
			n.destroyed++
		case !is.output.IsKnown():
			n.changed++
		}
	}
	return n
}

// Apply applies a saved plan in a new process.
func (c *core) Apply(saved savedPlan, o planOptions) (found []finding, err error) {
	p, ok := saved.(*corePlan)
	if !ok {
		return nil, fmt.Errorf("%T is no plan", saved)
	}
	if !o.sameProcess {
		if err := c.start(); err != nil {
			return nil, err
		}
	}
	c.state, c.data = p.state, p.data
	if p.refreshOnly {
		return nil, nil
	}
	for _, address := range p.forgotten {
		delete(c.state, address)
	}
	maps.DeleteFunc(c.late, func(address string, _ builtIn) bool { return p.destroy || p.target.block(address) == nil })
	run := &coreRun{core: c, plan: p, scope: newScope(c.applied), waits: p.nodes(), failed: map[string]bool{}}
	err = c.walk(run.waits, o, run.do)
	if err != nil {
		run.found = append(run.found, finding{summary: "Bug", detail: err.Error(), isError: true})
	}
	return run.found, err
}

const (
	destroying = "destroy "
	making     = "make "
)

// nodes are the operations of an apply with their dependencies. A destroy waits for the destroys of what depended on
// it; a create waits for what it refers to, and for the destroy of what it referred to before.
func (p *corePlan) nodes() map[string][]string {
	deps := map[string][]string{}
	for address, ch := range p.changes {
		if ch.block != nil {
			deps[making+address] = nil
		}
		if ch.destroys() {
			deps[destroying+address] = nil
		}
	}
	for _, b := range p.target.blocks {
		if (b.typ == lateType || p.deferred(b)) && !p.destroy {
			deps[making+b.address()] = nil
		}
	}
	has := func(node string) bool { _, ok := deps[node]; return ok }
	for address, ch := range p.changes {
		if ch.prior == nil {
			continue
		}
		for _, on := range ch.prior.deps {
			switch {
			case has(making+on) && p.lateReplaced(on) && has(destroying+address):
				deps[making+on] = append(deps[making+on], destroying+address)
			case !has(destroying + on):
			case has(destroying + address):
				deps[destroying+on] = append(deps[destroying+on], destroying+address)
			default:
				deps[making+address] = append(deps[making+address], destroying+on)
			}
		}
	}
	for node := range deps {
		address, isMade := strings.CutPrefix(node, making)
		if !isMade {
			continue
		}
		if has(destroying + address) {
			deps[node] = append(deps[node], destroying+address)
		}
		if b := p.target.block(address); b != nil {
			for _, on := range b.references() {
				if has(making + on) {
					deps[node] = append(deps[node], making+on)
				}
			}
		}
	}
	return deps
}

// deferred reports whether the apply reads a data source.
func (p *corePlan) deferred(b *block) bool {
	value, planned := p.data[b.address()]
	return b.isData && planned && !value.IsKnown()
}

func (ch *change) destroys() bool { return ch.block == nil || ch.replaced }

// coreRun is an apply in progress.
type coreRun struct {
	*core
	plan   *corePlan
	scope  *scope
	waits  map[string][]string // the nodes before each node
	found  []finding
	failed map[string]bool // nodes
}

func (r *coreRun) do(node string) error {
	for _, on := range r.waits[node] {
		if r.failed[on] {
			r.failed[node] = true
			return nil
		}
	}
	s := &step{coreRun: r}
	err := s.do(node)
	r.found = append(r.found, s.found...)
	if err != nil || hasError(s.found) {
		r.failed[node] = true
	}
	return err
}

// step is a node of an apply.
type step struct {
	*coreRun
	found []finding
}

func (s *step) do(node string) error {
	if address, is := strings.CutPrefix(node, destroying); is {
		return s.destroy(address)
	}
	address := strings.TrimPrefix(node, making)
	b := s.plan.target.block(address)
	if b.typ == lateType {
		is, err := builtInOf(b, s.scope)
		if err != nil {
			return broken{what: "the apply lacks what the plan had: " + err.Error()}
		}
		s.late[address] = is
		return nil
	}
	if b.isData {
		return s.readDeferred(b)
	}
	return s.make(b, s.plan.changes[address])
}

// lastConfig has what is known after the plan.
func (s *step) lastConfig(b *block) (tftypes.Value, error) {
	config, found, err := s.configOf(b, s.scope)
	if err != nil || hasError(found) {
		return config, broken{what: fmt.Sprintf("the apply lacks what the plan had: %v %v", err, found)}
	}
	return config, nil
}

func (s *step) readDeferred(b *block) error {
	config, err := s.lastConfig(b)
	if err != nil {
		return err
	}
	value, found, err := s.readData(b, config)
	s.found = append(s.found, found...)
	if err == nil && !hasError(found) {
		s.data[b.address()] = value
	}
	return err
}

// applied is the scope of an apply.
func (c *core) applied(address string) (tftypes.Value, bool) {
	if strings.HasPrefix(address, lateType+".") {
		is, ok := c.late[address]
		if !ok {
			return tftypes.Value{}, false
		}
		return is.object(), true
	}
	if strings.HasPrefix(address, dataPrefix) {
		value, ok := c.data[address]
		return value, ok
	}
	is, ok := c.state[address]
	if !ok {
		return tftypes.Value{}, false
	}
	return is.value, true
}

func (s *step) destroy(address string) error {
	ch := s.plan.changes[address]
	is := s.state[address]
	if is == nil {
		return nil
	}
	if more, err := s.load(is, address); err != nil || hasError(more) {
		s.found = append(s.found, more...)
		return err
	}
	nothing := null(is.value.Type())
	next, err := s.send(address, is, is.value, nothing, nothing, ch.private, is.identity) // of the create, in a replacement
	if err != nil {
		return err
	}
	if next.value.IsNull() {
		delete(s.state, address)
		return nil
	}
	s.state[address] = next
	return nil
}

// send is one ApplyResourceChange.
func (s *step) send(address string, is *instanceState, prior, planned, config tftypes.Value, private []byte, identity *tfprotov6.ResourceIdentityData) (*instanceState, error) {
	req := &tfprotov6.ApplyResourceChangeRequest{TypeName: is.typ, PlannedPrivate: private, PlannedIdentity: identity}
	for into, value := range map[**tfprotov6.DynamicValue]tftypes.Value{&req.PriorState: prior, &req.PlannedState: planned, &req.Config: config} {
		v, err := dynamic(value)
		if err != nil {
			return nil, err
		}
		*into = v
	}
	resp, err := call(s.core, s.server.ApplyResourceChange, req)
	if err != nil {
		return nil, err
	}
	s.found = append(s.found, findings(address, resp.Diagnostics)...)
	value, err := resp.NewState.Unmarshal(planned.Type())
	if err != nil {
		return nil, err
	}
	out := *is
	out.value, out.private, out.identity = value, resp.Private, resp.NewIdentity
	if !value.IsFullyKnown() {
		return &out, broken{what: "the new state has unknown values: " + value.String()}
	}
	return &out, nil
}

// make creates or updates: it plans once more with the values that are known now, and applies.
func (s *step) make(b *block, ch *change) error {
	if ch == nil {
		return nil
	}
	if ch.noop {
		s.state[b.address()].deps = b.references()
		return nil
	}
	config, err := s.lastConfig(b)
	if err != nil {
		return err
	}
	is := &instanceState{typ: b.typ, value: null(config.Type())}
	if current := s.state[b.address()]; current != nil {
		more, err := s.load(current, b.address())
		if s.found = append(s.found, more...); err != nil || hasError(more) {
			return err
		}
		is = current
	}
	diags, err := s.validate(b.typ, config)
	s.found = append(s.found, findings(b.address(), diags)...)
	if err != nil || hasError(s.found) {
		return err
	}
	resp, err := s.ask(b.typ, is.value, proposedState(s.schema(b.typ), is.value, config), config, is.private, is.identity)
	if err != nil {
		return err
	}
	s.found = append(s.found, findings(b.address(), resp.Diagnostics)...)
	if hasError(s.found) {
		return nil
	}
	planned, err := resp.PlannedState.Unmarshal(config.Type())
	if err != nil {
		return err
	}
	if err := honors(ch.planned, planned, b.address()); err != nil {
		return broken{what: "the final plan is inconsistent: " + err.Error(), final: b.address()}
	}
	if !is.value.IsNull() && replaces(resp.RequiresReplace, is.value, planned) {
		return broken{what: "the final plan replaces what the plan did not"}
	}
	next, err := s.send(b.address(), is, is.value, planned, config, resp.PlannedPrivate, resp.PlannedIdentity)
	if err != nil {
		return err
	}
	return s.keep(b, is, next, planned, hasError(s.found))
}

// keep writes the result of an apply to state. An object whose create failed is tainted.
func (s *step) keep(b *block, is, next *instanceState, planned tftypes.Value, failed bool) error {
	next.deps = b.references()
	created := is.value.IsNull()
	switch {
	case failed && created && next.value.IsNull():
		delete(s.state, b.address())
		return nil
	case failed && created:
		next.tainted = true
	case next.value.IsNull() && !failed:
		return broken{what: "the new state is null, without an error"}
	case next.value.IsNull():
		next = is
	}
	s.state[b.address()] = next
	if failed {
		return nil
	}
	if err := honors(planned, next.value, b.address()); err != nil {
		return broken{what: "the result is inconsistent with the plan: " + err.Error()}
	}
	return nil
}

// instances are the managed objects in state.
func (c *core) instances() map[string]map[string]any {
	out := map[string]map[string]any{}
	for address, is := range c.state {
		out[address], _ = asInState(is.value).(map[string]any)
	}
	return out
}
