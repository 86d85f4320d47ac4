package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const (
	changedAddress = session.SummaryRenamed
	keptElsewhere  = session.SummaryKeptElsewhere
	heldTwice      = session.SummaryHeldTwice
)

// orders are the ways to plan that decide which address is planned first, and from which state.
func orders() [][]string {
	return [][]string{nil, {"-refresh=false"}, {"-parallelism=1"}, {"-parallelism=1", "-refresh=false"}}
}

// Imports and destroys of other objects, an import of what another state has, and a destroy of what was imported.
func TestOneIdentity_ImportOfAnother(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	w.Join("eve@acme.example")
	eve := w.Person("eve", "eve@acme.example", "Bob") + fmt.Sprintf("import {\n  to = reseller_member.eve\n  id = \"%s/eve@acme.example\"\n}\n", w.Label)
	c := coretest.Applied(t, w.TestEnv, w.Bob())
	for _, options := range orders() {
		c.Config(w.Config(eve))
		c.Planned(options...).Want(t, 0, "error", changedAddress)
	}
	c.Apply().WantOK(t, "1 imported, 0 added, 0 changed, 1 destroyed")

	other := coretest.New(t, w.TestEnv) // another state has it, and lets go of it
	other.CopyState(c)
	other.Config(w.Config("removed {\n  from = reseller_member.eve\n  lifecycle {\n    destroy = false\n  }\n}\n"))
	other.Apply().WantOK(t)
	other.Config(w.Config(eve))
	other.Apply().WantOK(t, "1 imported")
	other.Config(w.Config(""))
	other.Planned().Want(t, 0, "error", changedAddress)
	other.Apply().WantOK(t, "1 destroyed")
}

// A member whose address was changed in the console is found by the ID, independent of the type that has the new address.
func TestOneIdentity_ChangedAddress(t *testing.T) {
	t.Parallel()
	const now = "robert@acme.example"
	person := func(w *providertest.LabelEnv, name, email string) string { return w.Person(name, email, "Bob") }
	for name, declared := range map[string]func(w *providertest.LabelEnv) string{
		"another name":       func(w *providertest.LabelEnv) string { return person(w, "a", now) },
		"another name after": func(w *providertest.LabelEnv) string { return person(w, "z", now) },
		"a set":              func(w *providertest.LabelEnv) string { return w.Set(now) },
		"imported": func(w *providertest.LabelEnv) string {
			return person(w, "a", now) + imported("reseller_member.a", w.Label+"/"+now)
		},
		"imported set": func(w *providertest.LabelEnv) string { return w.Set(now) + imported("reseller_members.team", w.Label) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			c := coretest.Applied(t, w.TestEnv, w.Bob())
			require.NoError(t, w.Sim.ChangeEmailInConsole(providertest.AcmeHost, "bob@acme.example", now))
			w.Sim.ResetJournal()
			c.Config(w.Config(declared(w)))
			for _, options := range orders() {
				for range 3 {
					c.Planned(options...).WantError(t, changedAddress, providertest.AcmeHost, "moved block")
				}
			}
			w.WantReads()
		})
	}
	t.Run("another member has the old address", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnv(t)
		c := coretest.Applied(t, w.TestEnv, w.Bob())
		require.NoError(t, w.Sim.ChangeEmailInConsole(providertest.AcmeHost, "bob@acme.example", now))
		w.Join("bob@acme.example")
		c.Config(w.Config(person(w, "a", "bob@acme.example")))
		for _, options := range orders() {
			c.Planned(options...).Want(t, 0, "error", changedAddress)
		}
		c.Apply().WantOK(t, "1 added, 0 changed, 1 destroyed")
		got := w.People(providertest.AcmeHost)
		require.Len(t, got, 2, "members")
		assert.Equal(t, "bob@acme.example", got[1], "members %q", got)
		c.WantEmptyPlan()
	})
}

func imported(address, id string) string {
	return fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", address, id)
}

// One of two blocks of one member is removed: the plan is an error that says how to keep the member.
func TestOneIdentity_OneOfTwoBlocks(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	first, two := w.Person("one", "bob@acme.example", "Bob"), w.Person("two", "BOB@acme.example", "Bob")
	c.Config(w.Config(first + two))
	c.Apply().WantOK(t, "2 added")
	for _, kept := range []string{first, two} {
		c.Config(w.Config(kept))
		for _, options := range orders() {
			for range 3 {
				c.Planned(options...).WantError(t, keptElsewhere, "@acme.example of "+providertest.AcmeHost, "destroy = false", "terraform state rm", "ABANDON")
			}
		}
	}
	c.Config(w.Config(first + "removed {\n  from = reseller_member.two\n  lifecycle {\n    destroy = false\n  }\n}\n"))
	c.Planned().Want(t, 0, "error", keptElsewhere)
	c.Apply().WantOK(t)
	assert.Equal(t, 2, w.Seats())
	c.Config(w.Config(first + two))
	c.Apply().WantOK(t)
	c.Config(w.Config(""))
	c.Planned().Want(t, 0, "error", keptElsewhere)
}

// A set and a single member of one private label that have one member.
func TestOneIdentity_SetAndMember(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	set, bob := w.Set("bob@acme.example", "eve@acme.example"), w.Person("bob", "bob@acme.example", "Bob")
	twice := func() {
		t.Helper()
		for _, options := range orders() {
			for range 3 {
				c.Planned(options...).WantWarning(t, heldTwice, "bob@acme.example of "+providertest.AcmeHost, "reseller_members", "reseller_member")
			}
		}
	}
	c.Config(w.Config(set + bob))
	twice()
	c.Apply().WantOK(t)
	twice()
	c.Config(w.Config(w.Set("bob@acme.example") + bob))
	twice()
	c.Config(w.Config(w.Set("eve@acme.example") + bob)) // the set would sign out whom the other block keeps
	for _, options := range orders() {
		for range 3 {
			c.Planned(options...).WantError(t, keptElsewhere, "bob@acme.example of "+providertest.AcmeHost)
		}
	}
	c.Config(w.Config(set))
	for _, options := range orders() {
		c.Planned(options...).WantError(t, keptElsewhere, "bob@acme.example of "+providertest.AcmeHost)
	}
	c.Config(w.Config(w.Set("eve@acme.example") + w.Person("carol", "carol@acme.example", "Carol")))
	told := c.Planned()
	told.Want(t, 0, "warning", heldTwice)
	told.Want(t, 0, "error", keptElsewhere)
	c.Config(w.Config(bob)) // the destroy of a set removes nobody
	told = c.Planned()
	told.Want(t, 0, "error", keptElsewhere)
	told.Want(t, 0, "error", changedAddress)
}

// A member who leaves a set for a block of its own. The error says who drops and who takes, and both remedies work.
func TestOneIdentity_OutOfTheSet(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	const address = "reseller_member.bob"
	bob := w.Person("bob", "bob@acme.example", "Bob")
	for name, how := range map[string]struct{ block, does string }{
		"created":  {bob, "creates"},
		"imported": {bob + imported(address, w.Label+"/bob@acme.example"), "imports"},
	} {
		c := coretest.Applied(t, w.TestEnv, w.Team("bob@acme.example", "eve@acme.example"))
		w.Sim.ResetJournal()
		c.Config(w.Config(w.Set("eve@acme.example") + how.block))
		for _, options := range orders() {
			for range 3 {
				c.Planned(options...).WantError(t, changedAddress,
					"drops bob@acme.example of "+providertest.AcmeHost+" from the map of reseller_members", how.does+" the member as reseller_member.",
					"Leave the member in the map", "delete the reseller_members block")
			}
		}
		w.WantReads()
		c.Config(w.Config(w.Set("bob@acme.example", "eve@acme.example")))
		c.WantEmptyPlan()
		c.Config(w.Config(how.block + w.Person("eve", "eve@acme.example", "Eve")))
		c.Apply().WantOK(t, "1 destroyed")
		w.WantReads()
		assert.Equal(t, 3, w.Seats(), name)
		c.WantEmptyPlan()
	}
}

// A member who leaves a block of its own for a set, in state or new.
func TestOneIdentity_IntoTheSet(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(w *providertest.LabelEnv) string{
		"created": func(w *providertest.LabelEnv) string { return w.Set("bob@acme.example") },
		"imported": func(w *providertest.LabelEnv) string {
			return w.Set("bob@acme.example") + imported("reseller_members.team", w.Label)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			c := coretest.Applied(t, w.TestEnv, w.Bob())
			w.Sim.ResetJournal()
			c.Config(w.Config(set(w)))
			for _, options := range orders() {
				c.Planned(options...).WantError(t, changedAddress, "destroys bob@acme.example of "+providertest.AcmeHost+" as reseller_member",
					"the member with the map of reseller_members", "destroy = false")
			}
			c.Config(w.Config(set(w) + "removed {\n  from = reseller_member.bob\n  lifecycle {\n    destroy = false\n  }\n}\n"))
			c.Apply().WantOK(t)
			w.WantReads()
			assert.Equal(t, 2, w.Seats())
			assert.Len(t, c.State(), 1)
			c.WantEmptyPlan()
		})
	}
}

// One of two sets of one private label drops whom the other one, which is new, has.
func TestOneIdentity_OutOfTheSetIntoAnother(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.Applied(t, w.TestEnv, w.Team("bob@acme.example", "eve@acme.example"))
	c.Config(w.Config(w.Set("eve@acme.example") + strings.Replace(w.Set("bob@acme.example"), `"team"`, `"again"`, 1)))
	for _, options := range orders() {
		planned := c.Planned(options...)
		planned.Want(t, 0, "error", changedAddress)
		told := len(planned.Of("error", session.SummaryDisputed)) + len(planned.Of("error", member.SummaryOtherMembers)) // by the order of the plan
		assert.Positive(t, told, "errors in %+v", planned)
	}
}

// The key is known only after apply, so that no plan sees the pair. The apply does not remove what it has just stored.
func TestOneIdentity_KnownAfterApply(t *testing.T) {
	t.Parallel()
	late := func(name, value string) string {
		return fmt.Sprintf("resource \"terraform_data\" \"key\" {\n  input = { id = %q, run = %q }\n}\n", value, name)
	}
	for _, typ := range []string{"member", "assignment"} {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			for range 8 { // the order of an apply is random
				w := providertest.NewAssignmentEnv(t, simulator.Forms{})
				block := func(name, key string) string {
					if typ == "member" {
						return fmt.Sprintf("resource \"reseller_member\" %q {\n  private_label_id = %s\n  email = \"bob@acme.example\"\n  first_name = \"Bob\"\n  last_name = \"Byte\"\n}\n", name, key)
					}
					return fmt.Sprintf("resource \"reseller_assignment\" %q {\n  private_label_id = %s\n  package_id = %q\n}\n", name, key, w.Gold)
				}
				c := coretest.Applied(t, w.TestEnv, w.Config(block("m", fmt.Sprintf("%q", w.Label))))
				c.Config(w.Config(late("1", w.Label) + block("a", "terraform_data.key.output.id")))
				r := c.Apply("-parallelism=1")
				c.Refresh()
				state := c.State()
				if r.Code != 0 {
					r.WantError(t, session.SummaryStoredElsewhere, "terraform state rm")
					assert.Len(t, state, 2)
				}
				_, ok := state["reseller_"+typ+".a"]
				assert.True(t, ok, "the new address has nothing: %s", r.Out)
				if typ == "assignment" && w.Has() != "GOLD" {
					t.Errorf("the private label has %q", w.Has())
				}
			}
		})
	}
}
