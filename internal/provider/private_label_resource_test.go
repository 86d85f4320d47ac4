package provider_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

const (
	acme     = "reseller_private_label.acme"
	acmeHost = "sign.acme.example"
)

func at(name string) tfjsonpath.Path { return tfjsonpath.New(name) }

func value(name string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(acme, at(name), check)
}

// settle makes the host attached and verified, so that nothing moves by itself.
func (w *world) settle(host string) {
	w.t.Helper()
	if err := w.sim.CorrectDNS(host); err != nil {
		w.t.Fatal(err)
	}
	w.sim.Clock().Advance(2 * time.Minute) // the service looks at most once a minute
}

// abandon lets the testing library destroy what it made.
const abandon = `deletion_policy = "ABANDON"`

func TestPrivateLabel_Minimal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.test(
		resource.TestStep{
			Config: w.config(label("acme", acmeHost, abandon)),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(acme, plancheck.ResourceActionCreate)},
			},
			ConfigStateChecks: []statecheck.StateCheck{
				value("id", knownvalue.StringRegexp(regexp.MustCompile(`^[0-9a-f]{32}$`))),
				value("domain", knownvalue.StringExact(acmeHost)),
				value("status", knownvalue.StringExact("Active")),
				value("suspended", knownvalue.Null()),
				value("suspended_at", knownvalue.Null()),
				value("suspended_by", knownvalue.Null()),
				value("created_at", knownvalue.StringRegexp(regexp.MustCompile(`^\d{4}-\d\d-\d\dT`))),
				value("domain_attached", knownvalue.Bool(true)),
				value("domain_verified", knownvalue.Bool(false)),
				value("dns_record", knownvalue.ObjectPartial(map[string]knownvalue.Check{"type": knownvalue.StringExact("CNAME"), "name": knownvalue.StringExact(acmeHost)})),
				value("owner", knownvalue.ObjectPartial(map[string]knownvalue.Check{"user_id": knownvalue.StringRegexp(regexp.MustCompile(`^[0-9a-f]{32}$`)), "email": knownvalue.StringExact("ada@acme.example")})),
				value("deletion_policy", knownvalue.StringExact("ABANDON")),
			},
		},
		resource.TestStep{
			PreConfig: w.sim.ResetJournal,
			Config:    w.config(label("acme", acmeHost, abandon)),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
		},
	)
	if n := len(w.sim.Labels()); n != 1 {
		t.Errorf("%d labels, want 1", n)
	}
	if n := len(w.sim.Outbox()); n != 1 {
		t.Errorf("%d e-mails, want 1", n)
	}
	if n := w.calls(routeProvision); n != 0 {
		t.Errorf("%d provisions in the second step, want none", n)
	}
}

// The budget of design.md: POST, detail, and one list a process.
func TestPrivateLabel_CreateCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "") + label("bolt", "sign.bolt.example", "") + label("cork", "sign.cork.example", "")))
	c.apply().wantOK(t)
	// A list for the plan, a list for the re-plan at apply.
	if err := w.wantCalls(map[string]int{routeToken: 1, routeDashboard: 1, routeList: 2, routeProvision: 3, routeDetail: 3}); err != nil {
		t.Error(err)
	}
}

func TestPrivateLabel_Full(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	full := `
  support_url   = "https://acme.example/help"
  website_url   = "https://acme.example"
  color_primary = "#0a4"
  color_accent  = "#112233"
  social_links  = { linkedinUrl = "https://social.example/acme" }
  suspended      = true
  suspend_reason = "unpaid"
` + abandon
	w.test(
		resource.TestStep{
			Config: w.config(label("acme", "Sign.ACME.example", full)),
			ConfigStateChecks: []statecheck.StateCheck{
				value("domain", knownvalue.StringExact("Sign.ACME.example")),
				value("status", knownvalue.StringExact("Suspended")),
				value("suspended_by", knownvalue.StringExact("Reseller")),
				value("suspended_at", knownvalue.NotNull()),
				value("suspended", knownvalue.Bool(true)),
			},
		},
		resource.TestStep{
			// The same in another spelling is no change.
			Config: w.config(label("acme", "sign.acme.EXAMPLE", strings.ReplaceAll(full, `"#0a4"`, `"#00AA44"`))),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
		},
	)
	body := w.lastBody(routeProvision)
	for _, part := range []string{`"supportUrl":"https://acme.example/help"`, `"colorPrimary":"#0a4"`, `"linkedinUrl":"https://social.example/acme"`} {
		if !strings.Contains(body, part) {
			t.Errorf("the body lacks %s: %s", part, body)
		}
	}
	if strings.Contains(body, "package") {
		t.Errorf("the body has a package: %s", body)
	}
}

// lastBody is the newest request body of a route, compact.
func (w *world) lastBody(route string) string {
	w.t.Helper()
	for _, call := range slices.Backward(w.sim.Journal()) {
		if call.Route == route {
			return string(call.Body)
		}
	}
	w.t.Fatalf("no call of %s", route)
	return ""
}

func TestPrivateLabel_BlockedChanges(t *testing.T) {
	t.Parallel()
	full := func(replace ...string) string {
		return strings.NewReplacer(replace...).Replace(label("acme", acmeHost, `
  support_url   = "https://acme.example/help"
  website_url   = "https://acme.example"
  color_primary = "#0a4"
  color_accent  = "#112233"
  social_links  = { linkedinUrl = "https://social.example/acme" }
`))
	}
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(full()))
	c.apply().wantOK(t)
	before := w.sim.Labels()
	for name, tc := range map[string]struct{ from, to string }{
		"domain":               {acmeHost, "other.acme.example"},
		"app_name":             {"Acme Sign", "Other"},
		"owner.email":          {"ada@acme.example", "bob@acme.example"},
		"owner.first_name":     {`"Ada"`, `"Adah"`},
		"owner.last_name":      {`"Lovelace"`, `"Byron"`},
		"support_url":          {"acme.example/help", "acme.example/hulp"},
		"website_url":          {`"https://acme.example"`, `"https://www.acme.example"`},
		"color_primary":        {"#0a4", "#0a5"},
		"color_accent":         {"#112233", "#112234"},
		"social_links":         {"social.example/acme", "social.example/acme2"},
		"support_url removed":  {`support_url   = "https://acme.example/help"`, ""},
		"social_links removed": {`social_links  = { linkedinUrl = "https://social.example/acme" }`, ""},
	} {
		attribute, _, _ := strings.Cut(name, " ")
		t.Run(name, func(t *testing.T) {
			w.sim.ResetJournal()
			c.config(w.config(full(tc.from, tc.to)))
			c.plan().wantError(t, attribute+" of "+acmeHost+" cannot change", "Set "+attribute+" back to")
			if n := w.calls(routeProvision) + w.calls(routeDeprovision); n != 0 {
				t.Errorf("%d writing calls", n)
			}
		})
	}
	c.config(w.config(full()))
	c.wantEmptyPlan()
	if fmt.Sprint(before) != fmt.Sprint(w.sim.Labels()) {
		t.Errorf("the labels changed: %v", w.sim.Labels())
	}
}

// What was not sent at provisioning cannot be declared later: state would claim
// what the service does not have.
func TestPrivateLabel_AddedAfterProvisioning(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "")))
	c.apply().wantOK(t)
	c.config(w.config(label("acme", acmeHost, `support_url = "https://acme.example/help"`)))
	c.plan().wantError(t, "support_url of "+acmeHost+" cannot change", "Take support_url out of the configuration again")
}

func TestPrivateLabel_CreateNeeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.test(
		resource.TestStep{
			Config:      w.config(`resource "reseller_private_label" "acme" { domain = "sign.acme.example" }`),
			ExpectError: regexp.MustCompile(`(?s)A new label needs app_name.*A new label needs an owner`),
		},
	)
	if n := w.calls(routeProvision); n != 0 {
		t.Errorf("%d provisions", n)
	}
}

func TestPrivateLabel_AlreadyLive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "")))
	c.apply().wantOK(t)
	id := w.sim.Labels()[0].ID
	c.ok("state", "rm", "-no-color", acme)
	c.config(w.config(label("acme", "SIGN.acme.example", "")))
	r := c.plan()
	r.wantError(t, acmeHost+" is already live on this reseller", "import {", `id = "`+id+`"`)
	// The block of the message works.
	c.config(w.config(label("acme", acmeHost, "") + "import {\n  to = " + acme + "\n  id = \"" + id + "\"\n}\n"))
	c.apply().wantOK(t, "1 imported, 0 added, 1 changed, 0 destroyed")
	c.wantEmptyPlan()
}

func TestPrivateLabel_DeclaredTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "") + label("twin", "SIGN.acme.example", "")))
	c.plan().wantError(t, "is declared twice")
}

// Each way to destroy is refused at plan, and says the way out.
func TestPrivateLabel_Protected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	declared := w.config(label("acme", acmeHost, ""))
	c.config(declared)
	c.apply().wantOK(t)
	w.settle(acmeHost)
	protected := []string{acmeHost + " is protected from being destroyed", "deletion_policy is PREVENT", "terraform state rm"}

	t.Run("destroy", func(t *testing.T) {
		c.destroy().wantError(t, protected...)
		c.run("plan", "-destroy", "-no-color").wantError(t, protected...)
	})
	t.Run("block removed", func(t *testing.T) {
		c.config(w.config(""))
		c.plan().wantError(t, protected...)
	})
	t.Run("removed with destroy", func(t *testing.T) {
		c.config(w.config("removed {\n  from = " + acme + "\n  lifecycle { destroy = true }\n}\n"))
		c.plan().wantError(t, protected...)
	})
	t.Run("replace", func(t *testing.T) {
		c.config(declared)
		c.plan("-replace="+acme).wantError(t, acmeHost+" cannot be replaced")
	})
	t.Run("taint", func(t *testing.T) {
		c.ok("taint", "-no-color", acme)
		c.plan().wantError(t, acmeHost+" is already live on this reseller", "terraform untaint")
		c.apply().wantError(t)
		c.ok("untaint", "-no-color", acme)
		c.wantEmptyPlan()
	})
	t.Run("policy only in the configuration", func(t *testing.T) {
		// DEPROVISION has to stand in the state before a destroy goes by it.
		c.config(w.config(label("acme", acmeHost, `deletion_policy = "DEPROVISION"`)))
		c.destroy().wantError(t, protected...)
	})
	for _, route := range []string{routeDeprovision, routeSuspend} {
		if n := w.calls(route); n != 0 {
			t.Errorf("%s: %d calls", route, n)
		}
	}
	if n := w.calls(routeProvision); n != 1 {
		t.Errorf("%d provisions, want 1", n)
	}
	t.Run("removed without destroy", func(t *testing.T) {
		c.config(w.config("removed {\n  from = " + acme + "\n  lifecycle { destroy = false }\n}\n"))
		c.apply().wantOK(t)
		if len(w.sim.Labels()) != 1 {
			t.Error("the label is gone")
		}
	})
}

func TestPrivateLabel_DeletionPolicies(t *testing.T) {
	t.Parallel()
	for policy, tc := range map[string]struct {
		warning string
		calls   map[string]int
		left    int
	}{
		"SUSPEND":     {"will be suspended and forgotten", map[string]int{routeSuspend: 1}, 1},
		"ABANDON":     {"will be forgotten, not deleted", map[string]int{}, 1},
		"DEPROVISION": {"will be deprovisioned for good", map[string]int{routeDeprovision: 1}, 0},
	} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c := w.cli()
			c.config(w.config(label("acme", acmeHost, fmt.Sprintf("deletion_policy = %q", policy))))
			c.apply().wantOK(t)
			w.settle(acmeHost)
			c.ok("refresh", "-no-color")
			w.sim.ResetJournal()
			c.config(w.config(""))
			planned := c.plan()
			planned.wantText(t, tc.warning, acmeHost)
			if policy == "DEPROVISION" {
				planned.wantText(t, "1 members", "no package", "can never be provisioned again")
			}
			for _, route := range []string{routeSuspend, routeDeprovision} {
				if n := w.calls(route); n != 0 {
					t.Errorf("the plan called %s %d times", route, n)
				}
			}
			w.sim.ResetJournal()
			c.apply().wantOK(t, "1 destroyed")
			for _, route := range []string{routeSuspend, routeDeprovision} {
				if n := w.calls(route); n != tc.calls[route] {
					t.Errorf("%s: %d calls, want %d", route, n, tc.calls[route])
				}
			}
			if len(c.state()) != 0 {
				t.Errorf("state: %v", c.state())
			}
			if n := len(w.sim.Labels()); n != tc.left {
				t.Errorf("%d labels, want %d", n, tc.left)
			}
		})
	}
}

func TestPrivateLabel_Suspension(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	with := func(extra string) string { return w.config(label("acme", acmeHost, extra)) }
	c := w.cli()
	c.config(with("suspended = true\n suspend_reason = \"unpaid\""))
	c.apply().wantOK(t)
	c.wantEmptyPlan()

	t.Run("the reason cannot change", func(t *testing.T) {
		c.config(with("suspended = true\n suspend_reason = \"other\""))
		c.plan().wantError(t, "The reason for the suspension of "+acmeHost+" cannot change", `"unpaid"`)
		c.config(with("suspended = true"))
		c.plan().wantError(t, "cannot change")
	})
	t.Run("lifted in the console, suspended again by apply", func(t *testing.T) {
		if err := w.sim.UnsuspendInConsole(acmeHost); err != nil {
			t.Fatal(err)
		}
		c.config(with("suspended = true\n suspend_reason = \"unpaid\""))
		c.apply().wantOK(t, "1 changed")
		c.wantEmptyPlan()
	})
	t.Run("suspended anew with another reason", func(t *testing.T) {
		if err := w.sim.UnsuspendInConsole(acmeHost); err != nil {
			t.Fatal(err)
		}
		if err := w.sim.SuspendInConsole(acmeHost, "fraud"); err != nil {
			t.Fatal(err)
		}
		r := c.plan()
		r.wantOK(t, "is suspended with another reason", `"fraud"`)
	})
	t.Run("lift", func(t *testing.T) {
		c.config(with("suspended = false"))
		c.apply().wantOK(t, "1 changed")
		c.wantEmptyPlan()
		if got := w.sim.Labels()[0].Status; got != "Active" {
			t.Errorf("status %s", got)
		}
	})
	t.Run("not managed: left alone", func(t *testing.T) {
		c.config(with(""))
		c.apply().wantOK(t)
		if err := w.sim.SuspendInConsole(acmeHost, "theirs"); err != nil {
			t.Fatal(err)
		}
		w.sim.ResetJournal()
		c.wantEmptyPlan()
		c.apply().wantOK(t)
		if n := w.calls(routeUnsuspend); n != 0 {
			t.Errorf("%d calls of unsuspend", n)
		}
		if got := c.state()[acme].Attributes["status"]; got != "Suspended" {
			t.Errorf("status %v in state", got)
		}
	})
}

func TestPrivateLabel_SuspendedByPlatform(t *testing.T) {
	t.Parallel()
	for _, managed := range []string{"", "suspended = false", "suspended = true"} {
		t.Run(managed, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c := w.cli()
			c.config(w.config(label("acme", acmeHost, managed)))
			c.apply().wantOK(t)
			if managed == "suspended = true" {
				if err := w.sim.UnsuspendInConsole(acmeHost); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.sim.SuspendByPlatform(acmeHost, "abuse"); err != nil {
				t.Fatal(err)
			}
			w.sim.ResetJournal()
			r := c.plan()
			r.wantOK(t, acmeHost+" is suspended by the platform")
			c.apply().wantOK(t)
			if n := w.calls(routeSuspend) + w.calls(routeUnsuspend); n != 0 {
				t.Errorf("%d calls against the platform's suspension", n)
			}
			if got := c.state()[acme].Attributes["suspended_by"]; got != "Platform" {
				t.Errorf("suspended_by %v", got)
			}
			if err := w.sim.LiftPlatformSuspension(acmeHost); err != nil {
				t.Fatal(err)
			}
			if managed == "suspended = true" {
				c.apply().wantOK(t, "1 changed")
			}
			c.wantEmptyPlan()
		})
	}
}

func TestPrivateLabel_AttachedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sim.FailAttach(1)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "")))
	c.apply().wantOK(t, "the host is not attached yet")
	if got := c.state()[acme].Attributes["domain_attached"]; got != false {
		t.Errorf("domain_attached %v", got)
	}
	if r := c.plan(); r.code != 2 {
		t.Errorf("exit code %d, want a change\n%s", r.code, r.out)
	}
	c.apply().wantOK(t, "1 changed")
	if n := w.calls(routeAttach); n != 1 {
		t.Errorf("%d calls of attach, want 1", n)
	}
	c.wantEmptyPlan()
}

func TestPrivateLabel_Gone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "")))
	c.apply().wantOK(t)
	if err := w.sim.MoveAway(acmeHost); err != nil {
		t.Fatal(err)
	}
	// The host is retired: a plan must not show it as a new label.
	r := c.plan()
	r.wantError(t, acmeHost+" is gone and was removed from state", acmeHost+" is retired")
	t.Run("another host in its place", func(t *testing.T) {
		c.config(w.config(label("acme", "other.acme.example", "")))
		if r := c.plan(); r.code != 2 || !strings.Contains(r.out, "1 to add") {
			t.Errorf("exit code %d, want a new label\n%s", r.code, r.out)
		}
	})
	c.config(w.config(""))
	c.plan().wantOK(t, acmeHost+" is gone already", acmeHost+" is gone and was removed from state")
	c.apply().wantOK(t)
	if len(c.state()) != 0 {
		t.Errorf("state: %v", c.state())
	}
	if n := w.calls(routeProvision); n != 1 {
		t.Errorf("%d provisions", n)
	}
}

// Under another reseller's key an absent label is a mistake, not a deletion.
func TestPrivateLabel_WrongKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "")))
	c.apply().wantOK(t)
	other, err := w.sim.AddReseller("rival.example")
	if err != nil {
		t.Fatal(err)
	}
	c.config(strings.Replace(w.config(label("acme", acmeHost, "")), w.sim.APIKey(), other, 1))
	c.plan().wantError(t, "belongs to another reseller: wrong key?", "rival.example")
	c.run("apply", "-refresh-only", "-auto-approve", "-no-color").wantError(t, "wrong key?")
	if _, ok := c.state()[acme]; !ok {
		t.Error("the label was dropped from state")
	}
	c.config(w.config(label("acme", acmeHost, "")))
	c.wantEmptyPlan()
}

func TestPrivateLabel_Import(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.test(
		resource.TestStep{Config: w.config(label("acme", acmeHost, abandon))},
		resource.TestStep{
			ResourceName:            acme,
			ImportState:             true,
			ImportStateVerify:       true,
			ImportStateVerifyIgnore: []string{"app_name", "deletion_policy"},
		},
		resource.TestStep{
			ResourceName:            acme,
			ImportState:             true,
			ImportStateId:           "SIGN.acme.example",
			ImportStateVerify:       true,
			ImportStateVerifyIgnore: []string{"app_name", "deletion_policy"},
			ImportStateCheck: func(states []*terraform.InstanceState) error {
				if got := states[0].Attributes["deletion_policy"]; got != "PREVENT" {
					return fmt.Errorf("deletion_policy %q after import", got)
				}
				return nil
			},
		},
		resource.TestStep{
			ResourceName: acme, ImportState: true, ImportStateId: "https://sign.acme.example",
			ExpectError: regexp.MustCompile(`is neither a tenant id nor a host name`),
		},
		resource.TestStep{
			ResourceName: acme, ImportState: true, ImportStateId: "nobody.acme.example",
			ExpectError: regexp.MustCompile(`nobody.acme.example is no live label of`),
		},
		resource.TestStep{
			ResourceName: acme, ImportState: true, ImportStateId: "0123456789abcdef0123456789abcdef",
			ExpectError: regexp.MustCompile(`is no live label of`),
		},
	)
}

// After an import the declared values are taken over with no writing call, and
// a generated configuration plans empty.
func TestPrivateLabel_ImportTakesOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "")))
	c.apply().wantOK(t)
	w.settle(acmeHost)
	c.ok("state", "rm", "-no-color", acme)
	w.sim.ResetJournal()

	importing := "import {\n  to = " + acme + "\n  id = \"" + acmeHost + "\"\n}\n"
	c.config(w.config(importing))
	c.ok("plan", "-no-color", "-generate-config-out=generated.tf")
	c.apply().wantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
	c.wantEmptyPlan()

	c.file("generated.tf", "")
	c.config(w.config(label("acme", acmeHost, `support_url = "https://acme.example/help"`)))
	c.apply().wantOK(t, "1 changed")
	c.wantEmptyPlan()
	c.config(w.config(label("acme", acmeHost, `support_url = "https://acme.example/hulp"`)))
	c.plan().wantError(t, "support_url of "+acmeHost+" cannot change")
	for _, route := range []string{routeProvision, routeDeprovision, routeSuspend, routeUnsuspend, routeAttach} {
		if n := w.calls(route); n != 0 {
			t.Errorf("%s: %d calls", route, n)
		}
	}
}

func TestPrivateLabel_ImportWithoutOwner(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.sim.Seed(1); err != nil {
		t.Fatal(err)
	}
	host := w.sim.Labels()[0].Host
	w.settle(host)
	if err := w.sim.RemoveOwner(host); err != nil {
		t.Fatal(err)
	}
	c := w.cli()
	c.config(w.config("import {\n  to = " + acme + "\n  id = \"" + host + "\"\n}\n"))
	c.ok("plan", "-no-color", "-generate-config-out=generated.tf")
	c.apply().wantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
	c.wantEmptyPlan()
}

// One list, whatever the number of labels.
func TestPrivateLabel_PlanCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var body strings.Builder
	for i := range 5 {
		body.WriteString(label(fmt.Sprintf("l%d", i), fmt.Sprintf("sign%d.acme.example", i), ""))
	}
	c := w.cli()
	c.config(w.config(body.String()))
	c.apply().wantOK(t)
	for i := range 5 {
		w.settle(fmt.Sprintf("sign%d.acme.example", i))
	}
	c.ok("refresh", "-no-color")
	w.sim.ResetJournal()
	c.wantEmptyPlan()
	if err := w.wantCalls(map[string]int{routeList: 1}); err != nil {
		t.Error(err)
	}
}

// An unknown host is judged at apply, before any call that writes.
func TestPrivateLabel_UnknownAtPlan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(`
resource "terraform_data" "host" { input = "sign.acme.example" }
resource "reseller_private_label" "acme" {
  domain   = terraform_data.host.output
  app_name = terraform_data.host.output
  owner = { email = "ada@${terraform_data.host.output}", first_name = "Ada", last_name = "Lovelace" }
}`))
	c.apply().wantOK(t)
	c.wantEmptyPlan()
}
