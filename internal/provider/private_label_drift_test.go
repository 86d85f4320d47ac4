package provider_test

import (
	"strings"
	"testing"
)

func TestPrivateLabel_AttachedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.sim.FailAttach(1)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "")))
	c.apply().wantOK(t, "Host name is not attached yet", acmeHost)
	if got := c.state()[acme].Attributes["domain_attached"]; got != false {
		t.Errorf("domain_attached %v", got)
	}
	if r := c.plan(); r.code != 2 {
		t.Errorf("exit code %d, want a change\n%s", r.code, r.out)
	}
	c.apply().wantOK(t, "1 changed")
	if n := w.calls(routeAttach); n != 1 {
		t.Errorf("%d calls of attach, want 1", n)
	}
	c.wantEmptyPlan()
}

func TestPrivateLabel_Gone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "")))
	c.apply().wantOK(t)
	if err := w.sim.MoveAway(acmeHost); err != nil {
		t.Fatal(err)
	}
	// The host is retired: a plan must not show it as a new label.
	r := c.plan()
	r.wantError(t, "Private label not found, removed from state", "Host name cannot be reused", acmeHost)
	t.Run("another host in its place", func(t *testing.T) {
		c.config(w.config(label("acme", "other.acme.example", "")))
		if r := c.plan(); r.code != 2 || !strings.Contains(r.out, "1 to add") {
			t.Errorf("exit code %d, want a new label\n%s", r.code, r.out)
		}
	})
	c.config(w.config(""))
	// Terraform 1.11 plans the destroy from the stored state, as -refresh=false
	// does everywhere; 1.15 reads it before, and has nothing left to destroy.
	c.plan("-refresh=false").wantText(t, "Private label no longer exists", acmeHost)
	c.plan().wantOK(t, "Private label not found, removed from state", acmeHost)
	c.apply().wantOK(t)
	if len(c.state()) != 0 {
		t.Errorf("state: %v", c.state())
	}
	if n := w.calls(routeProvision); n != 1 {
		t.Errorf("%d provisions", n)
	}
}

// Under another reseller's key an absent label is a mistake, not a deletion.
func TestPrivateLabel_WrongKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.cli()
	c.config(w.config(label("acme", acmeHost, "")))
	c.apply().wantOK(t)
	other, err := w.sim.AddReseller("rival.example")
	if err != nil {
		t.Fatal(err)
	}
	c.config(strings.Replace(w.config(label("acme", acmeHost, "")), w.sim.APIKey(), other, 1))
	c.plan().wantError(t, "API key belongs to another reseller", "rival.example")
	c.run("apply", "-refresh-only", "-auto-approve", "-no-color").wantError(t, "API key belongs to another reseller")
	if _, ok := c.state()[acme]; !ok {
		t.Error("the label was dropped from state")
	}
	c.config(w.config(label("acme", acmeHost, "")))
	c.wantEmptyPlan()
}
