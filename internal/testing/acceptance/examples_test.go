package acceptance

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Every example has a plan in the simulator unchanged. The ones that the matrix draws are applied, and a second plan shows no
// changes. An example of a resource's page is in a separate file; the imports in the same directory need an existing
// private label, and are not run.
func TestExamples(t *testing.T) {
	t.Parallel()
	var examples []string
	for _, pattern := range []string{"examples/provider/provider.tf", "examples/resources/*/resource.tf", "examples/data-sources/*/data-source.tf", "examples/ephemeral-resources/*/ephemeral-resource.tf", "examples/functions/*/function.tf", "examples/signing/*.tf"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		examples = append(examples, found...)
	}
	const least = 5
	require.GreaterOrEqual(t, len(examples), least, "only examples found: %v", examples)
	drawn := matrix.Of(t).Numbers(len(examples), 3, t.Name())
	for i, example := range examples {
		t.Run(strings.TrimPrefix(filepath.Dir(example), "examples/"), func(t *testing.T) {
			t.Parallel()
			switch {
			case strings.Contains(example, "/functions/"):
				providertest.NeedsCLI(t, "1.8.0", "provider functions")
			case strings.Contains(example, "/ephemeral-resources/"):
				providertest.NeedsCLI(t, "1.10.0", "ephemeral resources")
			}
			p := newProject(t, example)
			if !slices.Contains(drawn, i) {
				planned := p.Plan()
				require.NotEqual(t, 1, planned.Code, planned.Out)
				return
			}
			p.planReviewed()
			p.Apply(savedPlan).WantOK(t)
			p.WantEmptyPlan()
			if strings.Contains(example, "/resources/") {
				p.withOtherData(filepath.Base(filepath.Dir(example)))
			}
		})
	}
}

const exampleLabel = "examples/resources/reseller_private_label/resource.tf"

// A renamed private label keeps its state through the moved block of the guide.
func TestExamples_Moved(t *testing.T) {
	t.Parallel()
	p := newProject(t, exampleLabel)
	p.Apply().WantOK(t)
	renamed := strings.NewReplacer(`"acme" {`, `"acme_sign" {`, "reseller_private_label.acme.", "reseller_private_label.acme_sign.").Replace(readFile(t, exampleLabel))
	p.File("resource.tf", renamed)
	p.Plan().WantError(t) // without the moved block
	p.File("moved.tf", readFile(t, "examples/troubleshooting/moved.tf"))
	p.PlanText().WantText(t, "has moved to reseller_private_label.acme_sign", "Plan: 0 to add, 0 to change, 0 to destroy")
}

// A document is removed from state by the block of the guide, without a destroy.
func TestExamples_Removed(t *testing.T) {
	t.Parallel()
	providertest.NeedsRemovedBlocks(t)
	const terms = "examples/signing/terms.tf"
	p := newProject(t, terms)
	p.Apply().WantOK(t)
	before, _, _ := strings.Cut(readFile(t, terms), "resource \"reseller_document\" \"terms\"")
	p.File("terms.tf", before)
	p.File("removed.tf", readFile(t, "examples/troubleshooting/removed.tf"))
	p.Apply().WantOK(t, "0 added, 0 changed, 0 destroyed")
	assert.NotContains(t, p.State(), providertest.Terms)
}

// The data sources of the guide "Drift and coverage" read each portal.
func TestExamples_Watching(t *testing.T) {
	t.Parallel()
	p := newProject(t, "demo/three/main.tf")
	p.Apply().WantOK(t)
	p.File("dns.tf", readFile(t, "examples/watching/dns.tf"))
	p.Apply().WantOK(t)
	state := p.Ok("state", "list")
	assert.Equal(t, 2, strings.Count(state, "data.reseller_private_label.dns["), "the state has\n%s", state)
}

// The output of the guide on DNS has the record to send until the host name is verified.
func TestExamples_DNS(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.8.0", "provider functions")
	newProject(t, exampleLabel, "examples/dns/zone.tf", "examples/dns/client.tf").Apply().WantOK(t,
		"No DNS record was found for sign.acme.example.", "Type:  CNAME", "Name:  sign ", "dig +short sign.acme.example CNAME")
}

// Whole configurations have their own tests: `terraform test` applies them in the simulator and destroys what it created.
// They pass however often they run, which is tried with those that the matrix draws, and leave no data.
func TestExamples_Configurations(t *testing.T) {
	t.Parallel()
	configurations, err := filepath.Glob("examples/configurations/*/main.tf")
	require.NoError(t, err, "no configurations")
	require.NotEmpty(t, configurations, "no configurations: %v", err)
	providertest.NeedsCLI(t, "1.6.0", "terraform test")
	drawn := matrix.Of(t).Numbers(len(configurations), 3, t.Name())
	for i, configuration := range configurations {
		folder := filepath.Dir(configuration)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			if strings.Contains(readFile(t, configuration), "provider::") {
				providertest.NeedsCLI(t, "1.8.0", "provider functions")
			}
			p := newProject(t, folder+"/.")
			p.Ok("test", "-no-color")
			if slices.Contains(drawn, i) {
				p.Ok("test", "-no-color")
			}
			assert.NoDirExists(t, filepath.Join(p.Dir, filepath.Dir(providertest.SimulatorFile)), "the tests left the simulator's data")
			p.File("simulator_override.tf", providertest.InSimulator) // a configuration may be for the live API
			assert.NotEmpty(t, p.planReviewed(), "the review lists nothing")
			p.checkShownReview(folder)
		})
	}
}
