package acceptance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Every example is applied in the simulator unchanged, and a second plan shows no changes. An example of a resource's
// page is in a separate file; the imports in the same directory need an existing private label, and are not run.
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
	rc, binary := mirrorOf(t, testVersion)
	for _, example := range examples {
		t.Run(strings.TrimPrefix(filepath.Dir(example), "examples/"), func(t *testing.T) {
			t.Parallel()
			switch {
			case strings.Contains(example, "/functions/"):
				providertest.NeedsCLI(t, "1.8.0", "provider functions")
			case strings.Contains(example, "/ephemeral-resources/"):
				providertest.NeedsCLI(t, "1.10.0", "ephemeral resources")
			}
			dir := t.TempDir()
			text, err := os.ReadFile(example)
			require.NoError(t, err)
			write(t, filepath.Join(dir, "example.tf"), string(text))
			copyFiles(t, filepath.Dir(example), dir)
			if !strings.Contains(string(text), "required_providers") {
				write(t, filepath.Join(dir, "provider.tf"), inSimulator)
			}
			runCLI(t, dir, rc, "init", "-no-color", "-input=false")
			planReviewed(t, dir, rc, binary)
			runCLI(t, dir, rc, "apply", "-no-color", "-input=false", savedPlan)
			runCLI(t, dir, rc, "plan", "-no-color", "-input=false", "-detailed-exitcode")
			if strings.Contains(example, "/resources/") {
				withOtherData(t, dir, rc, filepath.Base(filepath.Dir(example)))
			}
		})
	}
}

// A renamed private label keeps its state through the moved block of the guide.
func TestExamples_Moved(t *testing.T) {
	t.Parallel()
	rc, _ := mirrorOf(t, testVersion)
	dir := t.TempDir()
	label, err := os.ReadFile("examples/resources/reseller_private_label/resource.tf")
	require.NoError(t, err)
	write(t, filepath.Join(dir, "provider.tf"), inSimulator)
	write(t, filepath.Join(dir, "example.tf"), string(label))
	runCLI(t, dir, rc, "init", "-no-color", "-input=false")
	runCLI(t, dir, rc, "apply", "-no-color", "-input=false", "-auto-approve")
	renamed := strings.NewReplacer(`"acme" {`, `"acme_sign" {`, "reseller_private_label.acme.", "reseller_private_label.acme_sign.").Replace(string(label))
	write(t, filepath.Join(dir, "example.tf"), renamed)
	if out, err := tryCLI(t, dir, rc, "plan", "-no-color", "-input=false"); err == nil {
		t.Errorf("a plan without the moved block passes\n%s", out)
	}
	moved, err := os.ReadFile("examples/troubleshooting/moved.tf")
	require.NoError(t, err)
	write(t, filepath.Join(dir, "moved.tf"), string(moved))
	out := runCLI(t, dir, rc, "plan", "-no-color", "-input=false")
	assert.Contains(t, out, "has moved to reseller_private_label.acme_sign", "the plan with the moved block")
	assert.Contains(t, out, "Plan: 0 to add, 0 to change, 0 to destroy", "the plan with the moved block")
}

// A document is removed from state by the block of the guide, without a destroy.
func TestExamples_Removed(t *testing.T) {
	t.Parallel()
	providertest.NeedsRemovedBlocks(t)
	rc, _ := mirrorOf(t, testVersion)
	dir := t.TempDir()
	text := readFile(t, "examples/signing/terms.tf")
	copyFiles(t, "examples/signing", dir)
	write(t, filepath.Join(dir, "main.tf"), text)
	runCLI(t, dir, rc, "init", "-no-color", "-input=false")
	runCLI(t, dir, rc, "apply", "-no-color", "-input=false", "-auto-approve")
	before, _, _ := strings.Cut(text, "resource \"reseller_document\" \"terms\"")
	write(t, filepath.Join(dir, "main.tf"), before)
	write(t, filepath.Join(dir, "removed.tf"), readFile(t, "examples/troubleshooting/removed.tf"))
	assert.Contains(t, runCLI(t, dir, rc, "apply", "-no-color", "-input=false", "-auto-approve"), "0 added, 0 changed, 0 destroyed")
	assert.NotContains(t, runCLI(t, dir, rc, "state", "list"), "reseller_document.terms", "the state")
}

// The data sources of the guide "Watching portals" read each portal.
func TestExamples_Watching(t *testing.T) {
	t.Parallel()
	rc, _ := mirrorOf(t, testVersion)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.tf"), readFile(t, "demo/three/main.tf"))
	runCLI(t, dir, rc, "init", "-no-color", "-input=false")
	runCLI(t, dir, rc, "apply", "-no-color", "-input=false", "-auto-approve")
	write(t, filepath.Join(dir, "dns.tf"), readFile(t, "examples/watching/dns.tf"))
	runCLI(t, dir, rc, "apply", "-no-color", "-input=false", "-auto-approve")
	state := runCLI(t, dir, rc, "state", "list")
	assert.Equal(t, 2, strings.Count(state, "data.reseller_private_label.dns["), "the state has\n%s", state)
}

// The output of the guide on DNS has the record to send until the host name is verified.
func TestExamples_DNS(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.8.0", "provider functions")
	rc, _ := mirrorOf(t, testVersion)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "provider.tf"), inSimulator)
	write(t, filepath.Join(dir, "label.tf"), readFile(t, "examples/resources/reseller_private_label/resource.tf"))
	write(t, filepath.Join(dir, "client.tf"), readFile(t, "examples/dns/client.tf"))
	runCLI(t, dir, rc, "init", "-no-color", "-input=false")
	out := runCLI(t, dir, rc, "apply", "-no-color", "-input=false", "-auto-approve")
	for _, want := range []string{"No DNS record was found for sign.acme.example.", "Type:  CNAME", "Name:  sign ", "dig +short sign.acme.example CNAME"} {
		assert.Contains(t, out, want, "the output lacks")
	}
}

// Whole configurations have their own tests: `terraform test` applies them in the simulator and destroys what it created.
// They pass however often they run, and leave no data.
func TestExamples_Configurations(t *testing.T) {
	t.Parallel()
	configurations, err := filepath.Glob("examples/configurations/*/main.tf")
	require.NoError(t, err, "no configurations")
	require.NotEmpty(t, configurations, "no configurations: %v", err)
	providertest.NeedsCLI(t, "1.6.0", "terraform test")
	rc, binary := mirrorOf(t, testVersion)
	for _, configuration := range configurations {
		folder := filepath.Dir(configuration)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.CopyFS(dir, os.DirFS(folder)))
			if strings.Contains(readFile(t, filepath.Join(dir, "main.tf")), "provider::") {
				providertest.NeedsCLI(t, "1.8.0", "provider functions")
			}
			runCLI(t, dir, rc, "init", "-no-color", "-input=false")
			for range 2 {
				runCLI(t, dir, rc, "test", "-no-color")
			}
			if _, err := os.Stat(filepath.Join(dir, filepath.Dir(providertest.SimulatorFile))); err == nil {
				t.Error("the tests left the simulator's data")
			}
			override := filepath.Join(dir, "simulator_override.tf") // a configuration may be for the live API
			write(t, override, "provider \"reseller\" {\n  simulator = {}\n}\n")
			assert.NotEmpty(t, planReviewed(t, dir, rc, binary), "the review lists nothing")
			checkShownReview(t, dir, binary)
		})
	}
}

// copyFiles copies what an example names by ${path.module}.
func copyFiles(t *testing.T, from, to string) {
	t.Helper()
	for _, pattern := range []string{"*.svg", "*.pdf"} {
		files, err := filepath.Glob(filepath.Join(from, pattern))
		require.NoError(t, err)
		for _, file := range files {
			content, err := os.ReadFile(file)
			require.NoError(t, err)
			write(t, filepath.Join(to, filepath.Base(file)), string(content))
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}
