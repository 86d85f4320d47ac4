package acceptance

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	goversion "github.com/hashicorp/go-version"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestInstall(t *testing.T) {
	t.Parallel()
	providertest.Once(t)
	dir := t.TempDir()
	binary, mirror, bin := filepath.Join(dir, "binary"), filepath.Join(dir, "mirror"), filepath.Join(dir, "bin")
	platform := runtime.GOOS + "_" + runtime.GOARCH
	for _, step := range []struct{ content, version, says string }{
		{"one", "1.2.0+5.g1234567", ""},
		{"one", "1.2.0+6.g1234568", ""},
		{"two", "1.2.0+7.g1234569", "delete .terraform.lock.hcl"},
		{"three", "1.3.0", ""},
	} {
		write(t, binary, step.content)
		out, err := exec.Command("scripts/install", binary, step.version, mirror, bin).CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.Equal(t, step.content, readFile(t, filepath.Join(bin, "terraform-provider-reseller")))
		assert.Contains(t, string(out), `export PATH="`+bin+`:$PATH"`)
		release, _, _ := strings.Cut(step.version, "+")
		for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
			folder := filepath.Join(mirror, registry, "privatelabels", "reseller", release, platform)
			assert.Equal(t, step.content, readFile(t, filepath.Join(folder, "terraform-provider-reseller_v"+release)), folder)
			assert.Contains(t, string(out), folder+"\n", "%s: the directory is not printed", step.version)
		}
		assert.Equal(t, step.says != "", bytes.Contains(out, []byte("replaced")), "%s: want %q in\n%s", step.version, step.says, out)
		assert.Contains(t, string(out), step.says, step.version)
	}
}

// Without HOME there is no directory to install into, and the script does not guess one.
func TestInstall_WithoutHome(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("scripts/install", "none", "1.2.0", "").CombinedOutput()
	failed := new(exec.ExitError)
	require.ErrorAs(t, err, &failed, "%s", out)
	assert.Contains(t, string(out), "MIRROR=", err)
}

// fakeCLIs writes commands that print a version into a directory, which is all of
// PATH that scripts/find-cli needs.
func fakeCLIs(t *testing.T, versions map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, tool := range []string{"cat", "sed"} { // what scripts/find-cli runs
		path, err := exec.LookPath(tool)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(dir, tool)))
	}
	for name, version := range versions {
		script := "#!/bin/sh\necho '" + version + "'\necho 'on linux_amd64'\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700))
	}
	return dir
}

func TestFindCLI(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		versions map[string]string
		named    string // by TF_ACC_TERRAFORM_PATH
		found    string
		says     []string
	}{
		"oldest Terraform":        {map[string]string{"terraform": "Terraform v1.5.0"}, "", "terraform", nil},
		"Terraform 1.10":          {map[string]string{"terraform": "Terraform v1.10.0-rc1"}, "", "terraform", nil},
		"Terraform 2":             {map[string]string{"terraform": "Terraform v2.0.0"}, "", "terraform", nil},
		"oldest OpenTofu":         {map[string]string{"tofu": "OpenTofu v1.8.0"}, "", "tofu", nil},
		"Terraform first":         {map[string]string{"terraform": "Terraform v1.5.0", "tofu": "OpenTofu v1.8.0"}, "", "terraform", nil},
		"old Terraform, OpenTofu": {map[string]string{"terraform": "Terraform v1.4.9", "tofu": "OpenTofu v1.8.0"}, "", "tofu", nil},
		"named":                   {map[string]string{"terraform": "Terraform v1.5.0", "other": "OpenTofu v1.9.0"}, "other", "other", nil},
		"old Terraform":           {map[string]string{"terraform": "Terraform v1.4.7"}, "", "", []string{"is Terraform 1.4.7.", "Terraform 1.5 or later", "TF_ACC_TERRAFORM_PATH"}},
		"older Terraform":         {map[string]string{"terraform": "Terraform v0.15.5"}, "", "", []string{"is Terraform 0.15.5.", "Terraform 1.5 or later"}},
		"old OpenTofu":            {map[string]string{"tofu": "OpenTofu v1.7.2"}, "", "", []string{"is OpenTofu 1.7.2.", "OpenTofu 1.8 or later"}},
		"OpenTofu as terraform":   {map[string]string{"terraform": "OpenTofu v1.7.2"}, "", "", []string{"is OpenTofu 1.7.2.", "OpenTofu 1.8 or later"}},
		"both old":                {map[string]string{"terraform": "Terraform v1.4.7", "tofu": "OpenTofu v1.6.0"}, "", "", []string{"is Terraform 1.4.7.", "is OpenTofu 1.6.0."}},
		"named old":               {map[string]string{"terraform": "Terraform v1.5.0", "other": "Terraform v1.3.0"}, "other", "", []string{"other is Terraform 1.3.0.", "Terraform 1.5 or later"}},
		"named is no CLI":         {map[string]string{"terraform": "Terraform v1.5.0", "other": "Packer v1.9.0"}, "other", "", []string{"does not run as a CLI"}},
		"other program":           {map[string]string{"terraform": "hello"}, "", "", []string{"No Terraform and no OpenTofu on PATH", "https://"}},
		"none":                    {nil, "", "", []string{"No Terraform and no OpenTofu on PATH", "https://"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := fakeCLIs(t, tc.versions)
			cmd := exec.Command("bash", "scripts/find-cli")
			cmd.Env = []string{"PATH=" + dir}
			if tc.named != "" {
				cmd.Env = append(cmd.Env, "TF_ACC_TERRAFORM_PATH="+filepath.Join(dir, tc.named))
			}
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if tc.found != "" {
				if want := filepath.Join(dir, tc.found) + "\n"; err != nil || string(out) != want || stderr.Len() > 0 {
					t.Errorf("found %q, %v, want %q\n%s", out, err, want, stderr.String())
				}
				return
			}
			require.Error(t, err, "found %q", out)
			assert.Empty(t, out, "found, %v", err)
			for _, want := range tc.says {
				assert.Contains(t, stderr.String(), want)
			}
		})
	}
}

// Both commands stop before they do anything else if the CLI is too old.
func TestMake_OldCLI(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"demo", "test"} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			dir := fakeCLIs(t, map[string]string{"terraform": "Terraform v1.4.7"})
			out, err := makeWith(target, "TF_ACC_TERRAFORM_PATH="+filepath.Join(dir, "terraform"))
			require.Error(t, err, out)
			assert.Contains(t, out, "is Terraform 1.4.7.", err)
			assert.LessOrEqual(t, strings.Count(out, "\n"), 4, "%v\n%s", err, out)
		})
	}
}

// The first line of the demo is its own: the CLI has nothing to say of a configuration that the demo has not written yet.
func TestDemo_FirstLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\nexit 1\n"), 0o700)) // it builds nothing
	cmd := exec.Command("demo/run.sh")
	cmd.Env = append(environWithout("PATH="), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	require.Error(t, err, "%s", out)
	assert.True(t, strings.HasPrefix(string(out), "Building the provider, to run it with "), "%s", out)
}

// makeWith runs a target in a separate environment, and not as a part of the make that runs the tests.
func makeWith(target string, env ...string) (string, error) {
	cmd := exec.Command("make", target)
	cmd.Env = append(environWithout("MAKE", "MFLAGS", "ARGS="), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// history is a git repository with scripts/version.
type history struct {
	t   *testing.T
	dir string
}

func newHistory(t *testing.T) *history {
	t.Helper()
	h := &history{t, t.TempDir()}
	require.NoError(t, os.Mkdir(filepath.Join(h.dir, "scripts"), 0o700))
	write(t, filepath.Join(h.dir, "scripts", "version"), readFile(t, "scripts/version"))
	return h
}

func (h *history) git(args ...string) {
	h.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = h.dir
	cmd.Env = append(environWithout("GIT_"), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@acme.example", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@acme.example")
	out, err := cmd.CombinedOutput()
	require.NoError(h.t, err, "git %v:\n%s", args, out)
}

// version replaces the commit, which differs in each run.
func (h *history) version() string {
	h.t.Helper()
	cmd := exec.Command("bash", filepath.Join(h.dir, "scripts", "version"))
	cmd.Env = append(environWithout("GIT_"), "GIT_CEILING_DIRECTORIES="+filepath.Dir(h.dir))
	out, err := cmd.CombinedOutput()
	require.NoError(h.t, err, "%s", out)
	return regexp.MustCompile(`g[0-9a-f]{7,}`).ReplaceAllString(strings.TrimSpace(string(out)), "COMMIT")
}

func TestVersionOfCheckout(t *testing.T) {
	t.Parallel()
	providertest.Once(t)
	h := newHistory(t)
	commit := func() { h.git("commit", "--quiet", "--allow-empty", "--all", "--message", "change") }
	tag := func(name string) func() { return func() { h.git("tag", name) } }
	edit := func() { write(t, filepath.Join(h.dir, "file"), "edited") }
	for _, step := range []struct {
		what string
		do   func()
		want string
		next string // a release that may come after it
	}{
		{"no repository", func() {}, "0.0.1", "0.1.0"},
		{"first commit", func() {
			write(t, filepath.Join(h.dir, "file"), "")
			h.git("init", "--quiet")
			h.git("add", ".")
			commit()
		}, "0.0.1+COMMIT", "0.1.0"},
		{"edited", edit, "0.0.1+COMMIT.dirty", "0.1.0"},
		{"prerelease only", func() { commit(); h.git("tag", "v0.1.0-rc1") }, "0.0.2+COMMIT", "0.1.0"},
		{"release", tag("v0.1.0"), "0.1.0", "0.1.1"},
		{"commit after release", commit, "0.0.3+COMMIT", "0.1.1"},
		{"two commits after release", commit, "0.0.4+COMMIT", "0.1.1"},
		{"other tags", func() { h.git("tag", "v7"); h.git("tag", "internal/v9.0.0") }, "0.0.4+COMMIT", "0.1.1"},
		{"next prerelease", tag("v1.0.0-beta.1"), "0.0.4+COMMIT", "0.1.1"},
		{"annotated release", func() { commit(); h.git("tag", "--annotate", "--message", "1.10.0", "v1.10.0") }, "1.10.0", "1.10.1"},
		{"edited release", func() { write(t, filepath.Join(h.dir, "file"), "again") }, "0.0.5+COMMIT.dirty", "1.10.1"},
	} {
		step.do()
		got := h.version()
		assert.Equal(t, step.want, got, step.what)
		// `init` without a constraint ignores prereleases, and takes the latest version.
		version, err := goversion.NewSemver(got)
		require.NoError(t, err, step.what)
		assert.Empty(t, version.Prerelease(), "%s: %s is a prerelease or not less than %s", step.what, got, step.next)
		assert.True(t, version.LessThan(goversion.Must(goversion.NewSemver(step.next))), "%s: %s is a prerelease or not less than %s", step.what, got, step.next)
	}
}
