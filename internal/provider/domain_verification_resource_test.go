package provider_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const verification = "reseller_domain_verification.acme"

func (w *labelled) verification(extra string) string {
	return w.config(fmt.Sprintf("resource \"reseller_domain_verification\" \"acme\" {\n  private_label_id = %q\n%s\n}\n", w.label, extra))
}

// waiting is a world whose label's DNS becomes correct after a while of the
// service's clock; 0 is never.
func waiting(t *testing.T, dns time.Duration) *labelled {
	t.Helper()
	w := newWorldWith(t, simulator.Options{DNSDelay: dns})
	id, err := w.sim.AddConsoleLabel(acmeHost, "ada@acme.example")
	if err != nil {
		t.Fatal(err)
	}
	return &labelled{world: w, label: id}
}

func TestDomainVerification_Verified(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	c.config(w.verification(""))
	began := w.sim.Clock().Now()
	c.apply().wantOK(t, "1 added")
	if n := w.calls(routeDetail); n != 1 || !w.sim.Clock().Now().Equal(began) {
		t.Errorf("%d details, waited %s", n, w.sim.Clock().Now().Sub(began))
	}
	state := c.state()[verification].Attributes
	if state["domain"] != acmeHost || state["id"] != w.label {
		t.Errorf("state %v", state)
	}
	w.sim.ResetJournal()
	c.wantEmptyPlan()
	if err := w.wantCalls(map[string]int{routeList: 1}); err != nil {
		t.Error(err)
	}
	t.Run("another time to wait sends nothing", func(t *testing.T) {
		c.config(w.verification(`timeouts = { create = "2h" }`))
		w.sim.ResetJournal()
		c.apply().wantOK(t, "1 changed")
		if n := w.calls(routeDetail); n != 0 {
			t.Errorf("%d details", n)
		}
		c.wantEmptyPlan()
	})
	t.Run("a destroy forgets", func(t *testing.T) {
		w.sim.ResetJournal()
		c.destroy().wantOK(t, "1 destroyed")
		if err := w.wantCalls(map[string]int{routeList: 1}); err != nil {
			t.Error(err)
		}
	})
}

// A detail at most once a minute, until the service's own clock has it.
func TestDomainVerification_Waits(t *testing.T) {
	t.Parallel()
	const dns = 10 * time.Minute
	w := waiting(t, dns)
	began := w.sim.Clock().Now()
	c := w.cli()
	c.config(w.verification(""))
	c.apply().wantOK(t, "1 added")
	waited := w.sim.Clock().Now().Sub(began)
	if n := w.calls(routeDetail); waited < dns || waited > dns+2*time.Minute || n > 12 || n < 10 {
		t.Errorf("waited %s with %d details", waited, n)
	}
	c.wantEmptyPlan()
}

// Time runs out without harm, and the next apply goes on.
func TestDomainVerification_TimesOut(t *testing.T) {
	t.Parallel()
	w := waiting(t, 20*time.Minute)
	c := w.cli()
	c.config(w.verification(`timeouts = { create = "5m" }`))
	c.apply().wantError(t, acmeHost+" is not verified yet", "after the time-out of 5m0s", "Expected is a CNAME record "+acmeHost+" with the value", "Apply again to go on waiting")
	if len(c.state()) != 0 {
		t.Errorf("state %v", c.state())
	}
	for _, call := range w.sim.Journal() {
		if call.Route != routeDetail && call.Route != routeList && call.Route != routeToken && call.Route != routeDashboard {
			t.Errorf("call %s", call.Route)
		}
	}
	for range 3 { // five minutes each
		if c.apply().code == 0 {
			c.wantEmptyPlan()
			return
		}
	}
	t.Error("not verified in 20 minutes")
}

func TestDomainVerification_NotAttached(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sim.FailAttach(1)
	id, err := w.sim.AddConsoleLabel(acmeHost, "ada@acme.example")
	if err != nil {
		t.Fatal(err)
	}
	l := &labelled{world: w, label: id}
	c := w.cli()
	c.config(l.verification(`timeouts = { create = "1s" }`))
	c.apply().wantError(t, acmeHost+" is not verified yet", "after the time-out of 1s", "has not attached the host")
}

// Two labels with their records, made and verified in one apply.
func TestDomainVerification_InOneApply(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, simulator.Options{DNSDelay: 5 * time.Minute})
	c := w.cli()
	body := ""
	for _, name := range []string{"a", "b"} {
		body += label(name, name+".acme.example", "") + fmt.Sprintf("resource \"reseller_domain_verification\" %[1]q {\n  private_label_id = reseller_private_label.%[1]s.id\n}\n", name)
	}
	c.config(w.config(body + `
data "reseller_private_label" "a" {
  id = reseller_domain_verification.a.id
}
output "live" {
  value = data.reseller_private_label.a.domain_verified
}
`))
	c.apply().wantOK(t, "4 added", "live = true")
	c.apply("-refresh-only").wantOK(t)
	c.wantEmptyPlan()
}

func TestDomainVerification_Gone(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	c.config(w.verification(""))
	c.apply().wantOK(t)
	rival, err := w.sim.AddReseller("rival.example")
	if err != nil {
		t.Fatal(err)
	}
	own := w.key
	w.key = rival
	c.config(w.verification(""))
	c.plan().wantError(t, "API key belongs to another reseller")
	w.key = own
	c.config(w.verification(""))
	if err := w.sim.DeprovisionInConsole(acmeHost); err != nil {
		t.Fatal(err)
	}
	c.plan().wantText(t, "Verification removed from state with its label", "1 to add")
	c.apply().wantError(t, "could not be checked", "FORBIDDEN")
}

func TestDomainVerification_Import(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	for _, given := range []string{acmeHost, w.label} {
		c := w.cli()
		c.config(w.verification("") + fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", verification, given))
		c.apply().wantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
		c.wantEmptyPlan()
	}
	unready := waiting(t, 0)
	c := unready.cli()
	c.config(unready.verification(""))
	c.run("import", "-no-color", "-input=false", verification, acmeHost).wantError(t, acmeHost+" is not verified yet", "Expected is a CNAME record")
	c.run("import", "-no-color", "-input=false", verification, "sign.other.example").wantError(t, "is no live label of")
}
