package provider_test

import (
	"strings"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// Actions are for CLIs of 1.14 and later, so these go through the protocol.
func TestResendInvite(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	id, err := w.sim.AddPersonInConsole(acmeHost, bobEmail, "Bob", "Byte")
	if err != nil {
		t.Fatal(err)
	}
	p := w.protocol()
	who := map[string]string{"private_label_id": w.label, "user_id": id}

	_, diags := p.invoke("reseller_resend_invite", who)
	p.wantDiag(diags, "was not invited again (TOO_FREQUENT)", acmeHost, "one set-password e-mail in five minutes", "again after 5m0s")
	w.sim.Clock().Advance(6 * time.Minute)
	progress, diags := p.invoke("reseller_resend_invite", who)
	p.wantNone(diags)
	if !strings.Contains(progress, "was sent a set-password link") || w.mails(bobEmail) != 2 {
		t.Errorf("progress %q, %d e-mails", progress, w.mails(bobEmail))
	}
	_, diags = p.invoke("reseller_resend_invite", map[string]string{"private_label_id": w.label, "user_id": strings.Repeat("0", 32)})
	p.wantDiag(diags, "USER_NOT_FOUND", "reseller_members")
	_, diags = p.invoke("reseller_resend_invite", map[string]string{"private_label_id": w.label, "user_id": "bob"})
	p.wantDiag(diags, "must be an id of 32 lower-case hex characters")
}

// Whatever happens to the call: one e-mail at most.
func TestResendInvite_Faults(t *testing.T) {
	t.Parallel()
	for name, fault := range faults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newLabelled(t)
			id, err := w.sim.AddPersonInConsole(acmeHost, bobEmail, "Bob", "Byte")
			if err != nil {
				t.Fatal(err)
			}
			w.sim.Clock().Advance(6 * time.Minute)
			p := w.protocol()
			fault.Route, fault.Times = routeInvite, 1
			w.sim.Inject(fault)
			_, diags := p.invoke("reseller_resend_invite", map[string]string{"private_label_id": w.label, "user_id": id})
			w.wantFault()
			mails, want := w.mails(bobEmail)-1, 0
			if fault.After || len(diags) == 0 {
				want = 1
			}
			if mails != want || w.calls(routeInvite) > 2 {
				t.Errorf("%d e-mails, want %d; %d calls", mails, want, w.calls(routeInvite))
			}
			switch fault.Kind {
			case simulator.FaultRateLimit, simulator.FaultUnauthorized:
				p.wantNone(diags) // nothing had happened: sent again
			default:
				if len(diags) != 1 {
					t.Errorf("%d diagnostics, want one", len(diags))
				}
			}
		})
	}
}

func TestAttachDomain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sim.FailAttach(2)
	id, err := w.sim.AddConsoleLabel(acmeHost, "ada@acme.example")
	if err != nil {
		t.Fatal(err)
	}
	p := w.protocol()
	which := map[string]string{"private_label_id": id}
	_, diags := p.invoke("reseller_attach_domain", which)
	p.wantDiag(diags, acmeHost+" is still not attached")
	progress, diags := p.invoke("reseller_attach_domain", which)
	p.wantNone(diags)
	if !strings.Contains(progress, acmeHost+" is attached; its DNS is not correct yet") || !strings.Contains(progress, "CNAME") {
		t.Errorf("progress %q", progress)
	}
	w.settle(acmeHost)
	progress, diags = p.invoke("reseller_attach_domain", which)
	p.wantNone(diags)
	if !strings.Contains(progress, "its DNS is correct") {
		t.Errorf("progress %q", progress)
	}
	_, diags = p.invoke("reseller_attach_domain", map[string]string{"private_label_id": strings.Repeat("0", 32)})
	p.wantDiag(diags, "was not attached", "INVALID_TARGET")
}
