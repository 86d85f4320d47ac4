package acceptance

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// newcomer is a user with a CLI, this checkout and an empty home directory. The CLI reaches no network and has no
// configuration, so `init` finds only what `make install` installed.
type newcomer struct {
	t    *testing.T
	home string
	env  []string
}

func newNewcomer(t *testing.T) *newcomer {
	t.Helper()
	n := &newcomer{t: t, home: t.TempDir()}
	bin := t.TempDir()
	command := filepath.Join(bin, "terraform") // the documentation's name for either CLI
	require.NoError(t, os.WriteFile(command, []byte("#!/bin/sh\nexec '"+providertest.CliBinary(t)+"' \"$@\"\n"), 0o700))
	n.env = append(environWithout("TF_", "RESELLER_", "XDG_", "MAKE", "MFLAGS", "VERSION=", "MIRROR=", "BINARY=", "GOGC=", "GOMEMLIMIT="), "HOME="+n.home,
		"PATH="+strings.Join([]string{bin, filepath.Join(n.home, "bin"), os.Getenv("PATH")}, string(os.PathListSeparator)),
		"GOBIN="+filepath.Join(n.home, "bin"),
		"CHECKPOINT_DISABLE=1", "HTTP_PROXY=http://127.0.0.1:0", "HTTPS_PROXY=http://127.0.0.1:0",
		"TF_INPUT=0", "TF_CLI_ARGS=-no-color", "TF_CLI_ARGS_apply=-auto-approve")
	// Go's settings and caches are usually in the home directory.
	for _, name := range []string{"GOENV", "GOCACHE", "GOMODCACHE"} {
		value, err := exec.Command("go", "env", name).Output()
		require.NoError(t, err)
		n.env = append(n.env, name+"="+strings.TrimSpace(string(value)))
	}
	return n
}

// environWithout is the environment without the variables that begin so.
func environWithout(prefixes ...string) []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(entry, prefix) })
	})
}

// run runs commands as the documentation shows them.
func (n *newcomer) run(dir, commands string) string {
	n.t.Helper()
	out, err := bash(dir, n.env, commands)
	require.NoError(n.t, err, "%s:\n%s", commands, out)
	return out
}

// checkInstalled fails unless `init` linked the provider in a directory to the
// one in the home directory.
func (n *newcomer) checkInstalled(dir string) {
	n.t.Helper()
	links, err := filepath.Glob(filepath.Join(dir, ".terraform", "providers", "*", "privatelabels", "reseller", "*", runtime.GOOS+"_"+runtime.GOARCH))
	require.NoError(n.t, err, "installed: %v", links)
	require.Len(n.t, links, 1, "installed")
	target, err := filepath.EvalSymlinks(links[0])
	require.NoError(n.t, err)
	home, err := filepath.EvalSymlinks(n.home)
	require.NoError(n.t, err)
	assert.True(n.t, strings.HasPrefix(target, filepath.Join(home, ".terraform.d", "plugins")+string(filepath.Separator)),
		"init installed the provider from %s", target)
}

// The quick start of the README works unchanged, for a user who has only its prerequisites.
func TestReadme_QuickStart(t *testing.T) {
	t.Parallel()
	providertest.Once(t)
	install, configuration, apply := readmeQuickStart(t)
	n := newNewcomer(t)
	n.run(".", install)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.tf"), configuration)
	out := n.run(dir, apply)
	for _, want := range []string{"host name bound to its private label", "2 effects: 1 permanent, 1 email.", "dns_record"} {
		assert.Contains(t, out, want, "no")
	}
	n.checkInstalled(dir)
	n.run(dir, "terraform plan -detailed-exitcode")
	cleaned := t.TempDir()
	require.NoError(t, os.CopyFS(cleaned, os.DirFS(dir)))
	_, after, _ := strings.Cut(readFile(t, "README.md"), "To clean up")
	n.run(cleaned, snippetsIn("README.md", after)[0].text)
	left, err := os.ReadDir(cleaned)
	require.NoError(t, err)
	require.Len(t, left, 1, "main.tf is left: %v", left)

	installFromMirror(t, configuration) // not parallel: it builds the same binary
	t.Run("docs/index.md", func(t *testing.T) {
		t.Parallel()
		n := *n
		n.t = t
		n.applyIndex()
	})
}

// installFromMirror runs the commands of the guide for CI that make an archive of the provider, and those that unpack it: on
// the page, and in each job of the pipelines as it is printed.
func installFromMirror(t *testing.T, configuration string) {
	t.Helper()
	const page = "docs/guides/ci.md"
	var build, unpack string
	for _, s := range snippetsIn(page, readFile(t, page)) {
		switch {
		case s.language != "sh":
		case strings.Contains(s.text, "tar -czf"):
			build = s.text
		case strings.Contains(s.text, "tar -xzf"):
			unpack = s.text
		}
	}
	require.NotEmpty(t, build, "%s has no commands for a mirror", page)
	require.NotEmpty(t, unpack, "%s has no commands for a mirror", page)
	t.Cleanup(func() {
		_ = os.RemoveAll("bin/mirror")
		_ = os.Remove("bin/mirror.tgz")
	})
	newNewcomer(t).run(".", build)
	ways := map[string]bool{unpack + "terraform init": true}
	for _, pipeline := range []string{".github/workflows/portals.yml", ".github/workflows/apply.yml", ".github/workflows/drift.yml", ".gitlab-ci.yml"} {
		before := ""
		for line := range strings.Lines(readFile(t, filepath.FromSlash("examples/configurations/ci/"+pipeline))) {
			command := strings.Trim(strings.TrimPrefix(strings.TrimLeft(strings.TrimSpace(line), "- "), "run: "), "'")
			switch {
			case strings.Contains(command, ".terraform.d/plugins"):
				before += command + "\n"
			case strings.HasPrefix(command, "terraform init"):
				assert.Contains(t, before, "| tar -xz ", "%s: a job unpacks no provider before terraform init", pipeline)
				ways[before+command] = true
				before = ""
			}
		}
	}
	assert.GreaterOrEqual(t, len(ways), 3, "the pipelines have %d ways", len(ways)-1)
	for way := range ways {
		runner, dir := newNewcomer(t), t.TempDir()
		write(t, filepath.Join(dir, "main.tf"), configuration)
		write(t, filepath.Join(dir, "mirror.tgz"), readFile(t, "bin/mirror.tgz"))
		// The programs that fetch the archive print it.
		runner.run(dir, "gh() { [[ \"$*\" == *mirror.tgz* ]] && cat mirror.tgz; }; wget() { gh \"$@\"; }\nCI_JOB_TOKEN= CI_API_V4_URL= CI_PROJECT_ID=\n"+way)
		runner.checkInstalled(dir)
	}
}

// applyIndex applies the first configurations of docs/index.md as the page says: first one alone, then both.
func (n *newcomer) applyIndex() {
	const page = "docs/index.md"
	n.t.Helper()
	text := readFile(n.t, page)
	var configurations []string
	for _, s := range snippetsIn(page, text) {
		if s.language == "terraform" {
			configurations = append(configurations, s.text)
		}
	}
	command := regexp.MustCompile("`(terraform init && terraform apply)`").FindStringSubmatch(text)
	require.GreaterOrEqual(n.t, len(configurations), 2, "configurations, command %q", command)
	require.NotNil(n.t, command, "%d configurations, command %q", len(configurations), command)
	dir := n.t.TempDir()
	write(n.t, filepath.Join(dir, "provider.tf"), configurations[0])
	n.run(dir, command[1])
	write(n.t, filepath.Join(dir, "label.tf"), configurations[1])
	assert.Contains(n.t, n.run(dir, command[1]), "dns_record", "no DNS record")
	n.checkInstalled(dir)
	n.run(dir, "terraform plan -detailed-exitcode")
}

// readmeQuickStart is the README's one configuration, and the commands before and
// after it.
func readmeQuickStart(t *testing.T) (install, configuration, apply string) {
	t.Helper()
	const page = "README.md"
	all := snippetsIn(page, readFile(t, page))
	at := slices.IndexFunc(all, func(s snippet) bool { return s.language == "hcl" })
	if at < 1 || at+1 >= len(all) || all[at-1].language != "sh" || all[at+1].language != "sh" {
		t.Fatal("the README has no configuration between commands")
	}
	if !strings.Contains(all[at-1].text, "make install") || !strings.Contains(all[at+1].text, "terraform apply") {
		t.Fatalf("the README installs with\n%s\nand applies with\n%s", all[at-1].text, all[at+1].text)
	}
	return all[at-1].text, all[at].text, all[at+1].text
}
