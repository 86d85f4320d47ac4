package acceptance

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// An action is pinned by its commit, with the version in a comment; a job has a timeout and only the permissions that
// it names.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	var (
		pinned      = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
		uses        = regexp.MustCompile(`(?m)^ *(?:- )?uses: (.*)$`)
		jobs        = regexp.MustCompile(`(?m)^    runs-on: `)
		ends        = regexp.MustCompile(`(?m)^    timeout-minutes: `)
		permissions = regexp.MustCompile(`(?m)^permissions:`)
	)
	commits := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, use := range uses.FindAllStringSubmatch(string(text), -1) {
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
		if want, got := len(jobs.FindAll(text, -1)), len(ends.FindAll(text, -1)); want != got {
			t.Errorf("%s: %d jobs and %d time limits", file, want, got)
		}
		if !permissions.Match(text) {
			t.Errorf("%s: every job has all permissions", file)
		}
	}
}

// The table of CLIs in CONTRIBUTING.md: the workflow runs the tests on each of them, and each row names a test that is
// skipped on a CLI before its versions.
func TestContributing_CLIs(t *testing.T) {
	t.Parallel()
	_, section, found := strings.Cut(readFile(t, "CONTRIBUTING.md"), "\n### CLIs\n")
	section, _, _ = strings.Cut(section, "\n## ")
	lists := regexp.MustCompile(`on Terraform ([\d., and]+), and on OpenTofu ([\d., and]+)\.`).FindStringSubmatch(section)
	if !found || lists == nil {
		t.Fatalf("no list of CLIs in\n%s", section)
	}
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
	if !slices.Equal(listed, run) {
		t.Errorf("the page lists %v, the workflow runs %v", listed, run)
	}
	sources, needs := testSources(t), readFile(t, "internal/testing/providertest/cli.go")
	rows := regexp.MustCompile("(?m)^\\| (.+) \\| (\\d\\.\\d+) \\| (\\S+) \\| `(\\w+)` \\|$").FindAllStringSubmatch(section, -1)
	if len(rows) < 10 {
		t.Errorf("%d rows", len(rows))
	}
	for _, row := range rows {
		what, terraform, tofu, name := row[1], row[2]+".0", row[3], row[4]
		_, body, found := strings.Cut(sources, "\nfunc "+name+"(t *testing.T) {\n")
		body, _, _ = strings.Cut(body, "\n}\n")
		if need := regexp.MustCompile(`providertest\.(Needs\w+)\(t\)`).FindStringSubmatch(body); need != nil {
			_, helper, _ := strings.Cut(needs, "\nfunc "+need[1]+"(t *testing.T) {\n")
			helper, _, _ = strings.Cut(helper, "\n}\n")
			body += helper
		}
		if !found || !strings.Contains(body, `"`+terraform+`"`) {
			t.Errorf("%s: %s is not skipped before %s", what, name, terraform)
		}
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
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			all.WriteString(readFile(t, file))
		}
	}
	return all.String()
}
