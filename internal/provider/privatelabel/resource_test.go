package privatelabel_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func value(name string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(providertest.Acme, providertest.At(name), check)
}

func TestPrivateLabel_Minimal(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	w.Test(
		resource.TestStep{
			Config: w.Config(providertest.Label("acme", providertest.AcmeHost, providertest.Abandon)),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(providertest.Acme, plancheck.ResourceActionCreate)},
			},
			ConfigStateChecks: []statecheck.StateCheck{
				value("id", knownvalue.StringRegexp(regexp.MustCompile(`^[0-9a-f]{32}$`))),
				value("domain", knownvalue.StringExact(providertest.AcmeHost)),
				value("status", knownvalue.StringExact("Active")),
				value("suspended", knownvalue.Null()),
				value("suspended_at", knownvalue.Null()),
				value("suspended_by", knownvalue.Null()),
				value("created_at", knownvalue.StringRegexp(regexp.MustCompile(`^\d{4}-\d\d-\d\dT`))),
				value("domain_attached", knownvalue.Bool(true)),
				value("domain_verified", knownvalue.Bool(false)),
				value("dns_record", knownvalue.ObjectPartial(map[string]knownvalue.Check{"type": knownvalue.StringExact("CNAME"), "name": knownvalue.StringExact(providertest.AcmeHost)})),
				value("owner", knownvalue.ObjectPartial(map[string]knownvalue.Check{"user_id": knownvalue.StringRegexp(regexp.MustCompile(`^[0-9a-f]{32}$`)), "email": knownvalue.StringExact("ada@acme.example")})),
				value("deletion_policy", knownvalue.StringExact("ABANDON")),
			},
		},
		resource.TestStep{
			PreConfig: w.Sim.ResetJournal,
			Config:    w.Config(providertest.Label("acme", providertest.AcmeHost, providertest.Abandon)),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
		},
	)
	assert.Len(t, w.Sim.Labels(), 1)
	assert.Len(t, w.Sim.Outbox(), 1, "emails")
	assert.Equal(t, 0, w.Calls(providertest.RouteProvision), "provisions in the second step")
}

func TestPrivateLabel_Full(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	full := `
  support_url   = "https://acme.example/help"
  website_url   = "https://acme.example"
  color_primary = "#0a4"
  color_accent  = "#112233"
  social_links  = { linkedinUrl = "https://social.example/acme" }
  suspended      = true
  suspend_reason = "unpaid"
` + providertest.Abandon
	w.Test(
		resource.TestStep{
			Config: w.Config(providertest.Label("acme", "Sign.ACME.example", full)),
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
			Config: w.Config(providertest.Label("acme", "sign.acme.EXAMPLE", strings.ReplaceAll(full, `"#0a4"`, `"#00AA44"`))),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
		},
	)
	body := w.LastBody(providertest.RouteProvision)
	for _, part := range []string{`"supportUrl":"https://acme.example/help"`, `"colorPrimary":"#0a4"`, `"linkedinUrl":"https://social.example/acme"`} {
		assert.Contains(t, body, part, "the body lacks")
	}
	assert.NotContains(t, body, "package", "the body has a package")
}

// The host name and the owner are permanent. A change of what is sent at provisioning only is recorded.
func TestPrivateLabel_LaterChanges(t *testing.T) {
	t.Parallel()
	full := func(replace ...string) string {
		return strings.NewReplacer(replace...).Replace(providertest.Label("acme", providertest.AcmeHost, `
  support_url   = "https://acme.example/help"
  website_url   = "https://acme.example"
  color_primary = "#0a4"
  color_accent  = "#112233"
  social_links  = { linkedinUrl = "https://social.example/acme" }
`))
	}
	w := providertest.NewTestEnv(t)
	c := coretest.Applied(t, w, w.Config(full()))
	before := w.Sim.Labels()
	for name, tc := range map[string]struct{ from, to string }{
		"domain":               {providertest.AcmeHost, "other.acme.example"},
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
			w.Sim.ResetJournal()
			c.Config(w.Config(full(tc.from, tc.to)))
			if attribute == "domain" || attribute == "owner.email" {
				c.Plan().WantError(t, attribute+" of "+providertest.AcmeHost+" cannot change", "Restore the former value")
			} else {
				c.Planned().WantWarning(t, privatelabel.SummaryRecordedOnly, "no API call sends "+attribute)
			}
			assert.Equal(t, 0, w.Calls(providertest.RouteProvision)+w.Calls(providertest.RouteDeprovision), "writing calls")
		})
	}
	c.Config(w.Config(full()))
	c.WantEmptyPlan()
	assert.Equal(t, fmt.Sprint(w.Sim.Labels()), fmt.Sprint(before), "the labels changed: %v", w.Sim.Labels())
}

// Two resources for one host name: it is provisioned once.
func TestPrivateLabel_TwoForOneHost(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := w.Cli()
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "") + providertest.Label("twin", "SIGN.acme.example", "")))
	c.Apply().Diagnostics.WantOneError(t, []string{privatelabel.SummaryExists}, providertest.AcmeHost, "import {")
	if n, emails := len(w.Sim.Labels()), len(w.Sim.Outbox()); n != 1 || emails != 1 || len(c.State()) != 1 {
		t.Errorf("%d private labels, %d emails, state %v", n, emails, c.State())
	}
}

// A host name that is provisioned between plan and apply.
func TestPrivateLabel_LiveAtApply(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.New(t, w)
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "")))
	c.Planned().Want(t, 0, "error", "")
	id, err := w.Sim.AddConsoleLabel(providertest.AcmeHost, "eve@acme.example")
	require.NoError(t, err)
	c.ApplySaved().WantError(t, privatelabel.SummaryExists, providertest.AcmeHost, "import {", `id = "`+id+`"`)
	n := len(w.Sim.Labels())
	assert.Equal(t, 1, n, "private labels, state %v", c.State())
	assert.Empty(t, c.State(), "%d private labels, state", n)
}
