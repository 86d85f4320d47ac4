package coretest

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Walker is one resource instance that a single server plans, applies and reads any number of times, as with `terraform
// test` of Terraform 1.15: the server is configured once, and nothing shows where a walk ends.
type Walker struct {
	t            *testing.T
	core         *core
	typ, address string
}

func NewWalker(t *testing.T, p *providertest.Protocol, typ string) *Walker {
	t.Helper()
	c := newIdleCore(rand.New(rand.NewPCG(1, 2)))
	c.server, c.shapes = p.Server, p.Schema
	return &Walker{t, c, typ, typ + ".it"}
}

// Plan validates and plans, with the second half of a replacement. It reads nothing.
func (w *Walker) Plan(config providertest.Values) (unchanged bool, told providertest.Diagnostics) {
	w.t.Helper()
	p, told := w.PlanFor(config, false)
	return p != nil && len(p.pending()) == 0, told
}

// WalkerPlan is a plan that another process may apply.
type WalkerPlan struct {
	*corePlan
	address string
}

// Planned and Private are those of the object, which the plan changes.
func (p *WalkerPlan) Planned() tftypes.Value { return p.changes[p.address].planned }

func (p *WalkerPlan) Private() []byte { return p.changes[p.address].private }

// PlanFor plans, also with -replace; nil after an error.
func (w *Walker) PlanFor(config providertest.Values, replaced bool) (*WalkerPlan, providertest.Diagnostics) {
	w.t.Helper()
	o := planOptions{noRefresh: true, quiet: true}
	if replaced {
		o.replace = []string{w.address}
	}
	p, told := w.plan(config, o)
	if p == nil {
		return nil, told
	}
	return &WalkerPlan{p, w.address}, told
}

func (w *Walker) ApplyPlan(p *WalkerPlan) providertest.Diagnostics {
	w.t.Helper()
	told, err := w.core.Apply(p.corePlan, p.planOptions)
	require.NoError(w.t, err)
	return told
}

func (w *Walker) plan(config providertest.Values, o planOptions) (*corePlan, providertest.Diagnostics) {
	w.t.Helper()
	to := &target{}
	if config != nil {
		to.blocks = []*block{{typ: w.typ, name: "it", attrs: config}}
	}
	o.sameProcess = true
	saved, told, err := w.core.Plan(to, o)
	require.NoError(w.t, err)
	p, _ := saved.(*corePlan)
	return p, told
}

// Apply plans twice, as the plan walk and the apply do, and returns what the apply says.
func (w *Walker) Apply(config providertest.Values) providertest.Diagnostics {
	w.t.Helper()
	p, told := w.PlanFor(config, false)
	if p == nil {
		return told
	}
	return w.ApplyPlan(p)
}

// Read upgrades the stored state and reads it, as at the beginning of each walk.
func (w *Walker) Read() providertest.Diagnostics {
	w.t.Helper()
	p, told := w.plan(nil, planOptions{refreshOnly: true})
	if p != nil {
		w.core.state = p.state
	}
	return told
}

// ImportBy drops the state and imports the object with an ID.
func (w *Walker) ImportBy(id string) providertest.Diagnostics {
	w.t.Helper()
	return w.importOne(&block{typ: w.typ, imports: id})
}

// ImportByIdentity drops the state and imports the object with an identity.
func (w *Walker) ImportByIdentity(identity map[string]string) providertest.Diagnostics {
	w.t.Helper()
	return w.importOne(&block{typ: w.typ, identity: identityOf(identity)})
}

func (w *Walker) importOne(b *block) providertest.Diagnostics {
	w.t.Helper()
	imported, told, err := w.core.importOne(b)
	require.NoError(w.t, err)
	w.core.state = map[string]*instanceState{}
	if imported != nil {
		w.core.state[w.address] = imported
	}
	return told
}

// HasIdentity reports whether the last response had this identity.
func (w *Walker) HasIdentity(identity map[string]string) bool {
	stored := w.core.state[w.address].identity
	if identity == nil || stored == nil {
		return identity == nil && stored == nil
	}
	return bytes.Equal(stored.IdentityData.MsgPack, identityOf(identity).IdentityData.MsgPack)
}

func identityOf(identity map[string]string) *tfprotov6.ResourceIdentityData {
	shape, fields := tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}, map[string]tftypes.Value{}
	for name, value := range identity {
		shape.AttributeTypes[name], fields[name] = tftypes.String, tftypes.NewValue(tftypes.String, value)
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: providertest.Dynamic(tftypes.NewValue(shape, fields))}
}

// Store takes an object as a state file has it.
func (w *Walker) Store(attributes, private []byte, identity map[string]string) {
	w.t.Helper()
	value, err := tfprotov6.RawState{JSON: attributes}.Unmarshal(w.core.schema(w.typ).ValueType())
	require.NoError(w.t, err)
	w.Set(value, private, identityOf(identity))
}

func (w *Walker) Set(value tftypes.Value, private []byte, identity *tfprotov6.ResourceIdentityData) {
	w.core.state[w.address] = &instanceState{typ: w.typ, value: value, private: private, identity: identity}
}

func (w *Walker) Taint() { w.core.state[w.address].tainted = true }

// Private and Identity are those of the object in state.
func (w *Walker) Private() []byte { return w.core.state[w.address].private }

func (w *Walker) Identity() *tfprotov6.ResourceIdentityData { return w.core.state[w.address].identity }

// Take adopts the object of another walker.
func (w *Walker) Take(from *Walker) { w.core.state = maps.Clone(from.core.state) }

// State is the object in state, or null.
func (w *Walker) State() tftypes.Value {
	if stored := w.core.state[w.address]; stored != nil {
		return stored.value
	}
	return null(w.core.schema(w.typ).ValueType())
}
