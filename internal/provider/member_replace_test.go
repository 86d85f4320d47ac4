package provider_test

import "testing"

// The CLI shows no warning of the plan that -replace adds, so that nothing would announce the removal and the email.
func TestMember_ReplaceIsRejected(t *testing.T) {
	t.Parallel()
	w := newLabelled(t)
	c := w.cli()
	c.config(w.bob())
	c.apply().wantOK(t)
	emails := w.mails(bobEmail)
	w.sim.ResetJournal()
	for _, refresh := range []string{"-refresh=true", "-refresh=false"} {
		for _, act := range []func(...string) result{c.plan, c.apply} {
			act("-replace="+bob, refresh).wantError(t, "Members cannot be replaced with -replace", bobEmail, acmeHost, "reseller_resend_invite")
		}
	}
	if err := w.sim.RemovePersonInConsole(acmeHost, bobEmail); err != nil {
		t.Fatal(err)
	}
	c.plan("-replace="+bob, "-refresh=false").wantError(t, "Members cannot be replaced with -replace")
	w.wantReads()
	c.plan("-replace="+bob).wantText(t, "Member not found, removed from state", "Adding a member sends an email")
	if n := w.mails(bobEmail); n != emails {
		t.Errorf("%d emails, want %d", n, emails)
	}
	c.apply().wantOK(t, "1 added")
	c.wantEmptyPlan()
}

// What replaces a member by itself is announced by its first half, with -replace or without.
func TestMember_ReplacementIsAnnouncedOnce(t *testing.T) {
	t.Parallel()
	for _, option := range []string{"-refresh=true", "-replace=" + bob} {
		w := newLabelled(t)
		c := w.cli()
		c.config(w.bob())
		c.apply().wantOK(t)
		c.config(w.config(w.person("bob", "bobby@acme.example", "Bob")))
		told := c.planned(option)
		told.wantWarning(t, "Removed member is signed out immediately", bobEmail)
		told.wantWarning(t, "Adding a member sends an email", "bobby@acme.example")
		c.apply(option).wantOK(t, "1 added", "1 destroyed")
		c.wantEmptyPlan()
		c.plan("-replace="+bob).wantError(t, "Members cannot be replaced with -replace") // nothing of the announcement stays
	}
}
