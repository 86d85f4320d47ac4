package provider_test

import (
	"testing"
)

// A tainted resource would remove the member whom its create adopts. The plan sees a create alone; the delete refuses
// by the private state of that plan.
func TestMember_Tainted(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	c.config(w.bob())
	c.apply().wantOK(t)
	c.ok("taint", bob)
	w.sim.ResetJournal()
	told := c.planned()
	told.wantWarning(t, "Existing member is adopted", bobEmail, "terraform untaint")
	for _, options := range [][]string{nil, {"-refresh=false"}} {
		c.apply(options...).wantError(t, "Tainted member cannot be replaced", bobEmail, "terraform untaint")
	}
	if w.seats() != 2 || w.mails(bobEmail) != 1 {
		t.Errorf("%d seats, %d emails", w.seats(), w.mails(bobEmail))
	}
	w.wantReads()
	c.ok("untaint", bob)
	c.wantEmptyPlan()
	c.destroy().wantOK(t, "1 destroyed")
}

// Two blocks for one person: the plan warns, the apply adds the person once.
func TestMember_DeclaredTwice(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]string{"another case": "BOB@acme.example", "the same": bobEmail} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newLabelled(t)
			c := w.cli()
			c.config(w.config(w.person("bob", bobEmail, "Bob") + w.person("again", again, "Bob")))
			told := c.planned()
			told.wantHint(t, "Member is declared twice", acmeHost)
			told.want(t, 0, "error", "")
			w.sim.ResetJournal()
			c.told("apply", "-json", "-auto-approve").wantOneError(t, []string{"Object is declared twice"}, acmeHost)
			if n := w.calls(routeAdd); n != 1 {
				t.Errorf("%d calls of add, want one", n)
			}
			if w.seats() != 2 || w.mails(bobEmail) != 1 {
				t.Errorf("%d seats, %d emails", w.seats(), w.mails(bobEmail))
			}
		})
	}
}

// Two blocks that adopt one member: the second would be a second resource for the same person.
func TestMember_AdoptedTwice(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	if _, err := w.sim.AddPersonInConsole(acmeHost, bobEmail, "Bob", "Byte"); err != nil {
		t.Fatal(err)
	}
	c := w.cli()
	c.config(w.config(w.person("bob", bobEmail, "Bob") + w.person("again", bobEmail, "Bob")))
	c.planned().wantHint(t, "Member is declared twice", bobEmail)
	c.told("apply", "-json", "-auto-approve").wantOneError(t, []string{"Object is declared twice"}, bobEmail)
	if n := len(c.state()); n != 1 {
		t.Errorf("%d resources in state, want one", n)
	}
}

// A create that adopts somebody in state is told, and a renamed block signs nobody out unannounced.
func TestMember_InStateAlready(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	c.config(w.bob())
	c.apply().wantOK(t)
	c.config(w.config(w.person("bob", bobEmail, "Bob") + w.person("again", "BOB@acme.example", "Bob")))
	c.planned().wantHint(t, "Member is managed by two resources", bobEmail, "moved block")

	c.config(w.config(w.person("robert", bobEmail, "Bob")))
	told := c.planned()
	told.wantWarning(t, "Existing member is adopted", bobEmail, "moved block")
	told.wantWarning(t, "Removed member is signed out immediately", bobEmail)
	c.config(w.config(w.person("robert", bobEmail, "Bob") + "moved {\n  from = reseller_member.bob\n  to = reseller_member.robert\n}\n"))
	c.apply().wantOK(t, "0 added, 0 changed, 0 destroyed")
	c.wantEmptyPlan()

	// Without the moved block one of the two acts fails, and nobody is emailed.
	c.config(w.config(w.person("rob", bobEmail, "Bob")))
	w.sim.ResetJournal()
	c.apply().wantError(t)
	if w.mails(bobEmail) != 1 || w.calls(routeAdd) != 0 {
		t.Errorf("%d emails, %d calls of add", w.mails(bobEmail), w.calls(routeAdd))
	}
}

// Somebody whom the plan adopts and who leaves before the apply is not emailed: the plan announced no email.
func TestMember_LeftAfterThePlan(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	if _, err := w.sim.AddPersonInConsole(acmeHost, bobEmail, "Bob", "Byte"); err != nil {
		t.Fatal(err)
	}
	c := w.cli()
	c.config(w.bob())
	c.ok("plan", "-no-color", "-input=false", "-out=saved")
	if err := w.sim.RemovePersonInConsole(acmeHost, bobEmail); err != nil {
		t.Fatal(err)
	}
	w.sim.ResetJournal()
	c.run("apply", "-no-color", "-input=false", "saved").wantError(t, "inconsistent final plan") // the CLI holds to the planned ID
	if w.mails(bobEmail) != 1 || w.calls(routeAdd) != 0 || len(c.state()) != 0 {
		t.Errorf("%d emails, %d calls of add, state %v", w.mails(bobEmail), w.calls(routeAdd), c.state())
	}
	c.planned().wantWarning(t, "Adding a member sends an email", bobEmail)
}

// The role that the API shows decides, not the one in state: a removed block is planned from the stored state.
func TestMember_RoleNow(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	c.config(w.bob())
	c.apply().wantOK(t)
	if err := w.sim.MakeAdmin(acmeHost, bobEmail); err != nil {
		t.Fatal(err)
	}
	for _, options := range [][]string{nil, {"-refresh=false"}} {
		c.config(w.config(""))
		c.planned(options...).wantError(t, "Owners and admins cannot be removed", bobEmail+", admin of "+acmeHost)
		c.config(w.config(w.person("bob", "bobby@acme.example", "Bob")))
		c.planned(options...).wantError(t, "Owners and admins cannot be removed", bobEmail+", admin of "+acmeHost)
	}
	c.config(w.bob())
	c.apply("-refresh-only").wantOK(t)
	if role := c.state()[bob].Attributes["role"]; role != "admin" {
		t.Fatalf("role %v", role)
	}
	if err := w.sim.DemoteAdmin(acmeHost, bobEmail); err != nil {
		t.Fatal(err)
	}
	c.config(w.config(""))
	c.apply("-refresh=false").wantOK(t, "1 destroyed")
	if w.seats() != 1 {
		t.Errorf("%d seats", w.seats())
	}
}
