package acceptance

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// scriptOf is the script of several lines that follows a line of a pipeline.
func scriptOf(t *testing.T, file, after string) string {
	t.Helper()
	_, rest, found := strings.Cut(readFile(t, file), "\n"+after+"\n")
	script := regexp.MustCompile(`(?m)^ *(?:run:|-) \|\n((?: {6,}.*\n)+)`).FindStringSubmatch(rest)
	require.True(t, found, "%s has no script after %q", file, after)
	require.NotNil(t, script, "%s has no script after %q", file, after)
	indent := len(script[1]) - len(strings.TrimLeft(script[1], " "))
	var lines []string
	for line := range strings.Lines(script[1]) {
		if len(line) <= indent || strings.TrimSpace(line[:indent]) != "" {
			break
		}
		lines = append(lines, line[indent:])
	}
	return strings.Join(lines, "")
}

// The pipelines that look for drift and for what no state manages fail once for each change: the report of a run is kept
// before the job fails, and is what the next one knows. Both run in one directory, as in one job.
func TestPipelines_FailOnce(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"bash", "jq"} { // of the runners
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s: %v", tool, err)
		}
	}
	const (
		folder = "examples/configurations/ci/"
		github = folder + ".github/workflows/drift.yml"
		gitlab = folder + ".gitlab-ci.yml"
	)
	text := readFile(t, github)
	saved, fails := strings.Index(text, "uses: actions/cache/save@"), strings.LastIndex(text, "exit 1")
	for _, step := range []string{"      - id: review\n", "      - id: coverage\n"} {
		assert.Greater(t, saved, strings.Index(text, step), "%s keeps its reports before it has them", github)
	}
	assert.Greater(t, fails, saved, "%s fails before it keeps its reports", github)
	assert.Contains(t, text, "if: steps.review.outputs.status == '2' || steps.coverage.outputs.status == '2'\n        run: exit 1")
	mirror := providertest.MirrorOf(t, providertest.TestVersion)
	n, dir := newNewcomer(t), t.TempDir()
	n.env = append(n.env, "TF_CLI_CONFIG_FILE="+mirror.RC, "RESELLER_SIMULATOR="+filepath.Join(dir, "simulator.json"),
		"GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary.md"), "GITHUB_OUTPUT="+filepath.Join(dir, "output"))
	write(t, filepath.Join(dir, "main.tf"), `
terraform {
  required_providers {
    reseller = {
      source = "privatelabels/reseller"
    }
  }
}
resource "reseller_private_label" "acme" {
  domain   = "sign.acme.example"
  app_name = "Acme"
  owner    = { email = "ada@acme.example", first_name = "Ada", last_name = "Lovelace" }
}
`)
	n.run(dir, "terraform init && terraform apply")
	n.run(dir, "'"+mirror.Binary+"' simulate do -data simulator.json suspend sign.acme.example -by platform")
	n.run(dir, "'"+mirror.Binary+"' simulate do -data simulator.json provision sign.other.example")
	n.run(dir, "terraform plan -lock=false -refresh-only -out=drift.plan")
	n.run(dir, "terraform show -json > state.json") // a line of its own on GitLab
	status := func(script string) int {
		t.Helper()
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
		cmd.Dir, cmd.Env = dir, n.env
		out, err := cmd.CombinedOutput()
		var failed *exec.ExitError
		if err != nil && !errors.As(err, &failed) {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
		return cmd.ProcessState.ExitCode()
	}
	for name, pipeline := range map[string]struct{ file, step, kept string }{
		"GitHub, drift":    {github, "      - id: review", "known.json"},
		"GitHub, coverage": {github, "      - id: coverage", "coverage.json"},
		"GitLab, drift":    {gitlab, "drift:", "known.json"},
		"GitLab, coverage": {gitlab, "coverage:", "coverage.json"},
	} {
		script := scriptOf(t, pipeline.file, pipeline.step)
		_ = os.Remove(filepath.Join(dir, pipeline.kept))
		for _, want := range []int{2, 0} {
			_ = os.Remove(filepath.Join(dir, "output"))
			got := status(script)
			if said, err := os.ReadFile(filepath.Join(dir, "output")); err == nil && got == 0 {
				if strings.Contains(string(said), "status=2\n") {
					got = 2
				}
			}
			assert.Equal(t, want, got, "%s: status", name)
		}
		assert.Contains(t, readFile(t, filepath.Join(dir, pipeline.kept)), "sign.", "%s keeps", name)
	}
	assert.Contains(t, readFile(t, filepath.Join(dir, "known.json")), "suspended by the platform", "known drift")
	kept := readFile(t, filepath.Join(dir, "coverage.json"))
	assert.Contains(t, kept, `"unmanaged"`, "known coverage")
	assert.Contains(t, kept, "sign.other.example", "known coverage")
}

// What -fail-on names stops the pipeline, and so does a plan that cannot be reviewed. Each script is run as it is printed.
func TestPipelines_FailClosed(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash: ", err)
	}
	const (
		folder = "examples/configurations/ci/"
		action = folder + ".github/actions/review/action.yml"
		portal = folder + ".github/workflows/portals.yml"
		byHand = folder + ".github/workflows/apply.yml"
		gitlab = folder + ".gitlab-ci.yml"
	)
	mirror := providertest.MirrorOf(t, providertest.TestVersion)
	n, dir := newNewcomer(t), t.TempDir()
	n.env = append(n.env, "TF_CLI_CONFIG_FILE="+mirror.RC, "RESELLER_SIMULATOR="+filepath.Join(dir, "simulator.json"), "GITHUB_REPOSITORY=agency/portals",
		"GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary.md"), "GITHUB_OUTPUT="+filepath.Join(dir, "output"), "PLAN=portals.plan", "PLANFILE=portals.plan",
		"FAIL_ON="+regexp.MustCompile(`default: (conflict\S*)`).FindStringSubmatch(readFile(t, action))[1])
	configure := func(resource string) {
		write(t, filepath.Join(dir, "main.tf"), `
terraform {
  required_providers {
    reseller = {
      source = "privatelabels/reseller"
    }
  }
}
`+resource)
	}
	configure(`
resource "reseller_private_label" "acme" {
  domain          = "sign.acme.example"
  app_name        = "Acme"
  owner           = { email = "ada@acme.example", first_name = "Ada", last_name = "Lovelace" }
  deletion_policy = "DEPROVISION"
}
`)
	n.run(dir, "terraform init && terraform apply")
	run := func(shell []string, script, before string) (output string, code int) {
		t.Helper()
		for _, name := range []string{"output", "destroys", "review.md"} {
			_ = os.Remove(filepath.Join(dir, name))
		}
		cmd := exec.Command(shell[0], append(shell[1:], before+script)...)
		cmd.Dir, cmd.Env = dir, n.env
		out, err := cmd.CombinedOutput()
		if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
			t.Fatalf("%v\n%s", err, out)
		}
		said, _ := os.ReadFile(filepath.Join(dir, "output"))
		return string(said), cmd.ProcessState.ExitCode()
	}
	github, alpine := []string{"bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"}, []string{"sh", "-ec"}
	check := func(stops string, code int) {
		t.Helper()
		said, got := run(github, scriptOf(t, action, "    - id: review"), "")
		assert.Equal(t, code, got, "GitHub")
		assert.Equal(t, stops, said, "GitHub")
		_, got = run(alpine, scriptOf(t, gitlab, "plan:"), "")
		assert.Equal(t, code, got, "GitLab")
		assert.Equal(t, stops == "stops=true\n", exists(filepath.Join(dir, "destroys")), "GitLab")
		atlantis := regexp.MustCompile(`(?m)- run: (terraform show .*)$`).FindStringSubmatch(readFile(t, folder+"atlantis.yaml"))
		require.NotNil(t, atlantis)
		_, got = run([]string{"sh", "-c"}, atlantis[1], "")
		assert.Equal(t, code, got, "Atlantis")
	}
	n.run(dir, "terraform plan -out=portals.plan")
	check("stops=false\n", 0)
	configure("")
	n.run(dir, "terraform plan -out=portals.plan")
	check("stops=true\n", 0)
	write(t, filepath.Join(dir, "portals.plan"), "no plan")
	check("", 1)

	// A job that applies follows only a review that stops nothing, or a person.
	assert.Contains(t, readFile(t, portal), "\n    if: github.event_name == 'push' && vars.PORTALS_REVIEWED == 'true'\n    needs: plan\n")
	stop := scriptOf(t, portal, "      - if: steps.review.outputs.stops != 'false' && (github.event_name == 'push' || !contains(github.event.pull_request.labels.*.name, 'allow-destructive'))")
	_, code := run(github, stop, "")
	assert.Equal(t, 1, code)
	jobs := readFile(t, gitlab)
	assert.Contains(t, jobs, "\napply:\n  extends: .apply\n  script:\n    - test ! -e destroys")
	assert.Regexp(t, `(?s)\napply by hand:\n.*when: manual\n`, jobs)
	assert.NotContains(t, readFile(t, byHand), "push:")

	// The plan that is applied by hand is one of main.
	const gh = `gh() { echo "$SEEN"; }; `
	script := scriptOf(t, byHand, `      - name: The run is one of "Portals" on main`)
	for seen, want := range map[string]int{"Portals main push": 0, "Portals feature pull_request": 1, "Other main push": 1, "": 1} {
		_, code := run(github, script, gh+"SEEN='"+seen+"' RUN=17\n")
		assert.Equal(t, want, code, seen)
	}
	_, code = run(github, script, gh+"SEEN='Portals main push' RUN='1; rm'\n")
	assert.Equal(t, 1, code)
}
