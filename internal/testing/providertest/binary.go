package providertest

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Mirror is a version of the provider as it is released, with the configuration of a CLI whose `init` installs it.
type Mirror struct{ dir, RC, Binary string }

// mirrors are those that tests use, by version. Main removes them.
var mirrors sync.Map // of func() (Mirror, error)

const (
	// TestVersion is the version of the provider in most tests.
	TestVersion = "0.0.1"
	// prebuilt names the environment variable with the provider of that version, which `make test` builds once for the
	// tests of all packages.
	prebuilt = "RESELLER_TEST_PROVIDER"
)

// MirrorOf builds a version once for all tests.
func MirrorOf(t *testing.T, version string) Mirror {
	t.Helper()
	building, _ := mirrors.LoadOrStore(version, sync.OnceValues(func() (Mirror, error) { return buildMirror(version) }))
	built, err := building.(func() (Mirror, error))()
	require.NoError(t, err)
	return built
}

func buildMirror(version string) (Mirror, error) {
	dir, err := os.MkdirTemp("", "reseller-mirror-")
	if err != nil {
		return Mirror{}, err
	}
	m := Mirror{dir, filepath.Join(dir, "cli.tfrc"), filepath.Join(dir, "terraform-provider-reseller_v"+version)}
	rc := fmt.Appendf(nil, "provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", dir)
	errs := []error{build(version, m.Binary), os.WriteFile(m.RC, rc, 0o600)}
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		at := filepath.Join(dir, registry, "privatelabels", "reseller", version, runtime.GOOS+"_"+runtime.GOARCH)
		errs = append(errs, os.MkdirAll(at, 0o700), os.Link(m.Binary, filepath.Join(at, filepath.Base(m.Binary))))
	}
	return m, errors.Join(errs...)
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
// those of the provider unless TF_LOG_PROVIDER_RESELLER has a level. It removes the mirrors at the end.
func Main(m *testing.M) (code int) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	for name, value := range quick {
		_ = os.Setenv(name, value)
	}
	for _, name := range []string{"TF_LOG_SDK", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_SDK_PROTO", "TF_LOG_PROVIDER_RESELLER"} {
		_ = os.Setenv(name, cmp.Or(os.Getenv(name), "OFF"))
	}
	code = m.Run()
	mirrors.Range(func(_, building any) bool {
		if built, err := building.(func() (Mirror, error))(); err == nil {
			_ = os.RemoveAll(built.dir)
		}
		return true
	})
	return code
}

// InstalledCLI is a working directory whose provider is a separate process, as for users.
func InstalledCLI(t *testing.T, env ...string) *CLI {
	t.Helper()
	return MirrorOf(t, TestVersion).CLI(t, env...)
}

// CLI is a working directory that installs the provider of this mirror.
func (m Mirror) CLI(t *testing.T, env ...string) *CLI {
	t.Helper()
	return &CLI{T: t, Dir: t.TempDir(), installed: true, Env: slices.Concat(processEnv(), []string{"TF_CLI_CONFIG_FILE=" + m.RC}, env)}
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
	return fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"privatelabels/reseller\" = %q\n  }\n  direct {}\n}\n", MirrorOf(t, TestVersion).dir)
}
