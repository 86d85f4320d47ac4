package providertest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// Walked is one resource instance during the walks of a CLI: its state, and what the CLI sends with each request.
// `terraform test` of 1.15 sends all walks of a file to one provider process, which is configured once.
type Walked struct {
	*Protocol
	typeName string
	Typ      tftypes.Object
	State    tftypes.Value // null: there is none
	private  []byte
	requests *int
}

// Walk is an instance of a type that is not in state.
func (p *Protocol) Walk(typeName string, requests *int) *Walked {
	p.t.Helper()
	typ, ok := p.Schema.ResourceSchemas[typeName].Block.ValueType().(tftypes.Object)
	if !ok {
		p.t.Fatal("the schema is no object")
	}
	return &Walked{Protocol: p, typeName: typeName, Typ: typ, State: tftypes.NewValue(typ, nil), requests: requests}
}

func (o *Walked) dynamic(value tftypes.Value) *tfprotov6.DynamicValue {
	o.t.Helper()
	out, err := tfprotov6.NewDynamicValue(o.Typ, value)
	if err != nil {
		o.t.Fatal(err)
	}
	return &out
}

func (o *Walked) Value(dynamic *tfprotov6.DynamicValue) tftypes.Value {
	o.t.Helper()
	out, err := dynamic.Unmarshal(o.Typ)
	if err != nil {
		o.t.Fatal(err)
	}
	return out
}

// upgrade does what a CLI does with its state file.
func (o *Walked) upgrade() {
	o.t.Helper()
	if o.State.IsNull() {
		return
	}
	raw, err := json.Marshal(plain(o.t, o.State))
	if err != nil {
		o.t.Fatal(err)
	}
	*o.requests++
	resp, err := o.Server.UpgradeResourceState(o.t.Context(), &tfprotov6.UpgradeResourceStateRequest{TypeName: o.typeName, RawState: &tfprotov6.RawState{JSON: raw}})
	if err != nil {
		o.t.Fatal(err)
	}
	o.WantNone(resp.Diagnostics)
	if got := o.Value(resp.UpgradedState); !got.Equal(o.State) {
		o.t.Errorf("the upgraded state is %s, want %s", got, o.State)
	}
}

func (o *Walked) read() {
	o.t.Helper()
	if o.State.IsNull() {
		return
	}
	*o.requests++
	resp, err := o.Server.ReadResource(o.t.Context(), &tfprotov6.ReadResourceRequest{TypeName: o.typeName, CurrentState: o.dynamic(o.State), Private: o.private})
	if err != nil {
		o.t.Fatal(err)
	}
	o.WantNone(resp.Diagnostics)
	o.State, o.private = o.Value(resp.NewState), resp.Private
}

// change sends the requests of a plan of one instance.
func (o *Walked) change(prior, config tftypes.Value, private []byte) (*tfprotov6.PlanResourceChangeResponse, []string) {
	o.t.Helper()
	if !config.IsNull() {
		*o.requests++
		validated, err := o.Server.ValidateResourceConfig(o.t.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: o.typeName, Config: o.dynamic(config)})
		if err != nil {
			o.t.Fatal(err)
		}
		o.WantNone(validated.Diagnostics)
	}
	*o.requests++
	resp, err := o.Server.PlanResourceChange(o.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: o.typeName, PriorState: o.dynamic(prior), ProposedNewState: o.dynamic(proposed(o.t, o.Schema.ResourceSchemas[o.typeName], prior, config)),
		Config: o.dynamic(config), PriorPrivate: private,
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return resp, told(resp.Diagnostics)
}

// Plan is the walk of `terraform plan`, or of a run block that only plans; a null
// configuration is a destroy.
func (o *Walked) Plan(config tftypes.Value) (planned *tfprotov6.PlanResourceChangeResponse, said []string) {
	o.t.Helper()
	o.upgrade()
	o.read()
	return o.change(o.State, config, o.private)
}

// Apply is the next walk: Terraform plans a create or an update once more, but not a destroy.
func (o *Walked) Apply(config tftypes.Value, planned *tfprotov6.PlanResourceChangeResponse) (said []string) {
	o.t.Helper()
	o.upgrade()
	if !config.IsNull() {
		if planned, said = o.change(o.State, config, o.private); slices.ContainsFunc(planned.Diagnostics, IsError) {
			return said
		}
	}
	*o.requests++
	resp, err := o.Server.ApplyResourceChange(o.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: o.typeName, PriorState: o.dynamic(o.State), PlannedState: planned.PlannedState, Config: o.dynamic(config), PlannedPrivate: planned.PlannedPrivate,
	})
	if err != nil {
		o.t.Fatal(err)
	}
	o.State, o.private = o.Value(resp.NewState), resp.Private
	return append(said, told(resp.Diagnostics)...)
}

func IsError(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityError }

func told(diags []*tfprotov6.Diagnostic) []string {
	said := []string{}
	for _, d := range diags {
		said = append(said, fmt.Sprintf("%s: %s\n%s", d.Severity, d.Summary, d.Detail))
	}
	return said
}

// proposed merges configuration and prior state as a CLI does, if no computed nested attribute is omitted.
func proposed(t *testing.T, schema *tfprotov6.Schema, prior, config tftypes.Value) tftypes.Value {
	t.Helper()
	if config.IsNull() {
		return config
	}
	var wanted, was map[string]tftypes.Value
	if err := config.As(&wanted); err != nil {
		t.Fatal(err)
	}
	if !prior.IsNull() {
		if err := prior.As(&was); err != nil {
			t.Fatal(err)
		}
	}
	wanted = maps.Clone(wanted) // it is the configuration's own
	for _, a := range schema.Block.Attributes {
		switch value := wanted[a.Name]; {
		case !a.Computed || !value.IsNull():
		case was != nil:
			wanted[a.Name] = was[a.Name]
		default:
			wanted[a.Name] = tftypes.NewValue(value.Type(), tftypes.UnknownValue)
		}
	}
	return tftypes.NewValue(config.Type(), wanted)
}

// Typed is a value of a type: maps, lists, texts, numbers and booleans, as in JSON; attributes that are not named are
// null.
func Typed(t *testing.T, typ tftypes.Type, given any) tftypes.Value {
	t.Helper()
	switch given := given.(type) {
	case map[string]any:
		out := map[string]tftypes.Value{}
		if of, ok := typ.(tftypes.Object); ok {
			for name, inner := range of.AttributeTypes {
				out[name] = Typed(t, inner, given[name])
			}
			return tftypes.NewValue(typ, out)
		}
		for name, inner := range given {
			out[name] = Typed(t, typ.(tftypes.Map).ElementType, inner)
		}
		return tftypes.NewValue(typ, out)
	case []any:
		out := []tftypes.Value{}
		for _, inner := range given {
			out = append(out, Typed(t, typ.(tftypes.List).ElementType, inner))
		}
		return tftypes.NewValue(typ, out)
	default:
		return tftypes.NewValue(typ, given)
	}
}

// plain is the reverse, for JSON.
func plain(t *testing.T, value tftypes.Value) any {
	t.Helper()
	var (
		fields map[string]tftypes.Value
		rows   []tftypes.Value
		text   string
		flag   bool
		number big.Float
	)
	switch {
	case value.IsNull():
		return nil
	case value.As(&text) == nil:
		return text
	case value.As(&flag) == nil:
		return flag
	case value.As(&number) == nil:
		return json.Number(number.Text('g', -1))
	case value.As(&fields) == nil:
		out := map[string]any{}
		for name, inner := range fields {
			out[name] = plain(t, inner)
		}
		return out
	case value.As(&rows) == nil:
		out := []any{}
		for _, inner := range rows {
			out = append(out, plain(t, inner))
		}
		return out
	}
	t.Fatalf("%s has no JSON", value)
	return nil
}

// Configured is a server of this test environment that is configured once.
func (w *SigningEnv) Configured() *Protocol {
	w.T.Helper()
	w.Env.Set("RESELLER_SIGNING_URL", simulator.SigningURL)
	w.Env.Set("RESELLER_SIGNING_API_KEY", w.Sim.SigningAPIKey())
	return w.Protocol()
}
