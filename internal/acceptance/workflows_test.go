package acceptance

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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
