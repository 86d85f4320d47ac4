package provider_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestDataSources(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	require.NoError(t, w.Sim.Seed(3))
	labels := w.Sim.Labels()
	host, id := labels[0].Host, labels[0].ID
	require.NoError(t, w.Sim.SuspendInConsole(labels[1].Host, "unpaid"))
	c := coretest.New(t, w)
	c.Config(w.Config(fmt.Sprintf(`
data "reseller_private_label" "by_id"   { id = %q }
data "reseller_private_label" "by_host" { domain = %q }
data "reseller_private_labels" "all" {}
data "reseller_private_labels" "suspended" { status = "Suspended" }
data "reseller_private_labels" "ever" { period = "lifetime" }
data "reseller_dashboard" "d" {}
`, id, host)))
	c.Apply().WantOK(t)
	c.Want("data.reseller_private_label.by_id", "domain", knownvalue.StringExact(host))
	c.Want("data.reseller_private_label.by_id", "member_count", knownvalue.NotNull())
	c.Want("data.reseller_private_label.by_id", "owner", knownvalue.ObjectPartial(map[string]knownvalue.Check{"email": knownvalue.NotNull()}))
	c.Want("data.reseller_private_label.by_id", "dns_record", knownvalue.ObjectPartial(map[string]knownvalue.Check{"name": knownvalue.StringExact(host)}))
	c.Want("data.reseller_private_label.by_host", "id", knownvalue.StringExact(id))
	c.Want("data.reseller_private_labels.all", "private_labels", knownvalue.ListSizeExact(3))
	c.Want("data.reseller_private_labels.all", "provisioned_count", knownvalue.Int64Exact(3))
	c.Want("data.reseller_private_labels.all", "period", knownvalue.StringRegexp(regexp.MustCompile(`^\d{4}-\d\d$`)))
	c.Want("data.reseller_private_labels.suspended", "private_labels", knownvalue.ListExact([]knownvalue.Check{
		knownvalue.ObjectPartial(map[string]knownvalue.Check{
			"domain":         knownvalue.StringExact(labels[1].Host),
			"suspended_by":   knownvalue.StringExact("Reseller"),
			"suspend_reason": knownvalue.StringExact("unpaid"),
		}),
	}))
	c.Want("data.reseller_private_labels.suspended", "provisioned_count", knownvalue.Int64Exact(3))
	c.Want("data.reseller_private_labels.ever", "private_labels", knownvalue.ListSizeExact(3))
	c.Want("data.reseller_dashboard.d", "slug", knownvalue.StringExact(w.Sim.Slug()))
	c.Want("data.reseller_dashboard.d", "is_reseller", knownvalue.Bool(true))
	c.WantEmptyPlan()
}

func TestDataSources_Absent(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.New(t, w)
	for given, name := range map[string]string{
		`domain = "nobody.example"`:               "nobody.example",
		`id = "0123456789abcdef0123456789abcdef"`: "0123456789abcdef0123456789abcdef",
	} {
		c.Config(w.Config(`data "reseller_private_label" "x" { ` + given + ` }`))
		c.Plan().WantError(t, session.SummaryLabelNotFound, name)
	}
}

// A plan of many data sources makes one list call and one dashboard call.
func TestDataSources_Shared(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	require.NoError(t, w.Sim.Seed(5))
	c := coretest.New(t, w)
	body := `data "reseller_private_labels" "all" {}` + "\n"
	for i, l := range w.Sim.Labels() {
		body += fmt.Sprintf("data \"reseller_private_label\" \"l%d\" { domain = %q }\n", i, l.Host)
	}
	c.Config(w.Config(body))
	c.Plan().WantOK(t)
	if err := w.WantCalls(map[string]int{providertest.RouteToken: 1, providertest.RouteDashboard: 1, providertest.RouteList: 1, providertest.RouteDetail: 5}); err != nil {
		t.Error(err)
	}
}
