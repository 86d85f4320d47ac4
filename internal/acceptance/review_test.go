package acceptance

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/review"
)

// savedPlan is the plan that planReviewed leaves in the directory.
const savedPlan = "saved.plan"

// warning is a diagnostic of `plan -json`.
type warning struct{ Summary, Address string }

// planReviewed saves a plan, and fails unless its review lists what its warnings announce.
func planReviewed(t *testing.T, dir, rc, binary string) []review.Row {
	t.Helper()
	var warnings []warning
	for line := range strings.Lines(runCLI(t, dir, rc, "plan", "-json", "-input=false", "-out="+savedPlan)) {
		var parsed struct{ Diagnostic *warning }
		if json.Unmarshal([]byte(line), &parsed) == nil && parsed.Diagnostic != nil {
			warnings = append(warnings, *parsed.Diagnostic)
		}
	}
	write(t, filepath.Join(dir, savedPlan+".json"), runCLI(t, dir, rc, "show", "-json", savedPlan))
	var listed struct{ Effects []review.Row }
	require.NoError(t, json.Unmarshal([]byte(runReview(t, dir, binary, "-format", "json", savedPlan+".json")), &listed))
	compareReview(t, warnings, listed.Effects)
	return listed.Effects
}

// runReview runs the subcommand with an empty environment, because it needs none.
func runReview(t *testing.T, dir, binary string, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"review"}, args...)...)
	cmd.Dir, cmd.Env = dir, []string{}
	var failed strings.Builder
	cmd.Stderr = &failed
	out, err := cmd.Output()
	require.NoError(t, err, "review:\n%s", failed.String())
	require.LessOrEqual(t, failed.Len(), 0, "review:\n%s", failed.String())
	return string(out)
}

// checkShownReview compares the review that the guide shows with what the subcommand prints, and runs the command of each
// pipeline.
func checkShownReview(t *testing.T, dir, binary string) {
	t.Helper()
	printed := runReview(t, dir, binary, "-format", "markdown", savedPlan+".json")
	if shown, err := os.ReadFile(filepath.Join(dir, "review.md")); err == nil && string(shown) != printed {
		t.Errorf("review.md shows\n%s\nand the review prints\n%s", shown, printed)
	}
	for _, pipeline := range []string{".github/workflows/portals.yml", ".gitlab-ci.yml"} {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(pipeline)))
		if err != nil {
			continue
		}
		command := regexp.MustCompile(`(?m)terraform show -json portals\.plan \| .*$`).FindString(string(text))
		if command == "" {
			t.Errorf("%s reviews no plan", pipeline)
			continue
		}
		n := newNewcomer(t)
		assert.Contains(t, n.run(dir, "cp "+savedPlan+" portals.plan; "+command+"; cat review.md"), printed, "%s: %s prints", pipeline, command)
	}
}

// compareReview: each warning of a topic has rows of its kinds, and each row has a warning of a topic of its kind.
func compareReview(t *testing.T, warnings []warning, rows []review.Row) {
	t.Helper()
	for _, w := range warnings {
		if topic, ok := topicOf(w); ok && !slices.ContainsFunc(rows, func(r review.Row) bool { return r.Address == w.Address && topic.Announces(r.Kind) }) {
			t.Errorf("%s: %q is announced and not listed", w.Address, w.Summary)
		}
	}
	for _, r := range rows {
		if !slices.ContainsFunc(warnings, func(w warning) bool {
			topic, ok := topicOf(w)
			return ok && block(r.Address) == block(w.Address) && topic.Announces(r.Kind)
		}) {
			t.Errorf("%+v is listed and not announced", r)
		}
	}
}

var instanceKey = regexp.MustCompile(`\[[^\]]*\]`)

// block is the address without instance keys: Terraform 1.15 shows equal warnings of one block once.
func block(address string) string { return instanceKey.ReplaceAllString(address, "") }

var deprovisioning = regexp.MustCompile(`^Deprovisioning \S+ is permanent$`)

func topicOf(w warning) (effect.Topic, bool) {
	summary := w.Summary
	if deprovisioning.MatchString(summary) {
		summary = privatelabel.TopicDeprovisioning.Summary
	}
	all := effect.Topics()
	i := slices.IndexFunc(all, func(topic effect.Topic) bool { return topic.Summary == summary })
	if i < 0 {
		return effect.Topic{}, false
	}
	return all[i], true
}
