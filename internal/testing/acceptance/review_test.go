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

	"github.com/privatelabels/terraform-provider-reseller/internal/command/listing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/goldentest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// savedPlan is the plan that planReviewed leaves in the directory.
const savedPlan = "saved.plan"

// planReviewed saves a plan, and fails unless its review lists what its warnings announce.
func (p project) planReviewed() []listing.Row {
	p.T.Helper()
	planned := p.Plan("-out=" + savedPlan)
	require.NotEqual(p.T, 1, planned.Code, planned.Out)
	p.File(savedPlan+".json", p.Raw("show", "-json", savedPlan))
	var listed struct{ Effects []listing.Row }
	require.NoError(p.T, json.Unmarshal([]byte(p.review("json")), &listed))
	compareReview(p.T, planned.Diagnostics, listed.Effects)
	return listed.Effects
}

// review runs the subcommand with an empty environment, because it needs none.
func (p project) review(format string) string {
	p.T.Helper()
	cmd := exec.Command(binaryOf(p.T), "review", "-format", format, savedPlan+".json")
	cmd.Dir, cmd.Env = p.Dir, []string{}
	var failed strings.Builder
	cmd.Stderr = &failed
	out, err := cmd.Output()
	require.NoError(p.T, err, "review:\n%s", failed.String())
	require.Empty(p.T, failed.String(), "review")
	return string(out)
}

// checkShownReview compares the review that a guide shows of a configuration with what the subcommand prints, and runs the
// command of each pipeline.
func (p project) checkShownReview(folder string) {
	p.T.Helper()
	printed := p.review("markdown")
	if shown := filepath.Join(folder, "review.md"); exists(shown) {
		goldentest.Check(p.T, shown, printed)
	}
	for _, pipeline := range []string{".github/actions/review/action.yml", ".gitlab-ci.yml", "atlantis.yaml"} {
		text, err := os.ReadFile(filepath.Join(p.Dir, filepath.FromSlash(pipeline)))
		if err != nil {
			continue
		}
		command := regexp.MustCompile(`(?m)terraform show -json \S+ \| .*$`).FindString(string(text))
		require.NotEmpty(p.T, command, "%s reviews no plan", pipeline)
		n := newNewcomer(p.T)
		assert.Contains(p.T, n.run(p.Dir, "cp "+savedPlan+" portals.plan; rm -f review.md; PLAN=portals.plan PLANFILE=portals.plan FAIL_ON=conflict; "+command+"; cat review.md || true"), printed, "%s: %s prints", pipeline, command)
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// compareReview: each warning of a topic has rows of its kinds, and each row has a warning of a topic of its kind.
func compareReview(t *testing.T, warnings providertest.Diagnostics, rows []listing.Row) {
	t.Helper()
	for _, w := range warnings {
		if topic, ok := topicOf(w); ok && !slices.ContainsFunc(rows, func(r listing.Row) bool { return r.Address == w.Address && topic.Announces(r.Kind) }) {
			t.Errorf("%s: %q is announced and not listed", w.Address, w.Summary)
		}
	}
	for _, r := range rows {
		if !slices.ContainsFunc(warnings, func(w providertest.Diagnostic) bool {
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

var deprovisioning = regexp.MustCompile(`^Deprovisioning \S+ (is permanent|will be permitted)$`)

func topicOf(w providertest.Diagnostic) (effect.Topic, bool) {
	summary := deprovisioning.ReplaceAllString(w.Summary, "Deprovisioning $1")
	all := effect.Topics()
	i := slices.IndexFunc(all, func(topic effect.Topic) bool { return topic.Summary == summary })
	if i < 0 {
		return effect.Topic{}, false
	}
	return all[i], true
}
