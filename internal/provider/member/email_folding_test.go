package member_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// stores are the letters in which a service may store an email address.
var stores = map[string]func(string) string{
	"as-sent":   nil,
	"lowercase": strings.ToLower,
	"uppercase": strings.ToUpper,
	"words": func(s string) string {
		return strings.ReplaceAll(strings.ToLower(strings.NewReplacer("Σ@", "ς@", "İ", "i#").Replace(s)), "i#", "i\u0307")
	},
}

// foldings runs a test with each service and each address that foldings disagree about.
func foldings(t *testing.T, test func(t *testing.T, w *providertest.LabelEnv, address, stored string)) {
	t.Helper()
	for name, store := range stores {
		for _, address := range []string{"ΟΔΥΣΣΕΥΣ@acme.example", "οδυσσευς@acme.example", "İrem@acme.example", "JÜRGEN@acme.example"} {
			t.Run(name+"/"+address, func(t *testing.T) {
				t.Parallel()
				w := providertest.NewLabelEnvOf(t, simulator.Forms{"email-case": name})
				stored := address
				if store != nil {
					stored = store(address)
				}
				test(t, w, address, stored)
			})
		}
	}
}

// sameInASCII reports whether two addresses are equal but for the case of ASCII letters.
func sameInASCII(a, b string) bool {
	lower := func(s string) string {
		for r := 'A'; r <= 'Z'; r++ {
			s = strings.ReplaceAll(s, string(r), string(r+'a'-'A'))
		}
		return s
	}
	return lower(a) == lower(b)
}

// wantKept asserts that these users are still members.
func wantKept(t *testing.T, w *providertest.LabelEnv, emails ...string) {
	t.Helper()
	people := w.People(providertest.AcmeHost)
	for _, email := range emails {
		assert.Contains(t, people, email, "is no member")
	}
}

// A member whose address looks like another one's in some folding is another member: nobody is adopted or removed.
func TestMember_LooksAlike(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{{"sam@acme.example", "\u017fam@acme.example"}, {"\u017fam@acme.example", "sam@acme.example"}, {"irem@acme.example", "\u0130rem@acme.example"}} {
		for _, set := range []bool{false, true} {
			t.Run(fmt.Sprint(pair, set), func(t *testing.T) {
				t.Parallel()
				w := providertest.NewLabelEnv(t)
				c := coretest.New(t, w.TestEnv)
				block := w.Person("bob", pair[1], "Bob")
				if set {
					block = w.Set(pair[1])
				} else {
					w.Join(pair[0])
				}
				c.Config(w.Config(block))
				c.Planned().WantWarning(t, added, pair[1]+" receives")
				c.Apply().WantOK(t, "1 added")
				if set {
					w.Join(pair[0])
				}
				wantKept(t, w, pair[0], pair[1])
				c.Config(w.Config(""))
				c.Apply().WantOK(t)
				wantKept(t, w, pair[0])
			})
		}
	}
}

// An address that the API stores otherwise than it was written is no change: nobody is emailed or signed out again.
func TestMember_StoredOtherwise(t *testing.T) {
	t.Parallel()
	foldings(t, func(t *testing.T, w *providertest.LabelEnv, address, stored string) {
		c := coretest.Applied(t, w.TestEnv, w.Config(w.Person("bob", address, "Bob")))
		wantPeople(t, w, adaMail, stored)
		w.Sim.ResetJournal()
		c.WantEmptyPlan()
		c.Apply().WantOK(t)
		c.Config(w.Config(w.Person("bob", stored, "Bob")))
		c.Planned().Want(t, 0, "warning", added)
		c.Apply().WantOK(t, "0 added", "0 destroyed") // at most the state changes
		c.WantEmptyPlan()
		w.WantReads()

		c = coretest.New(t, w.TestEnv) // another state: by address
		if !sameInASCII(address, stored) {
			c.Config(w.Config(w.Person("bob", address, "Bob")))
			c.Planned().WantWarning(t, added, address+" receives")
			c.Apply().WantOK(t) // the API decides whether it is the same user
			c.WantEmptyPlan()
			wantKept(t, w, adaMail, stored)
			return
		}
		c.Config(w.Config(w.Person("bob", address, "Bob") + fmt.Sprintf("import {\n  to = reseller_member.bob\n  id = %q\n}\n", providertest.AcmeHost+"/"+address)))
		c.Apply().WantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
		c.WantEmptyPlan()
		c = coretest.New(t, w.TestEnv)
		c.Config(w.Config(w.Person("bob", address, "Bob")))
		c.Planned().WantWarning(t, adopted, address+" is already a member of "+providertest.AcmeHost)
		c.Apply().WantOK(t)
		c.WantEmptyPlan()
		w.WantReads()
	})
}

func TestMembers_StoredOtherwise(t *testing.T) {
	t.Parallel()
	foldings(t, func(t *testing.T, w *providertest.LabelEnv, address, stored string) {
		c := coretest.Applied(t, w.TestEnv, w.Team(address, eveMail))
		people := w.People(providertest.AcmeHost)
		w.Sim.ResetJournal()
		c.WantEmptyPlan()
		c.Apply().WantOK(t)
		wantDeclared(t, c, address, eveMail)
		c.Config(w.Team(stored, eveMail))
		c.Apply().WantOK(t, "0 added", "0 destroyed") // at most the state changes
		c.WantEmptyPlan()
		w.WantReads()
		wantPeople(t, w, people...)
		if !sameInASCII(address, stored) {
			return
		}

		c = coretest.New(t, w.TestEnv) // another state: by address
		c.Config(w.Team(address, eveMail) + fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", providertest.Team, w.Label))
		told := c.Planned()
		told.Want(t, 0, "warning", added)
		told.Want(t, 0, "warning", removed)
		c.Apply().WantOK(t)
		c.WantEmptyPlan()
		c = coretest.New(t, w.TestEnv)
		c.Config(w.Team(address, eveMail))
		c.Apply().WantOK(t, "1 added")
		c.WantEmptyPlan()
		w.WantReads()
		wantPeople(t, w, people...)

		c.Config(w.Team(eveMail))
		c.Planned().WantWarning(t, removed, address)
		c.Apply().WantOK(t)
		assert.Equal(t, 2, w.Seats())
	})
}
