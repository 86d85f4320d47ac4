package privatelabel_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestDomainVerification_Verified(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Verification(""))
	began := w.Sim.Clock().Now()
	c.Apply().WantOK(t, "1 added")
	if n := w.Calls(providertest.RouteDetail); n != 1 || !w.Sim.Clock().Now().Equal(began) {
		t.Errorf("%d details, waited %s", n, w.Sim.Clock().Now().Sub(began))
	}
	state := c.State()[providertest.Verification].Attributes
	assert.Equal(t, providertest.AcmeHost, state["domain"], "state %v", state)
	assert.Equal(t, w.Label, state["id"], "state %v", state)
	w.Sim.ResetJournal()
	c.WantEmptyPlan()
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteList: 1}))
	t.Run("another time to wait sends nothing", func(t *testing.T) {
		c.Config(w.Verification(`timeouts = { create = "2h" }`))
		w.Sim.ResetJournal()
		c.Apply().WantOK(t, "1 changed")
		assert.Equal(t, 0, w.Calls(providertest.RouteDetail), "details")
		c.WantEmptyPlan()
	})
	t.Run("a destroy only removes from state", func(t *testing.T) {
		w.Sim.ResetJournal()
		c.Destroy().WantOK(t, "1 destroyed")
		assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteList: 1}))
	})
}

// Reads the detail at most once a minute, on the simulator's clock.
func TestDomainVerification_Waits(t *testing.T) {
	t.Parallel()
	const dns = 10 * time.Minute
	w := providertest.Waiting(t, dns)
	began := w.Sim.Clock().Now()
	c := coretest.Applied(t, w.TestEnv, w.Verification(""), "1 added")
	waited := w.Sim.Clock().Now().Sub(began)
	if n := w.Calls(providertest.RouteDetail); waited < dns || waited > dns+2*time.Minute || n > 12 || n < 10 {
		t.Errorf("waited %s with %d details", waited, n)
	}
	c.WantEmptyPlan()
}

// A timeout changes nothing, and the next apply continues.
func TestDomainVerification_TimesOut(t *testing.T) {
	t.Parallel()
	w := providertest.Waiting(t, 20*time.Minute)
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Verification(`timeouts = { create = "5m" }`))
	c.Apply().WantError(t, privatelabel.SummaryNotVerified, "The DNS of "+providertest.AcmeHost+" is not correct yet", "5m0s", "Create this DNS record: type CNAME, name "+providertest.AcmeHost+", value", "Apply again to continue to wait")
	assert.Empty(t, c.State())
	for _, call := range w.Sim.Journal() {
		if call.Route != providertest.RouteDetail && call.Route != providertest.RouteList && call.Route != providertest.RouteToken && call.Route != providertest.RouteDashboard {
			t.Errorf("call %s", call.Route)
		}
	}
	for range 3 { // five minutes each
		if c.Apply().Code == 0 {
			c.WantEmptyPlan()
			return
		}
	}
	t.Error("not verified in 20 minutes")
}

func TestDomainVerification_NotAttached(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	w.Sim.FailAttach(1)
	id, err := w.Sim.AddConsoleLabel(providertest.AcmeHost, "ada@acme.example")
	require.NoError(t, err)
	l := &providertest.LabelEnv{TestEnv: w, Label: id}
	c := coretest.New(t, w)
	c.Config(l.Verification(`timeouts = { create = "1s" }`))
	c.Apply().WantError(t, privatelabel.SummaryNotVerified, "The API has not attached "+providertest.AcmeHost)
}

// Two private labels with their records, provisioned and verified in one apply.
func TestDomainVerification_InOneApply(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnvOptions(t, simulator.Options{DNSDelay: 5 * time.Minute})
	c := coretest.New(t, w)
	body := ""
	for _, name := range []string{"a", "b"} {
		body += providertest.Label(name, name+".acme.example", "") + fmt.Sprintf("resource \"reseller_domain_verification\" %[1]q {\n  private_label_id = reseller_private_label.%[1]s.id\n}\n", name)
	}
	c.Config(w.Config(body + `
data "reseller_private_label" "a" {
  id = reseller_domain_verification.a.id
}
output "live" {
  value = data.reseller_private_label.a.domain_verified
}
`))
	c.Apply().WantOK(t, "4 added", "live = true")
	c.Apply("-refresh-only").WantOK(t)
	c.WantEmptyPlan()
}

func TestDomainVerification_Gone(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.Applied(t, w.TestEnv, w.Verification(""))
	require.NoError(t, w.Sim.DeprovisionInConsole(providertest.AcmeHost))
	c.Plan().WantText(t, privatelabel.SummaryVerificationGone, "1 to add")
	c.Apply().WantError(t, "could not be checked", "FORBIDDEN")
}

func TestDomainVerification_ImportUnverified(t *testing.T) {
	t.Parallel()
	unready := providertest.Waiting(t, 0)
	c := unready.Cli()
	c.Config(unready.Verification(""))
	c.Import(providertest.Verification, providertest.AcmeHost).WantOK(t)
	c.Plan().WantText(t, privatelabel.SummaryWaits, "1 to change") // the configuration requires it
	c.Config(unready.Verification("required = false"))
	c.WantEmptyPlan()
}

// A host name that need not be verified never fails an apply or plans a change; later plans look again until it is verified.
func TestDomainVerification_NotRequired(t *testing.T) {
	t.Parallel()
	w := providertest.Waiting(t, 0)
	require.NoError(t, w.Sim.MisdirectDNS(providertest.AcmeHost))
	c := coretest.New(t, w.TestEnv)
	const config = "required = false\n timeouts = { create = \"0s\" }"
	c.Config(w.Verification(config))
	assert.NotContains(t, c.Plan().Out, privatelabel.SummaryWaits, "the plan of an apply that looks once says that it waits")
	const problem = "sign.acme.example is a CNAME to old-portal.example, not to edge.portals.example."
	c.Apply().WantOK(t, "1 added", privatelabel.SummaryNotVerified, problem, "Create this DNS record: type CNAME", "Each plan looks again")
	shows := func(verified bool, problem, observed any) {
		t.Helper()
		state := c.State()[providertest.Verification].Attributes
		assert.Equal(t, verified, state["verified"], "state %v", state)
		assert.Equal(t, problem, state["problem"], "state %v", state)
		assert.Equal(t, observed, state["observed"], "state %v", state)
	}
	record := func(kind, value string) any { return map[string]any{"type": kind, "value": value} }
	shows(false, problem, []any{record("CNAME", "old-portal.example")})

	w.Sim.ResetJournal()
	c.WantEmptyPlan()
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteList: 1, providertest.RouteDetail: 1}))
	require.NoError(t, w.Sim.BreakDNS(providertest.AcmeHost))
	c.Apply("-refresh-only").WantOK(t)
	shows(false, "No DNS record was found for sign.acme.example.", []any{})
	require.NoError(t, w.Sim.CorrectDNS(providertest.AcmeHost))
	w.Sim.Clock().Advance(time.Minute)
	c.Apply("-refresh-only").WantOK(t)
	shows(true, nil, []any{record("CNAME", "edge.portals.example"), record("A", "192.0.2.10")})
	w.Sim.ResetJournal()
	c.WantEmptyPlan()
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteList: 1}))
}

// Without a time to wait for, the apply looks for as long as it may and then continues.
func TestDomainVerification_NotRequiredWaits(t *testing.T) {
	t.Parallel()
	w := providertest.Waiting(t, 0)
	began := w.Sim.Clock().Now()
	c := coretest.New(t, w.TestEnv)
	c.Config(w.Verification("required = false\n timeouts = { create = \"5m\" }"))
	c.Plan().WantText(t, "for at most 5m0s; then it continues with a warning")
	c.Apply().WantOK(t, "1 added", "5m0s")
	waited := w.Sim.Clock().Now().Sub(began)
	assert.GreaterOrEqual(t, waited, 4*time.Minute)
	assert.LessOrEqual(t, waited, 6*time.Minute)
	t.Run("required later", func(t *testing.T) {
		c.Config(w.Verification("timeouts = { create = \"2m\" }"))
		c.Plan().WantText(t, privatelabel.SummaryWaits, "1 to change", "for at most 2m0s; then it returns an error")
		c.Apply().WantError(t, privatelabel.SummaryNotVerified, "The private label was not changed")
		state := c.State()[providertest.Verification].Attributes
		assert.Equal(t, false, state["required"], "state %v", state)
		require.NoError(t, w.Sim.CorrectDNS(providertest.AcmeHost))
		c.Apply().WantOK(t, "0 added")
		c.WantEmptyPlan()
		state = c.State()[providertest.Verification].Attributes
		assert.Equal(t, true, state["required"], "state %v", state)
		assert.Equal(t, true, state["verified"], "state %v", state)
	})
}
