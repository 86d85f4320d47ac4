package listing

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

const (
	// maxComment is the maximum length of the Markdown, in bytes: a comment on GitHub has at most 65,536 characters.
	maxComment = 59_000
	// reserve is for the sentence that counts what is omitted.
	reserve = 600
	// maxTable is the maximum length of the table of harmful rows, so that there is room for the others.
	maxTable = 30_000
	// maxFlat is the largest number of rows in one table.
	maxFlat = 40
	// manyPortals is the smallest number of private labels whose rows about one person are one line.
	manyPortals = 3
)

// comment is Markdown that does not grow beyond the limit.
type comment struct {
	strings.Builder
	left []Row
	held int // bytes for what comes at the end
}

// add writes a text if it fits.
func (c *comment) add(text string) bool {
	hasRoom := c.Len()+len(text)+c.held <= maxComment-reserve
	if hasRoom {
		c.WriteString(text)
	}
	return hasRoom
}

// markdown is a comment of a pull request: a heading, the count by kind, and a table. Many rows are a table of the counts,
// the harmful rows, and a folded table for each private label.
func (l *Listing) markdown() string {
	var c comment
	fmt.Fprintf(&c, "### %s\n\n%s\n", l.Title, l.sum())
	for _, note := range l.Notes {
		c.WriteString("\n" + note + "\n")
	}
	var end strings.Builder
	for _, s := range l.forecasts() {
		fmt.Fprintf(&end, "\n**%s**\n\n", phrase(s.title))
		for _, line := range s.lines {
			end.WriteString("- " + phrase(line) + "\n")
		}
	}
	c.held = end.Len()
	if len(l.Rows) > maxFlat || !c.add(table(l.Rows, true)) {
		l.folded(&c)
	}
	if len(c.left) > 0 {
		fmt.Fprintf(&c, "\n%d more %ss are not shown: %s. A comment would be too long. The formats `text` and `json` list all of them.\n",
			len(c.left), l.Noun, l.byKinds(c.left))
	}
	c.held = 0
	c.add(end.String())
	if head := "Known, and not counted: "; len(l.Known) > 0 && !c.add(fold(head+l.counts(l.Known), table(l.Known, true))) {
		fmt.Fprintf(&c, "\n%s%s.\n", head, l.counts(l.Known))
	}
	return c.String()
}

// table has a column for the portal, unless its title names that.
func table(rows []Row, portals bool) string {
	if len(rows) == 0 {
		return ""
	}
	var out strings.Builder
	if portals {
		out.WriteString("\n| Kind | Portal | Resource | What | Subject |\n|---|---|---|---|---|\n")
	} else {
		out.WriteString("\n| Kind | Resource | What | Subject |\n|---|---|---|---|\n")
	}
	for _, row := range rows {
		cells := []string{string(row.Kind), subject(row.shownPortal()), code(row.Address), row.cell(), subject(row.Subject)}
		switch {
		case !portals:
			cells = slices.Delete(cells, 1, 2)
		case row.shownPortal() == "":
			cells[1] = ""
		}
		out.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	return out.String()
}

// cell says what happens, and what else the row is about.
func (r Row) cell() string {
	return strings.Join(append([]string{phrase(r.what())}, slice.Map(r.Beneath, code)...), "<br>")
}

// fold is a table that a reader unfolds.
func fold(title, table string) string {
	return fmt.Sprintf("\n<details><summary>%s</summary>\n%s\n</details>\n", title, table)
}

// folded writes the counts, all harmful rows, and as much of the others as fits.
func (l *Listing) folded(c *comment) {
	c.WriteString("\n| Kind | Number |\n|---|---|\n")
	number := Number(l.Rows)
	for _, k := range l.Kinds {
		if number[k] > 0 {
			fmt.Fprintf(c, "| %s | %d |\n", k, number[k])
		}
	}
	harmful := slices.Clone(l.Rows)
	others := slices.DeleteFunc(slices.Clone(l.Rows), func(r Row) bool { return l.rank(r.Kind) <= l.rank(l.Named) })
	harmful = slices.DeleteFunc(harmful, func(r Row) bool { return l.rank(r.Kind) > l.rank(l.Named) })
	c.harmful(harmful)
	for _, g := range l.groups(c.people(others)) {
		c.group(l, g)
	}
}

// harmful writes each row: as a table, or more densely where that is too long.
func (c *comment) harmful(rows []Row) {
	if text := table(rows, true); len(text) <= maxTable && c.add(text) || c.add(sentences(rows, Row.nameWithHost)) {
		return
	}
	shown := len(rows) // there may be more than a comment can hold
	for shown > 0 && !c.add(sentences(rows[:shown], Row.shortName)) {
		shown = shown * 9 / 10
	}
	c.left = append(c.left, rows[shown:]...)
}

// group of rows that have something in common.
type group struct {
	key  string
	rows []Row
}

// grouped returns the groups in the order of their first rows.
func grouped(rows []Row, key func(Row) string) (out []*group) {
	index := map[string]int{}
	for _, row := range rows {
		k := key(row)
		i, ok := index[k]
		if !ok {
			i = len(out)
			index[k] = i
			out = append(out, &group{key: k})
		}
		out[i].rows = append(out[i].rows, row)
	}
	return out
}

// sentences name what each effect reaches in one sentence.
func sentences(rows []Row, name func(Row) string) string {
	var out strings.Builder
	out.WriteByte('\n')
	for _, effects := range grouped(rows, Row.sentence) {
		var names []string
		for _, same := range grouped(effects.rows, name) {
			if n := len(same.rows); n > 1 {
				same.key = fmt.Sprintf("%s (%d times)", same.key, n)
			}
			names = append(names, same.key)
		}
		fmt.Fprintf(&out, "- %s: %s\n", effects.key, strings.Join(names, ", "))
	}
	return out.String()
}

func (r Row) sentence() string {
	return fmt.Sprintf("%s, %s", r.Kind, phrase(cmp.Or(r.Brief, r.what())))
}

func (r Row) nameWithHost() string {
	portal := r.portal()
	if portal == "" || r.Subject == portal {
		return r.name()
	}
	return r.name() + " (" + code(portal) + ")"
}

// shortName is the private label where the effect is on its package.
func (r Row) shortName() string {
	if portal := r.portal(); portal != "" && r.Code != "" {
		return code(portal)
	}
	return r.name()
}

// name of what a row is about: its address where the subject is not known.
func (r Row) name() string {
	if isPlaceholder(r.Subject) {
		return code(r.Address)
	}
	return code(r.Subject)
}

// people writes one line for a person in many private labels, and returns the other rows.
func (c *comment) people(rows []Row) (others []Row) {
	head := "\n| Kind | What | Subject |\n|---|---|---|\n"
	for _, g := range grouped(rows, func(r Row) string { return strings.Join([]string{string(r.Kind), r.What, r.Subject}, "\n") }) {
		first := g.rows[0]
		portals := len(grouped(g.rows, func(r Row) string { return cmp.Or(r.portal(), r.Address) }))
		switch line := fmt.Sprintf("| %s | %s | %s: %d portals |\n", first.Kind, phrase(first.What), code(first.Subject), portals); {
		case first.Email == "" || portals < manyPortals:
			others = append(others, g.rows...)
		case c.add(head + line):
			head = ""
		default:
			c.left = append(c.left, g.rows...)
		}
	}
	return others
}

// groups of rows by private label: those with the most harmful rows of the listing first, then by host name.
func (l *Listing) groups(rows []Row) []*group {
	harm := map[string]map[effect.Kind]int{}
	for _, g := range grouped(l.Rows, Row.portal) {
		harm[g.key] = Number(g.rows)
	}
	out := grouped(rows, Row.portal)
	slices.SortFunc(out, func(a, b *group) int {
		for _, k := range l.Kinds {
			if d := harm[b.key][k] - harm[a.key][k]; d != 0 {
				return d
			}
		}
		if a.key == "" || b.key == "" {
			return len(b.key) - len(a.key) // what belongs to none comes last
		}
		return strings.Compare(a.key, b.key)
	})
	return out
}

// group writes as much of what belongs to a private label as fits.
func (c *comment) group(l *Listing, g *group) {
	title := "Other resources"
	if g.key != "" {
		title = "<code>" + escaped(Clean(g.key)) + "</code>"
	}
	title += ": " + l.counts(g.rows)
	shown := len(g.rows)
	for shown > 0 && !c.add(fold(title, table(g.rows[:shown], g.key == ""))) {
		shown /= 2
	}
	c.left = append(c.left, g.rows[shown:]...)
}

// Texts that need no escape, in a code span and outside of one, and what needs one.
var (
	markup      = regexp.MustCompile(`www\.|[^\pL\p{Nd} .,-]`)
	plainCode   = regexp.MustCompile("^[^`|\\\\\\s]([^`|\\\\]*[^`|\\\\\\s])?$")
	plainPhrase = regexp.MustCompile(`^([\pL\pN .,:;()%+/-]|[\pL\pN]_[\pL\pN])*$`)
)

// code formats a value for a cell of a table. A code span cannot contain every character of a cell; HTML can.
func code(text string) string {
	text = Clean(text)
	if plainCode.MatchString(text) {
		return "`" + text + "`"
	}
	return "<code>" + escaped(text) + "</code>"
}

// escaped writes what Markdown or HTML would take for markup, or for a link, as numeric references.
func escaped(text string) string {
	return markup.ReplaceAllStringFunc(text, func(found string) string {
		r, size := utf8.DecodeLastRuneInString(found)
		return fmt.Sprintf("%s&#%d;", found[:len(found)-size], r)
	})
}

func isPlaceholder(text string) bool {
	return text == effect.KnownAfterApply || text == effect.Sensitive
}

// subject formats a value, or its placeholder.
func subject(text string) string {
	if isPlaceholder(text) {
		return text
	}
	return code(text)
}

// phrase formats what happens, for a cell of a table.
func phrase(text string) string {
	if plainPhrase.MatchString(text) && !strings.Contains(text, "www.") && !strings.Contains(text, "://") {
		return text
	}
	return code(text)
}
