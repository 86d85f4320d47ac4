package coretest

import (
	"errors"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// savedPlan is a plan that can be applied.
type savedPlan interface {
	pending() []string // addresses that it would change
}

// change is the planned change of one address.
type change struct {
	block    *block // nil: destroyed
	prior    *instanceState
	planned  tftypes.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
	replaced bool
	before   bool // create_before_destroy
	imported bool
	noop     bool
}

// corePlan is a saved plan.
type corePlan struct {
	state     map[string]*instanceState // as refreshed
	late      map[string]builtIn        // their output is unknown if they change
	lateWas   map[string]builtIn
	data      map[string]tftypes.Value // unknown if the apply reads it
	scope     *scope
	changes   map[string]*change
	moved     []string // addresses in the configuration
	forgotten []string
	rejected  []string // replacements whose plan has an error
	target    *target
	before    map[string]bool // addresses that are created before they are destroyed
	testRun   bool            // its process has made another plan before, as in `terraform test`
	planOptions
}

// planOptions are the arguments of a plan.
type planOptions struct {
	destroy       bool
	beforeDestroy bool // the plan that refreshes before a plan that destroys
	noRefresh     bool
	// minimalRefresh plans before a refresh, and refreshes and plans again what that plan changes.
	minimalRefresh bool
	refreshOnly    bool
	concurrent     int // 0 is the default
	replace        []string
	// stale plans the destruction of removed blocks from the stored state, as CLIs up to 1.11 do.
	stale bool
	// sameProcess keeps the provider's process, as `terraform test` does.
	sameProcess bool
	// quiet leaves out the warnings of the plans that an apply makes.
	quiet bool
}

// summaryForgotten is the CLI's warning about removed blocks, which OpenTofu words otherwise.
const summaryForgotten = "Some objects will no longer be managed by Terraform"

// Plan refreshes and plans. A plan with an error is nil, and changes no state.
func (c *core) Plan(t *target, o planOptions) (savedPlan, providertest.Diagnostics, error) {
	testRun := o.sameProcess && !c.isKilled() && (!c.cleansUp || o.destroy) // `terraform test` destroys at its end
	c.cleansUp = o.destroy
	if !testRun {
		if err := c.start(); err != nil {
			return nil, nil, err
		}
	}
	stored := c.state
	if o.destroy && !o.noRefresh && !o.minimalRefresh && len(stored) > 0 {
		// The CLI refreshes with a plan of the configuration, of which it shows only an error, and plans the destruction
		// with another process.
		refreshing := o
		refreshing.destroy, refreshing.beforeDestroy, refreshing.replace = false, true, nil
		p, found, err := c.plan(t, refreshing, stored, testRun)
		if p == nil {
			return nil, found, err
		}
		stored, o.noRefresh = p.state, true
		if !testRun {
			if err := c.start(); err != nil {
				return nil, nil, err
			}
		}
	}
	p, found, err := c.plan(t, o, stored, testRun)
	if p == nil {
		return nil, found, err
	}
	return p, found, nil
}

func (c *core) plan(t *target, o planOptions, stored map[string]*instanceState, testRun bool) (p *corePlan, found providertest.Diagnostics, err error) {
	p = &corePlan{
		state: map[string]*instanceState{}, late: maps.Clone(c.late), lateWas: maps.Clone(c.late), data: map[string]tftypes.Value{}, changes: map[string]*change{},
		target: t, before: t.createdFirst(), testRun: testRun, planOptions: o,
	}
	p.scope = newScope(p.planned)
	c.attempted = p
	for address, object := range stored {
		to := movedTo(t, address)
		p.state[to] = object
		if to != address {
			p.moved = append(p.moved, to)
		}
	}
	err = c.walk(p.order(), o, func(address string) error {
		more, err := c.planOne(p, address)
		found = append(found, more...)
		if errors.Is(err, errUnplanned) && providertest.AnyErrors(found) {
			return nil
		}
		return err
	})
	if err != nil || providertest.AnyErrors(found) {
		return nil, found, err
	}
	if isCyclic(p.nodes()) {
		return nil, append(found, providertest.Diagnostic{Severity: "error", Summary: "Cycle"}), nil
	}
	if len(p.forgotten) > 0 {
		found = append(found, providertest.Diagnostic{Severity: "warning", Summary: summaryForgotten})
	}
	return p, found, nil
}

// order has what each block refers to; destroyed objects are anywhere.
func (p *corePlan) order() map[string][]string {
	deps := map[string][]string{}
	if !p.destroy {
		for _, b := range p.target.blocks {
			deps[b.address()] = b.references()
		}
	}
	for address := range p.state {
		if _, declared := deps[address]; !declared {
			deps[address] = nil
		}
	}
	return deps
}

func (c *core) planOne(p *corePlan, address string) (providertest.Diagnostics, error) {
	b := p.target.block(address) // a deposed object has none
	if p.destroy {
		b = nil
	}
	if b != nil && b.typ == lateType {
		if p.refreshOnly {
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
	found, err := c.load(prior, addressWithout(address))
	if err != nil || providertest.AnyErrors(found) {
		return found, err
	}
	if b != nil && prior != nil && prior.before != p.before[address] {
		same := *prior
		same.before = p.before[address]
		prior = &same
		p.state[address] = prior
	}
	importing := b != nil && prior == nil && b.imports != "" && !p.refreshOnly && !p.beforeDestroy
	if importing {
		imported, more, err := c.importOne(b)
		found = append(found, more...)
		if err != nil || imported == nil || providertest.AnyErrors(found) {
			return found, err
		}
		prior = imported
		p.state[address] = prior
	}
	stored := prior
	if p.minimalRefresh && b != nil && prior != nil && !importing {
		first, err := c.planBlock(p, b, prior, slices.Contains(p.replace, address))
		if ch := p.changes[address]; err != nil || providertest.AnyErrors(first) || ch != nil && ch.noop {
			return append(found, first...), err
		}
		delete(p.changes, address)
	}
	skipped := p.noRefresh || p.minimalRefresh && b == nil
	if prior != nil && !importing && !skipped { // an import reads by itself
		read, more, err := c.read(prior, addressWithout(address))
		found = append(found, more...)
		if err != nil || providertest.AnyErrors(found) {
			return found, err
		}
		prior = read
		p.state[address] = read
		if read.value.IsNull() {
			delete(p.state, address)
		}
	}
	if p.refreshOnly {
		return found, nil
	}
	if b == nil {
		if prior == nil {
			return found, nil
		}
		if p.target.removed[addressWithout(address)] && !p.destroy {
			p.forgotten = append(p.forgotten, address)
			return found, nil
		}
		if p.stale && !p.destroy { // an object that the read found absent is planned, but is not in the plan
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
	more, err := c.planBlock(p, b, prior, slices.Contains(p.replace, address))
	return append(found, more...), err
}

// planned is the scope of a plan.
func (p *corePlan) planned(address string) (tftypes.Value, bool) {
	if !isManaged(address) {
		return unmanaged(address, p.late, p.data)
	}
	if stored := p.state[address]; p.refreshOnly && stored != nil {
		return stored.value, true
	}
	ch, ok := p.changes[address]
	if !ok || ch.planned.IsNull() {
		return tftypes.Value{}, false
	}
	return ch.planned, true
}

// planData reads a data source, or leaves that to the apply: if its configuration is unknown, or what it depends on
// explicitly changes.
func (c *core) planData(p *corePlan, b *block) (providertest.Diagnostics, error) {
	config, found, err := c.configOf(b, p.scope)
	if err != nil || providertest.AnyErrors(found) {
		return found, err
	}
	after := map[string]bool{}
	collectGroups(b.after, after)
	for address := range after {
		if _, planned := p.planned(address); !planned && !p.refreshOnly {
			return nil, errUnplanned
		}
	}
	if !config.IsFullyKnown() || p.changesAny(after) {
		p.data[b.address()] = c.unread(b, config)
		return nil, nil
	}
	value, found, err := c.readData(b, config)
	if err == nil && !providertest.AnyErrors(found) {
		p.data[b.address()] = value
	}
	return found, err
}

// unread is what a plan knows of a data source that the apply reads: what its configuration says.
func (c *core) unread(b *block, config tftypes.Value) tftypes.Value {
	read := map[string]tftypes.Value{}
	for name, typ := range shapeOf(c.schemaOf(b)).AttributeTypes {
		read[name] = tftypes.NewValue(typ, tftypes.UnknownValue)
	}
	return providertest.Proposed(c.schemaOf(b), tftypes.NewValue(config.Type(), read), config)
}

// changesAny reports whether the plan changes what a data source depends on explicitly, or what that depends on.
func (p *corePlan) changesAny(after map[string]bool) bool {
	for left := slices.Collect(maps.Keys(after)); len(left) > 0; left = left[1:] {
		b := p.target.block(left[0])
		if b == nil {
			continue
		}
		for _, on := range b.references() {
			if !after[on] {
				after[on] = true
				left = append(left, on)
			}
		}
	}
	for address, ch := range p.changes {
		if !ch.noop && after[addressWithout(address)] {
			return true
		}
	}
	for address := range after {
		if evaluated, isLate := p.late[address]; isLate && !evaluated.output.IsKnown() {
			return true
		}
	}
	return false
}

func (c *core) planDestroy(p *corePlan, address string, prior *instanceState) (providertest.Diagnostics, error) {
	nothing := null(prior.value.Type())
	resp, err := c.ask(prior.typ, prior.value, nothing, nothing, prior.private, prior.identity)
	if err != nil {
		return nil, err
	}
	p.changes[address] = &change{prior: prior, planned: nothing, private: resp.PlannedPrivate}
	return providertest.FromProtocol(addressWithout(address), resp.Diagnostics), nil
}

// planBlock plans a declared resource: as it is, and as a create if it must be replaced. The CLI shows no warning of
// the second plan.
func (c *core) planBlock(p *corePlan, b *block, prior *instanceState, forced bool) (providertest.Diagnostics, error) {
	config, found, err := c.configOf(b, p.scope)
	if err != nil || providertest.AnyErrors(found) {
		return found, err
	}
	found, err = c.validate(b, config)
	if err != nil || providertest.AnyErrors(found) {
		return found, err
	}
	ch := &change{block: b, prior: prior, before: p.before[b.address()]}
	was, private, identity := null(config.Type()), []byte(nil), (*tfprotov6.ResourceIdentityData)(nil)
	if prior != nil && !prior.tainted {
		was, private, identity = prior.value, prior.private, prior.identity
	}
	resp, err := c.ask(b.typ, was, providertest.Proposed(c.schema(b.typ), was, config), config, private, identity)
	if err != nil {
		return found, err
	}
	found = append(found, providertest.FromProtocol(b.address(), resp.Diagnostics)...)
	if providertest.AnyErrors(found) {
		if !was.IsNull() && len(resp.RequiresReplace) > 0 {
			p.rejected = append(p.rejected, b.address())
		}
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
		second, err := c.ask(b.typ, nothing, providertest.Proposed(c.schema(b.typ), nothing, config), config, ch.private, ch.identity)
		if err != nil {
			return found, err
		}
		if again := providertest.FromProtocol(b.address(), second.Diagnostics); providertest.AnyErrors(again) {
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
	ch.imported = prior != nil && c.state[b.address()] == nil && b.imports != "" && len(p.moved) == 0
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
			out = append(out, addressWithout(address))
		}
	}
	out = append(out, p.forgotten...)
	for address, evaluated := range p.late {
		if !evaluated.output.IsKnown() || p.target.block(address) == nil {
			out = append(out, address)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
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
	for address, evaluated := range p.late {
		switch _, existed := p.lateWas[address]; {
		case p.target.block(address) == nil || p.destroy:
			n.destroyed++
		case !existed:
			n.added++
		case p.lateReplaced(address):
			n.added++
			n.destroyed++
		case !evaluated.output.IsKnown():
			n.changed++
		}
	}
	return n
}
