package listing

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Widths of text that is not for a terminal, and of the narrowest terminal, in characters.
const (
	textWidth    = 100
	narrowestTTY = 40
)

// page is text whose lines are no wider than it.
type page struct {
	strings.Builder
	width int
}

// line writes a text behind its head. Further lines are indented as far as the head; a word that is wider is broken.
func (p *page) line(head, text string) {
	indent := utf8.RuneCountInString(head)
	room := max(p.width-indent, 1)
	for text = strings.TrimSpace(text); text != ""; head = strings.Repeat(" ", indent) {
		var line string
		line, text = cutLine(text, room)
		p.WriteString(head + line + "\n")
	}
}

// cutLine returns the words of a text that fit, and the rest.
func cutLine(text string, room int) (line, rest string) {
	runes := []rune(text)
	if len(runes) <= room {
		return text, ""
	}
	at := strings.LastIndex(string(runes[:room+1]), " ")
	if at <= 0 {
		return string(runes[:room]), string(runes[room:])
	}
	return strings.TrimRight(text[:at], " "), strings.TrimLeft(text[at:], " ")
}

// text is for a terminal.
func (l *Listing) text(width int) string {
	p := &page{width: width}
	p.line("", l.Title)
	p.WriteString("\n")
	if len(l.Rows) > 0 {
		p.rows(l.Rows)
		p.WriteString("\n")
	}
	p.line("", l.sum())
	if len(l.Known) > 0 {
		p.WriteString("\nKnown, and not counted:\n\n")
		p.rows(l.Known)
		p.WriteString("\n")
	}
	for _, note := range l.Notes {
		p.line("", note)
	}
	for _, s := range l.forecasts() {
		p.WriteString("\n")
		p.line("", s.title+":")
		for _, line := range s.lines {
			p.line("  ", line)
		}
	}
	return p.String()
}

// rows are sentences behind their kinds, with the address and what belongs to a row on lines of their own.
func (p *page) rows(rows []Row) {
	kind := 0
	for _, row := range rows {
		kind = max(kind, len(row.Kind))
	}
	for _, row := range rows {
		p.line(fmt.Sprintf("%-*s  ", kind, row.Kind), row.inWords())
		below := strings.Repeat(" ", kind+2)
		p.line(below, Clean(row.Address))
		for _, with := range row.Beneath {
			p.line(below+"- ", Clean(with))
		}
	}
}

// inWords names the subject, its private label, and what happens.
func (r Row) inWords() string {
	name := Clean(r.Subject)
	if portal := Clean(r.shownPortal()); portal != "" && portal != name {
		name += " (" + strings.Trim(portal, "()") + ")"
	}
	return name + ": " + Clean(r.what())
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
