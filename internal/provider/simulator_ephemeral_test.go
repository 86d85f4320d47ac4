package provider_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const inEphemeral = "provider \"reseller\" {\n  simulator = { ephemeral = true }\n}\n"

// ephemeralCLI has a temporary directory of its own, and settings that would keep tokens and markers elsewhere.
func ephemeralCLI(t *testing.T) (c *providertest.CLI, tmp string) {
	t.Helper()
	tmp = t.TempDir()
	return providertest.InstalledCLI(t, "TMPDIR="+tmp, "TMP="+tmp, "RESELLER_TOKEN_CACHE_DIR="+filepath.Join(tmp, "not-used"), "RESELLER_OPERATIONS_DIR="+filepath.Join(tmp, "not-used")), tmp
}

// ephemeralDirs are the directories of ephemeral simulators in a temporary directory.
func ephemeralDirs(t *testing.T, tmp string) []string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(tmp, "not-used")); err == nil {
		t.Error("something of the simulator is in another directory")
	}
	files, err := filepath.Glob(filepath.Join(tmp, "terraform-provider-reseller*", "*", "reseller-simulator.json"))
	require.NoError(t, err)
	for i, file := range files {
		files[i] = filepath.Dir(file)
	}
	return files
}

// A command has its own simulator, which its processes share and no other command sees. None is in the project.
func TestSimulator_Ephemeral(t *testing.T) {
	t.Parallel()
	c, tmp := ephemeralCLI(t)
	pdf, err := os.ReadFile("../../examples/resources/reseller_minted_document/terms.pdf")
	require.NoError(t, err)
	c.File("terms.pdf", string(pdf))
	c.Config(inEphemeral + providertest.Label("acme", providertest.AcmeHost, "") + `
resource "reseller_minted_document" "terms" {
  file_path     = "terms.pdf"
  unit_name     = "TERMS"
  asset_name    = "Terms"
  nft_standard  = "ARC3"
  store_on_ipfs = true
}
`)
	c.Apply().WantOK(t, provider.SummarySimulator, "whose data exists for this command only", "2 added")
	first := ephemeralDirs(t, tmp)
	require.Len(t, first, 1, "simulators")
	info, err := os.Stat(filepath.Join(first[0], "reseller-simulator.json.tokens"))
	require.NoError(t, err, "the tokens are not in the simulator")
	assert.True(t, info.IsDir(), "the tokens are not in the simulator: %v", err)
	info, err = os.Stat(filepath.Join(first[0], "reseller-simulator.json.tokens", "operations"))
	require.NoError(t, err, "the operation markers are not in the simulator")
	assert.True(t, info.IsDir(), "the operation markers are not in the simulator: %v", err)
	for _, dir := range []string{first[0], filepath.Dir(first[0])} {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", dir, info.Mode(), err)
		}
	}

	before := c.Read("terraform.tfstate")
	c.Plan().WantError(t, otherData, "exists for one command only", "set path instead of ephemeral", "delete the state")
	assert.Equal(t, before, c.Read("terraform.tfstate"), "the state was changed")
	second := ephemeralDirs(t, tmp)
	require.Len(t, second, 1, "simulators: %v, then", first)
	assert.NotEqual(t, first[0], second[0], "simulators: %v, then %v", first, second)

	// A run without an ephemeral simulator removes the last one.
	c.Config(providertest.InSimulator + providertest.Label("acme", providertest.AcmeHost, ""))
	c.Plan("-state=other.tfstate").WantText(t, "1 to add")
	require.NoError(t, os.RemoveAll(filepath.Join(tmp, "not-used"))) // which this one may use
	assert.Empty(t, ephemeralDirs(t, tmp), "simulators")
	err = filepath.WalkDir(c.Dir, func(path string, _ fs.DirEntry, err error) error {
		assert.NotContains(t, path, "operations", "in the project")
		return err
	})
	assert.NoError(t, err)
}

const twoRuns = `
run "provisions" {
  assert {
    condition     = reseller_private_label.acme.status == "Active"
    error_message = "not active"
  }
}

run "finds_it_again" {
  command = plan

  variables {
    first = run.provisions.id
  }

  assert {
    condition     = reseller_private_label.acme.id == var.first
    error_message = "another one"
  }
}
`

// terraform test: state and simulator carry over between the runs of a file, two concurrent commands are separate, and
// the next command starts with an empty simulator.
func TestSimulator_EphemeralTests(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.6.0", "terraform test")
	c, tmp := ephemeralCLI(t)
	c.Config(inEphemeral + providertest.Label("acme", providertest.AcmeHost, "") + `
variable "first" {
  type    = string
  default = ""
}

output "id" {
  value = reseller_private_label.acme.id
}
`)
	c.File("acme.tftest.hcl", twoRuns)
	for range 2 {
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() { c.Run("test", "-no-color").WantOK(t, "2 passed, 0 failed") })
		}
		both.Wait()
	}
	dirs := ephemeralDirs(t, tmp)
	require.NotEmpty(t, dirs, "simulators: %v", dirs)
	assert.LessOrEqual(t, len(dirs), 2, "simulators: %v", dirs)
}

// ephemeral and path exclude each other, once both are known.
func TestSimulator_EphemeralWithPath(t *testing.T) {
	t.Parallel()
	tmp := t.TempDir()
	c := providertest.InstalledCLI(t, "TMPDIR="+tmp, "TMP="+tmp)
	variables := "variable \"path\" {\n  type    = string\n  default = null\n}\nvariable \"ephemeral\" {\n  type    = bool\n  default = true\n}\n"
	label := providertest.Label("acme", providertest.AcmeHost, "")
	c.Config("provider \"reseller\" {\n  simulator = {\n    path = \"x.json\"\n    ephemeral = true\n  }\n}\n" + label)
	c.Plan().WantError(t, diagnostic.SummaryInvalidCombination, "ephemeral = true", "Remove path")
	c.Config("provider \"reseller\" {\n  simulator = {\n    path = var.path\n    ephemeral = var.ephemeral\n  }\n}\n" + variables + label)
	c.Validate().WantOK(t)
	c.Plan("-var=path=x.json").WantError(t, diagnostic.SummaryInvalidCombination)
	c.Plan("-var=path=x.json", "-var=ephemeral=false").WantText(t, "(x.json)")
	c.Plan().WantText(t, "for this command only")
	c.Config("resource \"terraform_data\" \"path\" {\n  input = \"x.json\"\n}\nprovider \"reseller\" {\n  simulator = {\n    path = terraform_data.path.output\n    ephemeral = true\n  }\n}\n" + label)
	before := len(ephemeralDirs(t, tmp))
	c.Apply().WantError(t, diagnostic.SummaryInvalidCombination)
	assert.LessOrEqual(t, len(c.State()), 1, "something was provisioned")
	assert.LessOrEqual(t, len(ephemeralDirs(t, tmp)), before, "something was provisioned")
}

// A directory that others may use is an error that names it.
func TestSimulator_EphemeralNotPrivate(t *testing.T) {
	t.Parallel()
	c, tmp := ephemeralCLI(t)
	c.Config(inEphemeral + providertest.Label("acme", providertest.AcmeHost, ""))
	c.Plan()
	dirs := ephemeralDirs(t, tmp)
	require.Len(t, dirs, 1, "simulators")
	require.NoError(t, os.Chmod(filepath.Dir(dirs[0]), 0o755))
	c.Plan().WantError(t, provider.SummarySimulatorUnavailable, "mode 0755 instead of 0700")
}
