package wording_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Users search for what they read: each section of the page is a summary, an error of the API, or Terraform's own
// error.
func TestTroubleshooting_HeadingsAreSummaries(t *testing.T) {
	t.Parallel()
	list, err := os.ReadFile(filepath.Join("testdata", "summaries.txt"))
	if err != nil {
		t.Fatal(err)
	}
	known := []string{"Provider produced inconsistent final plan"}
	for line := range strings.Lines(string(list)) {
		_, summary, _ := strings.Cut(strings.TrimSpace(line), "\t")
		known = append(known, summary)
	}
	page, err := os.ReadFile(filepath.Join(root, "templates", "guides", "troubleshooting.md.tmpl"))
	if err != nil {
		t.Fatal(err)
	}
	sections := 0
	for line := range strings.Lines(string(page)) {
		heading, is := strings.CutPrefix(strings.TrimSpace(line), "## ")
		if !is {
			continue
		}
		sections++
		if !slices.Contains(known, heading) && !strings.HasPrefix(heading, "API error ") {
			t.Errorf("%q is no summary", heading)
		}
	}
	const least = 10
	if sections < least {
		t.Errorf("%d sections, want at least %d", sections, least)
	}
}
