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

// A removal is believed when the members list shows it, also after a response of 200.
func TestMember_RemovalShown(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status int // of the removal, which has no effect
		want   []string
	}{
		"accepted, still there": {status: 200, want: []string{diagnostic.SummaryOutcomeUnknown, "the API accepted the call to remove the member", "no read afterwards shows it yet"}},
		"lost, still there":     {status: 500, want: []string{diagnostic.SummaryOutcomeUnknown, "bob@acme.example of sign.acme.example", "INTERNAL_SERVER_ERROR", "or the API does not show it yet"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			c := coretest.Applied(t, w.TestEnv, w.Bob())
			c.Config(w.Config(""))
			c.Plan()
			w.Second().Responds("DELETE", fmt.Sprint(c.State()[providertest.Bob].Attributes["id"]), func(*http.Request, []byte) (int, string) {
				return tc.status, map[int]string{200: `{"status":"OK","data":{"status":"removed"}}`, 500: `{"status":"Fail","error":{"code":"INTERNAL_SERVER_ERROR","message":"oops"}}`}[tc.status]
			})
			r := c.ApplySaved()
			_, in := c.State()[providertest.Bob]
			assert.True(t, in, "in state:\n%s", r.Out)
			r.WantError(t, tc.want...)
		})
	}
}

func TestMember_Refused(t *testing.T) {
	t.Parallel()
	t.Run("no such label", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnv(t)
		c := coretest.New(t, w.TestEnv)
		c.Config(strings.ReplaceAll(w.Bob(), w.Label, strings.Repeat("0", 32)))
		c.Plan().WantError(t, session.SummaryLabelNotFound)
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

// Ten members of one private label are destroyed with one members list in each process: two plan, one applies. The apply
// lists them again after the removals that are in flight concurrently, at most once for each.
func TestMember_DestroyMany(t *testing.T) {
	t.Parallel()
	const people = 10
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Config(fmt.Sprintf(`
resource "reseller_member" "team" {
  count            = %d
  private_label_id = %q
  email            = "person-${count.index}@acme.example"
  first_name       = "Person"
  last_name        = "${count.index}"
}
`, people, w.Label)))
	c.Apply().WantOK(t)
	w.Sim.ResetJournal()
	c.Destroy().WantOK(t, "10 destroyed")
	if w.Calls(providertest.RouteRemove) != people || w.Seats() != 1 {
		t.Errorf("%d removals, %d seats", w.Calls(providertest.RouteRemove), w.Seats())
	}
	assert.LessOrEqual(t, w.Calls(providertest.RouteMembers), 3+people, "lists of members")
}
