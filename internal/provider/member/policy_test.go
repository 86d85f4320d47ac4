package member_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const (
	protected   = "Resource is protected from deletion"
	lowered     = "Deletion protection will be lowered"
	notReplaced = "Members cannot be replaced with -replace"
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
		if n := w.Mails(bobMail); n != 1 {
			t.Errorf("%d emails, want one", n)
		}
	}
}

func TestMember_Abandoned(t *testing.T) {
	t.Parallel()
	for name, destroy := range map[string]func(*providertest.LabelEnv, *coretest.Workspace) providertest.Result{
		"block removed": func(w *providertest.LabelEnv, c *coretest.Workspace) providertest.Result {
			c.Config(w.Config(""))
			c.Planned().WantWarning(w.T, stays, bobMail+" stays a member of "+providertest.AcmeHost, "no API call")
			return c.Apply()
		},
		"without a refresh": func(w *providertest.LabelEnv, c *coretest.Workspace) providertest.Result {
			c.Config(w.Config(""))
			return c.Apply("-refresh=false")
		},
		"destroy": func(_ *providertest.LabelEnv, c *coretest.Workspace) providertest.Result { return c.Destroy() },
		"tainted": func(_ *providertest.LabelEnv, c *coretest.Workspace) providertest.Result {
			c.Taint(providertest.Bob, true)
			return c.Apply()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			c, stay := kept(w, `"ABANDON"`)
			destroy(w, c).WantOK(t, "1 destroyed")
			stay(t)
		})
	}
	t.Run("another address", func(t *testing.T) {
		t.Parallel()
		w := providertest.NewLabelEnv(t)
		c, _ := kept(w, `"ABANDON"`)
		c.Config(under(w, `"ABANDON"`, eveMail))
		told := c.Planned()
		told.WantWarning(t, stays, bobMail)
		told.WantWarning(t, added, eveMail)
		c.Apply().WantOK(t, "1 added, 0 changed, 1 destroyed")
		wantPeople(t, w, adaMail, bobMail, eveMail)
		c.WantEmptyPlan()
	})
}

func TestMember_Protected(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c, stay := kept(w, `"PREVENT"`)
	c.Config(under(w, `"PREVENT"`, eveMail))
	c.Planned().WantError(t, protected, bobMail, "moved block")
	c.Config(w.Config(""))
	for _, options := range [][]string{nil, {"-refresh=false"}} {
		c.Planned(options...).WantError(t, protected, bobMail, "put it back first", `"REMOVE" removes the member`, `"ABANDON" only removes it from state`)
	}
	c.Config(under(w, `"REMOVE"`)) // a change of the policy counts once it is applied
	c.Destroy().WantError(t, protected)
	c.Config(under(w, `"PREVENT"`))
	c.Plan("-replace="+providertest.Bob).WantError(t, notReplaced)
	c.Taint(providertest.Bob, true)
	c.Apply().WantError(t, protected)
	c.Taint(providertest.Bob, false)
	stay(t)
	if err := w.Sim.RemovePersonInConsole(providertest.AcmeHost, bobMail); err != nil {
		t.Fatal(err)
	}
	told := c.Planned()
	told.WantWarning(t, "Member not found, removed from state", bobMail)
	c.Destroy("-refresh=false").WantOK(t)
	if len(c.State()) != 0 {
		t.Errorf("state %v", c.State())
	}
}

func TestMember_PolicyChanges(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c, stay := kept(w, `"PREVENT"`)
	for _, tc := range []struct {
		to    string
		warns bool
	}{{"ABANDON", true}, {"REMOVE", true}, {"ABANDON", false}, {"REMOVE", true}, {"PREVENT", false}, {"REMOVE", true}} {
		c.Config(under(w, fmt.Sprintf("%q", tc.to)))
		told := c.Planned()
		if tc.warns {
			told.WantWarning(t, lowered, bobMail, "to "+tc.to)
		} else {
			told.WantNone(t)
		}
		c.Apply().WantOK(t, "1 changed")
		if got := c.State()[providertest.Bob].Attributes["deletion_policy"]; got != tc.to {
			t.Errorf("deletion_policy %v, want %s", got, tc.to)
		}
		c.WantEmptyPlan()
	}
	stay(t)
	c.Config(under(w, `"DELETE"`))
	c.Validate().WantError(t, "deletion_policy", `"DELETE"`, `"REMOVE" "ABANDON" "PREVENT"`)

	c.Config(under(w, `"PREVENT"`))
	c.Apply().WantOK(t)
	c.Config(under(w, "terraform_data.policy.output") + "resource \"terraform_data\" \"policy\" {\n  input = \"ABANDON\"\n}\n")
	c.Planned().WantWarning(t, lowered, bobMail, "known after apply")
	c.Apply().WantOK(t)
	if got := c.State()[providertest.Bob].Attributes["deletion_policy"]; got != "ABANDON" {
		t.Errorf("deletion_policy %v", got)
	}
	c.Destroy().WantOK(t)
	stay(t)
}

// A tainted member is not removed: a plan of its create announces no removal.
func TestMember_Tainted(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c, stay := kept(w, `"REMOVE"`)
	c.Taint(providertest.Bob, true)
	c.Planned().WantWarning(t, added, bobMail+" is a member of "+providertest.AcmeHost+" already", "terraform untaint")
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
	if err := w.Sim.MakeAdmin(providertest.AcmeHost, bobMail); err != nil {
		t.Fatal(err)
	}
	c.ApplySaved().WantError(t, "Owners and admins cannot be removed", bobMail+", admin of "+providertest.AcmeHost)
	stay(t)
	if _, in := c.State()[providertest.Bob]; !in {
		t.Error("the member left the state")
	}
}

// The role that the API shows takes precedence over the one in state: a removed block is planned from the stored state.
func TestMember_RoleNow(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Bob())
	c.Apply().WantOK(t)
	if err := w.Sim.MakeAdmin(providertest.AcmeHost, providertest.BobEmail); err != nil {
		t.Fatal(err)
	}
	for _, options := range [][]string{nil, {"-refresh=false"}} {
		c.Config(w.Config(""))
		c.Planned(options...).WantError(t, "Owners and admins cannot be removed", providertest.BobEmail+", admin of "+providertest.AcmeHost)
		c.Config(w.Config(w.Person("bob", "bobby@acme.example", "Bob")))
		c.Planned(options...).WantError(t, "Owners and admins cannot be removed", providertest.BobEmail+", admin of "+providertest.AcmeHost)
	}
	c.Config(w.Bob())
	c.Apply("-refresh-only").WantOK(t)
	if role := c.State()[providertest.Bob].Attributes["role"]; role != "admin" {
		t.Fatalf("role %v", role)
	}
	if err := w.Sim.DemoteAdmin(providertest.AcmeHost, providertest.BobEmail); err != nil {
		t.Fatal(err)
	}
	c.Config(w.Config(""))
	c.Apply("-refresh=false").WantOK(t, "1 destroyed")
	if w.Seats() != 1 {
		t.Errorf("%d seats", w.Seats())
	}
}

// Ten members of one private label are destroyed with one members list in each process: two plan, one applies. The apply
// lists them again after the removals that are in flight concurrently, at most once for each.
func TestMember_DestroyMany(t *testing.T) {
	t.Parallel()
	const people = 10
	w := providertest.NewLabelEnv(t)
	c := w.Cli()
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
	if n := w.Calls(providertest.RouteMembers); n > 3+people {
		t.Errorf("%d lists of members", n)
	}
}
