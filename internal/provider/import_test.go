package provider_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/conformance"
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

// The section "Import by hand" of the guide "Import an existing reseller", from beginning to end: it shows the files of examples/importing.
const importing = "../../examples/importing"

// The estate of these tests. Terraform itself takes time that grows with the square of the objects: thirty times as much
// for the 300 private labels of the guide, which the benchmarks import.
const estateLabels, estateMembers = 40, 120

// An agency with 12 packages and 8 add-ons is imported in the time that the rate limits of the API take, with no call that
// writes. The plan after it has no changes.
func TestImport_Estate(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.7.0", "for_each of import blocks")
	const labels, people = estateLabels, estateMembers
	w := providertest.NewTestEnv(t)
	require.NoError(t, w.Sim.Seed(labels))
	assigned := 0
	for _, l := range w.Sim.Labels() {
		if l.Package != "" {
			assigned++
		}
	}
	c := w.Cli()
	text, err := os.ReadFile(filepath.Join(importing, "everything.tf"))
	require.NoError(t, err)
	c.Config(w.Config(string(text)))
	began := w.Sim.Clock().Now()
	adopted := c.Apply()
	adopted.WantOK(t, fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed", labels+assigned+people+12+8))
	took := w.Sim.Clock().Now().Sub(began)
	_, warning, found := strings.Cut(adopted.Out, "Warning:")
	assert.False(t, found, "a warning: %.2000s", warning)
	w.WantReads()
	// Twice: once for the plan that the apply makes, once for the apply itself.
	for route, most := range map[string]int{providertest.RouteList: 2, providertest.RouteDetail: 2 * labels, providertest.RouteMembers: 2 * labels, providertest.RoutePackageSearch: 2, providertest.RouteAddonSearch: 2, providertest.RouteToken: 1, providertest.RouteDashboard: 1} {
		assert.LessOrEqual(t, w.Calls(route), most, "%s: calls", route)
	}
	rejected := 0
	for _, call := range w.Sim.Journal() {
		if call.Status == 429 {
			rejected++
		}
	}
	t.Logf("%d labels, %d assignments, %d people: %d calls, %d rejected by a rate limit, %s by the clock of the API", labels, assigned, people, len(w.Sim.Journal()), rejected, took)
	assert.LessOrEqual(t, took, 6*time.Minute, "took by the clock of the API")
	assert.Equal(t, 0, rejected, "calls were rejected by a rate limit")
	w.Sim.ResetJournal()
	c.WantEmptyPlan()
	assert.LessOrEqual(t, w.Calls(providertest.RouteDetail), labels, "details")
}

// The same with an import block for each object and a configuration that the CLI generates. With any host names and codes,
// each object gets its own block.
func TestImport_EstateGenerated(t *testing.T) {
	t.Parallel()
	providertest.NeedsGeneration(t)
	w := providertest.NewTestEnv(t)
	require.NoError(t, w.Sim.Seed(5))
	for _, host := range []string{"1st.acme.example", "a-b.example", "a.b.example", "SIGN.Acme.example"} {
		_, err := w.Sim.AddConsoleLabel(host, "ada@acme.example")
		require.NoError(t, err)
	}
	for _, code := range []string{"2026-GOLD", "GOLD_1", "GOLD-1"} {
		_, err := w.Sim.AddPackage(code, nil, true)
		require.NoError(t, err)
	}
	n := len(w.Sim.Packages()) + len(w.Sim.Addons())
	for _, l := range w.Sim.Labels() {
		n += 1 + l.Members
		if l.Package != "" {
			n++
		}
	}
	find, adopt := w.Cli(), w.Cli()
	text, err := os.ReadFile(filepath.Join(importing, "blocks.tf"))
	require.NoError(t, err)
	find.Config(w.Config(string(text)))
	find.Apply().WantOK(t)
	adopt.Config(w.Config(""))
	planned := adopt.Generate(find.Raw("output", "-raw", "imports"), "-out=adopt.plan")
	planned.WantText(t, fmt.Sprintf("%d to import, 0 to add, 0 to change, 0 to destroy", n))
	w.WantQuiet(planned)
	adopt.Run("apply", "-no-color", "-input=false", "adopt.plan").WantOK(t, fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed", n))
	state := adopt.State()
	for _, address := range []string{"reseller_private_label._1st_acme_example", "reseller_private_label.a_b_example_2", "reseller_package._2026_gold", "reseller_package.gold_1_2", "reseller_member.a_b_example_ada_acme_example_2"} {
		assert.Contains(t, state, address)
	}
	w.WantReads()
	adopt.WantEmptyPlan()
}

// The same with `terraform query`, which writes import blocks and configuration
// in one go.
func TestImport_EstateQueried(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.14.0", "terraform query")
	const labels, people = estateLabels, estateMembers
	w := providertest.NewTestEnv(t)
	require.NoError(t, w.Sim.Seed(labels))
	c := w.Cli()
	c.Config(w.Config(""))
	var query strings.Builder
	for _, kind := range []string{"private_label", "package", "addon", "assignment", "member"} {
		fmt.Fprintf(&query, "list \"reseller_%s\" \"all\" {\n  provider = reseller\n  include_resource = true\n  limit = 2000\n}\n", kind)
	}
	c.File("all.tfquery.hcl", query.String())
	c.Ok("query", "-no-color", "-generate-config-out=generated.tf")
	planned := c.Plan("-out=adopt.plan")
	planned.WantText(t, "to import, 0 to add, 0 to change, 0 to destroy")
	c.Run("apply", "-no-color", "-input=false", "adopt.plan").WantOK(t, "imported, 0 added, 0 changed, 0 destroyed")
	n, want := len(c.State()), labels+people+12+8
	assert.GreaterOrEqual(t, n, want, "objects in state")
	w.WantReads()
	c.WantEmptyPlan()
}

// One plan generates a block for each type, for an inactive package and for an owner, and imports them: by the provider since
// Terraform 1.14, by the CLI before. It reads each thing once.
func TestGeneratedConfig_CLI(t *testing.T) {
	t.Parallel()
	providertest.NeedsGeneration(t)
	w := providertest.NewWorld(t)
	imports, set := providertest.Imports{}, providertest.Imports{}
	for _, c := range conformance.Cases() {
		switch {
		case strings.HasPrefix(c.Generated, "error"):
		case c.Type == "reseller_members": // which manages the person of reseller_member
			set[c.Type+".it"] = c.IDs(w)[0]
		default:
			c.Make(w)
			imports[c.Type+".it"] = c.IDs(w)[0]
		}
	}
	_, err := w.Sim.AddPackage("OLD", nil, false)
	require.NoError(t, err)
	imports["reseller_package.old"], imports["reseller_member.ada"] = "OLD", providertest.AcmeHost+"/ada@acme.example"
	text := w.Adopt(imports, map[string]int{
		providertest.RouteList: 1, providertest.RouteDetail: 2, providertest.RouteMembers: 1, providertest.RoutePackageSearch: 1, providertest.RouteAddonSearch: 1,
	})
	for _, part := range []string{"active = false", "SEATS = 2"} {
		assert.Contains(t, strings.Join(strings.Fields(text), " "), part, "the configuration lacks:\n%s", text)
	}
	if !providertest.IsTofu(t) { // which writes the keys of a map, email addresses, without quotes
		text += w.Adopt(set, nil)
	}
	if providertest.OlderCLI(t, "1.14.0") {
		return // it generates by itself
	}
	for _, never := range []string{"owner ", "deletion_policy", "user_id"} {
		if strings.Contains(text, never) && !strings.Contains(text, never+"= null") {
			t.Errorf("%s is generated:\n%s", never, text)
		}
	}
}
