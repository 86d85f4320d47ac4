package member_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

var (
	protected   = effect.SummaryProtected
	notReplaced = member.SummaryNoReplace
)

// under is the member with a policy, with another address if one is given.
func under(w *providertest.LabelEnv, policy string, email ...string) string {
	block := w.Person("bob", append(email, bobMail)[0], "Bob")
	return w.Config(strings.TrimSuffix(block, "}\n") + fmt.Sprintf("  deletion_policy = %s\n}\n", policy))
}

func kept(w *providertest.LabelEnv, policy string) (*coretest.Workspace, func(*testing.T)) {
	w.T.Helper()
	c := coretest.New(w.T, w.TestEnv)
	c.Config(under(w, policy))
	c.Apply().WantOK(w.T)
	w.Sim.ResetJournal()
	return c, func(t *testing.T) {
		t.Helper()
		w.WantReads()
		wantPeople(t, w, adaMail, bobMail)
		assert.Equal(t, 1, w.Mails(bobMail), "emails")
	}
}

func TestMember_Protected(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c, stay := kept(w, `"PREVENT"`)
	c.Config(under(w, `"PREVENT"`, eveMail))
	c.Planned().WantError(t, protected, bobMail, "moved block")
	c.Config(w.Config(""))
	for _, options := range [][]string{nil, {"-refresh=false"}} {
		c.Planned(options...).WantError(t, protected, bobMail)
	}
	c.Config(under(w, `"REMOVE"`)) // a change of the policy counts once it is applied
	c.Destroy().WantError(t, protected)
	c.Config(under(w, `"PREVENT"`))
	c.Plan("-replace="+providertest.Bob).WantError(t, notReplaced)
	c.Taint(providertest.Bob, true)
	c.Apply().WantError(t, protected)
	c.Taint(providertest.Bob, false)
	stay(t)
	require.NoError(t, w.Sim.RemovePersonInConsole(providertest.AcmeHost, bobMail))
	told := c.Planned()
	told.WantWarning(t, member.SummaryRemoved, bobMail)
	c.Destroy("-refresh=false").WantOK(t)
	assert.Empty(t, c.State())
}

// A tainted member is not removed: a plan of its create announces no removal.
func TestMember_Tainted(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c, stay := kept(w, `"REMOVE"`)
	c.Taint(providertest.Bob, true)
	c.Planned().WantWarning(t, adopted, bobMail+" is already a member of "+providertest.AcmeHost, "terraform untaint")
	for _, options := range [][]string{nil, {"-refresh=false"}} {
		c.Apply(options...).WantError(t, notReplaced, bobMail, "terraform untaint")
	}
	stay(t)
	c.Taint(providertest.Bob, false)
	c.WantEmptyPlan()
	c.Destroy().WantOK(t, "1 destroyed")
}

// A member who becomes admin after the plan of a destroy is not removed: nothing is sent.
func TestMember_AdminAfterThePlan(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c, stay := kept(w, `"REMOVE"`)
	c.Config(w.Config(""))
	c.Planned().WantWarning(t, removed, bobMail)
	require.NoError(t, w.Sim.MakeAdmin(providertest.AcmeHost, bobMail))
	c.ApplySaved().WantError(t, member.SummaryPermanentRole, bobMail+", admin of "+providertest.AcmeHost)
	stay(t)
	_, in := c.State()[providertest.Bob]
	assert.True(t, in, "the member left the state")
}

// The role that the API shows takes precedence over the one in state: a removed block is planned from the stored state.
func TestMember_RoleNow(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.Applied(t, w.TestEnv, w.Bob())
	require.NoError(t, w.Sim.MakeAdmin(providertest.AcmeHost, providertest.BobEmail))
	for _, options := range [][]string{nil, {"-refresh=false"}} {
		c.Config(w.Config(""))
		c.Planned(options...).WantError(t, member.SummaryPermanentRole, providertest.BobEmail+", admin of "+providertest.AcmeHost)
	}
	c.Config(w.Config(w.Person("bob", "bobby@acme.example", "Bob")))
	c.Planned().WantError(t, member.SummaryPermanentRole, providertest.BobEmail+", admin of "+providertest.AcmeHost)
	c.Config(w.Bob())
	c.Apply("-refresh-only").WantOK(t)
	require.Equal(t, "admin", c.State()[providertest.Bob].Attributes["role"])
	require.NoError(t, w.Sim.DemoteAdmin(providertest.AcmeHost, providertest.BobEmail))
	c.Config(w.Config(""))
	c.Apply("-refresh=false").WantOK(t, "1 destroyed")
	assert.Equal(t, 1, w.Seats())
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
