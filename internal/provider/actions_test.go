package provider_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Actions are for CLIs of 1.14 and later, so these go through the protocol. TestActions_Triggered is for such a CLI.
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
	p.WantDiag(diags, "Error sending set-password email", providertest.AcmeHost, "API error TOO_FREQUENT", "for five minutes after the last set-password email", "again after 5m0s")
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

// triggering is a member whose events trigger the invitation, with further lines of the trigger.
func triggering(w *providertest.LabelEnv, events, more string) string {
	return w.Config(strings.TrimSuffix(w.Person("bob", providertest.BobEmail, "Bob"), "}\n") + `  lifecycle {
    action_trigger {
      events  = [` + events + `]
      actions = [action.reseller_resend_invite.bob]
      ` + more + `
    }
  }
}
action "reseller_resend_invite" "bob" {
  config {
    private_label_id = "` + w.Label + `"
    user_id          = caller.id
  }
}
`)
}

const (
	invitation = "reseller_resend_invite.bob"
	bobAddress = "reseller_member.bob"
)

// wantSameRows compares rows of a review in any order.
func wantSameRows(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("the review lists\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// An invitation right after a create fails, because the create sent an email. What on_failure makes of it is in the review.
func TestActions_Triggered(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.16.0", "on_failure of actions")
	for onFailure, tc := range map[string]struct {
		rows    []string
		applied int
		tainted bool
	}{
		"halt":     {applied: 1},
		"continue": {},
		"taint": {
			rows: []string{"unprotected " + bobAddress + ": a failure of action." + invitation +
				" taints it, so that every later apply is an error until terraform untaint: " + providertest.BobEmail},
			applied: 1, tainted: true,
		},
	} {
		t.Run(onFailure, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			c := w.Cli()
			c.Config(triggering(w, "after_create", "on_failure = "+onFailure))
			c.Ok("plan", "-input=false", "-out=saved.plan")
			want := append([]string{
				"email " + bobAddress + ": set-password email to a member: " + providertest.BobEmail,
				"email action." + invitation + ": set-password email to a member (after_create of " + bobAddress + ", on_failure = " + onFailure + "): (known after apply)",
			}, tc.rows...)
			wantSameRows(t, listed(t, c.Raw("show", "-json", "saved.plan")), want)
			applied := c.Run("apply", "-no-color", "-input=false", "saved.plan")
			if applied.Code != tc.applied || !strings.Contains(applied.Out, "API error TOO_FREQUENT") || w.Mails(providertest.BobEmail) != 1 {
				t.Errorf("exit code %d, %d emails:\n%s", applied.Code, w.Mails(providertest.BobEmail), applied.Out)
			}
			if tc.tainted {
				c.Apply().WantError(t, "Members cannot be replaced with -replace", "run terraform untaint")
				c.Ok("untaint", bobAddress)
			}
			c.WantEmptyPlan()
			if w.Mails(providertest.BobEmail) != 1 || w.Calls(providertest.RouteRemove) != 0 {
				t.Errorf("%d emails, %d removals", w.Mails(providertest.BobEmail), w.Calls(providertest.RouteRemove))
			}
		})
	}
}

// An event before a destroy reaches the member who is removed then.
func TestActions_BeforeDestroy(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.16.0", "actions before a destroy")
	w := providertest.NewLabelEnv(t)
	c := w.Cli()
	c.Config(triggering(w, "before_destroy", ""))
	c.Apply().WantOK(t, "1 added")
	w.Sim.Clock().Advance(6 * time.Minute)
	w.Sim.ResetJournal()
	c.Ok("plan", "-destroy", "-input=false", "-out=saved.plan")
	want := []string{
		"email action." + invitation + ": set-password email to a member (before_destroy of " + bobAddress + ", on_failure = halt): " + providertest.BobEmail,
		"removed " + bobAddress + ": member signed out and removed: " + providertest.BobEmail,
	}
	wantSameRows(t, listed(t, c.Raw("show", "-json", "saved.plan")), want)
	c.Run("apply", "-no-color", "-input=false", "saved.plan").WantOK(t, "1 destroyed")
	var sent []string
	for _, call := range w.Sim.Journal() {
		if call.Route == providertest.RouteInvite || call.Route == providertest.RouteRemove {
			sent = append(sent, call.Route)
		}
	}
	if !slices.Equal(sent, []string{providertest.RouteInvite, providertest.RouteRemove}) {
		t.Errorf("sent %v", sent)
	}
}
