package acceptance

import (
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// contributorPages are those about the code, which users do not read.
var contributorPages = []string{"CONTRIBUTING.md", "DESIGN.md", "AGENTS.md", "RELEASING.md"}

var (
	codePath = regexp.MustCompile(`^\.?[\w.-]+(/[\w.-]+)*/?$`)
	codeFile = regexp.MustCompile(`\.(go|md|yml|json|txt|tmpl|mod|sum|tf|sh)$`)
	testName = regexp.MustCompile(`^(Test|Fuzz)[A-Z]\w*$`)
)

// namedOnly are a generated file, names that no file may have, and an import path.
var namedOnly = []string{"bin/test.json", "util.go", "helpers.go", "common.go", "golang.org/x/net/dns/dnsmessage"}

// Each path and each test that a page for contributors names exists. A path may omit its first directories.
func TestContributing_Paths(t *testing.T) {
	t.Parallel()
	listed, err := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard").Output()
	require.NoError(t, err)
	known := map[string]bool{}
	for file := range strings.Lines(string(listed)) {
		for file = strings.TrimSpace(file); file != "."; file = path.Dir(file) {
			parts := strings.Split(file, "/")
			for i := range parts {
				known[strings.Join(parts[i:], "/")] = true
			}
		}
	}
	for _, file := range namedOnly {
		known[file] = true
	}
	sources := sourcesOf(t, "*_test.go")
	for _, page := range contributorPages {
		found := 0
		for _, code := range inlineCode.FindAllStringSubmatch(fenced.ReplaceAllString(readFile(t, page), ""), -1) {
			switch name := code[1]; {
			case testName.MatchString(name):
				assert.Contains(t, sources, "\nfunc "+name+"(", "%s names a test that does not exist", page)
			case codePath.MatchString(name) && (codeFile.MatchString(name) || strings.Contains(name, "/")):
				found++
				assert.True(t, known[strings.TrimSuffix(name, "/")], "%s names %s, which does not exist", page, name)
			}
		}
		assert.NotZero(t, found, "%s names no path", page)
	}
}

var frontMatter = regexp.MustCompile(`(?s)^---\n(?:#[^\n]*\n)*page_title: "[^"\n]+"\n(?:subcategory: "[^"\n]*"\n)?description: \|-\n  \S[^\n]*\n.*?---\n`)

// A registry reads the title, the navigation and the description of a page from its front matter, and draws a table only
// where all rows have as many cells.
func TestDocs_Registry(t *testing.T) {
	t.Parallel()
	for page, text := range pages(t) {
		if strings.HasPrefix(page, "docs/") {
			assert.Regexp(t, frontMatter, text, "%s: front matter", page)
		}
		cells := 0
		for line := range strings.Lines(fenced.ReplaceAllString(text, "")) {
			row := strings.TrimSpace(line)
			if !strings.HasPrefix(row, "|") {
				cells = 0
				continue
			}
			row = strings.ReplaceAll(row, `\|`, "")
			if assert.True(t, strings.HasSuffix(row, "|"), "%s: a row without its end: %s", page, row) && cells != 0 {
				assert.Equal(t, cells, strings.Count(row, "|"), "%s: a row with more or fewer cells: %s", page, row)
			}
			cells = strings.Count(row, "|")
		}
	}
}
