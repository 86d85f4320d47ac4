package providertest

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/stretchr/testify/assert"
)

// Imports are the objects to import: address to ID.
type Imports map[string]string

func (i Imports) Blocks() string {
	var b strings.Builder
	for address, id := range i {
		fmt.Fprintf(&b, "import {\n  to = %s\n  id = %q\n}\n", address, id)
	}
	return b.String()
}

// Adopt imports with a configuration that the CLI generates, and asserts that nothing else happens: no change, no call
// that writes, no warning. It returns the generated configuration.
func (w *TestEnv) Adopt(what Imports, calls map[string]int) string {
	w.T.Helper()
	NeedsGeneration(w.T)
	c := w.Cli()
	c.Config(w.Config(""))
	w.Sim.ResetJournal()
	generated := c.Generate(what.Blocks())
	generated.WantOK(w.T, fmt.Sprintf("Plan: %d to import, 0 to add, 0 to change, 0 to destroy", len(what)))
	w.WantQuiet(generated)
	for route, n := range calls {
		assert.Equal(w.T, n, w.Calls(route), "%s: calls", route)
	}
	c.Apply().WantOK(w.T, fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed", len(what)))
	c.WantEmptyPlan()
	text := c.Read("generated.tf")
	c.File("generated.tf", nullAttribute.ReplaceAllString(text, "")) // as a newer CLI generates it
	c.WantEmptyPlan()
	w.WantReads()
	return text
}

// Generate plans import blocks and lets the CLI write their resource blocks. Terraform 1.16.0 looks for a provider
// hashicorp/reseller unless the import block names its own; with a resource block that argument is an error on every CLI.
func (c *CLI) Generate(blocks string, args ...string) Result {
	c.T.Helper()
	c.File("imports.tf", strings.ReplaceAll(blocks, "import {\n", "import {\n  provider = reseller\n"))
	planned := c.Run(append([]string{"plan", "-no-color", "-input=false", "-generate-config-out=generated.tf"}, args...)...)
	c.File("imports.tf", blocks)
	return planned
}

// nullAttribute is a line that Terraform 1.15 omits if the attribute is an object; 1.11 writes it.
var nullAttribute = regexp.MustCompile(`(?m)^  \w+ += null.*\n`)

// WantQuiet allows the CLI's own warning that generating is experimental.
func (w *TestEnv) WantQuiet(r Result) {
	w.T.Helper()
	assert.Equal(w.T, 0, strings.Count(r.Out, "Warning:")-strings.Count(r.Out, "Warning: Config generation is experimental"), "warnings:\n%s", r.Out)
}
