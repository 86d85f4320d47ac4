package review

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

const (
	nothing     = "No effects that cannot be undone or that reach people."
	noDrift     = "No drift, and no effects that cannot be undone or that reach people."
	partialNote = "The plan is partial (-target, or deferred changes): effects of what it leaves out are not listed."
)

func (r *Review) nothing() string {
	if r.drift {
		return noDrift
	}
	return nothing
}

// number counts the effects by kind.
func (r *Review) number() map[effect.Kind]int { return countOf(r.Rows) }

func countOf(rows []Row) map[effect.Kind]int {
	number := map[effect.Kind]int{}
	for _, row := range rows {
		number[row.Kind]++
	}
	return number
}

// counts says how many effects there are, by kind: "3 effects: 1 permanent, 2 email".
func counts(rows []Row) string {
	number := countOf(rows)
	var parts []string
	for _, k := range effect.Kinds() {
		if number[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", number[k], k))
		}
	}
	noun := "effects"
	if len(rows) == 1 {
		noun = "effect"
	}
	return fmt.Sprintf("%d %s: %s", len(rows), noun, strings.Join(parts, ", "))
}

// JSON writes the review for programs.
func (r *Review) JSON(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(struct {
		FormatVersion string `json:"format_version"`
		Effects       []Row  `json:"effects"`
	}{"1", r.Rows})
}

// maxColumn is the widest column that is aligned, in characters.
const maxColumn = 110

// Text writes the review for a terminal, in aligned columns.
func (r *Review) Text(out io.Writer) error {
	var text strings.Builder
	if len(r.Rows) == 0 {
		text.WriteString(r.nothing() + "\n")
	} else {
		lines := [][4]string{{"KIND", "RESOURCE", "WHAT", "SUBJECT"}}
		for _, row := range r.Rows {
			lines = append(lines, [4]string{string(row.Kind), clean(row.Address), clean(row.What), clean(row.Subject)})
		}
		align(&text, lines)
		text.WriteString("\n" + counts(r.Rows) + ".\n")
	}
	if r.Partial {
		text.WriteString(partialNote + "\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func align(text *strings.Builder, lines [][4]string) {
	var w [3]int
	for _, line := range lines {
		for i := range w {
			w[i] = max(w[i], min(maxColumn, utf8.RuneCountInString(line[i])))
		}
	}
	for _, line := range lines {
		fmt.Fprintf(text, "%-*s  %-*s  %-*s  %s\n", w[0], line[0], w[1], line[1], w[2], line[2], line[3])
	}
}

// clean returns a text on one line that cannot control a terminal: characters that are not printable are escaped.
func clean(text string) string {
	text = strings.ToValidUTF8(text, string(unicode.ReplacementChar))
	if !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			out.WriteRune(r)
			continue
		}
		out.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
	}
	return out.String()
}

const (
	// maxComment is the maximum length of the Markdown, in bytes: a comment on GitHub has at most 65,536 characters.
	maxComment = 59_000
	// maxFlat is the largest number of rows in one table. More are folded, by private label.
	maxFlat = 40
)

const tableHead = "| Kind | Resource | What | Subject |\n|---|---|---|---|\n"

// Markdown writes the review as a comment of a pull request: a heading, the count by kind, and a table. Many rows are a
// table of the counts, and a folded table for each private label.
func (r *Review) Markdown(out io.Writer) error {
	var text strings.Builder
	text.WriteString("### Effects of this plan\n\n")
	switch {
	case len(r.Rows) == 0:
		text.WriteString(r.nothing() + "\n")
	case len(r.Rows) <= maxFlat:
		text.WriteString(counts(r.Rows) + ".\n\n")
		table(&text, r.Rows)
	default:
		r.folded(&text)
	}
	if r.Partial {
		text.WriteString("\n" + partialNote + "\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// table writes as many rows as a comment has room for, and returns the others.
func table(text *strings.Builder, rows []Row) []Row {
	text.WriteString(tableHead)
	for i, row := range rows {
		line := fmt.Sprintf("| %s | %s | %s | %s |\n", row.Kind, code(row.Address), phrase(row.What), subject(row.Subject))
		if text.Len()+len(line) > maxComment {
			return rows[i:]
		}
		text.WriteString(line)
	}
	return nil
}

// folded writes the counts and as many folded tables as fit. Private labels are in the order of their host names, and the
// rows of none come last.
func (r *Review) folded(text *strings.Builder) {
	fmt.Fprintf(text, "%s.\n\n| Kind | Effects |\n|---|---|\n", counts(r.Rows))
	number := r.number()
	groups := map[string][]Row{}
	for _, row := range r.Rows {
		groups[row.host] = append(groups[row.host], row)
	}
	for _, k := range effect.Kinds() {
		if number[k] > 0 {
			fmt.Fprintf(text, "| %s | %d |\n", k, number[k])
		}
	}
	hosts := slices.Sorted(maps.Keys(groups))
	if hosts[0] == "" {
		hosts = append(hosts[1:], "")
	}
	left := 0
	for _, host := range hosts {
		rows := groups[host]
		title := "Other resources"
		if host != "" {
			title = htmlCode(clean(host))
		}
		head := fmt.Sprintf("\n<details><summary>%s: %s</summary>\n\n", title, counts(rows))
		if text.Len()+len(head)+len(tableHead) > maxComment {
			left += len(rows)
			continue
		}
		text.WriteString(head)
		left += len(table(text, rows))
		text.WriteString("\n</details>\n")
	}
	if left > 0 {
		fmt.Fprintf(text, "\n%d more effects are not shown: a comment would be too long. The formats `text` and `json` list all of them.\n", left)
	}
}

// Texts that need no escape: in a code span, and outside of one.
var (
	plainCode   = regexp.MustCompile("^[^`|\\\\\\s]([^`|\\\\]*[^`|\\\\\\s])?$")
	plainPhrase = regexp.MustCompile(`^([\pL\pN .,:;()%+/-]|[\pL\pN]_[\pL\pN])*$`)
)

// code formats a value for a cell of a table. A code span cannot contain every character of a cell; HTML can, with
// special characters as numeric references.
func code(text string) string {
	text = clean(text)
	if plainCode.MatchString(text) {
		return "`" + text + "`"
	}
	return htmlCode(text)
}

func htmlCode(text string) string {
	var out strings.Builder
	out.WriteString("<code>")
	for _, r := range text {
		if r == ' ' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			out.WriteRune(r)
			continue
		}
		fmt.Fprintf(&out, "&#%d;", r)
	}
	return out.String() + "</code>"
}

// subject formats a value, or its placeholder.
func subject(text string) string {
	if text == effect.KnownAfterApply || text == hiddenText {
		return text
	}
	return code(text)
}

// phrase formats what happens, for a cell of a table.
func phrase(text string) string {
	if plainPhrase.MatchString(text) {
		return text
	}
	return code(text)
}
