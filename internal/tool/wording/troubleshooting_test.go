package wording_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// knownSummaries are those of the provider, and Terraform's own error that a page explains.
func knownSummaries(t *testing.T) []string {
	t.Helper()
	list, err := os.ReadFile(filepath.Join("testdata", "summaries.txt"))
	require.NoError(t, err)
	known := []string{"Provider produced inconsistent final plan"}
	for line := range strings.Lines(string(list)) {
		_, summary, _ := strings.Cut(strings.TrimSpace(line), "\t")
		known = append(known, summary)
	}
	return known
}

// quoted is what a page says that the CLI prints: in quotation marks, or in a block.
var quoted = regexp.MustCompile(`"([A-Z][a-z]+ [a-z][^"]*)"|(?m)^(?:Warning|Error): (.+)$`)

// Every summary that a page quotes exists.
func TestPages_QuotedSummaries(t *testing.T) {
	t.Parallel()
	known := knownSummaries(t)
	found := 0
	for _, pattern := range []string{"README.md", "docs/*.md", "docs/*/*.md"} {
		pages, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		for _, page := range pages {
			text, err := os.ReadFile(page)
			require.NoError(t, err)
			for _, match := range quoted.FindAllStringSubmatch(withoutCode(string(text)), -1) {
				found++
				assert.Contains(t, known, match[1]+match[2], "%s quotes, which is no summary", page)
			}
		}
	}
	const least = 4
	assert.GreaterOrEqual(t, found, least, "quotations")
}

// withoutCode is a page without its front matter and its blocks of code, but with those that show what is printed.
func withoutCode(page string) string {
	if _, body, ok := strings.Cut(page, "\n---\n"); ok {
		page = body
	}
	return regexp.MustCompile("(?ms)^ *```[a-z]+\n.*?\n *```$").ReplaceAllString(page, "")
}

// Users search for what they read: each section of the page is a summary, an error of the API, or Terraform's own
// error.
func TestTroubleshooting_HeadingsAreSummaries(t *testing.T) {
	t.Parallel()
	known := knownSummaries(t)
	page, err := os.ReadFile(filepath.Join(root, "templates", "guides", "troubleshooting.md.tmpl"))
	require.NoError(t, err)
	declared, tests := textOfSources(t)
	sections := 0
	for line := range strings.Lines(string(page)) {
		heading, isHeading := strings.CutPrefix(strings.TrimSpace(line), "## ")
		if !isHeading {
			continue
		}
		sections++
		if !slices.Contains(known, heading) && !strings.HasPrefix(heading, "API error ") {
			t.Errorf("%q is no summary", heading)
		}
		text := strings.TrimPrefix(heading, "API error ")
		if !slices.ContainsFunc(waysToName(declared, text), func(way string) bool { return strings.Contains(tests, way) }) {
			t.Errorf("no test produces %q", heading)
		}
	}
	const least = 10
	assert.GreaterOrEqual(t, sections, least)
}

// waysToName are the text of a summary, the constant or topic that has it, and the name that the tests of all packages share.
func waysToName(declared, text string) []string {
	ways, assigned := []string{text}, `(?:effect\.)?(?:NewTopic\()?`+regexp.QuoteMeta(strconv.Quote(text))
	for range 2 {
		found := regexp.MustCompile(`(?m)^(?:var|const)?\s*([A-Z]\w*)\s+= ` + assigned).FindStringSubmatch(declared)
		if found == nil {
			break
		}
		ways, assigned = append(ways, "."+found[1]), `\w+\.`+found[1]+`(?:\.Summary)?$`
	}
	return ways
}

// textOfSources is where summaries are declared, and what the tests of the other packages and what they share are written of.
func textOfSources(t *testing.T) (declared, tests string) {
	t.Helper()
	var product, checks strings.Builder
	err := filepath.WalkDir(filepath.Join(root, "internal"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == "wording" {
			return filepath.SkipDir
		}
		isTable := slices.Contains([]string{".txt", ".golden"}, filepath.Ext(path)) && strings.Contains(path, "testdata")
		if err != nil || filepath.Ext(path) != ".go" && !isTable {
			return err
		}
		text, err := os.ReadFile(path)
		isTest := isTable || strings.HasSuffix(path, "_test.go") || strings.Contains(filepath.ToSlash(path), "internal/testing/")
		if isTest && entry.Name() != "summaries.go" {
			checks.Write(text)
		} else {
			product.Write(text)
		}
		return err
	})
	require.NoError(t, err)
	return product.String(), checks.String()
}
