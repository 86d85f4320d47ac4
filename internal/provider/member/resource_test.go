package member_test

import (
	"fmt"
	"net/http"
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

func TestMember_Lifecycle(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := w.Cli()
	c.Config(w.Bob())
	c.Planned().WantWarning(t, member.TopicAddingMember.Summary, providertest.BobEmail, providertest.AcmeHost)
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "1 added")
	assert.Equal(t, 1, w.Mails(providertest.BobEmail), "emails")
	state := c.State()[providertest.Bob].Attributes
	for name, want := range map[string]any{"email": providertest.BobEmail, "role": "member", "status": "Active", "created_at": "2026-03-14T09:02:00Z"} {
		assert.Equal(t, want, state[name], name)
	}
	id, _ := state["id"].(string)
	assert.Len(t, id, 32, "id %v", state["id"])

	t.Run("unchanged: one call", func(t *testing.T) {
		w.Sim.ResetJournal()
		c.WantEmptyPlan()
		assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteMembers: 1}))
	})
	t.Run("another case of the address is no change", func(*testing.T) {
		c.Config(w.Config(w.Person("bob", "BOB@Acme.example", "Bob")))
		c.WantEmptyPlan()
	})
	t.Run("a name only warns", func(t *testing.T) {
		c.Config(w.Config(w.Person("bob", providertest.BobEmail, "Robert")))
		c.Plan().WantText(t, member.SummaryName, providertest.BobEmail, "1 to change")
		w.Sim.ResetJournal()
		c.Apply().WantOK(t, "1 changed")
		assert.Equal(t, 0, w.Calls(providertest.RouteAdd), "adds")
		c.WantEmptyPlan()
	})
	t.Run("renamed in the console: no drift", func(t *testing.T) {
		require.NoError(t, w.Sim.RenamePerson(providertest.AcmeHost, providertest.BobEmail, "Robbie", "Bit"))
		c.WantEmptyPlan()
	})
	t.Run("another address replaces", func(t *testing.T) {
		c.Config(w.Config(w.Person("bob", "bobby@acme.example", "Robert")))
		told := c.Planned()
		told.WantWarning(t, member.TopicRemovingMember.Summary, providertest.BobEmail, providertest.AcmeHost)
		told.WantWarning(t, member.TopicAddingMember.Summary, "bobby@acme.example", providertest.AcmeHost)
		c.Apply().WantOK(t, "1 added, 0 changed, 1 destroyed")
		assert.Equal(t, 2, w.Seats())
		c.WantEmptyPlan()
	})
	t.Run("a removed block removes", func(t *testing.T) {
		c.Config(w.Config(""))
		c.Planned().WantWarning(t, member.TopicRemovingMember.Summary, "bobby@acme.example", providertest.AcmeHost)
		c.Apply().WantOK(t, "1 destroyed")
		assert.Equal(t, 1, w.Seats())
	})
}

// Twenty-five members are added with as many calls, and read with few.
func TestMember_Many(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Config(fmt.Sprintf(`
resource "reseller_member" "team" {
  count            = 25
  private_label_id = %q
  email            = "person-${count.index}@acme.example"
  first_name       = "Person"
  last_name        = "${count.index}"
}
`, w.Label)))
	c.Apply().WantOK(t, "25 added")
	if w.Calls(providertest.RouteAdd) != 25 || w.Seats() != 26 {
		t.Errorf("%d adds, %d seats", w.Calls(providertest.RouteAdd), w.Seats())
	}
	// One that reads the members before, and at most two for each: one when the apply plans it again after another was
	// added, one that shows it. Those in flight concurrently share theirs.
	assert.LessOrEqual(t, w.Calls(providertest.RouteMembers), 1+2*25, "lists of members")
	w.Sim.ResetJournal()
	c.WantEmptyPlan()
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteMembers: 1}))
}

// The private label is in the same configuration.
func TestMember_OfANewLabel(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.New(t, w)
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "") + `
resource "reseller_member" "bob" {
  private_label_id = reseller_private_label.acme.id
  email            = "bob@acme.example"
  first_name       = "Bob"
  last_name        = "Byte"
}
resource "reseller_member" "owner" {
  private_label_id = reseller_private_label.acme.id
  email            = "ADA@acme.example"
  first_name       = "Ada"
  last_name        = "Lovelace"
}
`))
	c.Planned().Want(t, 2, "warning", added, bobMail)
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "3 added")
	assert.Len(t, w.Sim.Outbox(), 2, "emails")
	assert.LessOrEqual(t, w.Calls(providertest.RouteMembers), 2, "lists of members") // after adding; the members before are not read
	w.VerifyDNS(providertest.AcmeHost)
	c.Apply().WantOK(t)
	c.WantEmptyPlan()
}

// A user in the console adds the member before the apply does.
func TestMember_AddedMeanwhile(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteAdd, Hook: func() {
		_, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, providertest.BobEmail, "Bob", "Byte")
		assert.NoError(t, err)
	}})
	c := coretest.Applied(t, w.TestEnv, w.Bob(), "1 added")
	assert.Equal(t, 1, w.Mails(providertest.BobEmail), "emails")
	c.WantEmptyPlan()
}

// A member whom a user of the console removes and adds again has a different user ID: a plan says that the member is adopted,
// and a destroy that the member stays.
func TestMember_AddedAgain(t *testing.T) {
	t.Parallel()
	again := func(t *testing.T, w *providertest.LabelEnv) func() {
		t.Helper()
		return func() {
			assert.NoError(t, w.Sim.RemovePersonInConsole(providertest.AcmeHost, providertest.BobEmail))
			w.Join(providertest.BobEmail)
		}
	}
	t.Run("before the plan", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnvOf(t, simulator.Forms{"added-again": "new-id"})
		c := coretest.Applied(t, w.TestEnv, w.Bob())
		again(t, w)()
		mails := w.Mails(providertest.BobEmail)
		w.Sim.ResetJournal()
		told := c.Planned()
		told.WantWarning(t, member.SummaryRemoved, providertest.BobEmail, "different user ID", "adopts the member without an email")
		told.Want(t, 1, "warning", member.TopicAdoptingMember.Summary)
		c.Apply().WantOK(t, "1 added")
		w.WantReads()
		assert.Equal(t, mails, w.Mails(providertest.BobEmail), "emails")
		c.WantEmptyPlan()
	})
	t.Run("before the destroy is planned", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnvOf(t, simulator.Forms{"added-again": "new-id"})
		c := coretest.Applied(t, w.TestEnv, w.Bob())
		again(t, w)()
		c.Config(w.Config(""))
		c.Planned("-refresh=false").WantWarning(t, member.SummaryRemoved, "A destroy of the old user ID does not remove the member.")
		r := c.ApplySaved()
		r.WantOK(t, "1 destroyed")
		assert.NotContains(t, r.Out, member.SummaryReturned)
		assert.Equal(t, 2, w.Seats())
	})
	for name, fault := range map[string]func(how func()) simulator.Fault{
		"before the destroy": func(how func()) simulator.Fault { how(); return simulator.Fault{} },
		"during the destroy": func(how func()) simulator.Fault { return simulator.Fault{Route: providertest.RouteRemove, Hook: how} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnvOf(t, simulator.Forms{"added-again": "new-id"})
			c := coretest.Applied(t, w.TestEnv, w.Bob())
			c.Config(w.Config(""))
			c.Planned().Want(t, 1, "warning", member.TopicRemovingMember.Summary)
			if f := fault(again(t, w)); f.Hook != nil {
				w.Sim.Inject(f)
			}
			c.ApplySaved().WantOK(t, "1 destroyed", member.SummaryReturned, providertest.BobEmail, "different user ID")
			assert.Equal(t, 2, w.Seats())
			assert.Empty(t, c.State())
		})
	}
}

// After an error that leaves the outcome unknown, the members list decides: nothing is claimed before it was read.
func TestMember_OutcomeUnknown(t *testing.T) {
	t.Parallel()
	const nothing = "No seat was used"
	for name, tc := range map[string]struct {
		after, unread bool
		want, never   string
	}{
		"added":     {after: true, want: member.SummaryResponseLost, never: nothing},
		"not added": {want: "or is not shown yet", never: nothing},
		"not read":  {after: true, unread: true, want: diagnostic.SummaryOutcomeUnknown, never: nothing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			c := coretest.New(t, w.TestEnv)
			c.Config(w.Bob())
			c.Plan()
			w.Sim.Inject(simulator.Fault{Route: providertest.RouteAdd, Kind: simulator.FaultServerError, After: tc.after, Times: -1})
			if tc.unread {
				w.Sim.Inject(simulator.Fault{Route: providertest.RouteMembers, Kind: simulator.FaultServerError, Skip: 1, Times: -1})
			}
			r := c.ApplySaved()
			r.WantText(t, tc.want, providertest.BobEmail)
			assert.NotContains(t, r.Out, tc.never, "the output")
			if failed := r.Code != 0; failed != (name != "added") || failed && len(c.State()) != 0 {
				t.Errorf("exit code %d, state %v", r.Code, c.State())
			}
			w.Sim.ClearFaults()
			c.Apply().WantOK(t)
			c.WantEmptyPlan()
			if w.Seats() != 2 || w.Mails(providertest.BobEmail) != 1 {
				t.Errorf("%d seats, %d emails", w.Seats(), w.Mails(providertest.BobEmail))
			}
		})
	}
}

// A removal is believed when the members list shows it, also after a response of 200.
func TestMember_RemovalShown(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status int // of the removal, which has no effect; 0: it has one
		fault  *simulator.Fault
		want   []string
	}{
		"accepted, still there": {status: 200, want: []string{diagnostic.SummaryOutcomeUnknown, "the API accepted the call to remove the member", "no read afterwards shows it yet"}},
		"lost, still there":     {status: 500, want: []string{diagnostic.SummaryOutcomeUnknown, "bob@acme.example of sign.acme.example", "INTERNAL_SERVER_ERROR", "or is not shown yet"}},
		"lost, removed":         {fault: &simulator.Fault{Route: providertest.RouteRemove, Kind: simulator.FaultServerError, After: true, Times: -1}},
		"removed, not read":     {fault: &simulator.Fault{Route: providertest.RouteMembers, Kind: simulator.FaultServerError, Skip: 1, Times: -1}, want: []string{diagnostic.SummaryOutcomeUnknown, "its effect could not be confirmed. The API accepted the call. The read that would show the outcome failed"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			c := coretest.Applied(t, w.TestEnv, w.Bob())
			c.Config(w.Config(""))
			c.Plan()
			if tc.status != 0 {
				w.Second().Responds("DELETE", fmt.Sprint(c.State()[providertest.Bob].Attributes["id"]), func(*http.Request, []byte) (int, string) {
					return tc.status, map[int]string{200: `{"status":"OK","data":{"status":"removed"}}`, 500: `{"status":"Fail","error":{"code":"INTERNAL_SERVER_ERROR","message":"oops"}}`}[tc.status]
				})
			}
			if tc.fault != nil {
				w.Sim.Inject(*tc.fault)
			}
			r := c.ApplySaved()
			_, in := c.State()[providertest.Bob]
			assert.Equal(t, tc.want != nil, in, "in state:\n%s", r.Out)
			if tc.want == nil {
				r.WantOK(t, "1 destroyed")
			} else {
				r.WantError(t, tc.want...)
			}
		})
	}
}

// A rate limit after a lost response does not show that nothing happened.
func TestMember_LostThenLimited(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Bob())
	c.Plan()
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteAdd, Kind: simulator.FaultServerError, After: true, Times: 1})
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteAdd, Kind: simulator.FaultUnauthorized, Times: -1})
	c.ApplySaved().WantOK(t, member.SummaryResponseLost)

	c.Config(w.Config(""))
	c.Plan()
	w.Sim.ClearFaults()
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteRemove, Kind: simulator.FaultServerError, After: true, Times: 1})
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteRemove, Kind: simulator.FaultUnauthorized, Times: -1})
	c.ApplySaved().WantOK(t, "1 destroyed")
}

// A member who becomes admin between plan and removal: the API rejects the removal, and the error is reported.
func TestMember_AdminMeanwhile(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.Applied(t, w.TestEnv, w.Bob())
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteRemove, Hook: func() {
		assert.NoError(t, w.Sim.MakeAdmin(providertest.AcmeHost, providertest.BobEmail))
	}})
	c.Destroy().WantError(t, member.SummaryPermanentRole, providertest.BobEmail, providertest.AcmeHost, "CANNOT_REMOVE_OWNER")
	if _, kept := c.State()[providertest.Bob]; !kept || w.Seats() != 2 {
		t.Errorf("state %v, %d seats", c.State(), w.Seats())
	}
}

func TestMember_Refused(t *testing.T) {
	t.Parallel()
	t.Run("no seat left", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnv(t)
		small, err := w.Sim.AddPackage("SMALL", map[string]float64{"seats": 1}, true)
		require.NoError(t, err)
		require.NoError(t, w.Sim.AssignInConsole(providertest.AcmeHost, small, nil))
		c := coretest.New(t, w.TestEnv)
		c.Config(w.Bob())
		c.Apply().WantError(t, member.SummaryAdd, providertest.BobEmail+" was not added to "+providertest.AcmeHost, "API error SEAT_QUOTA_REACHED", "Attach an add-on with seats")
		require.Empty(t, c.State(), "state, %d emails", w.Mails(providertest.BobEmail))
		assert.Equal(t, 0, w.Mails(providertest.BobEmail), "state %v, emails", c.State())
	})
	t.Run("no such label", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnv(t)
		c := coretest.New(t, w.TestEnv)
		c.Config(strings.ReplaceAll(w.Bob(), w.Label, strings.Repeat("0", 32)))
		c.Plan().WantError(t, session.SummaryLabelNotFound)
	})
	t.Run("the label is gone", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnv(t)
		c := coretest.Applied(t, w.TestEnv, w.Bob())
		require.NoError(t, w.Sim.DeprovisionInConsole(providertest.AcmeHost))
		c.Plan().WantError(t, member.SummaryLabelGone, providertest.BobEmail)
		c.Config(w.Config(""))
		c.Apply().WantOK(t)
		assert.Empty(t, c.State())
	})
	t.Run("a key without the scope", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnv(t)
		key, err := w.Sim.MintKey("reseller:read")
		require.NoError(t, err)
		w.Key = key
		c := coretest.New(t, w.TestEnv)
		c.Config(w.Bob())
		c.Apply().WantError(t, member.SummaryAdd, providertest.BobEmail, "INSUFFICIENT_SCOPE")
	})
}
