package acceptance

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// inSimulator is the provider block of an example that has none.
const inSimulator = "terraform {\n  required_providers {\n    reseller = { source = \"privatelabels/reseller\" }\n  }\n}\n\nprovider \"reseller\" {\n  simulator = {}\n}\n"

// Placeholders of IDs that the API generates.
const (
	firstPlaceholder  = "0123456789abcdef0123456789abcdef" // of the private label, or of an object without one
	secondPlaceholder = "fedcba9876543210fedcba9876543210" // of an object of a private label
	assetPlaceholder  = "1234567"                          // of a minted document
)

// Tests the imports that the pages of the drawn resources show: what the example created is removed from state and imported again. The
// apply of the last one sends the values that the API does not return.
func TestExamples_Imports(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Glob("examples/resources/*/import.sh")
	require.NoError(t, err, "no imports")
	require.NotEmpty(t, scripts, "no imports: %v", err)
	for _, i := range matrix.Of(t).Numbers(len(scripts), 3, t.Name()) {
		script := scripts[i]
		folder := filepath.Dir(script)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			byBlock, err := filepath.Glob(filepath.Join(folder, "import-by-*.tf"))
			require.NoError(t, err)
			require.Equal(t, noIdentity[filepath.Base(folder)], len(byBlock) == 1, byBlock)
			p := newProject(t, filepath.Join(folder, "resource.tf"))
			p.Apply().WantOK(t)
			ids := idsOf(p.State())

			commands := importCommands(t, script)
			assert.NotEmpty(t, commands, "the script imports nothing")
			for _, args := range commands {
				address := args[1]
				p.Forget(address)
				p.Import(address, ids[address].Replace(args[2])).WantOK(t)
			}
			for _, name := range byBlock {
				if filepath.Base(name) == "import-by-string-id.tf" || !providertest.OlderCLI(t, "1.12.0") { // imports by identity came with it
					p.importByBlock(readFile(t, name), ids)
				}
			}
			p.WantEmptyPlan()
		})
	}
}

// noIdentity are the resources that are imported by ID only.
var noIdentity = map[string]bool{"reseller_document": true, "reseller_document_signing": true, "reseller_minted_document": true}

var importTarget = regexp.MustCompile(`(?m)^  to = (\S+)$`)

func (p project) importByBlock(block string, ids map[string]*strings.Replacer) {
	p.T.Helper()
	found := importTarget.FindStringSubmatch(block)
	require.NotNil(p.T, found, "no target in\n%s", block)
	p.Forget(found[1])
	file := p.File("import.tf", ids[found[1]].Replace(block))
	p.Apply().WantOK(p.T, "Resources: 1 imported, 0 added")
	require.NoError(p.T, os.Remove(file))
}

// importCommands are the arguments of a script's `terraform import` lines.
func importCommands(t *testing.T, script string) [][]string {
	t.Helper()
	var commands [][]string
	for line := range strings.Lines(readFile(t, script)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#":
		case len(words) == 4 && words[0] == "terraform" && words[1] == "import":
			commands = append(commands, words[1:])
		default:
			t.Errorf("%s: a line that is no import: %s", script, line)
		}
	}
	return commands
}

// idsOf replaces the placeholders of a page with the IDs of each object in state.
func idsOf(state map[string]providertest.Instance) map[string]*strings.Replacer {
	ids := map[string]*strings.Replacer{}
	for address, object := range state {
		id, _ := object.Attributes["id"].(string)
		label, onLabel := object.Attributes["private_label_id"].(string)
		if !onLabel {
			label = id
		}
		ids[address] = strings.NewReplacer(firstPlaceholder, label, secondPlaceholder, id, assetPlaceholder, id)
	}
	return ids
}
