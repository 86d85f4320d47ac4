// Package acceptance tests the whole binary with the real CLI, and what a checkout has beside it: examples, pages, scripts
// and workflows. Its tests run in the root of the repository.
package acceptance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const testVersion = providertest.TestVersion

// released has a mirror for each version that tests install, built once. TestMain removes them.
var released sync.Map // of func() (mirror, error) by version

type mirror struct{ dir, rc, binary string }

func TestMain(m *testing.M) {
	if err := os.Chdir(filepath.Join("..", "..")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	released.Range(func(_, build any) bool {
		if built, err := build.(func() (mirror, error))(); err == nil {
			_ = os.RemoveAll(built.dir)
		}
		return true
	})
	os.Exit(code)
}

// mirrorOf returns the CLI configuration of a mirror that `init` installs a version of the provider from, and the binary.
func mirrorOf(t *testing.T, version string) (rc, binary string) {
	t.Helper()
	build, _ := released.LoadOrStore(version, sync.OnceValues(func() (mirror, error) { return buildMirror(version) }))
	built, err := build.(func() (mirror, error))()
	require.NoError(t, err)
	return built.rc, built.binary
}

func buildMirror(version string) (mirror, error) {
	dir, binary, err := providertest.BuildMirror(version)
	if err != nil {
		return mirror{dir: dir}, err
	}
	m := mirror{dir: dir, rc: filepath.Join(dir, "cli.tfrc"), binary: binary}
	return m, os.WriteFile(m.rc, fmt.Appendf(nil, "provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", dir), 0o600)
}

// findCLI is the CLI that scripts/find-cli chooses.
var findCLI = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("scripts/find-cli").Output()
	return strings.TrimSpace(string(out)), err
})

func theCLI(t *testing.T) string {
	t.Helper()
	path, err := findCLI()
	require.NoError(t, err, "no Terraform or OpenTofu: scripts/find-cli says how to get one")
	return path
}

// runCLI runs the real CLI with a configuration of its own, and returns what it prints.
func runCLI(t *testing.T, dir, rc string, args ...string) string {
	t.Helper()
	out, err := tryCLI(t, dir, rc, args...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", args[0], err, out)
	}
	return out
}

// tryCLI returns what the CLI prints, and on an error also what it prints about that.
func tryCLI(t *testing.T, dir, rc string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(theCLI(t), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+rc, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1",
		"GOGC=off", "GOMEMLIMIT=512MiB") // little garbage is worth collecting in a second
	var failed strings.Builder
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		return string(out) + failed.String(), err
	}
	return string(out), nil
}
