package listing

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxColumn is the widest column that is aligned, in characters.
const maxColumn = 110

// text is for a terminal, in aligned columns.
func (l *Listing) text() string {
	var out strings.Builder
	if len(l.Rows) > 0 {
		align(&out, l.Rows)
		out.WriteString("\n")
	}
	out.WriteString(l.sum() + "\n")
	if len(l.Known) > 0 {
		fmt.Fprintf(&out, "\nKnown, and not counted:\n\n")
		align(&out, l.Known)
		out.WriteString("\n")
	}
	for _, note := range l.Notes {
		out.WriteString(note + "\n")
	}
	for _, s := range l.forecasts() {
		fmt.Fprintf(&out, "\n%s:\n", s.title)
		for _, line := range s.lines {
			out.WriteString("  " + line + "\n")
		}
	}
	return out.String()
}

func align(text *strings.Builder, rows []Row) {
	lines := [][5]string{{"KIND", "PORTAL", "RESOURCE", "WHAT", "SUBJECT"}}
	for _, row := range rows {
		lines = append(lines, [5]string{string(row.Kind), Clean(row.shownPortal()), Clean(row.Address), Clean(row.what()), Clean(row.Subject)})
	}
	var w [4]int
	for _, line := range lines {
		for i := range w {
			w[i] = max(w[i], min(maxColumn, utf8.RuneCountInString(line[i])))
		}
	}
	for _, line := range lines {
		fmt.Fprintf(text, "%-*s  %-*s  %-*s  %-*s  %s\n", w[0], line[0], w[1], line[1], w[2], line[2], w[3], line[3], line[4])
	}
}

// what happens, what it costs, and how long it is known.
func (r Row) what() string {
	out := r.What
	switch {
	case r.Price != nil:
		out += ", " + r.Price.String()
	case r.Unpriced:
		out += ", price unknown"
	}
	if r.Until != "" {
		out += " (known until " + r.Until + ")"
	}
	return out
}

// Clean returns a text on one line that cannot control a terminal.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}
