package privatelabel_test

import (
	"net/http"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestPrivateLabel_Suspension(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	with := func(extra string) string { return w.Config(providertest.Label("acme", providertest.AcmeHost, extra)) }
	c := coretest.New(t, w)
	c.Config(with("suspended = true\n suspend_reason = \"unpaid\""))
	c.Apply().WantOK(t)
	c.WantEmptyPlan()

	t.Run("the reason cannot change", func(t *testing.T) {
		c.Config(with("suspended = true\n suspend_reason = \"other\""))
		c.Plan().WantError(t, "Suspension reason cannot be changed", providertest.AcmeHost, `"unpaid"`)
		c.Config(with("suspended = true"))
		c.Plan().WantError(t, "Suspension reason cannot be changed")
	})
	t.Run("lifted in the console, suspended again by apply", func(t *testing.T) {
		if err := w.Sim.UnsuspendInConsole(providertest.AcmeHost); err != nil {
			t.Fatal(err)
		}
		c.Config(with("suspended = true\n suspend_reason = \"unpaid\""))
		c.Apply().WantOK(t, "1 changed")
		c.WantEmptyPlan()
	})
	t.Run("suspended again with another reason", func(t *testing.T) {
		if err := w.Sim.UnsuspendInConsole(providertest.AcmeHost); err != nil {
			t.Fatal(err)
		}
		if err := w.Sim.SuspendInConsole(providertest.AcmeHost, "fraud"); err != nil {
			t.Fatal(err)
		}
		r := c.Plan()
		r.WantOK(t, "Suspension has another reason", `"fraud"`)
	})
	t.Run("lift", func(t *testing.T) {
		c.Config(with("suspended = false"))
		c.Apply().WantOK(t, "1 changed")
		c.WantEmptyPlan()
		if got := w.Sim.Labels()[0].Status; got != "Active" {
			t.Errorf("status %s", got)
		}
	})
	t.Run("not managed: not changed", func(t *testing.T) {
		c.Config(with(""))
		c.Apply().WantOK(t)
		if err := w.Sim.SuspendInConsole(providertest.AcmeHost, "theirs"); err != nil {
			t.Fatal(err)
		}
		w.Sim.ResetJournal()
		c.WantEmptyPlan()
		c.Apply().WantOK(t)
		if n := w.Calls(providertest.RouteUnsuspend); n != 0 {
			t.Errorf("%d calls of unsuspend", n)
		}
		if got := c.State()[providertest.Acme].Attributes["status"]; got != "Suspended" {
			t.Errorf("status %v in state", got)
		}
	})
}

func TestPrivateLabel_SuspendedByPlatform(t *testing.T) {
	t.Parallel()
	for _, managed := range []string{"", "suspended = false", "suspended = true"} {
		t.Run(managed, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			c := coretest.New(t, w)
			c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, managed)))
			c.Apply().WantOK(t)
			if managed == "suspended = true" {
				if err := w.Sim.UnsuspendInConsole(providertest.AcmeHost); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Sim.SuspendByPlatform(providertest.AcmeHost, "abuse"); err != nil {
				t.Fatal(err)
			}
			w.Sim.ResetJournal()
			r := c.Plan()
			r.WantOK(t, "Private label is suspended by the platform", "suspended "+providertest.AcmeHost+" on 2026-03-14")
			c.Apply().WantOK(t)
			if n := w.Calls(providertest.RouteSuspend) + w.Calls(providertest.RouteUnsuspend); n != 0 {
				t.Errorf("%d calls against the platform's suspension", n)
			}
			if got := c.State()[providertest.Acme].Attributes["suspended_by"]; got != "Platform" {
				t.Errorf("suspended_by %v", got)
			}
			if err := w.Sim.LiftPlatformSuspension(providertest.AcmeHost); err != nil {
				t.Fatal(err)
			}
			if managed == "suspended = true" {
				c.Apply().WantOK(t, "1 changed")
			}
			c.WantEmptyPlan()
		})
	}
}

// A suspension that the response does not show is an error, and a destroy keeps the private label in state.
func TestPrivateLabel_SuspensionShown(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]string{"update": "suspended = true\ndeletion_policy = \"SUSPEND\"", "destroy": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			c := coretest.New(t, w)
			c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, `deletion_policy = "SUSPEND"`)))
			c.Apply().WantOK(t)
			w.Second().Responds("POST", "/suspend", func(*http.Request, []byte) (int, string) {
				return 200, `{"status":"OK","data":{"status":"Active","suspendedAt":null,"suspendedBy":null,"suspendReason":null}}`
			})
			body := ""
			if after != "" {
				body = providertest.Label("acme", providertest.AcmeHost, after)
			}
			c.Config(w.Config(body))
			c.Apply().WantError(t, "was not suspended", "shows the status Active")
			if _, in := c.State()[providertest.Acme]; !in {
				t.Error("dropped from state")
			}
		})
	}
}
