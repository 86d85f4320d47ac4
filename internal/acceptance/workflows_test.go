package acceptance

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	sources, needs := testSources(t), readFile(t, "internal/testing/providertest/cli.go")
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

func testSources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range []string{"internal/*/*_test.go", "internal/*/*/*_test.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			all.WriteString(readFile(t, file))
		}
	}
	return all.String()
}
