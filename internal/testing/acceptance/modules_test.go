package acceptance

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// goMods are the go.mod files of this checkout.
func goMods(t *testing.T) []string {
	t.Helper()
	files := []string{"go.mod", "tools/go.mod", "tools/golangci-lint/go.mod", "tools/gremlins/go.mod", "tools/policies/go.mod"}
	out, err := exec.Command("git", "ls-files", "--", "go.mod", "*/go.mod").Output()
	if err == nil && strings.Join(files, "\n") != strings.TrimSpace(string(out)) {
		t.Fatalf("this test knows %v, and git\n%s", files, out)
	}
	return files
}

// modFile is what `go mod edit -json` prints.
type modFile struct {
	Require []struct {
		Path, Version string
		Indirect      bool
	}
	Tool             []struct{ Path string }
	Replace, Exclude []any
}

func readModFile(t *testing.T, file string) modFile {
	t.Helper()
	out, err := exec.Command("go", "mod", "edit", "-json", file).Output()
	require.NoError(t, err)
	var mod modFile
	require.NoError(t, json.Unmarshal(out, &mod))
	return mod
}

// required lists the versions of the modules that the code imports, and of the tools. They require the others.
func (m modFile) required() map[string]string {
	versions := map[string]string{}
	for _, r := range m.Require {
		isTool := false
		for _, tool := range m.Tool {
			isTool = isTool || tool.Path == r.Path || strings.HasPrefix(tool.Path, r.Path+"/")
		}
		if isTool || !r.Indirect {
			versions[r.Path] = r.Version
		}
	}
	return versions
}

// A module is required by a release: a proxy may drop any other commit, and `go install` ignores replacements.
func TestModules_Released(t *testing.T) {
	t.Parallel()
	pseudo := regexp.MustCompile(`[-.]\d{14}-[0-9a-f]{12}(\+incompatible)?$`)
	for _, file := range goMods(t) {
		mod := readModFile(t, file)
		required := mod.required()
		assert.NotEmpty(t, required, "%s requires nothing", file)
		for path, version := range required {
			assert.False(t, pseudo.MatchString(version), "%s requires %s %s, which is no release", file, path, version)
		}
		assert.LessOrEqual(t, len(mod.Replace)+len(mod.Exclude), 0, "%s replaces or excludes modules: %v %v", file, mod.Replace, mod.Exclude)
	}
}

// fakeModules serves a module example.com/here, and of example.com/gone only what status allows: a proxy may know a
// module and have none of its files.
func fakeModules(t *testing.T, status int) string {
	t.Helper()
	const version = "v1.2.3"
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for name, text := range map[string]string{"go.mod": "module example.com/here\n", "here.go": "package here\n"} {
		f, err := z.Create("example.com/here@" + version + "/" + name)
		require.NoError(t, err)
		_, err = f.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, file, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/@v/"+version)
		switch {
		case path == "example.com/gone" && file == ".zip":
			http.Error(w, "not here", status)
		case file == ".info":
			fmt.Fprintf(w, `{"Version": %q}`, version)
		case file == ".mod":
			fmt.Fprintf(w, "module %s\n", path)
		case file == ".zip":
			_, _ = w.Write(archive.Bytes())
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Without network and modules, a target names the module that it lacks, in a few lines, before it does anything else.
func TestMake_WithoutModules(t *testing.T) {
	t.Parallel()
	providertest.Once(t)
	for target, file := range map[string]string{"demo": "go.mod", "test": "go.mod", "build": "go.mod", "install": "go.mod", "generate": "go.mod", "lint": "tools/golangci-lint/go.mod"} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			out, err := makeWith(target, "GOPROXY=off", "GOMODCACHE="+t.TempDir(), "MIRROR="+t.TempDir())
			require.Error(t, err, out)
			assert.LessOrEqual(t, strings.Count(out, "\n"), 4, "%v\n%s", err, out)
			checkNamesModule(t, out, file)
		})
	}
}

// checkNamesModule fails unless a message names a module that a go.mod requires,
// with its version.
func checkNamesModule(t *testing.T, out, file string) {
	t.Helper()
	named := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(file) + `: cannot download (\S+) ([^ :]+)`).FindStringSubmatch(out)
	if named == nil {
		t.Errorf("no module of %s is named:\n%s", file, out)
		return
	}
	for _, r := range readModFile(t, file).Require {
		if r.Path == named[1] && r.Version == named[2] {
			return
		}
	}
	t.Errorf("%s does not require %s %s", file, named[1], named[2])
}

// .ci/run does not use the modules of this machine, and leaves nothing behind when it fails. HOME is not needed.
func TestCI_EmptyModuleCache(t *testing.T) {
	t.Parallel()
	temporary := t.TempDir()
	cmd := exec.Command("bash", ".ci/run")
	cmd.Env = append(environWithout("HOME=", "XDG_", "GOCACHE=", "MAKE", "MFLAGS"), "GOPROXY=off", "TMPDIR="+temporary)
	out, err := cmd.CombinedOutput()
	assert.Error(t, err, "passed:\n%s", out)
	for _, file := range goMods(t) {
		checkNamesModule(t, string(out), file)
	}
	assert.NotContains(t, string(out), "==> Lint", "went on without modules")
	left, err := os.ReadDir(temporary)
	require.NoError(t, err, "left behind: %v", left)
	assert.Empty(t, left, "left behind")
}
