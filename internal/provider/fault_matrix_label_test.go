package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// lifeCall is one call in the life of a private label: the configuration before it, and the command that makes it.
type lifeCall struct {
	route   string
	before  string // extra lines of the private label that is applied first; "-" for none yet
	act     string // extra lines of the private label for the command under test; "-" for none
	prepare func(*providertest.TestEnv) error
	writes  bool
}

func lifeCalls() map[string]lifeCall {
	const deprovision = `deletion_policy = "DEPROVISION"`
	return map[string]lifeCall{
		"exchange":    {route: providertest.RouteToken, before: "-"},
		"dashboard":   {route: providertest.RouteDashboard, before: "-"},
		"list":        {route: providertest.RouteList, before: "-"},
		"provision":   {route: providertest.RouteProvision, before: "-", writes: true},
		"detail":      {route: providertest.RouteDetail, before: "-"},
		"attach":      {route: providertest.RouteAttach, prepare: func(w *providertest.TestEnv) error { w.Sim.FailAttach(1); return nil }, writes: true},
		"suspend":     {route: providertest.RouteSuspend, act: "suspended = true", writes: true},
		"unsuspend":   {route: providertest.RouteUnsuspend, before: "suspended = true", act: "suspended = false", writes: true},
		"deprovision": {route: providertest.RouteDeprovision, before: deprovision, act: "-", writes: true},
	}
}

// TestFaultMatrix_PrivateLabel tries every call in the life of a private label with every fault. In every cell: no
// second private label, no lost one, no taint, one email, and a next plan that converges.
func TestFaultMatrix_PrivateLabel(t *testing.T) {
	t.Parallel()
	for callName, call := range lifeCalls() {
		for faultName, fault := range providertest.Faults() {
			for _, lasting := range []bool{false, true} {
				if lasting && !call.writes {
					continue // a read that fails permanently is only an error
				}
				name := fmt.Sprintf("%s/%s/once", callName, faultName)
				if lasting {
					name = fmt.Sprintf("%s/%s/lasting", callName, faultName)
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					runCell(t, call, fault, lasting, faultName == "500 after" && !lasting)
				})
			}
		}
	}
}

func runCell(t *testing.T, call lifeCall, fault simulator.Fault, lasting, throughCLI bool) {
	w := providertest.NewTestEnvAssuming(t, providertest.DrawnForms(t, nil))
	c := coretest.For(t, w, throughCLI)
	if call.prepare != nil {
		if err := call.prepare(w); err != nil {
			t.Fatal(err)
		}
	}
	if call.before != "-" {
		c.Config(call.config(w, call.before))
		c.Apply().WantOK(t)
	}

	fault.Route = call.route
	fault.Times = 1
	if lasting {
		fault.Times = -1
	}
	w.Sim.Inject(fault)
	c.Config(call.config(w, call.act))
	acted := c.Apply("-parallelism=1")
	w.WantFault()
	acted.WantCodeOf(t, fault)
	w.Sim.ClearFaults()

	switch {
	case call.route == providertest.RouteToken && fault.Kind == simulator.FaultUnauthorized:
		// The API rejects the key: exchanging it again would only use one of the five exchanges of the IP address.
		acted.WantError(t, "UNAUTHORIZED", "Check the API key")
	case !lasting:
		// A fault that occurs once is always overcome: by a retry if that is safe, by reading otherwise.
		acted.WantOK(t)
	}
	goesOn(t, w, c, call)
}

// config is the configuration of the private label, without it for "-".
func (lifeCall) config(w *providertest.TestEnv, extra string) string {
	if extra == "-" {
		return w.Config("")
	}
	return w.Config(providertest.Label("acme", providertest.AcmeHost, extra))
}

// goesOn applies again, after an apply that may have failed.
func goesOn(t *testing.T, w *providertest.TestEnv, c providertest.Workspace, call lifeCall) {
	t.Helper()
	assertUnharmed(t, w, c, call)

	// The remedy is to apply again. Only a private label that was created with an unknown outcome must be imported, as
	// the message says.
	next := c.Apply()
	if next.Code != 0 && strings.Contains(next.Out, "Private label already exists") {
		id := w.Sim.Labels()[0].ID
		c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, call.act) + "import {\n  to = " + providertest.Acme + "\n  id = \"" + id + "\"\n}\n"))
		next = c.Apply()
	}
	next.WantOK(t)
	c.WantEmptyPlan()
	assertUnharmed(t, w, c, call)
	want := 1
	if call.act == "-" {
		want = 0
	}
	if got := len(w.Sim.Labels()); got != want {
		t.Errorf("%d labels in the end, want %d", got, want)
	}
	if got := len(c.State()); got != want {
		t.Errorf("%d labels in state in the end, want %d", got, want)
	}
}

func assertUnharmed(t *testing.T, w *providertest.TestEnv, c providertest.Workspace, call lifeCall) {
	t.Helper()
	if n := len(w.Sim.Labels()); n > 1 {
		t.Errorf("%d labels", n)
	}
	if n := len(w.Sim.Outbox()); n > 1 {
		t.Errorf("%d emails", n)
	}
	for address, i := range c.State() {
		if i.Status == "tainted" {
			t.Errorf("%s is tainted", address)
		}
	}
	if _, known := c.State()[providertest.Acme]; !known && call.before != "-" && len(w.Sim.Labels()) == 1 {
		t.Error("the label was lost from state")
	}
}
