// Package wording has the words that diagnostics, documentation and comments must not use.
package wording

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed banned.txt
var list string

// word is one row of the list.
type word struct {
	letters    []string // in every match, in lower case: most texts lack them, and an expression is slow
	expression *regexp.Regexp
	instead    string
}

// columns separates an expression from what to write instead.
var columns = regexp.MustCompile(`\s{2,}`)

var banned = parse(list)

func parse(rows string) []word {
	var words []word
	for row := range strings.Lines(rows) {
		row = strings.TrimSpace(row)
		if row == "" || strings.HasPrefix(row, "#") {
			continue
		}
		parts := columns.Split(row, 2)
		if len(parts) != 2 {
			panic(fmt.Sprintf("%q has no column of what to write instead", row))
		}
		pattern := strings.ReplaceAll(regexp.QuoteMeta(parts[0]), `\*`, `[\pL\d]*`)
		pattern = strings.ReplaceAll(pattern, " ", `\s+`)
		letters := strings.Fields(strings.ReplaceAll(strings.ToLower(parts[0]), "*", " "))
		words = append(words, word{letters, regexp.MustCompile(`(?i)(?:^|[^\pL\d_])(` + pattern + `)(?:$|[^\pL\d_])`), parts[1]})
	}
	return words
}

// Banned returns the words of a text that are on the list, each with what to write instead.
func Banned(text string) []string {
	var found []string
	lower := strings.ToLower(text)
	for _, w := range banned {
		if !w.mayBeIn(lower) {
			continue
		}
		for _, m := range w.expression.FindAllStringSubmatch(text, -1) {
			found = append(found, fmt.Sprintf("%q: write %s", m[1], w.instead))
		}
	}
	return found
}

func (w *word) mayBeIn(lower string) bool {
	for _, letters := range w.letters {
		if !strings.Contains(lower, letters) {
			return false
		}
	}
	return true
}
