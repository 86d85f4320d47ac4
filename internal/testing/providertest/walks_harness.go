package providertest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"
)

// Walker is one resource instance that a single server plans, applies and reads any number of times, as with `terraform
// test` of Terraform 1.15: the server is configured once, and nothing shows where a walk ends.
type Walker struct {
	*Protocol
	typ      string
	shape    tftypes.Type
	State    tftypes.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
}

// Values are the arguments of a configuration. A nested one is a map or a list.
type Values map[string]any

func (p *Protocol) Walker(typ string) *Walker {
	p.t.Helper()
	shape := p.Schema.ResourceSchemas[typ].Block.ValueType()
	return &Walker{Protocol: p, typ: typ, shape: shape, State: tftypes.NewValue(shape, nil)}
}

// build returns a value of a type; attributes that an object lacks are null.
func (p *Protocol) build(typ tftypes.Type, v any) tftypes.Value {
	p.t.Helper()
	if v == nil || v == tftypes.UnknownValue {
		return tftypes.NewValue(typ, v)
	}
	switch typ := typ.(type) {
	case tftypes.Object:
		given, ok := v.(Values)
		require.True(p.t, ok, "%T for an object", v)
		fields := map[string]tftypes.Value{}
		for name, t := range typ.AttributeTypes {
			fields[name] = p.build(t, given[name])
		}
		return tftypes.NewValue(typ, fields)
	case tftypes.Map:
		given, ok := v.(Values)
		require.True(p.t, ok, "%T for a map", v)
		fields := map[string]tftypes.Value{}
		for name, value := range given {
			fields[name] = p.build(typ.ElementType, value)
		}
		return tftypes.NewValue(typ, fields)
	case tftypes.List:
		given, ok := v.([]any)
		require.True(p.t, ok, "%T for a list", v)
		var rows []tftypes.Value
		for _, value := range given {
			rows = append(rows, p.build(typ.ElementType, value))
		}
		return tftypes.NewValue(typ, rows)
	default:
		return tftypes.NewValue(typ, v)
	}
}

func (w *Walker) value(d *tfprotov6.DynamicValue) tftypes.Value {
	w.t.Helper()
	if d == nil {
		return tftypes.NewValue(w.shape, nil)
	}
	v, err := d.Unmarshal(w.shape)
	require.NoError(w.t, err)
	return v
}

// Step is one half of a plan.
type Step struct {
	prior, config, planned tftypes.Value
	private                []byte
}

// Plan validates and plans, with the second half of a replacement.
func (w *Walker) Plan(config Values) ([]Step, Diagnostics) {
	w.t.Helper()
	value := w.build(w.shape, nil)
	var validated Diagnostics
	if config != nil {
		value = w.build(w.shape, config)
		resp, err := w.Server.ValidateResourceConfig(w.t.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: w.typ, Config: Dynamic(value)})
		require.NoError(w.t, err)
		if validated = FromProtocol("", resp.Diagnostics); AnyErrors(validated) {
			return nil, validated
		}
	}
	first, replaces, told := w.planStep(w.State, value, w.private)
	told = append(validated, told...)
	if !replaces || AnyErrors(told) {
		return []Step{first}, told
	}
	second, _, more := w.planStep(tftypes.NewValue(w.shape, nil), value, first.private)
	told = append(told, more.errors()...) // the CLI keeps only errors
	return []Step{{prior: w.State, planned: tftypes.NewValue(w.shape, nil), private: second.private}, second}, told
}

func (w *Walker) planStep(prior, config tftypes.Value, private []byte) (Step, bool, Diagnostics) {
	w.t.Helper()
	resp, err := w.Server.PlanResourceChange(w.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: w.typ, PriorState: Dynamic(prior), Config: Dynamic(config), PriorPrivate: private, PriorIdentity: w.identity,
		ProposedNewState: Dynamic(Proposed(w.Schema.ResourceSchemas[w.typ], prior, config)),
	})
	require.NoError(w.t, err)
	told := FromProtocol("", resp.Diagnostics)
	if AnyErrors(told) {
		return Step{}, false, told
	}
	return Step{prior, config, w.value(resp.PlannedState), resp.PlannedPrivate}, len(resp.RequiresReplace) > 0, told
}

// Apply plans like the plan walk, then plans each step again and applies it.
func (w *Walker) Apply(config Values) Diagnostics {
	w.t.Helper()
	if _, told := w.Plan(config); AnyErrors(told) {
		return told
	}
	steps, told := w.Plan(config)
	if AnyErrors(told) {
		return told
	}
	for _, s := range steps {
		resp, err := w.Server.ApplyResourceChange(w.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
			TypeName: w.typ, PriorState: Dynamic(s.prior), PlannedState: Dynamic(s.planned), Config: Dynamic(s.config), PlannedPrivate: s.private, PlannedIdentity: w.identity,
		})
		require.NoError(w.t, err)
		told := FromProtocol("", resp.Diagnostics)
		w.State, w.private, w.identity = w.value(resp.NewState), resp.Private, resp.NewIdentity
		if len(told) > 0 {
			return told
		}
	}
	return nil
}

// Read upgrades the stored state and reads it, as at the beginning of each walk.
func (w *Walker) Read() Diagnostics {
	w.t.Helper()
	if w.State.IsNull() {
		return nil
	}
	raw, err := InStateFile(w.State)
	require.NoError(w.t, err)
	upgraded, err := w.Server.UpgradeResourceState(w.t.Context(), &tfprotov6.UpgradeResourceStateRequest{
		TypeName: w.typ, Version: w.Schema.ResourceSchemas[w.typ].Version, RawState: &tfprotov6.RawState{JSON: raw},
	})
	require.NoError(w.t, err)
	if len(upgraded.Diagnostics) > 0 {
		return FromProtocol("", upgraded.Diagnostics)
	}
	resp, err := w.Server.ReadResource(w.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: w.typ, CurrentState: upgraded.UpgradedState, Private: w.private, CurrentIdentity: w.identity,
	})
	require.NoError(w.t, err)
	w.State, w.private, w.identity = w.value(resp.NewState), resp.Private, resp.NewIdentity
	return FromProtocol("", resp.Diagnostics)
}

// ImportBy drops the state and imports the object with an ID.
func (w *Walker) ImportBy(id string) Diagnostics {
	w.t.Helper()
	return w.importWith(&tfprotov6.ImportResourceStateRequest{TypeName: w.typ, ID: id})
}

func (w *Walker) importWith(request *tfprotov6.ImportResourceStateRequest) Diagnostics {
	w.t.Helper()
	resp, err := w.Server.ImportResourceState(w.t.Context(), request)
	require.NoError(w.t, err)
	if len(resp.Diagnostics) > 0 {
		return FromProtocol("", resp.Diagnostics)
	}
	object := resp.ImportedResources[0]
	w.State, w.private, w.identity = w.value(object.State), object.Private, object.Identity
	return w.Read()
}

// ImportByIdentity drops the state and imports the object with an identity.
func (w *Walker) ImportByIdentity(identity map[string]string) Diagnostics {
	w.t.Helper()
	return w.importWith(&tfprotov6.ImportResourceStateRequest{TypeName: w.typ, Identity: w.identityOf(identity)})
}

// HasIdentity reports whether the last response had this identity.
func (w *Walker) HasIdentity(identity map[string]string) bool {
	w.t.Helper()
	if identity == nil || w.identity == nil {
		return identity == nil && w.identity == nil
	}
	return bytes.Equal(w.identity.IdentityData.MsgPack, w.identityOf(identity).IdentityData.MsgPack)
}

func (w *Walker) identityOf(identity map[string]string) *tfprotov6.ResourceIdentityData {
	w.t.Helper()
	shape, fields := tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}, map[string]tftypes.Value{}
	for name, value := range identity {
		shape.AttributeTypes[name], fields[name] = tftypes.String, tftypes.NewValue(tftypes.String, value)
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: Dynamic(tftypes.NewValue(shape, fields))}
}

// Store takes an object as a state file has it.
func (w *Walker) Store(attributes, private []byte, identity map[string]string) {
	w.t.Helper()
	state, err := tfprotov6.RawState{JSON: attributes}.Unmarshal(w.shape)
	require.NoError(w.t, err)
	w.State, w.private, w.identity = state, private, w.identityOf(identity)
}

// Take adopts the object of another walker.
func (w *Walker) Take(from *Walker) {
	w.State, w.private, w.identity = from.State, from.private, from.identity
}

// Unchanged reports whether a plan has no change.
func (w *Walker) Unchanged(steps []Step) bool {
	return len(steps) == 1 && steps[0].planned.Equal(w.State)
}

// Attribute is a string of the state.
func (w *Walker) Attribute(name string) string {
	w.t.Helper()
	var fields map[string]tftypes.Value
	var text string
	require.NoError(w.t, w.State.As(&fields))
	require.NoError(w.t, fields[name].As(&text))
	return text
}

// FromProtocol converts what the provider said of a resource.
func FromProtocol(address string, diags []*tfprotov6.Diagnostic) Diagnostics {
	var out Diagnostics
	for _, d := range diags {
		converted := Diagnostic{Severity: strings.ToLower(d.Severity.String()), Address: address, Summary: d.Summary, Detail: d.Detail}
		if d.Attribute != nil {
			converted.Attribute = pathOf(d.Attribute)
		}
		out = append(out, converted)
	}
	return out
}

// pathOf writes a path as a configuration does.
func pathOf(path *tftypes.AttributePath) string {
	var out strings.Builder
	for _, step := range path.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			out.WriteString("." + string(step))
		case tftypes.ElementKeyString:
			fmt.Fprintf(&out, "[%q]", string(step))
		case tftypes.ElementKeyInt:
			fmt.Fprintf(&out, "[%d]", int64(step))
		default:
			fmt.Fprintf(&out, "[%v]", step)
		}
	}
	return strings.TrimPrefix(out.String(), ".")
}

func AnyErrors(ds Diagnostics) bool {
	return slices.ContainsFunc(ds, Diagnostic.IsError)
}
