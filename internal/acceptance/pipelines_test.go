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
		folder   = "examples/configurations/ci/"
		drift    = folder + ".github/workflows/drift.yml"
		coverage = folder + ".github/workflows/coverage.yml"
		gitlab   = folder + ".gitlab-ci.yml"
	)
	for _, file := range []string{drift, coverage} {
		text := readFile(t, file)
		kept, fails := strings.Index(text, "uses: actions/cache/save@"), strings.LastIndex(text, "exit 1")
		assert.GreaterOrEqual(t, kept, 0, "%s fails before it keeps its report", file)
		assert.GreaterOrEqual(t, fails, kept, "%s fails before it keeps its report", file)
	}
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
		"GitHub, drift":    {drift, "      - id: review", "known.json"},
		"GitHub, coverage": {coverage, "      - id: coverage", "coverage.json"},
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
