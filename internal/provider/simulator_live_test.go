package provider_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const (
	otherData = session.SummaryOtherSimulator
	liveState = session.SummaryLiveState
)

// mixedUp is a live API and a simulator with the same objects under the same IDs, so that nothing but the provider keeps
// a state or a plan of one from taking effect on the other.
type mixedUp struct {
	*providertest.TestEnv
	t      *testing.T
	c      *coretest.Workspace
	toLive bool // what the simulator wrote is used with the live API, and not the reverse

	label, gold, silver string // IDs
}

func newMixedUp(t *testing.T, toLive bool) *mixedUp {
	t.Helper()
	w := &mixedUp{t: t, toLive: toLive}
	must := func(id string, err error) string {
		t.Helper()
		require.NoError(t, err)
		return id
	}
	w.TestEnv = providertest.NewLiveAndSimulated(t, func(sim *simulator.Simulator) {
		w.label = must(sim.AddConsoleLabel(providertest.AcmeHost, "ada@acme.example"))
		w.gold = must(sim.AddPackage("GOLD", map[string]float64{"seats": 10}, true))
		w.silver = must(sim.AddPackage("SILVER", map[string]float64{"seats": 5}, true))
	})
	w.c = coretest.New(t, w.TestEnv)
	w.c.File("terms.pdf", string(providertest.OnePage("Terms")))
	return w
}

// write selects the side that writes states and plans, use the other one.
func (w *mixedUp) write() { w.Use(!w.toLive) }
func (w *mixedUp) use()   { w.Use(w.toLive) }

func (w *mixedUp) written() *simulator.Simulator { return w.simulator(!w.toLive) }
func (w *mixedUp) used() *simulator.Simulator    { return w.simulator(w.toLive) }

func (w *mixedUp) simulator(live bool) *simulator.Simulator {
	if live {
		return w.Sim
	}
	return w.Simulated
}

func (w *mixedUp) config(block string) { w.c.Config("provider \"reseller\" {}\n" + block) }

func (w *mixedUp) forgetAll() {
	for address := range w.c.State() {
		w.c.Forget(address)
	}
}

// sendsNothing asserts that a run made only the calls that find out whose API key it has.
func (w *mixedUp) sendsNothing(what string) {
	w.t.Helper()
	for _, call := range w.used().Journal() {
		assert.Contains(w.t, []string{providertest.RouteToken, providertest.RouteDashboard}, call.Route, "%s: call", what)
	}
	w.used().ResetJournal()
}

// rejects asserts that a run ends because of the state.
func (w *mixedUp) rejects(what string, r providertest.Result) {
	w.t.Helper()
	summary := liveState
	if w.toLive {
		summary = otherData
	}
	assert.Equal(w.t, 1, r.Code, "%s: exit code\n%s", what, r.Out)
	assert.NotEmpty(w.t, r.Diagnostics.Of("error", summary), "%s: exit code %d\n%s", what, r.Code, r.Out)
	w.sendsNothing(what)
}

// mixedBlock is a resource, and the same one with a change; "" if it can only be destroyed.
type mixedBlock func(w *mixedUp) (block, changed string)

func mixedResource(typeName, format string, values ...any) string {
	return fmt.Sprintf("resource \"reseller_"+typeName+"\" \"x\" {\n"+format+"\n}\n", values...)
}

func mixedBlocks() map[string]mixedBlock {
	item := func(typeName string) mixedBlock {
		return func(*mixedUp) (string, string) {
			body := func(name string) string {
				return mixedResource(typeName, "code = \"BRONZE\"\nname = %q\ncurrency = \"EUR\"", name)
			}
			return body("Bronze"), body("Brass")
		}
	}
	return map[string]mixedBlock{
		"private_label": func(*mixedUp) (string, string) {
			body := func(extra string) string {
				return providertest.Label("x", "sign.new.example", "deletion_policy = \"SUSPEND\"\n"+extra)
			}
			return body(""), body("suspended = true")
		},
		"package": item("package"),
		"addon":   item("addon"),
		"assignment": func(w *mixedUp) (string, string) {
			body := func(packageID string) string {
				return mixedResource("assignment", "private_label_id = %q\npackage_id = %q\nallow_package_change = true", w.label, packageID)
			}
			return body(w.gold), body(w.silver)
		},
		"member": func(w *mixedUp) (string, string) {
			body := func(email string) string {
				return mixedResource("member", "private_label_id = %q\nemail = %q\nfirst_name = \"Bob\"\nlast_name = \"Byte\"", w.label, email)
			}
			return body(providertest.BobEmail), body(providertest.EveEmail)
		},
		"members": func(w *mixedUp) (string, string) {
			body := func(email string) string { return providertest.SetOf(fmt.Sprintf("%q", w.label), email) }
			return body(providertest.BobEmail), body(providertest.EveEmail)
		},
		"branding": func(*mixedUp) (string, string) {
			body := func(color string) string {
				return mixedResource("branding", "domain = %q\ncolor_primary = %q", providertest.AcmeHost, color)
			}
			return body("#0a0"), body("#0b0")
		},
		"domain_verification": func(w *mixedUp) (string, string) {
			return mixedResource("domain_verification", "private_label_id = %q", w.label), ""
		},
		"document":        func(*mixedUp) (string, string) { return providertest.MinimalDocument, "" },
		"minted_document": func(*mixedUp) (string, string) { return providertest.MinimalMint, "" },
		"document_signing": func(w *mixedUp) (string, string) {
			w.write()
			w.config(providertest.MinimalDocument)
			w.c.Apply().WantOK(w.t)
			w.forgetAll()
			document := w.written().Documents()[0]
			return providertest.SigningOf(document.ID, document.Signers[0].Annotations[0].ID, w.written().Signatures(w.written().SigningUserEmail())[0], ""), ""
		},
	}
}

// A state of the simulator is an error with the live API, and the reverse, before any call that reads or changes an
// object. So is a plan that was saved with the other one.
func TestSimulator_NeverMixes(t *testing.T) {
	t.Parallel()
	for typeName, blocks := range mixedBlocks() {
		for direction, toLive := range map[string]bool{"simulator to live": true, "live to simulator": false} {
			t.Run(typeName+"/"+direction, func(t *testing.T) {
				t.Parallel()
				w := newMixedUp(t, toLive)
				block, changed := blocks(w)
				create := w.appliesCreate(block)
				w.write()
				w.c.Apply().WantOK(t, "1 added")
				w.wantRejectedCreate(create)
				w.wantRejected(block, changed, "")
			})
		}
	}
}

// created is what a plan to create an object does with the other service.
type created struct {
	result providertest.Result
	writes []string
}

func (w *mixedUp) appliesCreate(block string) created {
	w.t.Helper()
	w.write()
	w.config(block)
	w.c.Plan().WantText(w.t, "1 to add")
	w.use()
	was := created{result: w.c.ApplySaved(), writes: providertest.Writes(w.used())}
	w.used().ResetJournal()
	w.forgetAll()
	return was
}

// wantRejectedCreate accepts Terraform's own words, which are about the planned value of `reseller`.
func (w *mixedUp) wantRejectedCreate(was created) {
	w.t.Helper()
	assert.Equal(w.t, 1, was.result.Code, "saved create: exit code, calls %q\n%s", was.writes, was.result.Out)
	assert.Empty(w.t, was.writes, "saved create: exit code %d, calls\n%s", was.result.Code, was.result.Out)
}

// wantRejected plans configurations with what write left in state, in each way that reaches the provider.
func (w *mixedUp) wantRejected(configs ...string) {
	w.t.Helper()
	before := fmt.Sprint(w.c.State())
	for _, config := range configs {
		w.config(config)
		w.write()
		planned := w.c.Plan()
		assert.NotEqual(w.t, 1, planned.Code, "planned: %s", planned.Out)
		w.use()
		if len(planned.Changes) > 0 {
			w.rejects("saved plan", w.c.ApplySaved())
		}
		w.rejects("plan", w.c.Plan())
		w.rejects("plan without refresh", w.c.Plan("-refresh=false"))
	}
	assert.Equal(w.t, before, fmt.Sprint(w.c.State()), "the state was changed")
}
