package providertest

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// mirrorBuilt says whether TestMain has something to remove.
var mirrorBuilt atomic.Bool

// buildMirror builds the provider as a release does, and creates a mirror that `init` installs from, once for all
// tests.
var buildMirror = sync.OnceValues(func() (string, error) {
	mirrorBuilt.Store(true)
	dir, _, err := BuildMirror(TestVersion)
	return dir, err
})

const (
	// TestVersion is the version of the provider in most tests.
	TestVersion = "0.0.1"
	// prebuilt names the environment variable with the provider of that version, which `make test` builds once for the
	// tests of all packages.
	prebuilt = "RESELLER_TEST_PROVIDER"
)

// BuildMirror builds a version of the provider as it is released, into a new directory that `init` installs from.
func BuildMirror(version string) (dir, binary string, err error) {
	dir, err = os.MkdirTemp("", "reseller-mirror-")
	if err != nil {
		return "", "", err
	}
	binary = filepath.Join(dir, "terraform-provider-reseller_v"+version)
	if err := build(version, binary); err != nil {
		return dir, "", err
	}
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		at := filepath.Join(dir, registry, "privatelabels", "reseller", version, runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(at, 0o700); err != nil {
			return dir, "", err
		}
		if err := os.Link(binary, filepath.Join(at, filepath.Base(binary))); err != nil {
			return dir, "", err
		}
	}
	return dir, binary, nil
}

// build links the provider to a file, or builds it if `make test` did not, or on another file system.
func build(version, binary string) error {
	if version == TestVersion && os.Link(os.Getenv(prebuilt), binary) == nil {
		return nil
	}
	const module = "github.com/privatelabels/terraform-provider-reseller"
	out, err := exec.Command("go", "build", "-ldflags", "-s -w -X main.version="+version, "-o", binary, module).CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// quick disables the garbage collection of a CLI that ends within a second, which saves a fifth of the tests' time; the
// limit is for the few that grow. This process read the variables before they were set.
var quick = map[string]string{"GOGC": "off", "GOMEMLIMIT": "512MiB"}

// Main runs the tests of a package. It keeps the logs of the SDK and of libraries out of their output, as main does, and
// those of the provider unless TF_LOG_PROVIDER_RESELLER has a level. It removes the mirror at the end.
func Main(m *testing.M) (code int) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	for name, value := range quick {
		_ = os.Setenv(name, value)
	}
	for _, name := range []string{"TF_LOG_SDK", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_SDK_PROTO", "TF_LOG_PROVIDER_RESELLER"} {
		_ = os.Setenv(name, cmp.Or(os.Getenv(name), "OFF"))
	}
	code = m.Run()
	if mirrorBuilt.Load() {
		if dir, err := buildMirror(); err == nil {
			_ = os.RemoveAll(dir)
		}
	}
	return code
}

// InstalledCLI is a working directory whose provider is a separate process, as for users.
func InstalledCLI(t *testing.T, env ...string) *CLI {
	t.Helper()
	mirror, err := buildMirror()
	require.NoError(t, err)
	c := &CLI{T: t, Dir: t.TempDir(), installed: true}
	rc := c.File("cli.tfrc", fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n  direct {\n    exclude = [\"privatelabels/reseller\"]\n  }\n}\n", mirror))
	c.Env = append(processEnv(), "TF_CLI_CONFIG_FILE="+rc)
	c.Env = append(c.Env, env...)
	return c
}

// processEnv is the environment of a CLI and its provider that configure their own logs and memory, as for a user.
func processEnv() []string {
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return strings.HasPrefix(name, "TF_LOG") || quick[name] != ""
	})
	return append(env, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")
}

// overrides is a CLI configuration with the provider as it is built, which needs no init.
func overrides(t *testing.T) string {
	t.Helper()
	mirror, err := buildMirror()
	require.NoError(t, err)
	return fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"privatelabels/reseller\" = %q\n  }\n  direct {}\n}\n", mirror)
}
