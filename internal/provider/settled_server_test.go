package provider_test

import (
	"strings"
	"testing"
)

// A settled label that nobody touched is answered for without the framework;
// every change goes through it. (All tests compare both answers.)
func TestSettled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	declare := func(extra string) { c.config(w.config(label("acme", acmeHost, extra))) }
	answers := func(act func()) int64 {
		before := w.answered.Load()
		act()
		return w.answered.Load() - before
	}
	declare("")
	c.apply().wantOK(t)
	if n := answers(func() { c.wantEmptyPlan() }); n != 0 {
		t.Errorf("a label that waits for its DNS was answered for %d times", n)
	}
	w.settle(acmeHost)
	c.ok("refresh", "-no-color")
	if n := answers(func() { c.wantEmptyPlan() }); n != 2 {
		t.Errorf("%d answers for a settled label, want its read and its plan", n)
	}
	w.sim.ResetJournal()
	c.wantEmptyPlan()
	if err := w.wantCalls(map[string]int{routeList: 1}); err != nil {
		t.Error(err)
	}

	t.Run("a default that comes back", func(t *testing.T) {
		declare(`deletion_policy = "ABANDON"`)
		c.apply().wantOK(t, "1 changed")
		declare("")
		c.apply().wantOK(t, "1 changed")
		if got := c.state()[acme].Attributes["deletion_policy"]; got != "PREVENT" {
			t.Errorf("deletion_policy %v", got)
		}
	})
	t.Run("suspended by the platform", func(t *testing.T) {
		if err := w.sim.SuspendByPlatform(acmeHost, "abuse"); err != nil {
			t.Fatal(err)
		}
		c.plan().wantOK(t, "is suspended by the platform")
		if err := w.sim.LiftPlatformSuspension(acmeHost); err != nil {
			t.Fatal(err)
		}
		c.wantEmptyPlan()
	})
	t.Run("replaced", func(t *testing.T) {
		c.plan("-replace="+acme).wantError(t, acmeHost+" cannot be replaced")
	})
	t.Run("another key", func(t *testing.T) {
		other, err := w.sim.AddReseller("rival.example")
		if err != nil {
			t.Fatal(err)
		}
		c.config(strings.Replace(w.config(label("acme", acmeHost, "")), w.sim.APIKey(), other, 1))
		c.plan().wantError(t, "API key belongs to another reseller")
	})
	t.Run("gone", func(t *testing.T) {
		declare("")
		if err := w.sim.DeprovisionInConsole(acmeHost); err != nil {
			t.Fatal(err)
		}
		c.plan().wantError(t, "Private label not found, removed from state", "is retired")
	})
}
