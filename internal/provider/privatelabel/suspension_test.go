package privatelabel_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestPrivateLabel_Suspension(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	with := func(extra string) string { return w.Config(providertest.Label("acme", providertest.AcmeHost, extra)) }
	c := coretest.Applied(t, w, with("suspended = true\n suspend_reason = \"unpaid\""))
	c.WantEmptyPlan()

	t.Run("the reason cannot change", func(t *testing.T) {
		c.Config(with("suspended = true\n suspend_reason = \"other\""))
		c.Plan().WantError(t, privatelabel.SummaryReasonFixed, providertest.AcmeHost, `"unpaid"`)
		c.Config(with("suspended = true"))
		c.Plan().WantError(t, privatelabel.SummaryReasonFixed)
	})
	t.Run("lifted in the console, suspended again by apply", func(t *testing.T) {
		require.NoError(t, w.Sim.UnsuspendInConsole(providertest.AcmeHost))
		c.Config(with("suspended = true\n suspend_reason = \"unpaid\""))
		c.Apply().WantOK(t, "1 changed")
		c.WantEmptyPlan()
	})
	t.Run("suspended again with another reason", func(t *testing.T) {
		require.NoError(t, w.Sim.UnsuspendInConsole(providertest.AcmeHost))
		require.NoError(t, w.Sim.SuspendInConsole(providertest.AcmeHost, "fraud"))
		r := c.Plan()
		r.WantOK(t, privatelabel.SummaryOtherReason, `"fraud"`)
	})
	t.Run("suspended again after the plan", func(t *testing.T) {
		c.Config(with("suspended = false"))
		c.Planned()
		w.Sim.Clock().Advance(time.Minute)
		require.NoError(t, w.Sim.UnsuspendInConsole(providertest.AcmeHost))
		require.NoError(t, w.Sim.SuspendInConsole(providertest.AcmeHost, "debts"))
		c.ApplySaved().WantError(t, object.SummaryChanged, "suspended again", "Nothing was changed")
		assert.Equal(t, "Suspended", w.Sim.Labels()[0].Status)
	})
	t.Run("lift", func(t *testing.T) {
		c.Apply().WantOK(t, "1 changed")
		c.WantEmptyPlan()
		assert.Equal(t, "Active", w.Sim.Labels()[0].Status)
	})
	t.Run("not managed: not changed", func(t *testing.T) {
		c.Config(with(""))
		c.Apply().WantOK(t)
		require.NoError(t, w.Sim.SuspendInConsole(providertest.AcmeHost, "theirs"))
		w.Sim.ResetJournal()
		c.WantEmptyPlan()
		c.Apply().WantOK(t)
		assert.Equal(t, 0, w.Calls(providertest.RouteUnsuspend), "calls of unsuspend")
		assert.Equal(t, "Suspended", c.State()[providertest.Acme].Attributes["status"], "status in state")
	})
}

func TestPrivateLabel_SuspendedByPlatform(t *testing.T) {
	t.Parallel()
	for _, managed := range []string{"", "suspended = false", "suspended = true"} {
		t.Run(managed, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			c := coretest.Applied(t, w, w.Config(providertest.Label("acme", providertest.AcmeHost, managed)))
			if managed == "suspended = true" {
				require.NoError(t, w.Sim.UnsuspendInConsole(providertest.AcmeHost))
			}
			require.NoError(t, w.Sim.SuspendByPlatform(providertest.AcmeHost, "abuse"))
			w.Sim.ResetJournal()
			r := c.Plan()
			r.WantOK(t, privatelabel.SummaryPlatform, "suspended "+providertest.AcmeHost+" on 2026-03-14")
			c.Apply().WantOK(t)
			assert.Equal(t, 0, w.Calls(providertest.RouteSuspend)+w.Calls(providertest.RouteUnsuspend), "calls against the platform's suspension")
			assert.Equal(t, "Platform", c.State()[providertest.Acme].Attributes["suspended_by"])
			require.NoError(t, w.Sim.LiftPlatformSuspension(providertest.AcmeHost))
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
			c := coretest.Applied(t, w, w.Config(providertest.Label("acme", providertest.AcmeHost, `deletion_policy = "SUSPEND"`)))
			w.Second().Responds("POST", "/suspend", func(*http.Request, []byte) (int, string) {
				return 200, `{"status":"OK","data":{"status":"Active","suspendedAt":null,"suspendedBy":null,"suspendReason":null}}`
			})
			body := ""
			if after != "" {
				body = providertest.Label("acme", providertest.AcmeHost, after)
			}
			c.Config(w.Config(body))
			c.Apply().WantError(t, "was not suspended", "shows the status Active")
			_, in := c.State()[providertest.Acme]
			assert.True(t, in, "dropped from state")
		})
	}
}
