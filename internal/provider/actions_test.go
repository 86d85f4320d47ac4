package provider_test

import (
	"strings"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// Actions are for CLIs of 1.14 and later, so these go through the protocol.
func TestResendInvite(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	id, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, providertest.BobEmail, "Bob", "Byte")
	if err != nil {
		t.Fatal(err)
	}
	p := w.Protocol()
	who := map[string]string{"private_label_id": w.Label, "user_id": id}

	_, diags := p.Invoke("reseller_resend_invite", who)
	p.WantDiag(diags, "Error sending set-password email", providertest.AcmeHost, "API error TOO_FREQUENT", "one set-password email in five minutes", "again after 5m0s")
	w.Sim.Clock().Advance(6 * time.Minute)
	progress, diags := p.Invoke("reseller_resend_invite", who)
	p.WantNone(diags)
	if !strings.Contains(progress, "was sent a set-password email") || w.Mails(providertest.BobEmail) != 2 {
		t.Errorf("progress %q, %d emails", progress, w.Mails(providertest.BobEmail))
	}
	_, diags = p.Invoke("reseller_resend_invite", map[string]string{"private_label_id": w.Label, "user_id": strings.Repeat("0", 32)})
	p.WantDiag(diags, "USER_NOT_FOUND", "reseller_members")
	_, diags = p.Invoke("reseller_resend_invite", map[string]string{"private_label_id": w.Label, "user_id": "bob"})
	p.WantDiag(diags, "must be an ID of 32 lowercase hex characters")
}

// With any fault of the call: at most one email.
func TestResendInvite_Faults(t *testing.T) {
	t.Parallel()
	for name, fault := range providertest.Faults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			id, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, providertest.BobEmail, "Bob", "Byte")
			if err != nil {
				t.Fatal(err)
			}
			w.Sim.Clock().Advance(6 * time.Minute)
			p := w.Protocol()
			fault.Route, fault.Times = providertest.RouteInvite, 1
			w.Sim.Inject(fault)
			_, diags := p.Invoke("reseller_resend_invite", map[string]string{"private_label_id": w.Label, "user_id": id})
			w.WantFault()
			mails, want := w.Mails(providertest.BobEmail)-1, 0
			if fault.After || len(diags) == 0 {
				want = 1
			}
			if mails != want || w.Calls(providertest.RouteInvite) > 2 {
				t.Errorf("%d emails, want %d; %d calls", mails, want, w.Calls(providertest.RouteInvite))
			}
			switch fault.Kind {
			case simulator.FaultRateLimit, simulator.FaultUnauthorized:
				p.WantNone(diags) // nothing had happened: sent again
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
	w := providertest.NewTestEnv(t)
	w.Sim.FailAttach(2)
	id, err := w.Sim.AddConsoleLabel(providertest.AcmeHost, "ada@acme.example")
	if err != nil {
		t.Fatal(err)
	}
	p := w.Protocol()
	which := map[string]string{"private_label_id": id}
	_, diags := p.Invoke("reseller_attach_domain", which)
	p.WantDiag(diags, "Host name is not attached yet", providertest.AcmeHost)
	progress, diags := p.Invoke("reseller_attach_domain", which)
	p.WantNone(diags)
	if !strings.Contains(progress, providertest.AcmeHost+" is attached, but its DNS is not correct yet") || !strings.Contains(progress, "CNAME") {
		t.Errorf("progress %q", progress)
	}
	w.VerifyDNS(providertest.AcmeHost)
	progress, diags = p.Invoke("reseller_attach_domain", which)
	p.WantNone(diags)
	if !strings.Contains(progress, "its DNS is correct") {
		t.Errorf("progress %q", progress)
	}
	_, diags = p.Invoke("reseller_attach_domain", map[string]string{"private_label_id": strings.Repeat("0", 32)})
	p.WantDiag(diags, "Error attaching host name", "INVALID_TARGET")
}
