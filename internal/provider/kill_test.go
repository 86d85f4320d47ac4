package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// TestKill kills the provider, or the CLI and the provider, immediately before and after the effect of each call in the
// life of a private label. Nothing can be saved then; the test asserts that there is no second private label, no taint,
// and a remedy in the messages.
func TestKill(t *testing.T) {
	t.Parallel()
	providertest.NeedsProc(t)
	for callName, call := range lifeCalls() {
		for _, after := range []bool{false, true} {
			for _, whom := range providertest.Killed() {
				name := fmt.Sprintf("%s/%s/before", callName, whom)
				if after {
					name = fmt.Sprintf("%s/%s/after", callName, whom)
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					runKill(t, call, after, whom)
				})
			}
		}
	}
}

func runKill(t *testing.T, call lifeCall, after bool, whom string) {
	w := providertest.NewTestEnv(t)
	c := coretest.NewKillable(t, w)
	declare := func(extra string) {
		if extra == "-" {
			c.Config("")
			return
		}
		c.Config(providertest.Label("acme", providertest.AcmeHost, extra))
	}
	if call.prepare != nil {
		if err := call.prepare(w); err != nil {
			t.Fatal(err)
		}
	}
	if call.before != "-" {
		declare(call.before)
		c.Apply().WantOK(t)
	}
	declare(call.act)

	if out, code := c.KilledAt(w.Sim, call.route, after, whom); code == 0 && call.writes {
		t.Errorf("the apply succeeded although it was killed\n%s", out)
	}
	assertUnharmed(t, w, c, call)

	next := c.Apply()
	if next.Code != 0 && strings.Contains(next.Out, "Private label already exists") {
		id := w.Sim.Labels()[0].ID
		c.Config(providertest.Label("acme", providertest.AcmeHost, call.act) + "import {\n  to = " + providertest.Acme + "\n  id = \"" + id + "\"\n}\n")
		next = c.Apply()
	}
	next.WantOK(t)
	c.WantEmptyPlan()
	assertUnharmed(t, w, c, call)
}
