package acceptance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The linker's flag equals that of GNUmakefile and .goreleaser.yml: for a variable with another name, the linker would
// ignore it silently.
func TestVersionOfBinary(t *testing.T) {
	t.Parallel()
	const want = "1.2.3"
	rc, binary := mirrorOf(t, want)
	for _, arg := range []string{"version", "-version", "--version"} {
		out, err := exec.Command(binary, arg).CombinedOutput()
		require.NoError(t, err, "%s:\n%s", arg, out)
		assert.True(t, strings.HasPrefix(string(out), "terraform-provider-reseller "+want+" ("), "%s: %q", arg, out)
		assert.Equal(t, 1, strings.Count(string(out), "\n"), "%s: %q", arg, out)
	}

	t.Run("in the User-Agent", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		write(t, filepath.Join(dir, "main.tf"), `
terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}

provider "reseller" {
  simulator = { path = "box.json" }
}

data "reseller_dashboard" "this" {}
`)
		runCLI(t, dir, rc, "init", "-no-color", "-input=false")
		runCLI(t, dir, rc, "plan", "-no-color", "-input=false")
		journal, err := os.ReadFile(filepath.Join(dir, "box.json"))
		require.NoError(t, err)
		assert.Contains(t, string(journal), `"agent":"terraform-provider-reseller/`+want+`"`, "the simulator's journal lacks")
	})
}
