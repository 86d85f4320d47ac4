package review

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

const (
	nothing     = "No effects that cannot be undone or that reach people."
	partialNote = "The plan is partial (-target, or deferred changes): effects of what it leaves out are not listed."
)

// counts says how many effects there are, by kind: "3 effects: 1 permanent, 2 email."
func (r *Review) counts() string {
	number := map[effect.Kind]int{}
	for _, row := range r.Rows {
		number[row.Kind]++
	}
	var parts []string
	for _, k := range effect.Kinds() {
		if number[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", number[k], k))
		}
	}
	noun := "effects"
	if len(r.Rows) == 1 {
		noun = "effect"
	}
	return fmt.Sprintf("%d %s: %s.", len(r.Rows), noun, strings.Join(parts, ", "))
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
		text.WriteString(nothing + "\n")
	} else {
		lines := [][4]string{{"KIND", "RESOURCE", "WHAT", "SUBJECT"}}
		for _, row := range r.Rows {
			lines = append(lines, [4]string{string(row.Kind), clean(row.Address), clean(row.What), clean(row.Subject)})
		}
		align(&text, lines)
		text.WriteString("\n" + r.counts() + "\n")
	}
	if r.Partial {
		text.WriteString(partialNote + "\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func align(text *strings.Builder, lines [][4]string) {
	var widths [4]int
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], min(maxColumn, utf8.RuneCountInString(cell)))
		}
	}
	for _, line := range lines {
		for i, cell := range line {
			text.WriteString(cell)
			if i < len(line)-1 {
				text.WriteString(strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(cell))+2))
			}
		}
		text.WriteString("\n")
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

// maxComment is the maximum length of the Markdown, in bytes: a comment on GitHub has at most 65,536 characters.
const maxComment = 60_000

// Markdown writes the review as a comment of a pull request: a heading, the count by kind, and a table.
func (r *Review) Markdown(out io.Writer) error {
	var text strings.Builder
	text.WriteString("### Effects of this plan\n\n")
	if len(r.Rows) == 0 {
		text.WriteString(nothing + "\n")
	} else {
		text.WriteString(r.counts() + "\n\n| Kind | Resource | What | Subject |\n|---|---|---|---|\n")
		for i, row := range r.Rows {
			line := fmt.Sprintf("| %s | %s | %s | %s |\n", row.Kind, code(row.Address), phrase(row.What), subject(row.Subject))
			if text.Len()+len(line) > maxComment {
				fmt.Fprintf(&text, "\n%d more effects are not shown: a comment would be too long. The formats `text` and `json` list all of them.\n", len(r.Rows)-i)
				break
			}
			text.WriteString(line)
		}
	}
	if r.Partial {
		text.WriteString("\n" + partialNote + "\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
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
