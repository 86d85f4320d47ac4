// Package acceptance tests the whole binary with the real CLI, and what a checkout has beside it: examples, pages, scripts
// and workflows. Its tests run in the root of the repository.
package acceptance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// checkout is the root of the repository. go test keeps a result for as long as the files that a test read are the same, and
// it knows nothing of this change of the directory, so that it finds them by their whole paths only.
var checkout string

func TestMain(m *testing.M) {
	var err error
	if checkout, err = filepath.Abs(filepath.Join("..", "..", "..")); err == nil {
		err = os.Chdir(checkout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(providertest.Main(m))
}

// binaryOf is the program that most tests run, and that a CLI installs.
func binaryOf(t *testing.T) string {
	t.Helper()
	return providertest.MirrorOf(t, providertest.TestVersion).Binary
}

// project is a directory with a configuration, whose CLI has installed the provider.
type project struct{ *providertest.CLI }

// newProject has copies of examples with the files that they name by ${path.module}, and of whole folders, whose paths end in
// a point. A configuration that names no provider is for the simulator.
func newProject(t *testing.T, examples ...string) project {
	t.Helper()
	p := project{providertest.InstalledCLI(t, "GOGC=off", "GOMEMLIMIT=512MiB")} // little garbage is worth collecting in a second
	for _, example := range examples {
		sources := []string{"-R", example}
		for _, beside := range []string{"*.svg", "*.pdf"} {
			found, err := filepath.Glob(filepath.Join(filepath.Dir(example), beside))
			require.NoError(t, err)
			sources = append(sources, found...)
		}
		out, err := exec.Command("cp", append(sources, p.Dir)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	if exec.Command("grep", "-rq", "required_providers", p.Dir).Run() != nil {
		p.File("provider.tf", inSimulator)
	}
	p.Init()
	return p
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(checkout, path)
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}
