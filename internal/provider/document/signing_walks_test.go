package document_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// walkedCall is a one-time call: its configuration, and another one.
type walkedCall struct {
	typeName     string
	first, other func(w *providertest.SigningEnv, round int) providertest.Values
}

func walkedCalls(file string) map[string]walkedCall {
	document := func(title string) func(*providertest.SigningEnv, int) providertest.Values {
		return func(*providertest.SigningEnv, int) providertest.Values {
			return providertest.Values{
				"domain": providertest.AcmeHost, "owner_email": "ada@acme.example", "title": title, "file_path": file, "require_notarisation": false, "viewers": []any{},
				"signers": []any{providertest.Values{
					"email": providertest.BobEmail, "first_name": "Bob", "last_name": "Byte", "sign_order": 1,
					"annotations": []any{providertest.Values{
						"type": "Signature", "content": "Signature", "is_verified": false,
						"style": providertest.Values{"x": 10, "y": 20.5, "width": 120, "height": 40, "page": 1},
					}},
				}},
			}
		}
	}
	asset := func(name string) func(*providertest.SigningEnv, int) providertest.Values {
		return func(*providertest.SigningEnv, int) providertest.Values {
			return providertest.Values{"file_path": file, "unit_name": "TERMS", "asset_name": name, "nft_standard": "ARC3", "store_on_ipfs": false}
		}
	}
	signing := func(domain string) func(*providertest.SigningEnv, int) providertest.Values {
		return func(w *providertest.SigningEnv, round int) providertest.Values {
			d := w.Sim.Documents()[round]
			return providertest.Values{"doc_id": d.ID, "domain": domain, "annotations": providertest.Values{d.Signers[0].Annotations[0].ID: w.Signature()}}
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
	require.NoError(t, os.WriteFile(file, providertest.OnePage("Terms"), 0o600))
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
			walker := coretest.NewWalker(t, w.Configured(), call.typeName)
			first := map[string]string{}
			same := func(step string, said providertest.Diagnostics) {
				t.Helper()
				text := fmt.Sprint(said)
				for _, d := range w.Sim.Documents() { // each round signs another document
					text = strings.ReplaceAll(text, d.ID, "ID")
				}
				if before, ok := first[step]; ok && text != before {
					t.Errorf("%s: said %q, in the first round %q", step, text, before)
				}
				first[step] = text
			}
			for round := range walkRounds {
				config, other := call.first(w, round), call.other(w, round)
				plan := func(step string, config providertest.Values, warnings, errors int) (unchanged bool) {
					t.Helper()
					read := walker.Read()
					unchanged, said := walker.Plan(config)
					same(step, append(read, said...))
					require.Len(t, said, warnings+errors, "round %d, %s", round, step)
					assert.Equal(t, errors > 0, providertest.AnyErrors(said), "round %d, %s: %q", round, step, said)
					return unchanged
				}
				plan("plan", config, 1, 0)
				plan("plan with other values", other, 1, 0)
				plan("plan", config, 1, 0)
				same("apply", walker.Apply(config))
				require.False(t, walker.State().IsNull(), "round %d: sent %d times, state %s", round, w.Calls(route), walker.State())
				require.Equal(t, round+1, w.Calls(route), "round %d: sent times, state %s", round, walker.State())
				assert.True(t, plan("plan without changes", config, 0, 0), "round %d: the plan is not empty", round)
				plan("plan of a change", other, 0, 1)
				plan("plan without changes", config, 0, 0)
				plan("plan of a destroy", nil, 1, 0)
				same("destroy", walker.Apply(nil))
				assert.True(t, walker.State().IsNull(), "round %d: state %s", round, walker.State())
			}
			assert.Equal(t, "[]", first["apply"], "said %q", first)
			assert.Equal(t, "[]", first["destroy"], "said %q", first)
			assert.NoError(t, w.WantCalls(map[string]int{route: walkRounds}))
			wantMarkers(t, w.OperationsDir(), 0)
		})
	}
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
			p := w.Configured()
			for range 2 {
				walker := coretest.NewWalker(t, p, call.typeName)
				_, said := walker.Plan(call.first(w, 0))
				require.Len(t, said, 1, "planned")
				assert.False(t, providertest.AnyErrors(said), "planned: %q", said)
				walker.Apply(call.first(w, 0))
				assert.False(t, walker.State().IsNull(), "nothing is in state")
			}
		})
	}
}
