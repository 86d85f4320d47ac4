package member_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const (
	bobMail   = providertest.BobEmail
	eveMail   = providertest.EveEmail
	carolMail = "carol@acme.example"
	adaMail   = "ada@acme.example" // owner of the private label

	present = member.SummaryPrivileged
	others  = member.SummaryOtherMembers
)

// What plans announce.
var (
	added   = member.TopicAddingMember.Summary
	adopted = member.TopicAdoptingMember.Summary
	removed = member.TopicRemovingMember.Summary
	stays   = member.TopicLeavingMembers.Summary
)

func wantDeclared(t *testing.T, c providertest.Workspace, want ...string) {
	t.Helper()
	slices.Sort(want)
	assert.Equal(t, want, providertest.Declared(c.State()[providertest.Team]), "the state")
}

func wantPeople(t *testing.T, w *providertest.LabelEnv, want ...string) {
	t.Helper()
	slices.Sort(want)
	assert.Equal(t, want, w.People(providertest.AcmeHost), "hold a seat")
}

func TestMembers_Lifecycle(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := w.Cli()
	c.Config(w.Team(bobMail, eveMail))
	told := c.Planned()
	told.WantWarning(t, added, bobMail+" and "+eveMail, providertest.AcmeHost)
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 added")
	assert.Equal(t, 2, w.Calls(providertest.RouteAdd), "adds, %d lists of members", w.Calls(providertest.RouteMembers))
	assert.LessOrEqual(t, w.Calls(providertest.RouteMembers), 3, "%d adds, lists of members: one more shows whom it added", w.Calls(providertest.RouteAdd))
	wantPeople(t, w, adaMail, bobMail, eveMail)
	state := c.State()[providertest.Team].Attributes
	ids, _ := state["user_ids"].(map[string]any)
	require.Len(t, ids, 2, "user_ids %v, id %v", state["user_ids"], state["id"])
	assert.Equal(t, w.Label, state["id"], "user_ids %v, id", state["user_ids"])

	t.Run("unchanged: one call", func(t *testing.T) {
		w.Sim.ResetJournal()
		c.WantEmptyPlan()
		assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteMembers: 1}))
		c.Planned().WantNone(t)
	})
	t.Run("another case of an address is no change", func(*testing.T) {
		c.Config(w.Team("BOB@Acme.example", eveMail))
		c.WantEmptyPlan()
	})
	t.Run("another case beside a change", func(t *testing.T) {
		c.Config(w.Team("BOB@Acme.example", eveMail, carolMail))
		told := c.Planned()
		told.WantWarning(t, added, carolMail+" receives")
		told.Want(t, 0, "warning", removed)
		w.Sim.ResetJournal()
		c.Apply().WantOK(t, "1 changed")
		assert.Equal(t, 1, w.Calls(providertest.RouteAdd), "adds, %d removals", w.Calls(providertest.RouteRemove))
		assert.Equal(t, 0, w.Calls(providertest.RouteRemove), "%d adds, removals", w.Calls(providertest.RouteAdd))
		wantDeclared(t, c, "BOB@Acme.example", eveMail, carolMail)
		c.WantEmptyPlan()
	})
	t.Run("a name only warns", func(t *testing.T) {
		c.Config(strings.Replace(w.Team(bobMail, eveMail, carolMail), `"Bob"`, `"Robert"`, 1))
		told := c.Planned()
		told.WantWarning(t, member.SummaryName)
		told.Want(t, 0, "warning", added)
		w.Sim.ResetJournal()
		c.Apply().WantOK(t, "1 changed")
		w.WantReads()
		c.WantEmptyPlan()
	})
	t.Run("renamed in the console: no drift", func(t *testing.T) {
		require.NoError(t, w.Sim.RenamePerson(providertest.AcmeHost, bobMail, "Robbie", "Bit"))
		c.WantEmptyPlan()
	})
	t.Run("offboard one", func(t *testing.T) {
		c.Config(w.Team(eveMail, carolMail))
		c.Planned().WantWarning(t, removed, bobMail, providertest.AcmeHost)
		w.Sim.ResetJournal()
		c.Apply().WantOK(t, "1 changed")
		assert.Equal(t, 1, w.Calls(providertest.RouteRemove), "removals, %d adds", w.Calls(providertest.RouteAdd))
		assert.Equal(t, 0, w.Calls(providertest.RouteAdd), "%d removals, adds", w.Calls(providertest.RouteRemove))
		wantPeople(t, w, adaMail, carolMail, eveMail)
		c.WantEmptyPlan()
	})
	t.Run("nobody", func(t *testing.T) {
		c.Config(w.Team())
		c.Planned().WantWarning(t, removed, carolMail+" and "+eveMail)
		c.Apply().WantOK(t, "1 changed")
		wantPeople(t, w, adaMail)
		c.WantEmptyPlan()
	})
	t.Run("a destroy removes nobody", func(t *testing.T) {
		c.Config(w.Team(bobMail))
		c.Apply().WantOK(t)
		c.Config(w.Config(""))
		told := c.Planned()
		told.WantWarning(t, stays, providertest.AcmeHost)
		told.Want(t, 0, "warning", removed)
		w.Sim.ResetJournal()
		c.Apply().WantOK(t, "1 destroyed")
		w.WantReads()
		wantPeople(t, w, adaMail, bobMail)
	})
}

// If the private label is known after apply, the apply returns the error before any API call.
func TestMembers_CreateRemovesNobodyAtApply(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	w.Join(carolMail)
	c := coretest.New(t, w.TestEnv)
	declare := func(emails ...string) {
		c.Config(w.Config(fmt.Sprintf(`
resource "terraform_data" "other" {}
data "reseller_private_label" "acme" {
  domain     = %q
  depends_on = [terraform_data.other]
}
`, providertest.AcmeHost) + providertest.SetOf("data.reseller_private_label.acme.id", emails...)))
	}
	declare(bobMail)
	c.Planned().WantWarning(t, added, bobMail)
	w.Sim.ResetJournal()
	c.Apply().WantError(t, others, carolMail, "reseller_members.NAME")
	w.WantReads()
	_, there := c.State()[providertest.Team]
	assert.False(t, there, "state %v", c.State())
	declare(bobMail, carolMail)
	c.Apply().WantOK(t)
	wantPeople(t, w, adaMail, bobMail, carolMail)
	c.WantEmptyPlan()
}

func TestMembers_OfANewLabel(t *testing.T) {
	t.Parallel()
	w := &providertest.LabelEnv{TestEnv: providertest.NewTestEnv(t)}
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "") + providertest.SetOf("reseller_private_label.acme.id", bobMail, "ADA@acme.example")))
	c.Planned().WantWarning(t, added, bobMail)
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "2 added", present, "ADA@acme.example is owner or admin of "+providertest.AcmeHost)
	assert.Len(t, w.Sim.Outbox(), 2, "emails")
	assert.LessOrEqual(t, w.Calls(providertest.RouteMembers), 2, "lists of members: the second one shows whom it added")
	w.VerifyDNS(providertest.AcmeHost)
	c.Apply().WantOK(t)
	c.WantEmptyPlan()
}

// Another private label replaces the set and removes nobody from the old one.
func TestMembers_AnotherLabel(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	const host = "sign.other.example"
	other, err := w.Sim.AddConsoleLabel(host, "otto@other.example")
	require.NoError(t, err)
	_, err = w.Sim.AddPersonInConsole(host, eveMail, "Eve", "Byte")
	require.NoError(t, err)
	c := coretest.Applied(t, w.TestEnv, w.Team(bobMail, eveMail))
	c.Config(w.Config(providertest.SetOf(fmt.Sprintf("%q", other), bobMail, eveMail)))
	told := c.Planned()
	told.WantWarning(t, stays, providertest.AcmeHost)
	told.WantWarning(t, added, bobMail+" receives", host)
	told.Want(t, 0, "warning", removed)
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 added, 0 changed, 1 destroyed")
	assert.Equal(t, 0, w.Calls(providertest.RouteRemove), "removals, %d adds", w.Calls(providertest.RouteAdd))
	assert.Equal(t, 1, w.Calls(providertest.RouteAdd), "%d removals, adds", w.Calls(providertest.RouteRemove))
	wantPeople(t, w, adaMail, bobMail, eveMail)
	c.WantEmptyPlan()

	c.Plan("-replace="+providertest.Team).WantError(t, member.SummarySetNoReplace, host)
	c.Config(w.Team(bobMail)) // the old private label has one more member
	c.Plan().WantError(t, others, eveMail)
}

// Names may be known after apply.
func TestMembers_UnknownNames(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Config(fmt.Sprintf(`
resource "terraform_data" "other" { input = "Bob" }
resource "reseller_members" "team" {
  private_label_id = %q
  members          = {
    %q = { first_name = terraform_data.other.output, last_name = "Byte" }
    %q = { first_name = "Eve", last_name = terraform_data.other.output }
  }
}
`, w.Label, bobMail, eveMail)))
	c.Planned().WantWarning(t, added, bobMail+" and "+eveMail)
	c.Apply().WantOK(t)
	wantPeople(t, w, adaMail, bobMail, eveMail)
	c.WantEmptyPlan()
}
