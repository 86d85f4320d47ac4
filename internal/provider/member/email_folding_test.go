package member_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// stores are the letters in which a service may store an email address.
var stores = map[string]func(string) string{
	"as written": nil,
	"lowercase":  strings.ToLower,
	"uppercase":  strings.ToUpper,
	"lowercase of whole words": func(s string) string {
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
				w := providertest.NewLabelEnvOf(t, simulator.Assumptions{People: simulator.PeopleAssumptions{StoresEmail: store}})
				stored := address
				if store != nil {
					stored = store(address)
				}
				test(t, w, address, stored)
			})
		}
	}
}

// An address that the API stores otherwise than it was written is no change: nobody is emailed or signed out again.
func TestMember_StoredOtherwise(t *testing.T) {
	t.Parallel()
	foldings(t, func(t *testing.T, w *providertest.LabelEnv, address, stored string) {
		c := coretest.New(t, w.TestEnv)
		c.Config(w.Config(w.Person("bob", address, "Bob")))
		c.Apply().WantOK(t)
		wantPeople(t, w, adaMail, stored)
		w.Sim.ResetJournal()
		c.WantEmptyPlan()
		c.Apply().WantOK(t)
		c.Config(w.Config(w.Person("bob", stored, "Bob")))
		c.WantEmptyPlan()

		c = coretest.New(t, w.TestEnv) // another state: by address
		c.Config(w.Config(w.Person("bob", address, "Bob") + fmt.Sprintf("import {\n  to = reseller_member.bob\n  id = %q\n}\n", providertest.AcmeHost+"/"+address)))
		c.Apply().WantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
		c.WantEmptyPlan()
		c = coretest.New(t, w.TestEnv)
		c.Config(w.Config(w.Person("bob", address, "Bob")))
		c.Planned().WantWarning(t, added, address+" is a member of "+providertest.AcmeHost+" already")
		c.Apply().WantOK(t)
		c.WantEmptyPlan()
		w.WantReads()
	})
}

func TestMembers_StoredOtherwise(t *testing.T) {
	t.Parallel()
	foldings(t, func(t *testing.T, w *providertest.LabelEnv, address, stored string) {
		c := coretest.New(t, w.TestEnv)
		c.Config(w.Team(address, eveMail))
		c.Apply().WantOK(t)
		people := w.People(providertest.AcmeHost)
		w.Sim.ResetJournal()
		c.WantEmptyPlan()
		c.Apply().WantOK(t)
		wantDeclared(t, c, address, eveMail)
		c.Config(w.Team(stored, eveMail))
		c.WantEmptyPlan()

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
		if got := w.Seats(); got != 2 {
			t.Errorf("%d seats", got)
		}
	})
}
