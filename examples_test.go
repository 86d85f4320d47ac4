package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Every example is applied in the sandbox as it stands, and a second plan has
// nothing to do. One that a resource's page shows stands in a file of its own;
// the imports beside it need a label that is there, and are not run.
func TestExamples(t *testing.T) {
	t.Parallel()
	var examples []string
	for _, pattern := range []string{"examples/provider/provider.tf", "examples/resources/*/resource.tf", "examples/data-sources/*/data-source.tf", "examples/ephemeral-resources/*/ephemeral-resource.tf", "examples/functions/*/function.tf"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		examples = append(examples, found...)
	}
	const least = 5
	if len(examples) < least {
		t.Fatalf("only %d examples found: %v", len(examples), examples)
	}
	rc, _ := mirrorOf(t, "0.0.1")
	for _, example := range examples {
		t.Run(strings.TrimPrefix(filepath.Dir(example), "examples/"), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			text, err := os.ReadFile(example)
			if err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "example.tf"), string(text))
			copyImages(t, filepath.Dir(example), dir)
			if !strings.Contains(string(text), "required_providers") {
				write(t, filepath.Join(dir, "provider.tf"), "terraform {\n  required_providers {\n    reseller = { source = \"privatelabels/reseller\" }\n  }\n}\n\nprovider \"reseller\" {\n  sandbox = {}\n}\n")
			}
			for _, args := range [][]string{
				{"init", "-no-color", "-input=false"},
				{"apply", "-no-color", "-input=false", "-auto-approve"},
				{"plan", "-no-color", "-input=false", "-detailed-exitcode"},
			} {
				runCLI(t, dir, rc, args...)
			}
		})
	}
}

// copyImages copies what an example names by ${path.module}.
func copyImages(t *testing.T, from, to string) {
	t.Helper()
	images, err := filepath.Glob(filepath.Join(from, "*.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, image := range images {
		content, err := os.ReadFile(image)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(to, filepath.Base(image)), string(content))
	}
}

// runCLI runs the real CLI with a configuration of its own.
func runCLI(t *testing.T, dir, rc string, args ...string) {
	t.Helper()
	cli, err := exec.Command("scripts/find-cli").Output()
	if err != nil {
		t.Fatal("no Terraform or OpenTofu: scripts/find-cli says how to get one")
	}
	cmd := exec.Command(strings.TrimSpace(string(cli)), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+rc, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", args[0], err, out)
	}
}

// mirrorOf builds the provider as a version, the way a release does, into a
// mirror that `init` installs from.
func mirrorOf(t *testing.T, release string) (rc, binary string) {
	t.Helper()
	mirror := t.TempDir()
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		binary = filepath.Join(mirror, registry, "privatelabels", "reseller", release, runtime.GOOS+"_"+runtime.GOARCH, "terraform-provider-reseller_v"+release)
		if out, err := exec.Command("go", "build", "-ldflags", "-X main.version="+release, "-o", binary, ".").CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
	}
	rc = filepath.Join(mirror, "cli.tfrc")
	write(t, rc, fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror))
	return rc, binary
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
