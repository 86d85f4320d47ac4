package coretest

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Apply applies a saved plan in a new process.
func (c *core) Apply(saved savedPlan, o planOptions) (found providertest.Diagnostics, err error) {
	p, ok := saved.(*corePlan)
	if !ok {
		return nil, fmt.Errorf("%T is no plan", saved)
	}
	if !o.sameProcess || c.isKilled() {
		if err := c.start(); err != nil {
			return nil, err
		}
	}
	c.hasApplied = true
	c.halted.Store(false)
	c.state, c.data = p.state, p.data
	if p.refreshOnly {
		return nil, nil
	}
	for _, address := range p.forgotten {
		delete(c.state, address)
	}
	maps.DeleteFunc(c.late, func(address string, _ builtIn) bool { return p.destroy || p.target.block(address) == nil })
	run := &coreRun{core: c, plan: p, scope: newScope(c.applied), waits: p.nodes(), failed: map[string]bool{}, deposes: map[string]string{}}
	err = c.walk(run.waits, o, run.do)
	if err != nil {
		run.found = append(run.found, providertest.Diagnostic{Severity: "error", Summary: "Bug", Detail: err.Error()})
	}
	return run.found, err
}

// Errors of the CLI.
const (
	summaryKilled = "Plugin did not respond"
	summaryHalted = "Execution halted"
)

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
	isNode := func(node string) bool { _, ok := deps[node]; return ok }
	for address, ch := range p.changes {
		if ch.prior == nil {
			continue
		}
		for _, on := range ch.prior.deps {
			switch {
			case isNode(making+on) && p.lateReplaced(on) && isNode(destroying+address):
				if !p.createdFirst(address) {
					deps[making+on] = append(deps[making+on], destroying+address)
				}
			case !isNode(destroying + on):
			case isNode(destroying + address):
				deps[destroying+on] = append(deps[destroying+on], destroying+address)
				if p.createdFirst(on) && isNode(making+address) {
					deps[destroying+on] = append(deps[destroying+on], making+address)
				}
			case p.createdFirst(on):
				deps[destroying+on] = append(deps[destroying+on], making+address)
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
		switch {
		case !isNode(destroying + address):
		case p.createdFirst(address):
			deps[destroying+address] = append(deps[destroying+address], node)
		default:
			deps[node] = append(deps[node], destroying+address)
		}
		if b := p.target.block(address); b != nil {
			for _, on := range b.references() {
				if isNode(making + on) {
					deps[node] = append(deps[node], making+on)
				}
			}
		}
	}
	return deps
}

// createdFirst reports whether an object that is destroyed waits for the creates. What is no longer in the configuration
// is as the state has it.
func (p *corePlan) createdFirst(address string) bool {
	ch := p.changes[address]
	switch {
	case ch == nil:
		return false
	case ch.block != nil:
		return ch.before
	default:
		return ch.prior.before
	}
}

// deferred reports whether the apply reads a data source.
func (p *corePlan) deferred(b *block) bool {
	value, planned := p.data[b.address()]
	return b.isData && planned && !value.IsFullyKnown()
}

func (ch *change) destroys() bool { return ch.block == nil || ch.replaced }

// coreRun is an apply in progress.
type coreRun struct {
	*core
	plan   *corePlan
	scope  *scope
	waits  map[string][]string // the nodes before each node
	found  providertest.Diagnostics
	failed map[string]bool // nodes
	// deposes are the objects that a create of this apply replaces, by its address.
	deposes map[string]string
}

func (r *coreRun) do(node string) error {
	for _, on := range r.waits[node] {
		if r.failed[on] {
			r.failed[node] = true
			return nil
		}
	}
	s := &step{coreRun: r}
	if r.halted.Load() {
		r.failed[node] = true
		r.found = append(r.found, providertest.Diagnostic{Severity: "error", Summary: summaryHalted, Detail: node})
		return nil
	}
	err := s.do(node)
	if errors.Is(err, errKilled) { // the state stays as it was, and a create has left none
		s.found, err = append(s.found, providertest.Diagnostic{Severity: "error", Summary: summaryKilled, Detail: node}), nil
	}
	r.found = append(r.found, s.found...)
	if err != nil || providertest.AnyErrors(s.found) {
		r.failed[node] = true
	}
	return err
}

// step is a node of an apply.
type step struct {
	*coreRun
	found providertest.Diagnostics
}

func (s *step) do(node string) error {
	if address, destroys := strings.CutPrefix(node, destroying); destroys {
		return s.destroy(address)
	}
	address := strings.TrimPrefix(node, making)
	b := s.plan.target.block(address)
	if b.typ == lateType {
		evaluated, err := builtInOf(b, s.scope)
		if err != nil {
			return broken{what: "the apply lacks what the plan had: " + err.Error()}
		}
		s.late[address] = evaluated
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
	if err != nil || providertest.AnyErrors(found) {
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
	if err == nil && !providertest.AnyErrors(found) {
		s.data[b.address()] = value
	}
	return err
}

// applied is the scope of an apply.
func (c *core) applied(address string) (tftypes.Value, bool) {
	if !isManaged(address) {
		return unmanaged(address, c.late, c.data)
	}
	stored, ok := c.state[address]
	if !ok {
		return tftypes.Value{}, false
	}
	return stored.value, true
}

func (s *step) destroy(address string) error {
	ch := s.plan.changes[address]
	private := ch.private // of the create, in a replacement
	if ch.block != nil && ch.before {
		address = s.deposes[address]
	}
	stored := s.state[address]
	if stored == nil {
		return nil
	}
	if more, err := s.load(stored, addressWithout(address)); err != nil || providertest.AnyErrors(more) {
		s.found = append(s.found, more...)
		return err
	}
	nothing := null(stored.value.Type())
	if isDeposed(address) { // the destroy of a deposed object is planned again
		resp, err := s.ask(stored.typ, stored.value, nothing, nothing, stored.private, stored.identity)
		if err != nil {
			return err
		}
		private = resp.PlannedPrivate
		more := providertest.FromProtocol(addressWithout(address), resp.Diagnostics)
		if !s.plan.quiet || providertest.AnyErrors(more) {
			s.found = append(s.found, more...)
		}
		if providertest.AnyErrors(more) {
			return nil
		}
	}
	next, err := s.applyChange(addressWithout(address), stored, stored.value, nothing, nothing, private, stored.identity)
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

// applyChange is one ApplyResourceChange.
func (s *step) applyChange(
	address string, stored *instanceState, prior, planned, config tftypes.Value, private []byte, identity *tfprotov6.ResourceIdentityData,
) (*instanceState, error) {
	resp, err := call(s.core, s.server.ApplyResourceChange, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: stored.typ, PriorState: providertest.Dynamic(prior), PlannedState: providertest.Dynamic(planned), Config: providertest.Dynamic(config), PlannedPrivate: private, PlannedIdentity: identity,
	})
	if err != nil {
		return nil, err
	}
	s.found = append(s.found, providertest.FromProtocol(address, resp.Diagnostics)...)
	value, err := resp.NewState.Unmarshal(planned.Type())
	if err != nil {
		return nil, err
	}
	out := *stored
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
	stored := &instanceState{typ: b.typ, value: null(config.Type())}
	if ch.replaced && ch.before {
		s.depose(b.address())
		defer s.restore(b.address())
	}
	if current := s.state[b.address()]; current != nil {
		more, err := s.load(current, b.address())
		if s.found = append(s.found, more...); err != nil || providertest.AnyErrors(more) {
			return err
		}
		stored = current
	}
	found, err := s.validate(b, config)
	s.found = append(s.found, found...)
	if err != nil || providertest.AnyErrors(s.found) {
		return err
	}
	resp, err := s.ask(b.typ, stored.value, providertest.Proposed(s.schema(b.typ), stored.value, config), config, stored.private, stored.identity)
	if err != nil {
		return err
	}
	if more := providertest.FromProtocol(b.address(), resp.Diagnostics); !s.plan.quiet || providertest.AnyErrors(more) {
		s.found = append(s.found, more...)
	}
	if providertest.AnyErrors(s.found) {
		return nil
	}
	planned, err := resp.PlannedState.Unmarshal(config.Type())
	if err != nil {
		return err
	}
	switch err := honors(ch.planned, planned, b.address()); {
	case err != nil && b.typ == "reseller_members" && !ch.planned.IsFullyKnown():
		// The members were known after apply, and are others than in state. The repeated plan cannot distinguish that from a change
		// that was planned, so the CLI is the one that does.
		s.found = append(s.found, providertest.Diagnostic{Severity: "error", Address: b.address(), Summary: summaryInconsistent, Detail: err.Error()})
		return nil
	case err != nil:
		return broken{what: "the final plan is inconsistent: " + err.Error(), final: b.address()}
	}
	if !stored.value.IsNull() && replaces(resp.RequiresReplace, stored.value, planned) {
		return broken{what: "the final plan replaces what the plan did not"}
	}
	next, err := s.applyChange(b.address(), stored, stored.value, planned, config, resp.PlannedPrivate, resp.PlannedIdentity)
	if err != nil {
		return err
	}
	return s.keep(b, stored, next, planned, providertest.AnyErrors(s.found))
}

// keep writes the result of an apply to state. An object whose create failed is tainted.
func (s *step) keep(b *block, stored, next *instanceState, planned tftypes.Value, failed bool) error {
	next.deps, next.before = b.references(), s.plan.before[b.address()]
	created := stored.value.IsNull()
	switch {
	case failed && created && next.value.IsNull():
		delete(s.state, b.address())
		return nil
	case failed && created:
		next.tainted = true
	case next.value.IsNull() && !failed:
		return broken{what: "the new state is null, without an error"}
	case next.value.IsNull():
		next = stored
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
