package member_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const changedAddress = "Resource address changed without a moved block"

// renames has an object under its first address, and under others.
func renames(w *providertest.LabelEnv) map[string][]string {
	single := func(name string) string { return w.Person(name, bobMail, "Bob") }
	set := func(name string) string {
		return strings.Replace(w.Set(bobMail, eveMail), `"team"`, fmt.Sprintf("%q", name), 1)
	}
	keyed := func(key string) string {
		return strings.Replace(w.Person("of", bobMail, "Bob"), "{\n", fmt.Sprintf("{\n  for_each = toset([%q])\n", key), 1)
	}
	return map[string][]string{
		"member":       {single("m"), single("a"), single("z")},
		"for_each key": {keyed("m"), keyed("a"), keyed("z")},
		"set":          {set("m"), set("a"), set("z")},
	}
}

// A new address without a moved block would remove the member whom the other resource has just stored: whichever of the
// two Terraform plans second is an error, and nothing is sent.
func TestRename_IsAnError(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"member", "for_each key", "set"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			blocks := renames(w)[name]
			c := coretest.New(t, w.TestEnv)
			c.Config(w.Config(blocks[0]))
			c.Apply().WantOK(t)
			w.Sim.ResetJournal()
			for _, renamed := range blocks[1:] {
				c.Config(w.Config(renamed))
				for range 3 { // the order of a plan without dependencies is random
					for _, options := range [][]string{nil, {"-refresh=false"}, {"-parallelism=1"}, {"-parallelism=1", "-refresh=false"}} {
						told := c.Planned(options...)
						told.WantError(t, changedAddress, providertest.AcmeHost, "moved {")
						told.Want(t, 0, "error", "Owners and admins cannot be removed")
					}
				}
				c.Apply().WantError(t, changedAddress)
			}
			w.WantReads()
			c.Config(w.Config(blocks[0]))
			c.WantEmptyPlan()
		})
	}
}

// The real CLI, with its own orders of a plan.
func TestRename_CLI(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := w.Cli()
	blocks := renames(w)
	c.Config(w.Config(blocks["member"][0]))
	c.Apply().WantOK(t)
	for _, renamed := range blocks["member"][1:] {
		c.Config(w.Config(renamed))
		for _, options := range [][]string{nil, {"-refresh=false"}, {"-parallelism=1"}, {"-parallelism=1", "-refresh=false"}} {
			c.Planned(options...).WantError(t, changedAddress, "reseller_member", bobMail, "moved {")
		}
	}
	c.Apply().WantError(t, changedAddress)
	c.Config(w.Config(blocks["member"][1] + "moved {\n  from = reseller_member.m\n  to   = reseller_member.a\n}\n"))
	c.Apply().WantOK(t, "0 added, 0 changed, 0 destroyed")
	c.WantEmptyPlan()
	if w.Mails(bobMail) != 1 || w.Calls(providertest.RouteRemove) != 0 {
		t.Errorf("%d emails, %d removals", w.Mails(bobMail), w.Calls(providertest.RouteRemove))
	}
}

// Two blocks that exchange their addresses: each would remove whom the other has just stored.
func TestRename_Swap(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Config(w.Person("one", bobMail, "Bob") + w.Person("two", eveMail, "Eve")))
	c.Apply().WantOK(t)
	w.Sim.ResetJournal()
	c.Config(w.Config(w.Person("one", eveMail, "Eve") + w.Person("two", bobMail, "Bob")))
	for _, options := range [][]string{nil, {"-refresh=false"}, {"-parallelism=1"}} {
		c.Plan(options...).WantError(t, changedAddress)
	}
	w.WantReads()
}

// A member who is gone cannot be lost by a new address.
func TestRename_OfAbsentMember(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := w.Cli()
	c.Config(w.Config(w.Person("m", bobMail, "Bob")))
	c.Apply().WantOK(t)
	if err := w.Sim.RemovePersonInConsole(providertest.AcmeHost, bobMail); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "z"} {
		c.Config(w.Config(w.Person(name, bobMail, "Bob")))
		for _, options := range [][]string{nil, {"-refresh=false"}} {
			c.Planned(options...).WantWarning(t, added, bobMail+" receives")
		}
	}
	c.Apply().WantOK(t, "1 added")
	c.WantEmptyPlan()
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
				if w.Seats() != 1 {
					t.Errorf("%d seats", w.Seats())
				}
			})
		}
	}
}

// Two sets of one private label add each person once.
func TestMembers_TwoBlocks(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Config(w.Set(bobMail, eveMail) + strings.Replace(w.Set(bobMail, eveMail), `"team"`, `"again"`, 1)))
	c.Apply().WantOK(t, "2 added")
	if w.Seats() != 3 || w.Mails(bobMail) != 1 || w.Mails(eveMail) != 1 {
		t.Errorf("%d seats, %d and %d emails", w.Seats(), w.Mails(bobMail), w.Mails(eveMail))
	}
	c.WantEmptyPlan()
}
