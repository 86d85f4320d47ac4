package acceptance

import (
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// TestScripts runs the files of testdata/scripts. Each section "# name" has a directory of its own with the files that
// follow "-- name --", of which functions is read before each command. "$ command" succeeds and "! command" fails, and what
// follows is all that it prints, where … is any text, and any lines if it is alone. DIR is the directory, ROOT the
// checkout, PROVIDER the program, terraform the CLI and PROXY that of fakeModules; "// needs TOOL" skips a file without it.
func TestScripts(t *testing.T) {
	t.Parallel()
	runScripts(t, "internal/testing/acceptance/testdata/scripts/*.txt")
}

// TestScripts_Once runs those that take long.
func TestScripts_Once(t *testing.T) {
	t.Parallel()
	providertest.Once(t)
	runScripts(t, "internal/testing/acceptance/testdata/scripts/once/*.txt")
}

func runScripts(t *testing.T, pattern string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, used := range []string{"scripts", ".changelog", "CHANGELOG.md", "GNUmakefile", "demo", "examples/configurations/ci"} {
		require.NoError(t, filepath.WalkDir(used, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				readFile(t, path) // which go test sees, unlike what bash reads
			}
			return err
		}))
	}
	for _, file := range files {
		text, beside, _ := strings.Cut(readFile(t, file), "\n-- ")
		for _, section := range strings.Split(text, "\n# ")[1:] {
			name, commands, _ := strings.Cut(section, "\n")
			_, tool, needed := strings.Cut(text, "\n// needs ")
			t.Run(filepath.Base(file)+"/"+name, func(t *testing.T) {
				t.Parallel()
				if needed {
					needsTool(t, strings.Fields(tool)[0])
				}
				runSection(t, commands, beside)
			})
		}
	}
}

var command = regexp.MustCompile(`(?m)^([$!]) (.*)\n((?:[^$!\n].*\n|\n)*)`)

func runSection(t *testing.T, commands, beside string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	write(t, filepath.Join(dir, "functions"), "")
	for file := range strings.SplitSeq(beside, "\n-- ") {
		name, text, _ := strings.Cut(file, " --\n")
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		if name != "" {
			write(t, filepath.Join(dir, name), strings.TrimSuffix(text, "\n")+"\n")
		}
	}
	proxy, n, mirror := fakeModules(t, http.StatusForbidden), newNewcomer(t), providertest.MirrorOf(t, providertest.TestVersion)
	env := slices.Concat(n.env, gitAlone, []string{"TF_CLI_CONFIG_FILE=" + mirror.RC, "ROOT=" + checkout, "PROVIDER=" + mirror.Binary, "PROXY=" + proxy})
	parts := command.FindAllStringSubmatch(commands+"\n", -1)
	require.NotEmpty(t, parts, "no commands")
	for _, part := range parts {
		out, err := bash(dir, env, "source ./functions\n"+part[2])
		said := strings.NewReplacer(dir, "DIR", checkout, "ROOT", proxy, "PROXY").Replace(out)
		assert.Equal(t, part[1] == "!", err != nil, "%s: %v\n%s", part[2], err, said)
		var want strings.Builder
		for line := range strings.Lines(strings.TrimRight(part[3], "\n") + "\n") {
			if line == "…\n" {
				want.WriteString(`(?s:.*)`)
				continue
			}
			want.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*"))
		}
		assert.Regexp(t, "^"+want.String()+"$", strings.TrimRight(said, "\n")+"\n", part[2])
	}
}

// bash runs commands in a directory, and returns what they print.
func bash(dir string, env []string, commands string) (string, error) {
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", commands)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func needsTool(t *testing.T, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Skipf("%s is not on PATH", tool)
	}
}

// gitAlone lets git commit without a configuration.
var gitAlone = []string{
	"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
	"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@acme.example", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@acme.example",
}

// makeWith runs a target in a separate environment, and not as a part of the make that runs the tests.
func makeWith(target string, env ...string) (string, error) {
	return bash(checkout, append(environWithout("MAKE", "MFLAGS", "ARGS="), env...), "make "+target)
}
