// Package printable prepares texts of an API for display.
package printable

import (
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns text that a terminal shows and does not interpret. Invalid UTF-8, control characters other than tab
// and newline, and characters that are invisible or change the direction of text become U+FFFD. A carriage return
// before a newline is removed.
func Text(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, ActsOnTerminal) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if ActsOnTerminal(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
}

// Writer writes as Text returns.
type Writer struct{ io.Writer }

func (w Writer) Write(data []byte) (int, error) {
	_, err := io.WriteString(w.Writer, Text(string(data)))
	return len(data), err
}

// OneLine returns text with spaces in place of line breaks, so that no part of it looks like a line of its own.
func OneLine(text string) string {
	return strings.Join(strings.Fields(text), " ")
}

// ActsOnTerminal reports whether a terminal could interpret r: category Cc (C0, DEL and C1), category Cf (bidirectional
// overrides, zero-width characters and tags), and the line breaks U+2028 and U+2029.
func ActsOnTerminal(r rune) bool {
	return r != '\t' && r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Cut returns text with at most limit characters. It omits the middle, since a message ends with the remedy.
func Cut(text string, limit int) string {
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text
	}
	const mark = " […] "
	tail := limit / 3
	head := limit - tail - utf8.RuneCountInString(mark)
	// No character has more than four bytes.
	first := []rune(text[:min(len(text), head*utf8.UTFMax)])
	last := []rune(text[max(0, len(text)-tail*utf8.UTFMax):])
	return string(first[:head]) + mark + string(last[len(last)-tail:])
}

// Number returns a number without an exponent: a million is 1000000, not 1e+06.
func Number(n float64) string {
	return strconv.FormatFloat(n, 'f', -1, 64)
}
