package provider_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// walked is one resource instance that a CLI carries through its walks: what it
// has in state, and what it sends with each request. `terraform test` of 1.15
// sends all walks of a file to one provider process, which is configured once.
type walked struct {
	*protocol
	typeName string
	typ      tftypes.Object
	state    tftypes.Value // null: there is none
	private  []byte
	requests *int
}

// walk is an instance of a type that is not in state.
func (p *protocol) walk(typeName string, requests *int) *walked {
	p.t.Helper()
	typ, ok := p.schema.ResourceSchemas[typeName].Block.ValueType().(tftypes.Object)
	if !ok {
		p.t.Fatal("the schema is no object")
	}
	return &walked{protocol: p, typeName: typeName, typ: typ, state: tftypes.NewValue(typ, nil), requests: requests}
}

func (o *walked) dynamic(value tftypes.Value) *tfprotov6.DynamicValue {
	o.t.Helper()
	out, err := tfprotov6.NewDynamicValue(o.typ, value)
	if err != nil {
		o.t.Fatal(err)
	}
	return &out
}

func (o *walked) value(dynamic *tfprotov6.DynamicValue) tftypes.Value {
	o.t.Helper()
	out, err := dynamic.Unmarshal(o.typ)
	if err != nil {
		o.t.Fatal(err)
	}
	return out
}

// upgrade is what a CLI does with what it reads from its state file.
func (o *walked) upgrade() {
	o.t.Helper()
	if o.state.IsNull() {
		return
	}
	raw, err := json.Marshal(plain(o.t, o.state))
	if err != nil {
		o.t.Fatal(err)
	}
	*o.requests++
	resp, err := o.server.UpgradeResourceState(o.t.Context(), &tfprotov6.UpgradeResourceStateRequest{TypeName: o.typeName, RawState: &tfprotov6.RawState{JSON: raw}})
	if err != nil {
		o.t.Fatal(err)
	}
	o.wantNone(resp.Diagnostics)
	if got := o.value(resp.UpgradedState); !got.Equal(o.state) {
		o.t.Errorf("the upgraded state is %s, want %s", got, o.state)
	}
}

func (o *walked) read() {
	o.t.Helper()
	if o.state.IsNull() {
		return
	}
	*o.requests++
	resp, err := o.server.ReadResource(o.t.Context(), &tfprotov6.ReadResourceRequest{TypeName: o.typeName, CurrentState: o.dynamic(o.state), Private: o.private})
	if err != nil {
		o.t.Fatal(err)
	}
	o.wantNone(resp.Diagnostics)
	o.state, o.private = o.value(resp.NewState), resp.Private
}

// change sends what leads to a plan of one instance.
func (o *walked) change(prior, config tftypes.Value, private []byte) (*tfprotov6.PlanResourceChangeResponse, []string) {
	o.t.Helper()
	if !config.IsNull() {
		*o.requests++
		validated, err := o.server.ValidateResourceConfig(o.t.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: o.typeName, Config: o.dynamic(config)})
		if err != nil {
			o.t.Fatal(err)
		}
		o.wantNone(validated.Diagnostics)
	}
	*o.requests++
	resp, err := o.server.PlanResourceChange(o.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: o.typeName, PriorState: o.dynamic(prior), ProposedNewState: o.dynamic(proposed(o.t, o.schema.ResourceSchemas[o.typeName], prior, config)),
		Config: o.dynamic(config), PriorPrivate: private,
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return resp, told(resp.Diagnostics)
}

// plan is the walk of `terraform plan`, or of a run block that only plans; a null
// configuration is a destroy.
func (o *walked) plan(config tftypes.Value) (planned *tfprotov6.PlanResourceChangeResponse, said []string) {
	o.t.Helper()
	o.upgrade()
	o.read()
	return o.change(o.state, config, o.private)
}

// planTainted is the only plan that a tainted instance gets.
func (o *walked) planTainted(config tftypes.Value) (said []string) {
	o.t.Helper()
	o.upgrade()
	o.read()
	_, said = o.change(tftypes.NewValue(o.typ, nil), config, nil)
	return said
}

// apply is the walk that follows: a create or an update is planned once more, a
// destroy is not.
func (o *walked) apply(config tftypes.Value, planned *tfprotov6.PlanResourceChangeResponse) (said []string) {
	o.t.Helper()
	o.upgrade()
	if !config.IsNull() {
		if planned, said = o.change(o.state, config, o.private); slices.ContainsFunc(planned.Diagnostics, isError) {
			return said
		}
	}
	*o.requests++
	resp, err := o.server.ApplyResourceChange(o.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: o.typeName, PriorState: o.dynamic(o.state), PlannedState: planned.PlannedState, Config: o.dynamic(config), PlannedPrivate: planned.PlannedPrivate,
	})
	if err != nil {
		o.t.Fatal(err)
	}
	o.state, o.private = o.value(resp.NewState), resp.Private
	return append(said, told(resp.Diagnostics)...)
}

func isError(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityError }

func told(diags []*tfprotov6.Diagnostic) []string {
	said := []string{}
	for _, d := range diags {
		said = append(said, fmt.Sprintf("%s: %s\n%s", d.Severity, d.Summary, d.Detail))
	}
	return said
}

// proposed is a CLI's merge of configuration and prior state, where no nested
// attribute that is computed is left out.
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

// typed is a value of a type: maps, lists, texts, numbers and truths, as JSON
// has them; what is not named is null.
func typed(t *testing.T, typ tftypes.Type, given any) tftypes.Value {
	t.Helper()
	switch given := given.(type) {
	case map[string]any:
		out := map[string]tftypes.Value{}
		if of, ok := typ.(tftypes.Object); ok {
			for name, inner := range of.AttributeTypes {
				out[name] = typed(t, inner, given[name])
			}
			return tftypes.NewValue(typ, out)
		}
		for name, inner := range given {
			out[name] = typed(t, typ.(tftypes.Map).ElementType, inner)
		}
		return tftypes.NewValue(typ, out)
	case []any:
		out := []tftypes.Value{}
		for _, inner := range given {
			out = append(out, typed(t, typ.(tftypes.List).ElementType, inner))
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

// configured is a server of this world that is configured once.
func (w *signed) configured() *protocol {
	w.t.Helper()
	w.env.set("RESELLER_SIGNING_URL", simulator.SigningURL)
	w.env.set("RESELLER_SIGNING_API_KEY", w.sim.SigningAPIKey())
	return w.protocol()
}

// walkedCall is a one-time call: its configuration, and another one.
type walkedCall struct {
	typeName   string
	one, other func(w *signed, round int) map[string]any
}

func walkedCalls(file string) map[string]walkedCall {
	document := func(title string) func(*signed, int) map[string]any {
		return func(*signed, int) map[string]any {
			return map[string]any{
				"domain": acmeHost, "owner_email": "ada@acme.example", "title": title, "file_path": file, "require_notarisation": false, "viewers": []any{},
				"signers": []any{map[string]any{
					"email": bobEmail, "first_name": "Bob", "last_name": "Byte", "sign_order": 1,
					"annotations": []any{map[string]any{
						"type": "Signature", "content": "Signature", "is_verified": false,
						"style": map[string]any{"x": 10, "y": 20.5, "width": 120, "height": 40, "page": 1},
					}},
				}},
			}
		}
	}
	asset := func(name string) func(*signed, int) map[string]any {
		return func(*signed, int) map[string]any {
			return map[string]any{"file_path": file, "unit_name": "TERMS", "asset_name": name, "nft_standard": "ARC3", "store_on_ipfs": false}
		}
	}
	signing := func(domain string) func(*signed, int) map[string]any {
		return func(w *signed, round int) map[string]any {
			d := w.sim.Documents()[round]
			return map[string]any{"doc_id": d.ID, "domain": domain, "annotations": map[string]any{d.Signers[0].Annotations[0].ID: w.signature()}}
		}
	}
	return map[string]walkedCall{
		"upload": {"reseller_document", document("Terms"), document("Other terms")},
		"mint":   {"reseller_minted_document", asset("Acme terms 2026"), asset("Acme terms 2027")},
		"sign":   {"reseller_document_signing", signing("acme.example"), signing("sign.acme.example")},
	}
}

func termsFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "terms.pdf")
	if err := os.WriteFile(file, onePage("Terms"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const walkRounds = 4

// TestWalks_Signing drives one server through many walks in the order of a CLI.
// Each round is the same, so that whatever one left behind, in memory or in a
// marker, would show in the next one as another warning or as a false error.
func TestWalks_Signing(t *testing.T) {
	t.Parallel()
	file := termsFile(t)
	for name, call := range walkedCalls(file) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newSigned(t)
			if name == "sign" {
				for i := range walkRounds {
					w.withDocument(replaced(t, minimalDocument, `"Terms"`, fmt.Sprintf(`"Terms %d"`, i)))
				}
			}
			route := onceCalls()[name].route
			w.sim.ResetJournal()
			p, requests := w.configured(), 0
			first := map[string][]string{}
			same := func(step string, said []string) {
				t.Helper()
				for i := range said {
					for _, d := range w.sim.Documents() { // each round signs another one
						said[i] = strings.ReplaceAll(said[i], d.ID, "ID")
					}
				}
				if before, ok := first[step]; ok && !slices.Equal(said, before) {
					t.Errorf("%s: said %q, in the first round %q", step, said, before)
				}
				first[step] = said
			}
			for round := range walkRounds {
				o := p.walk(call.typeName, &requests)
				one, other, none := typed(t, o.typ, call.one(w, round)), typed(t, o.typ, call.other(w, round)), tftypes.NewValue(o.typ, nil)
				plan := func(step string, config tftypes.Value, errors int) *tfprotov6.PlanResourceChangeResponse {
					t.Helper()
					planned, said := o.plan(config)
					same(step, said)
					if n := countErrors(planned.Diagnostics); n != errors {
						t.Errorf("round %d, %s: %q", round, step, said)
					}
					return planned
				}
				planned := plan("plan", one, 0)
				plan("plan with other values", other, 0)
				plan("plan", one, 0)
				same("apply", o.apply(one, planned))
				if o.state.IsNull() || w.calls(route) != round+1 {
					t.Fatalf("round %d: sent %d times, state %s", round, w.calls(route), o.state)
				}
				if planned := plan("plan without changes", one, 0); !o.value(planned.PlannedState).Equal(o.state) {
					t.Errorf("round %d: the plan is not empty", round)
				}
				plan("plan of a change", other, 1)
				plan("plan without changes", one, 0)
				if said := o.planTainted(one); len(said) != 2 || !strings.Contains(said[0], "Object is already in state") {
					t.Errorf("round %d, tainted: %q", round, said)
				}
				plan("plan without changes", one, 0)
				planned = plan("plan of a destroy", none, 0)
				same("destroy", o.apply(none, planned))
				if !o.state.IsNull() {
					t.Errorf("round %d: state %s", round, o.state)
				}
			}
			if len(first["plan"]) != 1 || len(first["plan without changes"]) != 0 || len(first["apply"]) != 1 || len(first["plan of a destroy"]) != 1 || len(first["destroy"]) != 0 {
				t.Errorf("said %q", first)
			}
			if err := w.wantCalls(map[string]int{route: walkRounds}); err != nil {
				t.Error(err)
			}
			wantMarkers(t, w.operationsDir(), 0)
			t.Logf("%d rounds of %d walks, %d requests, %d API calls", walkRounds, 12, requests, walkRounds)
		})
	}
}

func countErrors(diags []*tfprotov6.Diagnostic) (n int) {
	for _, d := range diags {
		if isError(d) {
			n++
		}
	}
	return n
}

// Two states with the same document in one process: the second one is planned
// and applied with a warning while the first is there, and without one after it
// is gone.
func TestWalks_TwoStates(t *testing.T) {
	t.Parallel()
	file := termsFile(t)
	for name, call := range walkedCalls(file) {
		if name == "sign" {
			continue // an annotation is signed once; the API rejects the second
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newSigned(t)
			p, requests := w.configured(), 0
			a, b := p.walk(call.typeName, &requests), p.walk(call.typeName, &requests)
			config, none := typed(t, a.typ, call.one(w, 0)), tftypes.NewValue(a.typ, nil)
			planned, said := a.plan(config)
			if len(said) != 1 {
				t.Errorf("the first: %q", said)
			}
			a.apply(config, planned)
			planned, said = b.plan(config)
			if len(said) != 2 || countErrors(planned.Diagnostics) != 0 {
				t.Errorf("beside the first: %q", said)
			}
			destroy, _ := a.plan(none)
			a.apply(none, destroy)
			if planned, said = b.plan(config); len(said) != 1 {
				t.Errorf("after the first: %q", said)
			}
			b.apply(config, planned)
			if b.state.IsNull() {
				t.Error("the second is not in state")
			}
		})
	}
}
