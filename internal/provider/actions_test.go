package provider_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/review"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Actions are for CLIs of 1.14 and later, so these go through the protocol. TestActions_Triggered is for such a CLI.
func TestResendInvite(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	id, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, providertest.BobEmail, "Bob", "Byte")
	require.NoError(t, err)
	p := w.Protocol()
	who := map[string]string{"private_label_id": w.Label, "user_id": id}

	_, told := p.Invoke("reseller_resend_invite", who)
	told.WantError(t, member.SummaryInvite, providertest.AcmeHost, "API error TOO_FREQUENT", "for five minutes after the last set-password email", "again after 5m0s")
	w.Sim.Clock().Advance(6 * time.Minute)
	progress, told := p.Invoke("reseller_resend_invite", who)
	told.WantNone(t)
	assert.Contains(t, progress, "was sent a set-password email", "progress, %d emails", w.Mails(providertest.BobEmail))
	assert.Equal(t, 2, w.Mails(providertest.BobEmail), "progress %q, emails", progress)
	_, told = p.Invoke("reseller_resend_invite", map[string]string{"private_label_id": w.Label, "user_id": strings.Repeat("0", 32)})
	told.WantError(t, member.SummaryInvite, "USER_NOT_FOUND", "reseller_members")
	_, told = p.Invoke("reseller_resend_invite", map[string]string{"private_label_id": w.Label, "user_id": "bob"})
	told.WantError(t, diagnostic.SummaryInvalidValue, "Set an ID of 32 lowercase hex characters")
}

// With any fault of the call: at most one email.
func TestResendInvite_Faults(t *testing.T) {
	t.Parallel()
	for name, fault := range providertest.Faults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			id, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, providertest.BobEmail, "Bob", "Byte")
			require.NoError(t, err)
			w.Sim.Clock().Advance(6 * time.Minute)
			p := w.Protocol()
			fault.Route, fault.Times = providertest.RouteInvite, 1
			w.Sim.Inject(fault)
			_, told := p.Invoke("reseller_resend_invite", map[string]string{"private_label_id": w.Label, "user_id": id})
			w.WantFault()
			mails, want := w.Mails(providertest.BobEmail)-1, 0
			if fault.After || len(told) == 0 {
				want = 1
			}
			assert.Equal(t, want, mails, "emails; %d calls", w.Calls(providertest.RouteInvite))
			assert.LessOrEqual(t, w.Calls(providertest.RouteInvite), 2, "%d emails, want %d; calls", mails, want)
			switch fault.Kind {
			case simulator.FaultRateLimit, simulator.FaultUnauthorized:
				told.WantNone(t) // nothing had happened: sent again
			default:
				assert.Len(t, told, 1, "diagnostics")
			}
		})
	}
}

func TestAttachDomain(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	w.Sim.FailAttach(2)
	id, err := w.Sim.AddConsoleLabel(providertest.AcmeHost, "ada@acme.example")
	require.NoError(t, err)
	p := w.Protocol()
	which := map[string]string{"private_label_id": id}
	_, told := p.Invoke("reseller_attach_domain", which)
	told.WantError(t, privatelabel.SummaryNotAttached, providertest.AcmeHost)
	progress, told := p.Invoke("reseller_attach_domain", which)
	told.WantNone(t)
	assert.Contains(t, progress, providertest.AcmeHost+" is attached, but its DNS is not correct yet")
	assert.Contains(t, progress, "CNAME")
	w.VerifyDNS(providertest.AcmeHost)
	progress, told = p.Invoke("reseller_attach_domain", which)
	told.WantNone(t)
	assert.Contains(t, progress, "its DNS is correct")
	_, told = p.Invoke("reseller_attach_domain", map[string]string{"private_label_id": strings.Repeat("0", 32)})
	told.WantError(t, privatelabel.SummaryAttach, "INVALID_TARGET")
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

// What a review says of an effect.
var (
	emailing  = member.Emailed.Phrase
	signedOut = member.SignedOut.Phrase
)

// listed are the rows of a review: "kind address: what: subject".
func listed(t *testing.T, plan string) (rows []string) {
	t.Helper()
	found, err := review.Read(t.Context(), strings.NewReader(plan), provider.Reviewers(), review.Options{})
	require.NoError(t, err)
	for _, r := range found.Rows {
		rows = append(rows, fmt.Sprintf("%s %s: %s: %s", r.Kind, r.Address, r.What, r.Subject))
	}
	return rows
}

// wantSameRows compares rows of a review in any order.
func wantSameRows(t *testing.T, got, want []string) {
	t.Helper()
	assert.Equal(t, slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got)),
		"the review lists\n%s\n\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
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
				" taints it, so that every later apply fails until terraform untaint: " + providertest.BobEmail},
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
				"email " + bobAddress + ": " + emailing + ": " + providertest.BobEmail,
				"email action." + invitation + ": " + emailing + " (after_create of " + bobAddress + ", on_failure = " + onFailure + "): (known after apply)",
			}, tc.rows...)
			wantSameRows(t, listed(t, c.Raw("show", "-json", "saved.plan")), want)
			applied := c.Run("apply", "-no-color", "-input=false", "saved.plan")
			assert.Equal(t, tc.applied, applied.Code, "exit code, %d emails:\n%s", w.Mails(providertest.BobEmail), applied.Out)
			assert.Contains(t, applied.Out, "API error TOO_FREQUENT", "exit code %d, %d emails", applied.Code, w.Mails(providertest.BobEmail))
			assert.Equal(t, 1, w.Mails(providertest.BobEmail), "exit code %d, emails:\n%s", applied.Code, applied.Out)
			if tc.tainted {
				c.Apply().WantError(t, member.SummaryNoReplace, "run terraform untaint")
				c.Ok("untaint", bobAddress)
			}
			c.WantEmptyPlan()
			assert.Equal(t, 1, w.Mails(providertest.BobEmail), "emails, %d removals", w.Calls(providertest.RouteRemove))
			assert.Equal(t, 0, w.Calls(providertest.RouteRemove), "%d emails, removals", w.Mails(providertest.BobEmail))
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
		"email action." + invitation + ": " + emailing + " (before_destroy of " + bobAddress + ", on_failure = halt): " + providertest.BobEmail,
		"removed " + bobAddress + ": " + signedOut + ": " + providertest.BobEmail,
	}
	wantSameRows(t, listed(t, c.Raw("show", "-json", "saved.plan")), want)
	c.Run("apply", "-no-color", "-input=false", "saved.plan").WantOK(t, "1 destroyed")
	var sent []string
	for _, call := range w.Sim.Journal() {
		if call.Route == providertest.RouteInvite || call.Route == providertest.RouteRemove {
			sent = append(sent, call.Route)
		}
	}
	assert.Equal(t, []string{providertest.RouteInvite, providertest.RouteRemove}, sent)
}

const keptLifecycle = "  lifecycle {\n    destroy = false\n  }\n"

// lifecycle { destroy = false } removes from state what a deletion_policy protects or would remove: no call, and the review
// says forgotten. The CLIs differ in what it covers.
func TestDestroyFalse(t *testing.T) {
	t.Parallel()
	least := "1.16.0"
	if providertest.IsTofu(t) {
		least = "1.12.0"
	}
	providertest.NeedsCLI(t, least, "lifecycle { destroy = false }")
	const (
		labels = "reseller_private_label.of"
		bob    = "reseller_member.bob"
	)
	people := func(email string) string {
		return "resource \"reseller_member\" \"bob\" {\n  private_label_id = reseller_private_label.of[\"sign.acme.example\"].id\n" +
			"  email = \"" + email + "\"\n  first_name = \"Bob\"\n  last_name = \"Byte\"\n" + keptLifecycle + "}\n"
	}
	clients := func(hosts ...string) string {
		return "resource \"reseller_private_label\" \"of\" {\n  for_each = toset([\"" + strings.Join(hosts, "\", \"") + "\"])\n  domain = each.key\n  app_name = \"Sign\"\n" +
			"  owner = {\n    email = \"ada@acme.example\"\n    first_name = \"Ada\"\n    last_name = \"Lovelace\"\n  }\n" + keptLifecycle + "}\n"
	}
	both := clients("sign.acme.example", "sign.harbour.example") + people("bob@acme.example")
	begin := func(t *testing.T) (*providertest.TestEnv, *providertest.CLI) {
		t.Helper()
		w := providertest.NewTestEnv(t)
		c := w.Cli()
		c.Config(w.Config(both))
		c.Apply().WantOK(t, "3 added")
		w.Sim.ResetJournal()
		return w, c
	}
	reviewed := func(t *testing.T, c *providertest.CLI, args ...string) []string {
		t.Helper()
		c.Ok(append([]string{"plan", "-input=false", "-out=saved.plan"}, args...)...)
		return listed(t, c.Raw("show", "-json", "saved.plan"))
	}
	wantRows := func(t *testing.T, rows []string, want ...string) {
		t.Helper()
		wantSameRows(t, rows, want)
	}
	applySaved := func(t *testing.T, c *providertest.CLI, left ...string) {
		t.Helper()
		applied := c.Run("apply", "-no-color", "-input=false", "saved.plan")
		if !providertest.IsTofu(t) || !strings.Contains(applied.Out, "left behind forgotten instances") { // by `destroy`, which the guide says
			applied.WantOK(t)
		}
		assert.Equal(t, left, slices.Sorted(maps.Keys(c.State())))
	}
	const (
		keptBob     = "forgotten " + bob + ": resource removed from state only: bob@acme.example"
		keptAcme    = "forgotten " + labels + `["sign.acme.example"]: resource removed from state only: sign.acme.example`
		keptHarbour = "forgotten " + labels + `["sign.harbour.example"]: resource removed from state only: sign.harbour.example`
	)

	t.Run("destroy", func(t *testing.T) {
		t.Parallel()
		w, c := begin(t)
		wantRows(t, reviewed(t, c, "-destroy"), keptBob, keptAcme, keptHarbour)
		applySaved(t, c)
		w.WantReads()
	})
	t.Run("key removed", func(t *testing.T) {
		t.Parallel()
		w, c := begin(t)
		c.Config(w.Config(clients("sign.acme.example") + people("bob@acme.example")))
		wantRows(t, reviewed(t, c), keptHarbour)
		applySaved(t, c, bob, labels+`["sign.acme.example"]`)
		w.WantReads()
	})
	// Terraform reads the setting in the configuration only; OpenTofu stores it in state, too.
	t.Run("block removed", func(t *testing.T) {
		t.Parallel()
		w, c := begin(t)
		if providertest.IsTofu(t) {
			c.Config(w.Config(""))
			wantRows(t, reviewed(t, c), keptBob, keptAcme, keptHarbour)
			applySaved(t, c)
			w.WantReads()
			return
		}
		c.Config(w.Config(clients("sign.acme.example", "sign.harbour.example")))
		wantRows(t, reviewed(t, c), "removed "+bob+": "+signedOut+": bob@acme.example")
		c.Config(w.Config(""))
		c.Plan().WantError(t, effect.SummaryProtected)
	})
	// A replacement keeps the old object with OpenTofu. Terraform destroys it.
	t.Run("replacement", func(t *testing.T) {
		t.Parallel()
		w, c := begin(t)
		c.Config(w.Config(clients("sign.acme.example", "sign.harbour.example") + people("eve@acme.example")))
		rows, removals := reviewed(t, c), 0
		if providertest.IsTofu(t) {
			wantRows(t, rows, "email "+bob+": "+emailing+": eve@acme.example", keptBob)
		} else {
			removals = 1
			wantRows(t, rows, "email "+bob+": "+emailing+": eve@acme.example", "removed "+bob+": "+signedOut+": bob@acme.example")
		}
		applySaved(t, c, bob, labels+`["sign.acme.example"]`, labels+`["sign.harbour.example"]`)
		assert.Equal(t, removals, w.Calls(providertest.RouteRemove))
	})
}
