package provider_test

import "testing"

func TestPrivateLabel_Suspension(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	with := func(extra string) string { return w.config(label("acme", acmeHost, extra)) }
	c := w.cli()
	c.config(with("suspended = true\n suspend_reason = \"unpaid\""))
	c.apply().wantOK(t)
	c.wantEmptyPlan()

	t.Run("the reason cannot change", func(t *testing.T) {
		c.config(with("suspended = true\n suspend_reason = \"other\""))
		c.plan().wantError(t, "Suspension reason cannot be changed", acmeHost, `"unpaid"`)
		c.config(with("suspended = true"))
		c.plan().wantError(t, "Suspension reason cannot be changed")
	})
	t.Run("lifted in the console, suspended again by apply", func(t *testing.T) {
		if err := w.sim.UnsuspendInConsole(acmeHost); err != nil {
			t.Fatal(err)
		}
		c.config(with("suspended = true\n suspend_reason = \"unpaid\""))
		c.apply().wantOK(t, "1 changed")
		c.wantEmptyPlan()
	})
	t.Run("suspended anew with another reason", func(t *testing.T) {
		if err := w.sim.UnsuspendInConsole(acmeHost); err != nil {
			t.Fatal(err)
		}
		if err := w.sim.SuspendInConsole(acmeHost, "fraud"); err != nil {
			t.Fatal(err)
		}
		r := c.plan()
		r.wantOK(t, "Suspension has another reason", `"fraud"`)
	})
	t.Run("lift", func(t *testing.T) {
		c.config(with("suspended = false"))
		c.apply().wantOK(t, "1 changed")
		c.wantEmptyPlan()
		if got := w.sim.Labels()[0].Status; got != "Active" {
			t.Errorf("status %s", got)
		}
	})
	t.Run("not managed: left alone", func(t *testing.T) {
		c.config(with(""))
		c.apply().wantOK(t)
		if err := w.sim.SuspendInConsole(acmeHost, "theirs"); err != nil {
			t.Fatal(err)
		}
		w.sim.ResetJournal()
		c.wantEmptyPlan()
		c.apply().wantOK(t)
		if n := w.calls(routeUnsuspend); n != 0 {
			t.Errorf("%d calls of unsuspend", n)
		}
		if got := c.state()[acme].Attributes["status"]; got != "Suspended" {
			t.Errorf("status %v in state", got)
		}
	})
}

func TestPrivateLabel_SuspendedByPlatform(t *testing.T) {
	t.Parallel()
	for _, managed := range []string{"", "suspended = false", "suspended = true"} {
		t.Run(managed, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c := w.cli()
			c.config(w.config(label("acme", acmeHost, managed)))
			c.apply().wantOK(t)
			if managed == "suspended = true" {
				if err := w.sim.UnsuspendInConsole(acmeHost); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.sim.SuspendByPlatform(acmeHost, "abuse"); err != nil {
				t.Fatal(err)
			}
			w.sim.ResetJournal()
			r := c.plan()
			r.wantOK(t, "Private label is suspended by the platform", "suspended "+acmeHost+" on 2026-03-14")
			c.apply().wantOK(t)
			if n := w.calls(routeSuspend) + w.calls(routeUnsuspend); n != 0 {
				t.Errorf("%d calls against the platform's suspension", n)
			}
			if got := c.state()[acme].Attributes["suspended_by"]; got != "Platform" {
				t.Errorf("suspended_by %v", got)
			}
			if err := w.sim.LiftPlatformSuspension(acmeHost); err != nil {
				t.Fatal(err)
			}
			if managed == "suspended = true" {
				c.apply().wantOK(t, "1 changed")
			}
			c.wantEmptyPlan()
		})
	}
}
