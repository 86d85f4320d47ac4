package acceptance

import (
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// marker is a constant of the program that a fake release builds. poisoned has the same length.
const (
	marker   = "what the source of the release says"
	poisoned = "what a poisoned build cache says :("
)

// fakeRelease is a program with a module and scripts/release-check, and caches of its own. A build with the tag poison fails.
func fakeRelease(t *testing.T) (check func(env ...string) (string, error), modules, builds string) {
	t.Helper()
	dir := t.TempDir()
	modules, builds = filepath.Join(t.TempDir(), "modules"), filepath.Join(t.TempDir(), "builds")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "scripts"), 0o700))
	for name, text := range map[string]string{
		"scripts/release-check": readFile(t, "scripts/release-check"),
		"scripts/release-build": readFile(t, "scripts/release-build"),
		"go.mod":                "module example.com/app\n\ngo 1.26.0\n\nrequire example.com/here v1.2.3\n",
		"main.go":               "package main\n\nimport _ \"example.com/here\"\n\nfunc main() { println(\"" + marker + "\") }\n",
		"poison.go":             "//go:build poison || cgo\n\npackage main\n\nvar _ int = \"poison\"\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700))
	}
	env := append(environWithout("GO"), "GOPROXY="+fakeModules(t, http.StatusNotFound), "GOSUMDB=off", "GOMODCACHE="+modules, "GOCACHE="+builds, "GOENV=off")
	run := func(name string, env []string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := run("go", append(env, "GOFLAGS=-modcacherw -mod=mod"), "mod", "download", "all")
	require.NoError(t, err, out)
	return func(more ...string) (string, error) {
		return run("bash", append(env, more...), "scripts/release-check")
	}, modules, builds
}

// Nothing that the machine of a release has besides the source gets into it: its environment changes no byte, and a poisoned
// cache of modules or of builds stops it.
func TestReleaseCheck(t *testing.T) {
	t.Parallel()
	providertest.Once(t)
	check, modules, builds := fakeRelease(t)
	home := t.TempDir()
	write(t, filepath.Join(home, "env"), "GOFLAGS=-tags=poison\n")
	out, err := check("HOME="+home, "GOENV="+filepath.Join(home, "env"), "GOFLAGS=-tags=poison -ldflags=-X=main.version=6.6.6", "CGO_ENABLED=1", "GOAMD64=v3",
		"GOEXPERIMENT=nogreenteagc", "GOWORK="+filepath.Join(home, "none.work"))
	require.NoError(t, err, "with a poisoned environment:\n%s", out)
	require.Contains(t, out, "Two builds are equal", "with a poisoned environment")

	poison(t, builds)
	out, err = check()
	require.Error(t, err, "with a poisoned build cache:\n%s", out)
	assert.Contains(t, out, "Two builds of the same source differ.", "with a poisoned build cache: %v", err)

	write(t, filepath.Join(modules, "example.com", "here@v1.2.3", "here.go"), "package here\n\nfunc init() { println() }\n")
	if out, err := check(); err == nil || !strings.Contains(out, "example.com/here v1.2.3: dir has been modified") || strings.Contains(out, "builds") {
		t.Errorf("with a poisoned module: %v\n%s", err, out)
	}
}

// poison changes the program in a build cache, which Go does not notice.
func poison(t *testing.T, builds string) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(builds, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err == nil && bytes.Contains(content, []byte(marker)) {
			n++
			err = os.WriteFile(path, bytes.ReplaceAll(content, []byte(marker), []byte(poisoned)), 0o600)
		}
		return err
	})
	require.NoError(t, err, "%d files changed", n)
	require.NotEqual(t, 0, n, "%d files changed, %v", n, err)
}
