package wording_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/tool/wording"
)

// literal is code in a page: names of the API and of files keep their spelling.
var literal = regexp.MustCompile("`[^`]*`")

// Pages, examples and the changelog contain none of the banned words.
func TestPages_NoBannedWords(t *testing.T) {
	t.Parallel()
	var pages []string
	for _, pattern := range []string{"*.md", ".changelog/*.md", ".github/*.md", ".github/ISSUE_TEMPLATE/*.yml", "internal/simulator/*.md", "internal/simulator/page/*.tmpl"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		pages = append(pages, found...)
	}
	for _, dir := range []string{"docs", "templates", "examples", "demo"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, _ fs.DirEntry, err error) error {
			if slices.Contains([]string{".md", ".tmpl", ".tf", ".hcl", ".sh", ".yml"}, filepath.Ext(path)) {
				pages = append(pages, path)
			}
			return err
		})
		require.NoError(t, err)
	}
	const least = 100
	require.GreaterOrEqual(t, len(pages), least)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			if strings.Contains(line, "§") && strings.HasPrefix(page, filepath.Join(root, "docs")) {
				t.Errorf("%s:%d: a section of a document that users do not have: %s", page, number, strings.TrimSpace(line))
			}
			for _, word := range wording.Banned(literal.ReplaceAllString(line, "")) {
				t.Errorf("%s:%d: %s in: %s", strings.TrimPrefix(page, root+string(filepath.Separator)), number, word, strings.TrimSpace(line))
			}
		}
	}
}

// block is code in a page, and heading a line that may quote a summary.
var (
	block   = regexp.MustCompile("(?ms)^ *```.*?\n *```$")
	heading = regexp.MustCompile(`(?m)^#+ .*$`)
)

// The sentences of pages have none of the forms that read as translated.
func TestPages_Syntax(t *testing.T) {
	t.Parallel()
	found := 0
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", ".changelog/*.md", "internal/simulator/*.md"} {
		pages, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		for _, page := range pages {
			text, err := os.ReadFile(page)
			require.NoError(t, err)
			found++
			prose := heading.ReplaceAllString(literal.ReplaceAllString(block.ReplaceAllString(string(text), ""), "x"), "")
			for paragraph := range strings.SplitSeq(prose, "\n\n") {
				for _, form := range wording.Syntax(paragraph) {
					t.Errorf("%s: %s in: %s", strings.TrimPrefix(page, root+string(filepath.Separator)), form, strings.TrimSpace(paragraph))
				}
			}
		}
	}
	const least = 50
	require.GreaterOrEqual(t, found, least)
}
