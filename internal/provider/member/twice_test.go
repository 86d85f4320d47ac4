package member_test

import (
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/providertest"
)

// A tainted resource would remove the member whom its create adopts. The plan shows a create only; the delete reads the
// adoption in the private state of that plan and returns an error.
func TestMember_Tainted(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Bob())
	c.Apply().WantOK(t)
	c.Taint(providertest.Bob, true)
	w.Sim.ResetJournal()
	told := c.Planned()
	told.WantWarning(t, "Existing member is adopted", providertest.BobEmail, "terraform untaint")
	for _, options := range [][]string{nil, {"-refresh=false"}} {
		c.Apply(options...).WantError(t, "Tainted member cannot be replaced", providertest.BobEmail, "terraform untaint")
	}
	if w.Seats() != 2 || w.Mails(providertest.BobEmail) != 1 {
		t.Errorf("%d seats, %d emails", w.Seats(), w.Mails(providertest.BobEmail))
	}
	w.WantReads()
	c.Taint(providertest.Bob, false)
	c.WantEmptyPlan()
	c.Destroy().WantOK(t, "1 destroyed")
}

// Two blocks for one user: the plan warns, the apply adds the user once.
func TestMember_DeclaredTwice(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]string{"another case": "BOB@acme.example", "the same": providertest.BobEmail} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			c := coretest.New(t, w.TestEnv)
			c.Config(w.Config(w.Person("bob", providertest.BobEmail, "Bob") + w.Person("again", again, "Bob")))
			told := c.Planned()
			told.WantHint(t, "Member is declared twice", providertest.AcmeHost)
			told.Want(t, 0, "error", "")
			w.Sim.ResetJournal()
			c.Apply().Diagnostics.WantOneError(t, []string{"Object is declared twice"}, providertest.AcmeHost)
			if n := w.Calls(providertest.RouteAdd); n != 1 {
				t.Errorf("%d calls of add, want one", n)
			}
			if w.Seats() != 2 || w.Mails(providertest.BobEmail) != 1 {
				t.Errorf("%d seats, %d emails", w.Seats(), w.Mails(providertest.BobEmail))
			}
		})
	}
}

// Two blocks that adopt one member: the second would be a second resource for the same user.
func TestMember_AdoptedTwice(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	if _, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, providertest.BobEmail, "Bob", "Byte"); err != nil {
		t.Fatal(err)
	}
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Config(w.Person("bob", providertest.BobEmail, "Bob") + w.Person("again", providertest.BobEmail, "Bob")))
	c.Planned().WantHint(t, "Member is declared twice", providertest.BobEmail)
	c.Apply().Diagnostics.WantOneError(t, []string{"Object is declared twice"}, providertest.BobEmail)
	if n := len(c.State()); n != 1 {
		t.Errorf("%d resources in state, want one", n)
	}
}

// The plan warns about a create that adopts a user in state, and a renamed block signs nobody out without a warning.
func TestMember_InStateAlready(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Bob())
	c.Apply().WantOK(t)
	c.Config(w.Config(w.Person("bob", providertest.BobEmail, "Bob") + w.Person("again", "BOB@acme.example", "Bob")))
	c.Planned().WantHint(t, "Member is managed by two resources", providertest.BobEmail, "moved block")

	c.Config(w.Config(w.Person("robert", providertest.BobEmail, "Bob")))
	told := c.Planned()
	told.WantWarning(t, "Existing member is adopted", providertest.BobEmail, "moved block")
	told.WantWarning(t, "Removed member is signed out immediately", providertest.BobEmail)
	c.Config(w.Config(w.Person("robert", providertest.BobEmail, "Bob") + "moved {\n  from = reseller_member.bob\n  to = reseller_member.robert\n}\n"))
	c.Apply().WantOK(t, "0 added, 0 changed, 0 destroyed")
	c.WantEmptyPlan()

	// Without the moved block one of the two calls fails, and nobody is emailed.
	c.Config(w.Config(w.Person("rob", providertest.BobEmail, "Bob")))
	w.Sim.ResetJournal()
	c.Apply().WantError(t)
	if w.Mails(providertest.BobEmail) != 1 || w.Calls(providertest.RouteAdd) != 0 {
		t.Errorf("%d emails, %d calls of add", w.Mails(providertest.BobEmail), w.Calls(providertest.RouteAdd))
	}
}

// A user whom the plan adopts and who leaves before the apply is not emailed: the plan announced no email.
func TestMember_LeftAfterThePlan(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	if _, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, providertest.BobEmail, "Bob", "Byte"); err != nil {
		t.Fatal(err)
	}
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Bob())
	c.Plan()
	if err := w.Sim.RemovePersonInConsole(providertest.AcmeHost, providertest.BobEmail); err != nil {
		t.Fatal(err)
	}
	w.Sim.ResetJournal()
	c.ApplySaved().WantError(t, "inconsistent final plan") // the CLI enforces the planned ID
	if w.Mails(providertest.BobEmail) != 1 || w.Calls(providertest.RouteAdd) != 0 || len(c.State()) != 0 {
		t.Errorf("%d emails, %d calls of add, state %v", w.Mails(providertest.BobEmail), w.Calls(providertest.RouteAdd), c.State())
	}
	c.Planned().WantWarning(t, "Adding a member sends an email", providertest.BobEmail)
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
