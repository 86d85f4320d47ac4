package acceptance

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

// Tests every import that a resource's page shows: what the example created is removed from state and imported again.
// Only values that the API does not return are left for the next apply.
func TestExamples_Imports(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Glob("examples/resources/*/import.sh")
	require.NoError(t, err, "no imports")
	require.NotEmpty(t, scripts, "no imports: %v", err)
	rc, _ := mirrorOf(t, testVersion)
	for _, script := range scripts {
		folder := filepath.Dir(script)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.CopyFS(dir, os.DirFS(folder)))
			copiedBlocks, err := filepath.Glob(filepath.Join(dir, "import-by-*.tf"))
			require.NoError(t, err, copiedBlocks)
			require.Equal(t, noIdentity[filepath.Base(folder)], len(copiedBlocks) == 1, copiedBlocks)
			for _, name := range copiedBlocks {
				require.NoError(t, os.Remove(name))
			}
			write(t, filepath.Join(dir, "provider.tf"), inSimulator)
			runCLI(t, dir, rc, "init", "-no-color", "-input=false")
			runCLI(t, dir, rc, "apply", "-no-color", "-input=false", "-auto-approve")
			ids := idsOf(t, runCLI(t, dir, rc, "show", "-json"))

			commands := importCommands(t, script)
			assert.NotEmpty(t, commands, "the script imports nothing")
			for _, args := range commands {
				address := args[1]
				runCLI(t, dir, rc, "state", "rm", address)
				runCLI(t, dir, rc, "import", "-no-color", "-input=false", address, ids[address].Replace(args[2]))
			}
			blocks := []string{"import-by-string-id.tf"}
			if !noIdentity[filepath.Base(folder)] && !providertest.OlderCLI(t, "1.12.0") { // imports by identity came with it
				blocks = append(blocks, "import-by-identity.tf")
			}
			for _, name := range blocks {
				importByBlock(t, dir, rc, filepath.Join(folder, name), ids)
			}
			wantUnchanged(t, dir, rc, unreadable[filepath.Base(folder)])
		})
	}
}

// unreadable is what an import cannot read, and the next apply changes: the API returns no colors and logos, and
// deletion_policy exists only in state.
var unreadable = map[string]string{
	"reseller_branding": "update",
}

// noIdentity are the resources that are imported by ID only.
var noIdentity = map[string]bool{"reseller_document": true, "reseller_document_signing": true, "reseller_minted_document": true}

var importTarget = regexp.MustCompile(`(?m)^  to = (\S+)$`)

func importByBlock(t *testing.T, dir, rc, block string, ids map[string]*strings.Replacer) {
	t.Helper()
	text, err := os.ReadFile(block)
	require.NoError(t, err)
	found := importTarget.FindStringSubmatch(string(text))
	require.NotNil(t, found, "%s has no target", block)
	runCLI(t, dir, rc, "state", "rm", found[1])
	target := filepath.Join(dir, filepath.Base(block))
	write(t, target, ids[found[1]].Replace(string(text)))
	out := runCLI(t, dir, rc, "apply", "-no-color", "-input=false", "-auto-approve")
	assert.Contains(t, out, "Resources: 1 imported, 0 added", block)
	require.NoError(t, os.Remove(target))
}

// importCommands are the arguments of a script's `terraform import` lines.
func importCommands(t *testing.T, script string) [][]string {
	t.Helper()
	text, err := os.ReadFile(script)
	require.NoError(t, err)
	var commands [][]string
	for line := range strings.Lines(string(text)) {
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
func idsOf(t *testing.T, shown string) map[string]*strings.Replacer {
	t.Helper()
	ids := map[string]*strings.Replacer{}
	for address, values := range resourcesIn(t, shown) {
		id, _ := values["id"].(string)
		label, onLabel := values["private_label_id"].(string)
		if !onLabel {
			label = id
		}
		ids[address] = strings.NewReplacer(firstPlaceholder, label, secondPlaceholder, id, assetPlaceholder, id)
	}
	return ids
}

func resourcesIn(t *testing.T, shown string) map[string]map[string]any {
	t.Helper()
	var state struct {
		Values struct {
			RootModule struct {
				Resources []struct {
					Address string
					Values  map[string]any
				}
			} `json:"root_module"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(shown), &state))
	found := map[string]map[string]any{}
	for _, r := range state.Values.RootModule.Resources {
		found[r.Address] = r.Values
	}
	return found
}

// wantUnchanged plans, and allows no changes except a certain action.
func wantUnchanged(t *testing.T, dir, rc, allowed string) {
	t.Helper()
	runCLI(t, dir, rc, "plan", "-no-color", "-input=false", "-out=next.plan")
	var plan struct {
		ResourceChanges []struct {
			Address string
			Change  struct{ Actions []string }
		} `json:"resource_changes"`
	}
	require.NoError(t, json.Unmarshal([]byte(runCLI(t, dir, rc, "show", "-json", "next.plan")), &plan))
	done := map[string]bool{"no-op": true, allowed: true}
	for _, c := range plan.ResourceChanges {
		if slices.ContainsFunc(c.Change.Actions, func(action string) bool { return !done[action] }) {
			t.Errorf("%s: %v, want only %v", c.Address, c.Change.Actions, slices.Sorted(maps.Keys(done)))
		}
	}
}
