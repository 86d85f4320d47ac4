package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/report"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestPeopleDataSources(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	require.NoError(t, w.Sim.Seed(2))
	l := w.Sim.Labels()[0]
	require.NoError(t, w.Sim.MakeAdmin(l.Host, "person-3@client-0001.example"))
	revoked, err := w.Sim.MintKey("reseller:read")
	require.NoError(t, err)
	require.NoError(t, w.Sim.RevokeKey(revoked))
	person := func(fields map[string]knownvalue.Check) knownvalue.Check { return knownvalue.ObjectPartial(fields) }
	text := knownvalue.StringExact
	c := coretest.New(t, w)
	c.Config(w.Config(fmt.Sprintf(`
data "reseller_members" "m" { private_label_id = %[1]q }
data "reseller_templates" "t" { private_label_id = %[1]q }
data "reseller_people" "all" {}
data "reseller_people" "one" {
  query  = "PERSON-2"
  domain = %[2]q
}
data "reseller_people" "none" { query = "nobody" }
data "reseller_api_keys" "k" {}
`, l.ID, l.Host)))
	c.Apply().WantOK(t)
	c.Want("data.reseller_members.m", "members", knownvalue.ListExact([]knownvalue.Check{
		person(map[string]knownvalue.Check{"email": text("person-1@client-0001.example"), "role": text("owner"), "is_owner": knownvalue.Bool(true), "id": knownvalue.NotNull(), "status": text("Active"), "created_at": knownvalue.NotNull()}),
		person(map[string]knownvalue.Check{"first_name": text("Person 2"), "last_name": text("of Client 1"), "role": text("member"), "is_owner": knownvalue.Bool(false)}),
		person(map[string]knownvalue.Check{"role": text("admin"), "is_owner": knownvalue.Bool(true)}),
	}))
	c.Want("data.reseller_templates.t", "templates", knownvalue.ListExact([]knownvalue.Check{
		person(map[string]knownvalue.Check{"title": text("Terms"), "slug": text("terms"), "is_private": knownvalue.Bool(false), "id": knownvalue.NotNull(), "created_at": knownvalue.NotNull()}),
	}))
	c.Want("data.reseller_people.all", "people", knownvalue.ListSizeExact(6))
	c.Want("data.reseller_people.one", "people", knownvalue.ListExact([]knownvalue.Check{
		person(map[string]knownvalue.Check{"email": text("person-2@client-0001.example"), "domain": text(l.Host), "first_name": text("Person 2"), "id": knownvalue.NotNull()}),
	}))
	c.Want("data.reseller_people.none", "people", knownvalue.ListSizeExact(0))
	c.Want("data.reseller_api_keys.k", "api_keys", knownvalue.ListExact([]knownvalue.Check{
		person(map[string]knownvalue.Check{"id": knownvalue.NotNull(), "last_four": text(revoked[len(revoked)-4:]), "scopes": knownvalue.ListExact([]knownvalue.Check{text("reseller:read")}), "revoked_at": knownvalue.NotNull(), "last_used_at": knownvalue.Null()}),
		person(map[string]knownvalue.Check{"scopes": knownvalue.ListSizeExact(3), "revoked_at": knownvalue.Null(), "last_used_at": knownvalue.NotNull()}),
	}))
	c.WantEmptyPlan()
}

// The search returns at most fifty users, and warns about it.
func TestPeople_Capped(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	for i := range client.MaxPeople {
		_, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, fmt.Sprintf("person-%d@acme.example", i), "Person", "Number")
		require.NoError(t, err)
	}
	c := coretest.Applied(t, w.TestEnv, w.Config("data \"reseller_people\" \"all\" {}\noutput \"found\" {\n  value = length(data.reseller_people.all.people)\n}\n"), report.SummaryMatches, "returned 50 users", "found = 50")
	c.Config(w.Config("data \"reseller_people\" \"all\" { query = \"person-49\" }\n"))
	r := c.Plan()
	assert.NotContains(t, r.Out, report.SummaryMatches, "one match warns of the maximum")
}

func TestPeopleDataSources_Refused(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	for body, want := range map[string]string{
		`data "reseller_members" "m" { private_label_id = "` + strings.Repeat("0", 32) + `" }`:       session.SummaryLabelNotFound,
		`data "reseller_templates" "m" { private_label_id = "` + strings.Repeat("0", 32) + `" }`:     session.SummaryLabelNotFound,
		`data "reseller_points_ledger" "m" { private_label_id = "` + strings.Repeat("0", 32) + `" }`: session.SummaryLabelNotFound,
		`data "reseller_members" "m" { private_label_id = "acme" }`:                                  "Set the ID of a private label",
		`data "reseller_people" "m" { domain = "https://acme.example" }`:                             "such as sign.acme.example",
	} {
		c.Config(w.Config(body))
		c.Plan().WantError(t, want)
	}
	key, err := w.Sim.MintKey("reseller:provision")
	require.NoError(t, err)
	w.Key = key
	for _, name := range []string{"people", "api_keys"} {
		c.Config(w.Config(fmt.Sprintf("data \"reseller_%s\" \"x\" {}\n", name)))
		c.Plan().WantError(t, "INSUFFICIENT_SCOPE", "reseller:read")
	}
}

// Members and the members data source of one private label share one call.
func TestPeopleDataSources_Share(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.Applied(t, w.TestEnv, w.Bob())
	w.Sim.ResetJournal()
	c.Config(w.Bob() + fmt.Sprintf("data \"reseller_members\" \"m\" {\n  private_label_id = %q\n}\n", w.Label))
	c.WantEmptyPlan()
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteMembers: 1}))
}

// Bad input for members and branding is an error at validate, at its attribute.
func TestBadInput_People(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	id := strings.Repeat("0", 32)
	member := func(email, first, last string) string {
		return fmt.Sprintf("resource \"reseller_member\" \"bad\" {\n private_label_id = %q\n email = %q\n first_name = %q\n last_name = %q\n}\n", id, email, first, last)
	}
	look := func(line string) string {
		return "resource \"reseller_branding\" \"bad\" {\n domain = \"sign.acme.example\"\n " + line + "\n}\n"
	}
	for name, tc := range map[string]struct{ body, want string }{
		"email malformed":      {member("bob", "Bob", "Byte"), "Write one plain email address"},
		"email with a name":    {member("Bob <bob@acme.example>", "Bob", "Byte"), "Write one plain email address"},
		"first name blank":     {member("bob@acme.example", " ", "Byte"), "must not be blank"},
		"last name empty":      {member("bob@acme.example", "Bob", ""), "must not be blank"},
		"name too long":        {member("bob@acme.example", strings.Repeat("é", 256), "Byte"), "at most 255"},
		"label is no id":       {strings.Replace(member("bob@acme.example", "Bob", "Byte"), id, "sign.acme.example", 1), "sign.acme.example is a host name"},
		"color":                {look(`color_footer_background = "blue"`), "color_footer_background"},
		"logo path blank":      {look(`logo_path = " "`), "must not be blank"},
		"host":                 {strings.Replace(look(""), "sign.acme.example", "https://acme.example", 1), "such as sign.acme.example"},
		"verification's limit": {"resource \"reseller_domain_verification\" \"bad\" {\n private_label_id = \"" + id + "\"\n timeouts = { create = \"-5m\" }\n}\n", "timeouts.create: -5m0s. Set a duration that is not negative"},
		"verification's label": {"resource \"reseller_domain_verification\" \"bad\" {\n private_label_id = \"not an ID\"\n}\n", "Set the ID of a private label"},
		"verification's time":  {"resource \"reseller_domain_verification\" \"bad\" {\n private_label_id = \"" + id + "\"\n timeouts = { create = \"soon\" }\n}\n", "must be a string containing a sequence of decimal numbers"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := coretest.New(t, w)
			c.Config(w.Config(tc.body))
			c.Validate().WantError(t, tc.want)
		})
	}
}
