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
			ExpectError: regexp.MustCompile(`(?s)Missing app_name for provisioning.*Missing owner for provisioning`),
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
	r.wantError(t, "Private label already exists", acmeHost, "import {", `id = "`+id+`"`)
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
	told := c.planned()
	told.wantHint(t, "Host name is declared twice")
	told.want(t, 0, "error", "")
	w.sim.ResetJournal()
	// Whether the second block is planned again before or after the first is applied is the CLI's choice.
	c.told("apply", "-json", "-auto-approve").wantOneError(t, []string{"Object is declared twice", "Private label already exists"}, acmeHost)
	if n := w.calls(routeProvision); n != 1 {
		t.Errorf("%d provisions, want one", n)
	}
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
