package provider_test

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// lifeCall is one call of a private label's life: how to come to the point
// where the next command makes it, and what that command is.
type lifeCall struct {
	route   string
	before  string // extra lines of the label that is applied first; "-" for no label yet
	act     string // extra lines of the label for the command under test; "-" for no label
	prepare func(*world) error
	writes  bool
}

func lifeCalls() map[string]lifeCall {
	const deprovision = `deletion_policy = "DEPROVISION"`
	return map[string]lifeCall{
		"exchange":    {route: routeToken, before: "-"},
		"dashboard":   {route: routeDashboard, before: "-"},
		"list":        {route: routeList, before: "-"},
		"provision":   {route: routeProvision, before: "-", writes: true},
		"detail":      {route: routeDetail, before: "-"},
		"attach":      {route: routeAttach, prepare: func(w *world) error { w.sim.FailAttach(1); return nil }, writes: true},
		"suspend":     {route: routeSuspend, act: "suspended = true", writes: true},
		"unsuspend":   {route: routeUnsuspend, before: "suspended = true", act: "suspended = false", writes: true},
		"deprovision": {route: routeDeprovision, before: deprovision, act: "-", writes: true},
	}
}

// faults are what can happen to a call; each is tried once and lasting.
func faults() map[string]simulator.Fault {
	return map[string]simulator.Fault{
		"500 before":     {Kind: simulator.FaultServerError},
		"500 after":      {Kind: simulator.FaultServerError, After: true},
		"reset before":   {Kind: simulator.FaultReset},
		"reset after":    {Kind: simulator.FaultReset, After: true},
		"time-out":       {Kind: simulator.FaultTimeout},
		"time-out after": {Kind: simulator.FaultTimeout, After: true},
		"429":            {Kind: simulator.FaultRateLimit},
		"401":            {Kind: simulator.FaultUnauthorized},
		"HTML":           {Kind: simulator.FaultHTML},
		"HTML after":     {Kind: simulator.FaultHTML, After: true},
		"truncated":      {Kind: simulator.FaultTruncated, After: true},
	}
}

// TestFaultMatrix_PrivateLabel tries every call of a label's life with every
// fault. In every cell: no second label, no lost label, no taint, one e-mail,
// and a next plan that converges.
func TestFaultMatrix_PrivateLabel(t *testing.T) {
	t.Parallel()
	report := newMatrixReport(t, matrixOfLabels)
	for callName, call := range lifeCalls() {
		for faultName, fault := range faults() {
			for _, lasting := range []bool{false, true} {
				if lasting && !call.writes {
					continue // a read that fails for good is an error and nothing else
				}
				name := fmt.Sprintf("%s/%s/once", callName, faultName)
				if lasting {
					name = fmt.Sprintf("%s/%s/lasting", callName, faultName)
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					report.add(callName, faultName, lasting, runCell(t, call, fault, lasting))
				})
			}
		}
	}
}

// runCell returns the outcome in words for the report.
func runCell(t *testing.T, call lifeCall, fault simulator.Fault, lasting bool) string {
	w := newWorld(t)
	c := w.cli()
	declare := func(extra string) {
		if extra == "-" {
			c.config(w.config(""))
			return
		}
		c.config(w.config(label("acme", acmeHost, extra)))
	}
	if call.prepare != nil {
		if err := call.prepare(w); err != nil {
			t.Fatal(err)
		}
	}
	if call.before != "-" {
		declare(call.before)
		c.apply().wantOK(t)
	}

	fault.Route = call.route
	fault.Times = 1
	if lasting {
		fault.Times = -1
	}
	w.sim.Inject(fault)
	declare(call.act)
	acted := c.apply("-parallelism=1")
	w.wantFault()
	acted.wantCodeOf(t, fault)
	w.sim.ClearFaults()

	outcome := "done"
	if acted.code != 0 {
		outcome = "error"
	}
	switch {
	case call.route == routeToken && fault.Kind == simulator.FaultUnauthorized:
		// The service's word on the key: exchanging it again would only use up
		// the five exchanges of the address.
		acted.wantError(t, "UNAUTHORIZED", "Check the key")
	case !lasting:
		// One fault is always overcome: repeated where that is safe, settled by
		// reading where it is not.
		acted.wantOK(t)
	}
	assertUnharmed(t, w, c, call)

	// The way on: apply again. Only a label that was made and could not be
	// settled has to be imported, as the message says.
	next := c.apply()
	if next.code != 0 && strings.Contains(next.out, "Private label already exists") {
		outcome += ", then import"
		id := w.sim.Labels()[0].ID
		c.config(w.config(label("acme", acmeHost, call.act) + "import {\n  to = " + acme + "\n  id = \"" + id + "\"\n}\n"))
		next = c.apply()
	}
	next.wantOK(t)
	c.wantEmptyPlan()
	assertUnharmed(t, w, c, call)
	want := 1
	if call.act == "-" {
		want = 0
	}
	if got := len(w.sim.Labels()); got != want {
		t.Errorf("%d labels in the end, want %d", got, want)
	}
	if got := len(c.state()); got != want {
		t.Errorf("%d labels in state in the end, want %d", got, want)
	}
	return outcome
}

func assertUnharmed(t *testing.T, w *world, c *cli, call lifeCall) {
	t.Helper()
	if n := len(w.sim.Labels()); n > 1 {
		t.Errorf("%d labels", n)
	}
	if n := len(w.sim.Outbox()); n > 1 {
		t.Errorf("%d e-mails", n)
	}
	for address, i := range c.state() {
		if i.Status == "tainted" {
			t.Errorf("%s is tainted", address)
		}
	}
	if _, known := c.state()[acme]; !known && call.before != "-" && len(w.sim.Labels()) == 1 {
		t.Error("the label was lost from state")
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
