package member_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const changedAddress = session.SummaryRenamed

// Two blocks that exchange their addresses: each would remove whom the other has just stored.
func TestRename_Swap(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.Applied(t, w.TestEnv, w.Config(w.Person("one", bobMail, "Bob")+w.Person("two", eveMail, "Eve")))
	w.Sim.ResetJournal()
	c.Config(w.Config(w.Person("one", eveMail, "Eve") + w.Person("two", bobMail, "Bob")))
	for _, option := range []string{"-parallelism=1", "-parallelism=10"} {
		c.Plan(option).WantError(t, changedAddress)
	}
	c.Plan("-refresh=false").WantError(t, object.SummaryOtherObject)
	w.WantReads()
}

// Two blocks for one person: one call has an effect, and one email is sent.
func TestMember_TwoBlocks(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]string{"another case": "BOB@acme.example", "the same": bobMail} {
		for _, option := range []string{"-parallelism=1", "-parallelism=10"} {
			t.Run(name+option, func(t *testing.T) {
				t.Parallel()
				w := providertest.NewLabelEnv(t)
				c := coretest.New(t, w.TestEnv)
				c.Config(w.Config(w.Person("bob", bobMail, "Bob") + w.Person("again", again, "Bob")))
				c.Planned().Want(t, 2, "warning", added)
				c.Apply(option).WantOK(t, "2 added")
				if w.Seats() != 2 || w.Mails(bobMail) != 1 {
					t.Errorf("%d seats, %d emails", w.Seats(), w.Mails(bobMail))
				}
				c.WantEmptyPlan()
				c.Destroy(option).WantOK(t, "2 destroyed")
				assert.Equal(t, 1, w.Seats())
			})
		}
	}
}

// Two sets of one private label add each person once.
func TestMembers_TwoBlocks(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.Applied(t, w.TestEnv, w.Config(w.Set(bobMail, eveMail)+strings.Replace(w.Set(bobMail, eveMail), `"team"`, `"again"`, 1)), "2 added")
	if w.Seats() != 3 || w.Mails(bobMail) != 1 || w.Mails(eveMail) != 1 {
		t.Errorf("%d seats, %d and %d emails", w.Seats(), w.Mails(bobMail), w.Mails(eveMail))
	}
	c.WantEmptyPlan()
}
