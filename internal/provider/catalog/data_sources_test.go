package catalog_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestItemDataSources(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	id, err := w.Sim.AddPackage("GOLD", map[string]float64{"seats": 3}, true)
	require.NoError(t, err)
	_, err = w.Sim.AddPackage("OLD", nil, false)
	require.NoError(t, err)
	_, err = w.Sim.AddAddon("SEATS", nil, true)
	require.NoError(t, err)
	c := coretest.New(t, w)
	c.Config(w.Config(fmt.Sprintf(`
data "reseller_package" "id"     { id = %q }
data "reseller_package" "code"   { code = "gold" }
data "reseller_addon" "seats"    { code = "SEATS" }
data "reseller_packages" "all"   {}
data "reseller_packages" "off"   { active = false }
data "reseller_packages" "query" { query = "gol" }
data "reseller_addons" "all"     {}
`, id)))
	c.Apply().WantOK(t)
	c.Want("data.reseller_package.id", "code", knownvalue.StringExact("GOLD"))
	c.Want("data.reseller_package.code", "id", knownvalue.StringExact(id))
	c.Want("data.reseller_package.code", "active", knownvalue.Bool(true))
	c.Want("data.reseller_addon.seats", "currency", knownvalue.StringExact("EUR"))
	c.Want("data.reseller_packages.all", "total", knownvalue.Int64Exact(2))
	c.Want("data.reseller_packages.off", "packages", knownvalue.ListExact([]knownvalue.Check{knownvalue.ObjectPartial(map[string]knownvalue.Check{"code": knownvalue.StringExact("OLD")})}))
	c.Want("data.reseller_packages.query", "total", knownvalue.Int64Exact(1))
	c.Want("data.reseller_addons.all", "addons", knownvalue.ListSizeExact(1))
	c.WantEmptyPlan()
	c.Config(w.Config(`data "reseller_package" "x" { code = "NONE" }`))
	c.Plan().WantError(t, "The reseller has no package NONE")
}

func TestFiguresDataSources(t *testing.T) {
	t.Parallel()
	for name, billing := range map[string]simulator.Forms{"rows": {}, "by code": {"quota": "by-code"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnvAssuming(t, billing)
			require.NoError(t, w.Sim.Seed(2))
			l := w.Sim.Labels()[0]
			require.NoError(t, w.Sim.UseDocuments(l.Host, 7))
			for range 130 {
				require.NoError(t, w.Sim.WritePoints(l.Host, "documents", 1))
			}
			c := coretest.New(t, w)
			c.Config(w.Config(fmt.Sprintf(`
data "reseller_usage" "now"    {}
data "reseller_usage" "before" { period = "2020-01" }
data "reseller_quota" "q"      {}
data "reseller_points" "p"     {}
data "reseller_points_ledger" "few" { 
  private_label_id = %[1]q
  limit = 5 
}
data "reseller_points_ledger" "all" { 
  private_label_id = %[1]q
  limit = 200
  item_code = "documents"
}
`, l.ID)))
			c.Apply().WantOK(t)
			c.Want("data.reseller_usage.now", "totals", knownvalue.MapPartial(map[string]knownvalue.Check{"documents": knownvalue.Float64Exact(7), "seats": knownvalue.Float64Exact(6)}))
			c.Want("data.reseller_usage.now", "json", knownvalue.NotNull())
			c.Want("data.reseller_usage.before", "totals", knownvalue.MapPartial(map[string]knownvalue.Check{"documents": knownvalue.Float64Exact(0)}))
			c.Want("data.reseller_quota.q", "remaining", knownvalue.MapSizeExact(4))
			c.Want("data.reseller_points.p", "json", knownvalue.NotNull())
			c.Want("data.reseller_points_ledger.few", "rows", knownvalue.ListSizeExact(5))
			c.Want("data.reseller_points_ledger.few", "total", knownvalue.Int64Exact(130))
			c.Want("data.reseller_points_ledger.all", "rows", knownvalue.ListSizeExact(130))
			c.WantEmptyPlan()
		})
	}
}

// Rows that are written between two pages are not returned twice.
func TestPointsLedger_WrittenMeanwhile(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	require.NoError(t, w.Sim.Seed(1))
	l := w.Sim.Labels()[0]
	for range 150 {
		require.NoError(t, w.Sim.WritePoints(l.Host, "documents", 1))
	}
	w.Sim.Inject(simulator.Fault{Route: "GET /console/:slug/reseller/private-labels/:tenantId/points", After: true, Hook: func() {
		assert.NoError(t, w.Sim.WritePoints(l.Host, "documents", 1))
	}})
	coretest.Applied(t, w, w.Config(fmt.Sprintf("data \"reseller_points_ledger\" \"l\" {\n  private_label_id = %q\n  limit = 1000\n}\noutput \"ids\" {\n  value = \"${length(data.reseller_points_ledger.l.rows)} rows, ${length(distinct(data.reseller_points_ledger.l.rows[*].id))} ids\"\n}\n", l.ID)), "150 rows, 150 ids")
}

func TestBadInput_Figures(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	for name, tc := range map[string]struct{ body, want string }{
		"no month": {`data "reseller_usage" "x" { period = "lifetime" }`, "YYYY-MM"},
		"no rows":  {"data \"reseller_points_ledger\" \"x\" {\n private_label_id = \"0123456789abcdef0123456789abcdef\"\n limit = 0\n}", "between 1 and 10000"},
		"a part":   {"data \"reseller_points_ledger\" \"x\" {\n private_label_id = \"0123456789abcdef0123456789abcdef\"\n limit = 1.5\n}", "limit: 1.5."},
		"no id":    {`data "reseller_points_ledger" "x" { private_label_id = "x" }`, "32 lowercase hex characters"},
		"both":     {"data \"reseller_addon\" \"x\" {\n id = \"0123456789abcdef0123456789abcdef\"\n code = \"X\"\n}", "Exactly one of"},
	} {
		t.Run(name, func(t *testing.T) {
			c := coretest.New(t, w)
			c.Config(w.Config(tc.body))
			c.Validate().WantError(t, tc.want)
		})
	}
}
