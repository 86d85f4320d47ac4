package acceptance

import (
	"cmp"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// An action is pinned by its commit, with the version in a comment; a job has a timeout and only the permissions that
// it names.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(".github/workflows/*.yml")
	require.NoError(t, err, "no workflows")
	require.NotEmpty(t, files, "no workflows: %v", err)
	var (
		pinned      = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
		uses        = regexp.MustCompile(`(?m)^ *(?:- )?uses: (.*)$`)
		jobs        = regexp.MustCompile(`(?m)^    runs-on: `)
		ends        = regexp.MustCompile(`(?m)^    timeout-minutes: `)
		permissions = regexp.MustCompile(`(?m)^permissions:`)
	)
	commits := map[string]string{}
	for _, file := range files {
		text := readFile(t, file)
		for _, use := range uses.FindAllStringSubmatch(text, -1) {
			action, commit, _ := strings.Cut(use[1], "@")
			switch {
			case strings.HasPrefix(action, "./"):
			case !pinned.MatchString(use[1]):
				t.Errorf("%s: %s is not pinned as ACTION@COMMIT # vX.Y.Z", file, use[1])
			case commits[action] != "" && commits[action] != commit:
				t.Errorf("%s: %s is also used as %s", file, use[1], commits[action])
			default:
				commits[action] = commit
			}
		}
		want, got := len(jobs.FindAllString(text, -1)), len(ends.FindAllString(text, -1))
		assert.Equal(t, want, got, "%s: jobs and time limits", file)
		assert.True(t, permissions.MatchString(text), "%s: every job has all permissions", file)
		checkReport(t, file)
	}
}

// checkReport: a scheduled run that fails opens an issue, whichever of its jobs failed.
func checkReport(t *testing.T, file string) {
	t.Helper()
	w := readWorkflow(t, file)
	if _, ok := w.On["schedule"]; !ok {
		return
	}
	report := w.Jobs["report"]
	assert.Equal(t, "./.github/workflows/report-failure.yml", report.Uses, file)
	assert.Equal(t, "failure() && github.event_name == 'schedule'", report.If, file)
	for name := range w.Jobs {
		assert.True(t, name == "report" || slices.Contains(report.Needs, name), "%s: nobody hears of %s", file, name)
	}
}

// Dependabot watches each go.mod.
func TestDependabot_Modules(t *testing.T) {
	t.Parallel()
	var config struct {
		Updates []struct {
			Ecosystem   string   `yaml:"package-ecosystem"`
			Directories []string `yaml:"directories"`
		} `yaml:"updates"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(readFile(t, ".github/dependabot.yml")), &config))
	out, err := exec.Command("git", "ls-files", "go.mod", "*/go.mod").Output()
	require.NoError(t, err)
	var want, got []string
	for file := range strings.FieldsSeq(string(out)) {
		if !strings.Contains(file, "/testdata/") {
			want = append(want, path.Join("/", path.Dir(file)))
		}
	}
	for _, update := range config.Updates {
		if update.Ecosystem == "gomod" {
			got = append(got, update.Directories...)
		}
	}
	assert.ElementsMatch(t, want, got)
}

// The table of CLIs in CONTRIBUTING.md: the workflow runs the tests on each of them, and each row names a test that is
// skipped on a CLI before its versions.
func TestContributing_CLIs(t *testing.T) {
	t.Parallel()
	_, section, found := strings.Cut(readFile(t, "CONTRIBUTING.md"), "\n### CLIs\n")
	section, _, _ = strings.Cut(section, "\n## ")
	lists := regexp.MustCompile(`on Terraform ([\d., and]+), and on OpenTofu ([\d., and]+)\.`).FindStringSubmatch(section)
	require.True(t, found, "no list of CLIs in\n%s", section)
	require.NotNil(t, lists, "no list of CLIs in\n%s", section)
	version, workflow := regexp.MustCompile(`\d+\.\d+`), readFile(t, ".github/workflows/test.yml")
	var listed, run []string
	for i, cli := range []string{"terraform", "tofu"} {
		for _, v := range version.FindAllString(lists[i+1], -1) {
			listed = append(listed, cli+" "+v)
		}
	}
	for _, job := range regexp.MustCompile(`- \{ cli: (\w+), version: "(\d+\.\d+)\.\*" \}`).FindAllStringSubmatch(workflow, -1) {
		run = append(run, job[1]+" "+job[2])
	}
	assert.Equal(t, run, listed, "the page lists, the workflow runs")
	sources, needs := sourcesOf(t, "*_test.go"), readFile(t, "internal/testing/providertest/cli.go")
	rows := regexp.MustCompile("(?m)^\\| (.+) \\| (\\d\\.\\d+) \\| (\\S+) \\| `(\\w+)` \\|$").FindAllStringSubmatch(section, -1)
	assert.GreaterOrEqual(t, len(rows), 10)
	for _, row := range rows {
		what, terraform, tofu, name := row[1], row[2]+".0", row[3], row[4]
		_, body, found := strings.Cut(sources, "\nfunc "+name+"(t *testing.T) {\n")
		body, _, _ = strings.Cut(body, "\n}\n")
		if need := regexp.MustCompile(`providertest\.(Needs\w+)\(t\)`).FindStringSubmatch(body); need != nil {
			_, helper, _ := strings.Cut(needs, "\nfunc "+need[1]+"(t *testing.T) {\n")
			helper, _, _ = strings.Cut(helper, "\n}\n")
			body += helper
		}
		require.True(t, found, "%s: %s is not skipped before %s", what, name, terraform)
		assert.Contains(t, body, `"`+terraform+`"`, "%s: %s is not skipped before %s", what, name, terraform)
		known := cmp.Or(strings.TrimSuffix(providertest.TofuWith[terraform], ".0"), "–")
		if tofu != known && !strings.Contains(body, `"`+tofu+`.0"`) {
			t.Errorf("%s: the page says OpenTofu %s, the tests %s", what, tofu, known)
		}
	}
}

// The table of tests in CONTRIBUTING.md: each command is a target, and a workflow runs it.
func TestContributing_WhereTestsRun(t *testing.T) {
	t.Parallel()
	_, section, _ := strings.Cut(readFile(t, "CONTRIBUTING.md"), "\n### Where each test runs\n")
	section, _, _ = strings.Cut(section, "\n### ")
	rows := regexp.MustCompile("(?m)^\\| (.+) \\| .+ \\| `make ([^`]+)` \\| (.+) \\|$").FindAllStringSubmatch(section, -1)
	require.NotEmpty(t, rows, section)
	makefile, sources := readFile(t, "GNUmakefile"), sourcesOf(t, "*_test.go")
	for _, row := range rows {
		what, command := row[1], row[2]
		for _, name := range regexp.MustCompile(`Test\w+`).FindAllString(what, -1) {
			assert.Contains(t, sources, "\nfunc "+name+"(t *testing.T) {\n", what)
		}
		target, _, _ := strings.Cut(command, " ")
		assert.Contains(t, makefile, "\n"+target+":", what)
		for _, workflow := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[3], -1) {
			text := readFile(t, filepath.Join(".github", "workflows", workflow[1]))
			listed := regexp.MustCompile(`target: \[[^\]]*\b`+target+`\b`).MatchString(text) && strings.Contains(text, "run: make ${{ matrix.target }}\n")
			assert.True(t, listed || strings.Contains(text, "run: make "+command+"\n"), "%s: %s does not run `make %s`", what, workflow[1], command)
		}
	}
	once := regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\) \{\n(?:\t.*\n)*?\tprovidertest\.Once`)
	for _, test := range once.FindAllStringSubmatch(sources, -1) {
		assert.Contains(t, makefile, test[1], "`make test-once` does not run %s", test[1])
		assert.Contains(t, section, test[1], "the page does not name %s", test[1])
	}
}

// watchedElsewhere are packages with a lock and without goroutines, and why scripts/raced does not have them.
var watchedElsewhere = map[string]string{
	"internal/provider":              "scripts/go-test watches requests of all types at a time",
	"internal/provider/catalog":      "the same",
	"internal/provider/privatelabel": "the same",
	"internal/provider/session":      "the same",
	"internal/provider/file":         "the lock bounds memory, and guards no value",
	"internal/command/check":         "the lock is of a recorder, which one check at a time uses",
}

// A package with goroutines, channels or locks is in scripts/raced.
func TestContributing_Raced(t *testing.T) {
	t.Parallel()
	raced := readFile(t, "scripts/raced")
	concurrent := regexp.MustCompile(`\bgo func\(|\bgo \w[\w.]*\(|\bchan \w|\bsync\.(?:Mutex|RWMutex|Map|Cond|WaitGroup)\b|\batomic\.|\berrgroup\.`)
	found := map[string]bool{}
	for _, pattern := range []string{"internal/*/*.go", "internal/*/*/*.go", "internal/*/*/*/*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			folder := filepath.ToSlash(filepath.Dir(file))
			isShipped := !strings.HasSuffix(file, "_test.go") && !strings.HasPrefix(folder, "internal/testing/") && !strings.HasPrefix(folder, "internal/tool/bench")
			if isShipped && watchedElsewhere[folder] == "" && concurrent.MatchString(readFile(t, file)) {
				found[folder] = true
			}
		}
	}
	assert.Greater(t, len(found), 5)
	for folder := range found {
		parent, _, _ := strings.Cut(strings.TrimPrefix(folder, "internal/"), "/")
		listed := strings.Contains(raced, "\n./"+folder+"\n") || strings.Contains(raced, "\n./internal/"+parent+"/...\n")
		assert.True(t, listed, "%s has goroutines, channels or locks, and is not in scripts/raced", folder)
	}
}

// sourcesOf are the packages' files of a pattern.
func sourcesOf(t *testing.T, pattern string) string {
	t.Helper()
	var all strings.Builder
	for _, packages := range []string{"internal/*/", "internal/*/*/"} {
		files, err := filepath.Glob(packages + pattern)
		require.NoError(t, err)
		for _, file := range files {
			all.WriteString(readFile(t, file))
		}
	}
	return all.String()
}
