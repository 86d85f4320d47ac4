package privatelabel_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The primary host and the custom domain both name a private label.
func TestPrivateLabel_PrimaryAndCustomHost(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnvAssuming(t, simulator.Forms{"primary-host": "platform"})
	config := w.Config(providertest.Label("acme", providertest.AcmeHost, ""))
	c := coretest.Applied(t, w, config, "1 added")
	c.WantEmptyPlan()
	assert.Equal(t, providertest.AcmeHost, c.State()[providertest.Acme].Attributes["domain"])

	c.Forget(providertest.Acme)
	r := c.Plan()
	r.WantError(t, privatelabel.SummaryExists, "import {")
	c.Import(providertest.Acme, providertest.AcmeHost).WantOK(t)
	assert.Equal(t, providertest.AcmeHost, c.State()[providertest.Acme].Attributes["domain"])
	c.Apply().WantOK(t)
	c.WantEmptyPlan()
}

// Brandings of one portal by its two names, first one that is created beside another, then both in state.
func TestPrivateLabel_BrandingsByBothHosts(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnvAssuming(t, simulator.Forms{"primary-host": "platform"})
	branding := func(name, host string) string {
		return fmt.Sprintf("resource \"reseller_branding\" %q {\n  domain        = %s\n  color_primary = \"#0a0\"\n}\n", name, host)
	}
	acme := providertest.Label("acme", providertest.AcmeHost, "") + branding("one", "reseller_private_label.acme.domain")
	c := coretest.Applied(t, w, w.Config(acme), "2 added")
	c.Config(w.Config(acme + branding("two", `"sign-acme-example.portals.example"`)))
	c.Planned().WantWarning(t, session.SummaryHeldTwice, "sign", "reseller_branding")
	c.Apply().WantOK(t, "1 added")
	c.Planned().WantWarning(t, session.SummaryHeldTwice, "sign", "reseller_branding")

	both := coretest.New(t, w) // in one plan
	both.Config(w.Config(branding("one", `"sign.acme.example"`) + branding("two", `"sign-acme-example.portals.example"`)))
	both.Planned().WantWarning(t, session.SummaryHeldTwice, "sign", "reseller_branding")
}

// All spellings of a record are records of the host name, never of the zone.
func TestPrivateLabel_RecordNames(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"host", "relative", "dot"} {
		w := providertest.NewTestEnvAssuming(t, simulator.Forms{"record-name": form})
		c := coretest.Applied(t, w, w.Config(providertest.Label("acme", providertest.AcmeHost, "")), "1 added")
		record, _ := c.State()[providertest.Acme].Attributes["dns_record"].(map[string]any)
		assert.Equal(t, providertest.AcmeHost, record["name"], form)
		value, _ := record["value"].(string)
		assert.NotRegexp(t, `\.$`, value, form)
		c.WantEmptyPlan()
	}
}

// A suspended private label whose detail is rejected is read from the list, and can be unsuspended.
func TestPrivateLabel_SuspendedIsNotLive(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnvAssuming(t, simulator.Forms{"suspended-detail": "rejected", "status-case": "lower"})
	c := coretest.Applied(t, w, w.Config(providertest.Label("acme", providertest.AcmeHost, "suspended = false")), "1 added")
	require.NoError(t, w.Sim.SuspendInConsole(providertest.AcmeHost, "unpaid"))
	r := c.Plan()
	assert.Contains(t, r.Out, "1 to change")
	c.Apply().WantOK(t, "1 changed")
	assert.Equal(t, "Active", w.Sim.Labels()[0].Status)
	c.WantEmptyPlan()
}

// An empty map of social links and an omitted one are sent alike, and are one value.
func TestPrivateLabel_NoSocialLinks(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	with := func(extra string) string { return w.Config(providertest.Label("acme", providertest.AcmeHost, extra)) }
	for _, extra := range [][2]string{{"", "social_links = {}"}, {"social_links = {}", ""}} {
		c := coretest.Applied(t, w, with(extra[0]), "1 added")
		c.Config(with(extra[1]))
		c.WantEmptyPlan()
		w = providertest.NewTestEnv(t)
	}
}
