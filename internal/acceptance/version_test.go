package acceptance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The linker's flag equals that of GNUmakefile and .goreleaser.yml: for a variable with another name, the linker would
// ignore it silently.
func TestVersionOfBinary(t *testing.T) {
	t.Parallel()
	const want = "1.2.3"
	rc, binary := mirrorOf(t, want)
	for _, arg := range []string{"version", "-version", "--version"} {
		out, err := exec.Command(binary, arg).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", arg, err, out)
		}
		if !strings.HasPrefix(string(out), "terraform-provider-reseller "+want+" (") || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%s: %q", arg, out)
		}
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
		if err != nil {
			t.Fatal(err)
		}
		if told := `"agent":"terraform-provider-reseller/` + want + `"`; !strings.Contains(string(journal), told) {
			t.Errorf("the simulator's journal lacks %s", told)
		}
	})
}
