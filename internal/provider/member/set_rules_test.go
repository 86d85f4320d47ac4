package member_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Invalid values are an error of validate, at the element.
func TestMembers_BadInput(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	team := func(members string) string {
		return w.Config(fmt.Sprintf("resource \"reseller_members\" \"team\" {\n  private_label_id = %q\n  members = %s\n}\n", w.Label, members))
	}
	names := `{ first_name = "Bob", last_name = "Byte" }`
	for name, tc := range map[string]struct {
		config string
		want   []string
	}{
		"two spellings":  {team(fmt.Sprintf(`{ "bob@acme.example" = %[1]s, "BOB@acme.example" = %[1]s }`, names)), []string{member.SummaryDuplicateEmail, `"BOB@acme.example" and "bob@acme.example"`}},
		"empty address":  {team(fmt.Sprintf(`{ "" = %s }`, names)), []string{`members[""]`, "must not be blank"}},
		"no address":     {team(fmt.Sprintf(`{ "bob" = %s }`, names)), []string{`Invalid value for members["bob"]`, "such as ada@acme.example"}},
		"invisible":      {team(fmt.Sprintf(`{ "b\u200bob@acme.example" = %s }`, names)), []string{"U+200B"}},
		"a null element": {team(`{ "bob@acme.example" = null }`), []string{"Missing names", `members["bob@acme.example"] is null`}},
		"a blank name":   {team(`{ "bob@acme.example" = { first_name = " ", last_name = "Byte" } }`), []string{"must not be blank"}},
		"a missing name": {team(`{ "bob@acme.example" = { first_name = "Bob" } }`), []string{`"last_name" is required`}},
		"no map":         {team("null"), []string{"members"}},
		"a host name":    {strings.ReplaceAll(team("{}"), w.Label, providertest.AcmeHost), []string{"private_label_id"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.Config(tc.config)
			c.Validate().WantError(t, tc.want...)
		})
	}
	assert.Empty(t, w.Sim.Journal(), "calls")
}

// A person with a seat may have an address that the API would reject today: the person can stay. Adding one with such
// an address is an error of the plan.
func TestMembers_AddressOfBefore(t *testing.T) {
	t.Parallel()
	const old, odd = "bob@acme_2.example", "Bob <bob@acme.example>"
	w := providertest.NewLabelEnv(t)
	w.Join(old)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Team(old, odd))
	told := c.Planned()
	told.WantError(t, diagnostic.SummaryInvalidValue, odd, "such as ada@acme.example")
	at := told.Of("error", diagnostic.SummaryInvalidValue)[0].Attribute
	assert.Contains(t, at, "members", "the error is")
	assert.Contains(t, at, odd, "the error is")
	c.Config(w.Team(old, eveMail))
	c.Apply().WantOK(t, "1 added")
	c.WantEmptyPlan()
	c.Config(w.Team(old, eveMail, odd))
	c.Planned().WantError(t, diagnostic.SummaryInvalidValue, odd)
	c.Config(w.Team(eveMail))
	c.Apply().WantOK(t, "1 changed")
	wantPeople(t, w, adaMail, eveMail)
	c.Config(w.Team("Eve <"+eveMail+">", bobMail)) // who left under another spelling would be added
	c.Planned().WantError(t, diagnostic.SummaryInvalidValue, "Eve <"+eveMail+">")
}

func TestMembers_Refused(t *testing.T) {
	t.Parallel()
	t.Run("no such label", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnv(t)
		c := coretest.New(t, w.TestEnv)
		c.Config(strings.ReplaceAll(w.Team(bobMail), w.Label, strings.Repeat("0", 32)))
		c.Plan().WantError(t, session.SummaryLabelNotFound)
	})
	t.Run("moved to a different reseller", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnv(t)
		c := w.Cli()
		c.Config(w.Team(bobMail))
		c.Apply().WantOK(t)
		require.NoError(t, w.Sim.MoveAway(providertest.AcmeHost))
		c.Plan("-refresh-only").WantText(t, member.SummarySetLabelGone)
	})
	t.Run("the key is another reseller's", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnv(t)
		c := w.Cli()
		w.Env.Set("RESELLER_API_KEY", w.Sim.APIKey())
		config := func(emails ...string) {
			c.Config(fmt.Sprintf("provider \"reseller\" {\n  base_url = %q\n}\n", simulator.BaseURL) + w.Set(emails...))
		}
		config(bobMail)
		c.Apply().WantOK(t)
		config(eveMail)
		c.Ok("plan", "-no-color", "-input=false", "-out=saved")
		rival, err := w.Sim.AddReseller("rival.example")
		require.NoError(t, err)
		w.Env.Set("RESELLER_API_KEY", rival)
		w.Sim.ResetJournal()
		c.Plan().WantError(t, session.SummaryOtherReseller, "rival.example")
		c.Run("apply", "-no-color", "-input=false", "saved").WantError(t)
		w.WantReads()
		wantDeclared(t, c, bobMail)
	})
	t.Run("a key without the scope", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnv(t)
		key, err := w.Sim.MintKey("reseller:read")
		require.NoError(t, err)
		w.Key = key
		c := coretest.New(t, w.TestEnv)
		c.Config(w.Team(bobMail))
		c.Apply().WantError(t, member.SummaryAdd, bobMail, "INSUFFICIENT_SCOPE", "Nothing was changed")
	})
}

// A set replaces single members: a removed block keeps them.
func TestMembers_InsteadOfMember(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.Applied(t, w.TestEnv, w.Bob())
	c.Config(w.Team(bobMail))
	for _, options := range [][]string{nil, {"-refresh=false"}, {"-parallelism=1"}} {
		c.Planned(options...).WantError(t, changedAddress, bobMail+" of "+providertest.AcmeHost, "reseller_member", "reseller_members", "destroy = false")
	}
	c.Config(w.Team(bobMail) + "removed {\n  from = reseller_member.bob\n  lifecycle {\n    destroy = false\n  }\n}\n")
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 added, 0 changed, 0 destroyed")
	w.WantReads()
	wantPeople(t, w, adaMail, bobMail)
	c.WantEmptyPlan()
}

// Import by each ID, manually and with a generated configuration; owners and admins are not in it.
func TestMembers_Import(t *testing.T) {
	t.Parallel()
	if providertest.IsTofu(t) {
		t.Skip("OpenTofu generates a map whose keys are addresses without quotes")
	}
	w := providertest.NewLabelEnv(t)
	w.Join(bobMail, eveMail, carolMail)
	require.NoError(t, w.Sim.MakeAdmin(providertest.AcmeHost, carolMail))
	for _, id := range []string{w.Label, providertest.AcmeHost, strings.ToUpper(providertest.AcmeHost)} {
		w.Sim.ResetJournal()
		text := w.Adopt(providertest.Imports{providertest.Team: id}, map[string]int{providertest.RouteList: 1, providertest.RouteMembers: 1})
		assert.Contains(t, text, `"`+bobMail+`"`, "generated")
		assert.NotContains(t, text, carolMail, "generated")
		assert.NotContains(t, text, adaMail, "generated")
	}
	c := w.Cli()
	c.Config(w.Team("BOB@acme.example", eveMail, carolMail) + fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", providertest.Team, w.Label))
	told := c.Planned()
	told.WantWarning(t, present, carolMail)
	told.Want(t, 0, "warning", added)
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 imported, 0 added, 1 changed")
	w.WantReads()
	c.WantEmptyPlan()
}

// Sets of twenty private labels: one members list each, shared with single members and the data source.
func TestMembers_OneListALabel(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	w.Compares = false // a set and a member have one person: who is planned second warns, and another may be between the two answers
	c := coretest.New(t, w.TestEnv)
	var blocks strings.Builder
	const labels = 20
	for i := range labels {
		id, err := w.Sim.AddConsoleLabel(fmt.Sprintf("sign.client-%d.example", i), "owner@client.example")
		require.NoError(t, err)
		blocks.WriteString(strings.Replace(providertest.SetOf(fmt.Sprintf("%q", id), bobMail, eveMail), `"team"`, fmt.Sprintf(`"of_%d"`, i), 1))
	}
	single := w.Person("bob", bobMail, "Bob")
	c.Config(w.Config(single))
	c.Apply().WantOK(t)
	blocks.WriteString(w.Set(bobMail) + single + fmt.Sprintf("data \"reseller_members\" \"acme\" {\n  private_label_id = %q\n}\n", w.Label))
	c.Config(w.Config(blocks.String()))
	c.Apply().WantOK(t)
	c.Apply().WantOK(t)
	w.Sim.ResetJournal()
	c.WantEmptyPlan()
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteMembers: labels + 1}))
}
