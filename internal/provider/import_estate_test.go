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

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

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
