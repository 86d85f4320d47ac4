package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

func TestCurrentVersion(t *testing.T) {
	t.Parallel()
	stamped := func(version string) func() (*debug.BuildInfo, bool) {
		return func() (*debug.BuildInfo, bool) {
			return &debug.BuildInfo{Main: debug.Module{Version: version}}, true
		}
	}
	none := func() (*debug.BuildInfo, bool) { return nil, false }
	for name, tc := range map[string]struct {
		linked string
		read   func() (*debug.BuildInfo, bool)
		want   string
	}{
		"the linker's":              {"1.2.3", none, "1.2.3"},
		"the linker's before Go's":  {"1.2.3", stamped("v0.9.0"), "1.2.3"},
		"an installed module's":     {"", stamped("v0.9.0"), "0.9.0"},
		"a clone's":                 {"", stamped("v0.9.1-0.20260314090000-0123456789ab+dirty"), "0.9.1-0.20260314090000-0123456789ab+dirty"},
		"a build without a version": {"", stamped("(devel)"), "dev"},
		"a test's":                  {"", stamped(""), "dev"},
		"a binary that tells none":  {"", none, "dev"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := currentVersion(tc.linked, tc.read); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

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
