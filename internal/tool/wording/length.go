package wording

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Limits of a diagnostic's detail, in lines as the CLI wraps them in a terminal of 80 columns. A block to paste, a table and an
// error of the API in its own words count for nothing, nor do the blank lines around them.
const (
	width           = 78
	MaxWarningLines = 3
	MaxErrorLines   = 6
)

// blockBegin is the first line of a block of the configuration; its last one is a brace.
var blockBegin = regexp.MustCompile(`^[a-z]+( "[^"]*")* \{$`)

// apiError is a paragraph with an error in the words of the API, of a proxy or of the network.
var apiError = regexp.MustCompile(`^(API error |Unexpected API response |The API call failed: |` +
	`The read that would show the outcome failed |The "[a-z ]+" rate limit )`)

// Lines is the number of lines of a detail. Blank lines between its paragraphs count.
func Lines(detail string) int {
	lines := 0
	blank := 0
	text := false
	inBlock := false
	for line := range strings.SplitSeq(detail, "\n") {
		inBlock = inBlock || blockBegin.MatchString(line)
		switch {
		case line == "}" && inBlock:
			inBlock = false
			blank = 0
			text = false
		case inBlock, strings.HasPrefix(line, "  "), apiError.MatchString(line):
			blank = 0
			text = false
		case line == "":
			blank++
		default:
			if text {
				lines += blank
			}
			lines += wrapped(line)
			blank = 0
			text = true
		}
	}
	return lines
}

// wrapped is the number of lines of a paragraph.
func wrapped(paragraph string) int {
	lines := 1
	used := 0
	for word := range strings.FieldsSeq(paragraph) {
		length := utf8.RuneCountInString(word)
		if used > 0 && used+1+length > width {
			lines, used = lines+1, 0
		}
		if used > 0 {
			used++
		}
		used += length
	}
	return lines
}

// TooLong says by how much a detail is longer than the limit of its severity, "" for one that is not.
func TooLong(severity, summary, detail string) string {
	most := MaxErrorLines
	if severity == "warning" {
		most = MaxWarningLines
	}
	if lines := Lines(detail); lines > most {
		return fmt.Sprintf("the %s %q has %d lines, want at most %d:\n%s", severity, summary, lines, most, detail)
	}
	return ""
}
