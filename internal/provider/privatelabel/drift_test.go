package privatelabel_test

import (
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestPrivateLabel_AttachedAgain(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	w.Sim.FailAttach(1)
	c := coretest.New(t, w)
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "")))
	c.Apply().WantOK(t, "Host name is not attached yet", providertest.AcmeHost)
	if got := c.State()[providertest.Acme].Attributes["domain_attached"]; got != false {
		t.Errorf("domain_attached %v", got)
	}
	if r := c.Plan(); r.Code != 2 {
		t.Errorf("exit code %d, want a change\n%s", r.Code, r.Out)
	}
	c.Apply().WantOK(t, "1 changed")
	if n := w.Calls(providertest.RouteAttach); n != 1 {
		t.Errorf("%d calls of attach, want 1", n)
	}
	c.WantEmptyPlan()
}

func TestPrivateLabel_Gone(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.New(t, w)
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "")))
	c.Apply().WantOK(t)
	if err := w.Sim.MoveAway(providertest.AcmeHost); err != nil {
		t.Fatal(err)
	}
	// The host name cannot be reused: a plan must not show it as a new private label.
	r := c.Plan()
	r.WantError(t, "Private label not found, removed from state", "Host name cannot be reused", providertest.AcmeHost)
	t.Run("another host in its place", func(t *testing.T) {
		c.Config(w.Config(providertest.Label("acme", "other.acme.example", "")))
		r := c.Plan()
		r.WantText(t, "1 to add")
		if r.Code != 2 {
			t.Errorf("exit code %d, want a new label\n%s", r.Code, r.Out)
		}
	})
	c.Config(w.Config(""))
	// Terraform 1.11 plans the destroy from the stored state, as -refresh=false does with every version; 1.15 reads
	// first, and has nothing left to destroy.
	c.Plan("-refresh=false").WantText(t, "Private label not found, removed from state", providertest.AcmeHost)
	c.Plan().WantOK(t, "Private label not found, removed from state", providertest.AcmeHost)
	c.Apply().WantOK(t)
	if len(c.State()) != 0 {
		t.Errorf("state: %v", c.State())
	}
	if n := w.Calls(providertest.RouteProvision); n != 1 {
		t.Errorf("%d provisions", n)
	}
}
