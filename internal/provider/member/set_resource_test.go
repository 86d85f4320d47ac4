package member_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
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

// An apply removes nobody who became a member after its plan; the next plan shows them.
func TestMembers_JoinedAfterThePlan(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.Applied(t, w.TestEnv, w.Team(bobMail))
	c.Config(w.Team(eveMail))
	c.Plan()
	w.Join(carolMail, eveMail)
	mails := w.Mails(eveMail)
	w.Sim.ResetJournal()
	c.ApplySaved().WantOK(t, "1 changed")
	assert.Equal(t, 0, w.Calls(providertest.RouteAdd), "adds, %d emails to a person who joined meanwhile", w.Mails(eveMail)-mails)
	assert.Equal(t, mails, w.Mails(eveMail), "%d adds, %d emails to a person who joined meanwhile", w.Calls(providertest.RouteAdd), w.Mails(eveMail)-mails)
	wantPeople(t, w, adaMail, carolMail, eveMail)
	wantDeclared(t, c, eveMail)
	c.Planned().WantWarning(t, removed, carolMail+" will be removed")
	c.Apply().WantOK(t)
	wantPeople(t, w, adaMail, eveMail)
}

// A create that would have to remove a user is an error with an import block; after the import the plan shows the
// removal.
func TestMembers_CreateRemovesNobody(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	w.Join(carolMail, eveMail)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Team(bobMail, eveMail))
	told := c.Planned()
	told.WantError(t, others, carolMail+" of "+providertest.AcmeHost, "to = reseller_members.NAME", `id = "`+providertest.AcmeHost+`"`)
	told.Want(t, 0, "warning", added)
	w.Sim.ResetJournal()
	c.Apply().WantError(t, others)
	w.WantReads()
	assert.Empty(t, c.State())
	c.Config(w.Team(bobMail, eveMail) + fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", providertest.Team, providertest.AcmeHost))
	told = c.Planned()
	told.WantWarning(t, removed, carolMail+" will be removed")
	told.WantWarning(t, added, bobMail+" receives")
	c.Apply().WantOK(t, "1 imported, 0 added, 1 changed")
	wantPeople(t, w, adaMail, bobMail, eveMail)
	c.WantEmptyPlan()
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

// Owners and admins count as present: nothing is sent for them, neither when they are added to the map nor when they
// are removed.
func TestMembers_OwnersAndAdmins(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Team(adaMail, bobMail))
	told := c.Planned()
	told.WantWarning(t, present, adaMail+" is owner or admin of "+providertest.AcmeHost)
	told.WantWarning(t, added, bobMail+" receives")
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 added")
	assert.Equal(t, 1, w.Calls(providertest.RouteAdd), "adds, %d emails to the owner", w.Mails(adaMail))
	assert.Equal(t, 1, w.Mails(adaMail), "%d adds, emails to the owner", w.Calls(providertest.RouteAdd))
	c.WantEmptyPlan()
	c.Planned().WantWarning(t, present, adaMail)

	require.NoError(t, w.Sim.MakeAdmin(providertest.AcmeHost, bobMail))
	c.WantEmptyPlan()
	c.Planned().WantWarning(t, present, adaMail+" and "+bobMail+" are owner or admin")
	for _, options := range [][]string{nil, {"-refresh=false"}} {
		if options != nil {
			c.Apply("-refresh-only").WantOK(t)
		}
		c.Config(w.Team())
		told = c.Planned(options...)
		told.WantWarning(t, stays, adaMail+" and "+bobMail+" of "+providertest.AcmeHost)
		told.Want(t, 0, "warning", removed)
		c.Config(w.Team(adaMail, bobMail))
	}
	c.Config(w.Team())
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 changed")
	w.WantReads()
	wantPeople(t, w, adaMail, bobMail)
	c.WantEmptyPlan()

	// A former admin is a plain member whom the map lacks.
	require.NoError(t, w.Sim.DemoteAdmin(providertest.AcmeHost, bobMail))
	c.Planned().WantWarning(t, removed, bobMail)
	c.Apply().WantOK(t)
	wantPeople(t, w, adaMail)
}

// A member whom the plan removes and who becomes admin before the apply, or before its call, keeps the seat.
func TestMembers_AdminMeanwhile(t *testing.T) {
	t.Parallel()
	for name, atCall := range map[string]bool{"before the apply": false, "before the call": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			c := coretest.Applied(t, w.TestEnv, w.Team(bobMail, eveMail))
			c.Config(w.Team(eveMail))
			c.Plan()
			promote := func() {
				assert.NoError(t, w.Sim.MakeAdmin(providertest.AcmeHost, bobMail))
			}
			if atCall {
				w.Sim.Inject(simulator.Fault{Route: providertest.RouteRemove, Hook: promote})
			} else {
				promote()
			}
			c.ApplySaved().WantOK(t, member.SummaryPermanentRole, bobMail, "1 changed")
			wantPeople(t, w, adaMail, bobMail, eveMail)
			c.WantEmptyPlan()
		})
	}
}

// An apply that fails later does not say that it removed a member who became admin before the call.
func TestMembers_AdminMeanwhileAndFailedStep(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.Applied(t, w.TestEnv, w.Team(bobMail, eveMail))
	c.Config(w.Team(eveMail, carolMail))
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteRemove, Hook: func() {
		assert.NoError(t, w.Sim.MakeAdmin(providertest.AcmeHost, bobMail))
	}})
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteAdd, Kind: simulator.FaultForbidden})
	c.Apply().WantError(t, member.SummaryAdd, carolMail, "Nothing was changed.", member.SummaryPermanentRole, bobMail)
	c.Apply().WantOK(t, "1 changed")
	wantPeople(t, w, adaMail, bobMail, eveMail, carolMail)
	c.WantEmptyPlan()
}

// A member at plan time who leaves before the apply is added: the plan announced the email.
func TestMembers_LeftAfterThePlan(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	w.Join(bobMail)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Team(bobMail, eveMail))
	c.Planned().WantWarning(t, added, eveMail+" receives", bobMail+" is already a member of "+providertest.AcmeHost)
	require.NoError(t, w.Sim.RemovePersonInConsole(providertest.AcmeHost, bobMail))
	c.ApplySaved().WantOK(t, "1 added")
	wantPeople(t, w, adaMail, bobMail, eveMail)
	c.WantEmptyPlan()
}

// An admin whom the plan counts as present, and who leaves before the apply, is not emailed: the plan announced nothing.
func TestMembers_ChangedSinceThePlan(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	w.Join(carolMail)
	require.NoError(t, w.Sim.MakeAdmin(providertest.AcmeHost, carolMail))
	c := coretest.Applied(t, w.TestEnv, w.Team(bobMail))
	c.Config(w.Team(bobMail, carolMail, eveMail))
	told := c.Planned()
	told.WantWarning(t, present, carolMail)
	told.WantWarning(t, added, eveMail+" receives")
	require.NoError(t, w.Sim.DemoteAdmin(providertest.AcmeHost, carolMail))
	require.NoError(t, w.Sim.RemovePersonInConsole(providertest.AcmeHost, carolMail))
	w.Sim.ResetJournal()
	c.ApplySaved().WantError(t, object.SummaryChanged, "The members of "+providertest.AcmeHost, "add "+carolMail, "Nothing was changed")
	w.WantReads()
	c.Planned().WantWarning(t, added, carolMail+" and "+eveMail)
	c.Apply().WantOK(t, "1 changed")
	wantPeople(t, w, adaMail, bobMail, carolMail, eveMail)
}

// A create that fails in a later step leaves no state, and the next apply adds the rest. An update keeps the executed
// steps in state.
func TestMembers_FailedStep(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	fails := func(route string, skip int) {
		w.Sim.ClearFaults()
		w.Sim.Inject(simulator.Fault{Route: route, Kind: simulator.FaultForbidden, Skip: skip, Times: -1})
	}
	c.Config(w.Team(bobMail, carolMail, eveMail))
	fails(providertest.RouteAdd, 1)
	c.Apply().WantError(t, member.SummaryAdd, "carol@acme.example", "this apply added "+bobMail, "The next apply adds the rest")
	assert.Empty(t, c.State())
	w.Sim.ClearFaults()
	c.Planned().WantWarning(t, added, carolMail+" and "+eveMail)
	c.Apply().WantOK(t, "1 added")
	assert.Equal(t, 1, w.Mails(bobMail), "and %d emails", w.Mails(carolMail))
	assert.Equal(t, 1, w.Mails(carolMail), "%d and emails", w.Mails(bobMail))

	const dan, fay = "dan@acme.example", "fay@acme.example"
	c.Config(w.Team(bobMail, dan, fay))
	fails(providertest.RouteAdd, 1)
	c.Apply().WantError(t, member.SummaryAdd, fay, "removed "+carolMail+" and "+eveMail+" and added "+dan, "Apply again for the rest")
	wantDeclared(t, c, bobMail, dan)
	w.Sim.ClearFaults()
	told := c.Planned()
	told.WantWarning(t, added, fay+" receives")
	told.Want(t, 0, "warning", removed)
	c.Apply().WantOK(t, "1 changed")

	c.Config(w.Team(eveMail))
	fails(providertest.RouteRemove, 1)
	c.Apply().WantError(t, member.SummaryRemove, dan+" was not removed", "removed "+bobMail)
	wantDeclared(t, c, dan, fay)
	w.Sim.ClearFaults()
	c.Apply().WantOK(t, "1 changed")
	wantPeople(t, w, adaMail, eveMail)
	c.WantEmptyPlan()
	assert.Equal(t, 1, w.Mails(dan), "and %d emails", w.Mails(fay))
	assert.Equal(t, 1, w.Mails(fay), "%d and emails", w.Mails(dan))
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

// A tainted set is destroyed and created: nobody is removed or emailed.
func TestMembers_Tainted(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.Applied(t, w.TestEnv, w.Team(bobMail, eveMail))
	c.Taint(providertest.Team, true)
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 added, 0 changed, 1 destroyed")
	w.WantReads()
	wantPeople(t, w, adaMail, bobMail, eveMail)
	c.WantEmptyPlan()
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
