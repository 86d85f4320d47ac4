package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// One process may serve several states, as `terraform test` does with modules: what one run creates is complete for
// another run, although nothing was read in between.
func TestWalks_MemberOfAnotherState(t *testing.T) {
	t.Parallel()
	l := providertest.NewLabelEnv(t)
	p := l.Protocol()
	bob := providertest.Values{"private_label_id": l.Label, "email": providertest.BobEmail, "first_name": "Bob", "last_name": "Byte"}
	require.Empty(t, coretest.NewWalker(t, p, "reseller_member").Apply(bob))
	for range 3 {
		w := coretest.NewWalker(t, p, "reseller_member")
		_, told := w.Plan(bob)
		told.WantWarning(t, member.TopicAdoptingMember.Summary, providertest.BobEmail+" is already a member of "+providertest.AcmeHost)
		told = w.Apply(bob)
		assert.Empty(t, told)
		assert.False(t, w.State().IsNull(), "got %+v", told)
	}
	assert.Equal(t, 1, l.Mails(providertest.BobEmail), "emails")
}

// A plan that creates and destroys one member is an error, on the side that is planned second. What a process plans after an
// apply is another plan.
func TestWalks_RenameEndsWithAnApply(t *testing.T) {
	t.Parallel()
	const renamed = session.SummaryRenamed
	l := providertest.NewLabelEnv(t)
	bob := providertest.Values{"private_label_id": l.Label, "email": providertest.BobEmail, "first_name": "Bob", "last_name": "Byte"}
	eve := bob.With(providertest.Values{"email": providertest.EveEmail})
	stored := coretest.NewWalker(t, l.Protocol(), "reseller_member")
	require.Empty(t, stored.Apply(bob))
	for name, createsFirst := range map[string]bool{"created first": true, "destroyed first": false} {
		p := l.Protocol() // another process
		old := coretest.NewWalker(t, p, "reseller_member")
		old.Take(stored)
		both := func() (first, second providertest.Diagnostics) {
			create := func() (told providertest.Diagnostics) {
				_, told = coretest.NewWalker(t, p, "reseller_member").Plan(bob)
				return told
			}
			destroy := func() (told providertest.Diagnostics) {
				_, told = old.Plan(nil)
				return told
			}
			if createsFirst {
				return create(), destroy()
			}
			return destroy(), create()
		}
		first, second := both()
		assert.False(t, providertest.AnyErrors(first), "%s: %v", name, first)
		second.WantError(t, renamed, providertest.BobEmail)
		told := coretest.NewWalker(t, p, "reseller_member").Apply(eve)
		require.False(t, providertest.AnyErrors(told), "%s: %v", name, told)
		first, second = both()
		assert.False(t, providertest.AnyErrors(append(first, second...)), "%s, after an apply: %v %v", name, first, second)
	}
}

// What an earlier walk of the process planned to create does not affect a value that is known after apply.
func TestWalks_UnknownIsNoError(t *testing.T) {
	t.Parallel()
	c := providertest.NewAssignmentEnv(t, simulator.Forms{})
	p := c.Protocol()
	for typ, config := range map[string]providertest.Values{
		"reseller_private_label": {"domain": "sign.other.example", "app_name": "Acme", "owner": owner()},
		"reseller_package":       {"code": "OTHER", "name": "Other", "currency": "EUR"},
	} {
		_, told := coretest.NewWalker(t, p, typ).Plan(config)
		require.False(t, providertest.AnyErrors(told), "got %+v", told)
	}
	w := coretest.NewWalker(t, p, "reseller_assignment")
	config := providertest.Values{"private_label_id": c.Label, "package_id": c.Gold}
	for range 2 {
		told := w.Apply(config)
		require.False(t, providertest.AnyErrors(told), "got %+v", told)
		for name, summary := range map[string]string{"private_label_id": assignment.SummaryLabelLater, "package_id": assignment.SummaryPackageLater} {
			later := providertest.Values{"private_label_id": c.Label, "package_id": c.Gold}
			later[name] = tftypes.UnknownValue
			_, told := w.Plan(later)
			assert.False(t, providertest.AnyErrors(told), "%s: got %+v", name, told)
			assert.Len(t, told.Of("warning", summary), 1, "%s: got %+v", name, told)
		}
		assert.Empty(t, w.Read())
	}
}

// What one run assigns is in effect for a run with another state; what a run removed, the next one assigns again.
func TestWalks_AssignmentOfAnotherState(t *testing.T) {
	t.Parallel()
	c := providertest.NewAssignmentEnv(t, simulator.Forms{})
	p := c.Protocol()
	config := providertest.Values{"private_label_id": c.Label, "package_id": c.Gold}
	for range 3 {
		w := coretest.NewWalker(t, p, "reseller_assignment")
		told := w.Apply(config)
		assert.False(t, providertest.AnyErrors(told), "got %+v", told)
		assert.False(t, w.State().IsNull(), "got %+v", told)
	}
	c.WantHas("GOLD")
	last := coretest.NewWalker(t, p, "reseller_assignment")
	for range 2 {
		told := last.Apply(config)
		assert.False(t, providertest.AnyErrors(told), "got %+v", told)
		told = last.Apply(nil)
		assert.False(t, providertest.AnyErrors(told), "got %+v", told)
		assert.True(t, last.State().IsNull(), "got %+v", told)
	}
}

// The next walk sees what a user changes between two walks, although the process has read it before.
func TestWalks_OutOfBand(t *testing.T) {
	t.Parallel()
	l := providertest.NewLabelEnv(t)
	p := l.Protocol()
	w := coretest.NewWalker(t, p, "reseller_member")
	bob := providertest.Values{"private_label_id": l.Label, "email": providertest.BobEmail, "first_name": "Bob", "last_name": "Byte"}
	require.Empty(t, w.Apply(bob))
	act := func(err error) {
		t.Helper()
		require.NoError(t, err)
		require.Empty(t, w.Read())
	}
	for range 2 {
		act(l.Sim.MakeAdmin(providertest.AcmeHost, providertest.BobEmail))
		_, told := w.Plan(nil)
		assert.Len(t, told.Of("error", member.SummaryPermanentRole), 1, "got %+v", told)
		act(l.Sim.DemoteAdmin(providertest.AcmeHost, providertest.BobEmail))
		_, told = w.Plan(nil)
		assert.False(t, providertest.AnyErrors(told), "got %+v", told)
	}
	require.NoError(t, l.Sim.RemovePersonInConsole(providertest.AcmeHost, providertest.BobEmail))
	told := w.Read()
	require.Len(t, told.Of("warning", member.SummaryRemoved), 1, "got %+v, state %s", told, w.State())
	assert.True(t, w.State().IsNull(), "got %+v, state %s", told, w.State())

	// A create sees the present members, not those of an earlier plan.
	again := coretest.NewWalker(t, p, "reseller_member")
	_, err := l.Sim.AddPersonInConsole(providertest.AcmeHost, providertest.BobEmail, "Bob", "Byte")
	require.NoError(t, err)
	emails := l.Mails(providertest.BobEmail)
	eve := bob.With(providertest.Values{"email": providertest.EveEmail})
	told = coretest.NewWalker(t, p, "reseller_member").Apply(eve)
	assert.False(t, providertest.AnyErrors(told), "got %+v", told) // an apply ends the plans before it
	told = again.Apply(bob)
	assert.False(t, providertest.AnyErrors(told), "got %+v, %d emails, want %d", told, l.Mails(providertest.BobEmail), emails)
	assert.Equal(t, emails, l.Mails(providertest.BobEmail), "got %+v, emails", told)
}

func owner() providertest.Values {
	return providertest.Values{"email": "ada@acme.example", "first_name": "Ada", "last_name": "Lovelace"}
}
