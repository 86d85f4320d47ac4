package provider_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Objects that were created in the console are imported unchanged.
func TestImport_PrivateLabel(t *testing.T) {
	t.Parallel()
	cells := matrix.Of(t)
	for name, tc := range map[string]struct {
		prepare func(*providertest.LabelEnv) error
		settled bool
		in      string
	}{
		"plain":          {func(*providertest.LabelEnv) error { return nil }, true, `"ada@acme.example"`},
		"suspended":      {func(w *providertest.LabelEnv) error { return w.Sim.SuspendInConsole(providertest.AcmeHost, "unpaid") }, true, ""},
		"no owner":       {func(w *providertest.LabelEnv) error { return w.Sim.RemoveOwner(providertest.AcmeHost) }, true, ""},
		"unverified DNS": {func(*providertest.LabelEnv) error { return nil }, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.Waiting(t, 0)
			require.NoError(t, tc.prepare(w))
			if tc.settled {
				w.VerifyDNS(providertest.AcmeHost)
			}
			for _, id := range matrix.Cells(cells, []string{w.Label, providertest.AcmeHost}, t.Name()) {
				text := w.Adopt(providertest.Imports{providertest.Acme: id}, map[string]int{providertest.RouteList: 1, providertest.RouteDetail: 1})
				// Before 1.14 the CLI writes the block, with the owner; since then the provider, with what a configuration needs.
				if providertest.OlderCLI(t, "1.14.0") && !strings.Contains(text, tc.in) {
					t.Errorf("the configuration lacks %s:\n%s", tc.in, text)
				}
			}
		})
	}
}

// A suspension by the platform is reported; the plan does not change it.
func TestImport_SuspendedByPlatform(t *testing.T) {
	t.Parallel()
	providertest.NeedsGeneration(t)
	w := providertest.NewLabelEnv(t)
	require.NoError(t, w.Sim.SuspendByPlatform(providertest.AcmeHost, "abuse"))
	c := w.Cli()
	c.Config(w.Config(""))
	c.Generate(providertest.Imports{providertest.Acme: providertest.AcmeHost}.Blocks()).WantOK(t, "Plan: 1 to import, 0 to add, 0 to change, 0 to destroy")
	c.Apply().WantOK(t, "1 imported, 0 added, 0 changed, 0 destroyed")
	c.WantEmptyPlan()
	state := c.State()[providertest.Acme].Attributes
	assert.Equal(t, "Platform", state["suspended_by"], "state %v", state)
	assert.Equal(t, "PREVENT", state["deletion_policy"], "state %v", state)
	c.Destroy().WantError(t, effect.SummaryProtected)
}

// An admin is imported like a member, and the destroy is an error.
func TestImport_Admin(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	w.Join(providertest.BobEmail)
	require.NoError(t, w.Sim.MakeAdmin(providertest.AcmeHost, providertest.BobEmail))
	c := coretest.Applied(t, w.TestEnv, w.Bob()+providertest.Imports{providertest.Bob: providertest.AcmeHost + "/" + providertest.BobEmail}.Blocks())
	c.Destroy().WantError(t, member.SummaryPermanentRole, providertest.BobEmail+", admin of "+providertest.AcmeHost)
}
