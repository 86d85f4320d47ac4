package document_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// walkedCall is a one-time call: its configuration, and another one.
type walkedCall struct {
	typeName   string
	one, other func(w *providertest.SigningEnv, round int) map[string]any
}

func walkedCalls(file string) map[string]walkedCall {
	document := func(title string) func(*providertest.SigningEnv, int) map[string]any {
		return func(*providertest.SigningEnv, int) map[string]any {
			return map[string]any{
				"domain": providertest.AcmeHost, "owner_email": "ada@acme.example", "title": title, "file_path": file, "require_notarisation": false, "viewers": []any{},
				"signers": []any{map[string]any{
					"email": providertest.BobEmail, "first_name": "Bob", "last_name": "Byte", "sign_order": 1,
					"annotations": []any{map[string]any{
						"type": "Signature", "content": "Signature", "is_verified": false,
						"style": map[string]any{"x": 10, "y": 20.5, "width": 120, "height": 40, "page": 1},
					}},
				}},
			}
		}
	}
	asset := func(name string) func(*providertest.SigningEnv, int) map[string]any {
		return func(*providertest.SigningEnv, int) map[string]any {
			return map[string]any{"file_path": file, "unit_name": "TERMS", "asset_name": name, "nft_standard": "ARC3", "store_on_ipfs": false}
		}
	}
	signing := func(domain string) func(*providertest.SigningEnv, int) map[string]any {
		return func(w *providertest.SigningEnv, round int) map[string]any {
			d := w.Sim.Documents()[round]
			return map[string]any{"doc_id": d.ID, "domain": domain, "annotations": map[string]any{d.Signers[0].Annotations[0].ID: w.Signature()}}
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
	if err := os.WriteFile(file, providertest.OnePage("Terms"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const walkRounds = 4

// TestWalks_Signing drives one server through many walks in the order of a CLI. Each round is the same, so that
// anything left in memory or in a marker would cause another warning or a false error in the next one.
func TestWalks_Signing(t *testing.T) {
	t.Parallel()
	file := termsFile(t)
	for name, call := range walkedCalls(file) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewSigningEnv(t)
			if name == "sign" {
				for i := range walkRounds {
					w.WithDocument(providertest.Replaced(t, providertest.MinimalDocument, `"Terms"`, fmt.Sprintf(`"Terms %d"`, i)))
				}
			}
			route := providertest.OnceCalls()[name].Route
			w.Sim.ResetJournal()
			p, requests := w.Configured(), 0
			first := map[string][]string{}
			same := func(step string, said []string) {
				t.Helper()
				for i := range said {
					for _, d := range w.Sim.Documents() { // each round signs another document
						said[i] = strings.ReplaceAll(said[i], d.ID, "ID")
					}
				}
				if before, ok := first[step]; ok && !slices.Equal(said, before) {
					t.Errorf("%s: said %q, in the first round %q", step, said, before)
				}
				first[step] = said
			}
			for round := range walkRounds {
				o := p.Walk(call.typeName, &requests)
				one, other, none := providertest.Typed(t, o.Typ, call.one(w, round)), providertest.Typed(t, o.Typ, call.other(w, round)), tftypes.NewValue(o.Typ, nil)
				plan := func(step string, config tftypes.Value, errors int) *tfprotov6.PlanResourceChangeResponse {
					t.Helper()
					planned, said := o.Plan(config)
					same(step, said)
					if n := countErrors(planned.Diagnostics); n != errors {
						t.Errorf("round %d, %s: %q", round, step, said)
					}
					return planned
				}
				planned := plan("plan", one, 0)
				plan("plan with other values", other, 0)
				plan("plan", one, 0)
				same("apply", o.Apply(one, planned))
				if o.State.IsNull() || w.Calls(route) != round+1 {
					t.Fatalf("round %d: sent %d times, state %s", round, w.Calls(route), o.State)
				}
				if planned := plan("plan without changes", one, 0); !o.Value(planned.PlannedState).Equal(o.State) {
					t.Errorf("round %d: the plan is not empty", round)
				}
				plan("plan of a change", other, 1)
				plan("plan without changes", one, 0)
				planned = plan("plan of a destroy", none, 0)
				same("destroy", o.Apply(none, planned))
				if !o.State.IsNull() {
					t.Errorf("round %d: state %s", round, o.State)
				}
			}
			if len(first["plan"]) != 1 || len(first["plan without changes"]) != 0 || len(first["apply"]) != 1 || len(first["plan of a destroy"]) != 1 || len(first["destroy"]) != 0 {
				t.Errorf("said %q", first)
			}
			if err := w.WantCalls(map[string]int{route: walkRounds}); err != nil {
				t.Error(err)
			}
			wantMarkers(t, w.OperationsDir(), 0)
			t.Logf("%d rounds of %d walks, %d requests, %d API calls", walkRounds, 10, requests, walkRounds)
		})
	}
}

func countErrors(diags []*tfprotov6.Diagnostic) (n int) {
	for _, d := range diags {
		if providertest.IsError(d) {
			n++
		}
	}
	return n
}

// Two states can have the same document in one process: it is sent twice, without a warning about the other one.
func TestWalks_TwoStates(t *testing.T) {
	t.Parallel()
	file := termsFile(t)
	for name, call := range walkedCalls(file) {
		if name == "sign" {
			continue // an annotation is signed once; the API rejects the second
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewSigningEnv(t)
			p, requests := w.Configured(), 0
			for range 2 {
				o := p.Walk(call.typeName, &requests)
				config := providertest.Typed(t, o.Typ, call.one(w, 0))
				planned, said := o.Plan(config)
				if len(said) != 1 || countErrors(planned.Diagnostics) != 0 {
					t.Errorf("planned: %q", said)
				}
				o.Apply(config, planned)
				if o.State.IsNull() {
					t.Error("nothing is in state")
				}
			}
		})
	}
}
