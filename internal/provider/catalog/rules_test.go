package catalog_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/catalog"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestItem_DeletionPolicy(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"package", "addon"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			c := coretest.New(t, w)
			with := func(policy string) string {
				return w.Config(providertest.Item(kind, "gold", "GOLD", fmt.Sprintf("deletion_policy = %q", policy)))
			}
			isActive := func() bool { return append(w.Sim.Packages(), w.Sim.Addons()...)[0].Active }
			c.Config(with("PREVENT"))
			c.Apply().WantOK(t, "1 added")
			w.Sim.ResetJournal()

			address := "reseller_" + kind + ".gold"
			protected := []string{effect.SummaryProtected, "GOLD", "PREVENT"}
			c.Destroy().WantError(t, protected...)
			c.Config(w.Config(""))
			for _, refresh := range []string{"-refresh=true", "-refresh=false"} {
				c.Apply(refresh).WantError(t, protected...)
			}
			c.Config(with("PREVENT"))
			c.Plan("-replace="+address).WantError(t, catalog.SummaryNotReplaceable)
			c.Taint(address, true)
			c.Apply().WantError(t, catalog.SummaryExists, "terraform untaint")
			c.Taint(address, false)

			c.Config(with("ABANDON"))
			c.Planned().WantWarning(t, effect.LoweringProtection.Summary, "GOLD", "from PREVENT to ABANDON")
			c.Apply().WantOK(t, "1 changed")
			c.Config(w.Config(""))
			c.Planned().WantWarning(t, catalog.TopicDeactivating.Summary, "GOLD", "only removed from state", "ABANDON")
			c.Apply().WantOK(t, "1 destroyed")
			w.WantReads()
			assert.True(t, isActive(), "it was deactivated")

			c.Config(with("DEACTIVATE") + importBlock(address, "GOLD"))
			c.Apply().WantOK(t, "1 imported")
			c.WantEmptyPlan()
			c.Config(w.Config(""))
			c.Planned().WantWarning(t, catalog.TopicDeactivating.Summary, "GOLD will be")
			c.Apply().WantOK(t, "1 destroyed")
			assert.False(t, isActive(), "it was not deactivated")
		})
	}
}

// A policy that the configuration no longer sets is the default again, which is a change.
func TestItem_DefaultsAreRestored(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.Applied(t, w, w.Config(providertest.Item("package", "gold", "GOLD", `deletion_policy = "PREVENT"`)+providertest.Item("package", "old", "OLD", "active = false")))
	c.WantEmptyPlan()
	c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "") + providertest.Item("package", "old", "OLD", "")))
	c.Planned().WantWarning(t, effect.RemovingProtection.Summary, "GOLD")
	c.Apply().WantOK(t, "2 changed")
	c.WantEmptyPlan()
}

// A destroy depends on the live item, also where the state is older: the plan of a removed block may not refresh it.
func TestItem_DestroyByWhatIsLive(t *testing.T) {
	t.Parallel()
	for _, refresh := range []string{"-refresh=true", "-refresh=false"} {
		t.Run(refresh, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			c := coretest.Applied(t, w, w.Config(providertest.Item("package", "gold", "GOLD", "active = false")+providertest.Item("package", "silver", "SILVER", "")))
			for code, active := range map[string]bool{"GOLD": true, "SILVER": false} {
				require.NoError(t, w.Sim.SetPackageActive(w.PackageID(code), active))
			}
			w.Sim.ResetJournal()
			c.Config(w.Config(""))
			told := c.Planned(refresh)
			told.Want(t, 2, "warning", catalog.TopicDeactivating.Summary, "GOLD will be")
			told.Want(t, 2, "warning", catalog.TopicDeactivating.Summary, "SILVER is already deactivated")
			c.Apply(refresh).WantOK(t, "2 destroyed")
			for _, p := range w.Sim.Packages() {
				assert.False(t, p.Active, "%s is active", p.Code)
			}
			assert.Equal(t, 1, w.Calls(providertest.RoutePackageUpdate), "updates")
		})
	}
}

// An apply deactivates only what its plan announced, and nothing that is inactive by then.
func TestItem_ChangedSinceThePlan(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.Applied(t, w, w.Config(providertest.Item("package", "gold", "GOLD", "active = false")+providertest.Item("package", "silver", "SILVER", "")))
	c.Config(w.Config(""))
	c.Plan()
	for code, active := range map[string]bool{"GOLD": true, "SILVER": false} {
		require.NoError(t, w.Sim.SetPackageActive(w.PackageID(code), active))
	}
	w.Sim.ResetJournal()
	c.ApplySaved().WantError(t, object.SummaryChanged, "The package GOLD", "deactivate GOLD", "Plan again")
	w.WantReads()
	_, left := c.State()[providertest.Gold]
	require.True(t, left, "state %v", c.State())
	assert.Len(t, c.State(), 1)
	c.Apply().WantOK(t, "1 destroyed")
}

// A deactivation that no read shows is an error, and a warning for a new item.
func TestItem_DeactivationIsProven(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	s := w.Second()
	s.Responds(http.MethodPost, "/billing/packages/update", func(*http.Request, []byte) (int, string) { return http.StatusOK, `{"status":"OK","data":{}}` })
	c := coretest.Applied(t, w, w.Config(providertest.Item("package", "gold", "GOLD", "")+providertest.Item("package", "old", "OLD", "active = false")), catalog.SummaryNotDeactivated, "Package OLD was created", "no read afterwards shows it yet", "2 added")
	c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "active = false")))
	r := c.Apply()
	r.WantError(t, diagnostic.SummaryOutcomeUnknown, "the call to deactivate the package GOLD", "the call to deactivate the package OLD", "no read afterwards shows it yet")
	assert.Len(t, c.State(), 2, "resources in state")
}

// Two resources for one code, where the response of one create is lost: its search shows what the other one created.
func TestItem_DuplicateWithLostResponse(t *testing.T) {
	t.Parallel()
	for range 3 { // in any order
		w := providertest.NewTestEnv(t)
		c := coretest.New(t, w)
		c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "") + providertest.Item("package", "twin", "GOLD", "")))
		w.Sim.Inject(simulator.Fault{Route: providertest.RoutePackages, Kind: simulator.FaultServerError, After: true, Times: 1})
		c.Apply().Diagnostics.WantOneError(t, []string{catalog.SummaryExists}, "code gold")
		w.WantFault()
		if n := len(c.State()); n != 1 || len(w.Sim.Packages()) != 1 {
			t.Errorf("%d resources in state, %d packages, want one", n, len(w.Sim.Packages()))
		}
	}
}

// A change of a package says how many private labels have it, from the list that the run reads anyway.
func TestItem_ChangeOfWhatIsInUse(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	config := func(name, extra string) string {
		return w.Config(strings.Replace(providertest.Item("package", "gold", "GOLD", extra), `"Gold"`, fmt.Sprintf("%q", name), 1))
	}
	c.Config(config("Gold", ""))
	c.Apply().WantOK(t)
	const summary = catalog.SummaryInUse
	c.Config(config("Golden", ""))
	c.Planned().Want(t, 0, "warning", summary)
	require.NoError(t, w.Sim.AssignInConsole(providertest.AcmeHost, w.PackageID("GOLD"), nil))
	c.Planned().WantWarning(t, summary, "One private label uses package GOLD")
	c.Config(config("Gold", `deletion_policy = "ABANDON"`))
	c.Planned().Want(t, 0, "warning", summary)
	c.Config(w.Config(""))
	c.Planned().Want(t, 0, "warning", summary) // the warning about its deactivation says that private labels keep it
}
