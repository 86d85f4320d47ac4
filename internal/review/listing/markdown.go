package listing

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
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
}

func (c *comment) fits(text string) bool { return c.Len()+len(text) <= maxComment-reserve }

// markdown is a comment of a pull request: a heading, the count by kind, and a table. Many rows are a table of the counts,
// the harmful rows, and a folded table for each private label.
func (l *Listing) markdown() string {
	var c comment
	fmt.Fprintf(&c, "### %s\n\n", l.Title)
	if len(l.Rows) == 0 {
		c.WriteString(l.Nothing + "\n")
	} else {
		c.WriteString(l.counts(l.Rows) + ".\n")
	}
	for _, note := range l.Notes {
		c.WriteString("\n" + note + "\n")
	}
	switch {
	case len(l.Rows) > maxFlat:
		l.folded(&c)
	case len(l.Rows) > 0 && c.fits(table(l.Rows)):
		c.WriteString("\n" + table(l.Rows))
	case len(l.Rows) > 0: // with very long values
		l.folded(&c)
	}
	if len(c.left) > 0 {
		fmt.Fprintf(&c, "\n%d more %ss are not shown: %s. A comment would be too long. The formats `text` and `json` list all of them.\n",
			len(c.left), l.Noun, l.byKinds(c.left))
	}
	if len(l.Known) > 0 {
		head := fmt.Sprintf("\n<details><summary>Known, and not counted: %s</summary>\n\n", l.counts(l.Known))
		if body := table(l.Known); c.fits(head + body) {
			c.WriteString(head + body + "\n</details>\n")
		} else {
			fmt.Fprintf(&c, "\nKnown, and not counted: %s.\n", l.counts(l.Known))
		}
	}
	return c.String()
}

func table(rows []Row) string {
	var out strings.Builder
	out.WriteString("| Kind | Resource | What | Subject |\n|---|---|---|---|\n")
	for _, row := range rows {
		fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", row.Kind, code(row.Address), phrase(row.what()), subject(row.Subject))
	}
	return out.String()
}

// folded writes the counts, all harmful rows, and as much of the others as fits.
func (l *Listing) folded(c *comment) {
	c.WriteString("\n| Kind | Number |\n|---|---|\n")
	number := l.Count()
	for _, k := range l.Kinds {
		if number[k] > 0 {
			fmt.Fprintf(c, "| %s | %d |\n", k, number[k])
		}
	}
	last := slices.Index(l.Kinds, l.Named)
	var harmful, others []Row
	for _, row := range l.Rows {
		if slices.Index(l.Kinds, row.Kind) <= last {
			harmful = append(harmful, row)
		} else {
			others = append(others, row)
		}
	}
	c.harmful(harmful)
	others = c.people(others)
	for _, g := range l.groups(others) {
		c.group(l, g)
	}
}

// harmful writes each row: as a table, or more densely where that is too long.
func (c *comment) harmful(rows []Row) {
	if len(rows) == 0 {
		return
	}
	if text := table(rows); len(text) <= maxTable && c.fits("\n"+text) {
		c.WriteString("\n" + text)
		return
	}
	if text := sentences(rows, Row.nameWithHost); c.fits("\n" + text) {
		c.WriteString("\n" + text)
		return
	}
	shown := len(rows) // there are more than a comment can hold
	for shown > 0 && !c.fits("\n"+sentences(rows[:shown], Row.shortName)) {
		shown = shown * 9 / 10
	}
	c.left = append(c.left, rows[shown:]...)
	c.WriteString("\n" + sentences(rows[:shown], Row.shortName))
}

// sentences name what each effect reaches in one sentence.
func sentences(rows []Row, name func(Row) string) string {
	type sentence struct {
		start string
		names []string
		times map[string]int
	}
	var all []*sentence
	byStart := map[string]*sentence{}
	for _, row := range rows {
		what := cmp.Or(row.Brief, row.what())
		if row.Host != "" {
			what = strings.ReplaceAll(what, row.Host, "the private label")
		}
		start := fmt.Sprintf("%s, %s", row.Kind, phrase(what))
		s := byStart[start]
		if s == nil {
			s = &sentence{start: start, times: map[string]int{}}
			byStart[start] = s
			all = append(all, s)
		}
		one := name(row)
		s.times[one]++
		if s.times[one] == 1 {
			s.names = append(s.names, one)
		}
	}
	var out strings.Builder
	for _, s := range all {
		for i, one := range s.names {
			if s.times[one] > 1 {
				s.names[i] = fmt.Sprintf("%s (%d times)", one, s.times[one])
			}
		}
		fmt.Fprintf(&out, "- %s: %s\n", s.start, strings.Join(s.names, ", "))
	}
	return out.String()
}

func (r Row) nameWithHost() string {
	if r.Host == "" || r.Subject == r.Host {
		return r.name()
	}
	return r.name() + " (" + code(r.Host) + ")"
}

// shortName is the host name where the effect is one on a private label.
func (r Row) shortName() string {
	if r.Host != "" && strings.Contains(r.What, r.Host) {
		return code(r.Host)
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
	person := func(r Row) Row { return Row{Kind: r.Kind, What: r.What, Subject: r.Subject} }
	portals := map[Row]map[string]bool{}
	for _, row := range rows {
		if !isPlaceholder(row.Subject) {
			if portals[person(row)] == nil {
				portals[person(row)] = map[string]bool{}
			}
			portals[person(row)][cmp.Or(row.Host, row.Address)] = true
		}
	}
	const head = "\n| Kind | What | Subject |\n|---|---|---|\n"
	written := map[Row]bool{}
	for _, row := range rows {
		p := person(row)
		number := len(portals[p])
		if number < manyPortals {
			others = append(others, row)
			continue
		}
		line := fmt.Sprintf("| %s | %s | %s: %d portals |\n", row.Kind, phrase(row.What), code(row.Subject), number)
		switch {
		case written[p]:
		case !c.fits(head + line):
			c.left = append(c.left, row)
		case len(written) == 0:
			c.WriteString(head + line)
			written[p] = true
		default:
			c.WriteString(line)
			written[p] = true
		}
	}
	return others
}

// group is what belongs to one private label, or to none.
type group struct {
	host string
	rows []Row
}

// groups of rows: those with the most harmful rows of the listing first, then by host name.
func (l *Listing) groups(rows []Row) []group {
	harm := map[string]map[effect.Kind]int{}
	for _, row := range l.Rows {
		if harm[row.Host] == nil {
			harm[row.Host] = map[effect.Kind]int{}
		}
		harm[row.Host][row.Kind]++
	}
	index := map[string]int{}
	var out []group
	for _, row := range rows {
		i, ok := index[row.Host]
		if !ok {
			i = len(out)
			index[row.Host] = i
			out = append(out, group{host: row.Host})
		}
		out[i].rows = append(out[i].rows, row)
	}
	slices.SortFunc(out, func(a, b group) int {
		for _, k := range l.Kinds {
			if d := harm[b.host][k] - harm[a.host][k]; d != 0 {
				return d
			}
		}
		if (a.host == "") != (b.host == "") {
			return len(b.host) - len(a.host) // what belongs to none comes last
		}
		return strings.Compare(a.host, b.host)
	})
	return out
}

func (c *comment) group(l *Listing, g group) {
	title := "Other resources"
	if g.host != "" {
		title = "<code>" + escaped(Clean(g.host)) + "</code>"
	}
	const end = "\n</details>\n"
	head := fmt.Sprintf("\n<details><summary>%s: %s</summary>\n\n", title, l.counts(g.rows))
	shown := len(g.rows)
	for shown > 0 && !c.fits(head+table(g.rows[:shown])+end) {
		shown /= 2
	}
	c.left = append(c.left, g.rows[shown:]...)
	if shown > 0 {
		c.WriteString(head + table(g.rows[:shown]) + end)
	}
}

// Texts that need no escape: in a code span, and outside of one.
var (
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

// escaped writes what Markdown or HTML would take for markup as numeric references.
func escaped(text string) string {
	var out strings.Builder
	for _, r := range text {
		if r == ' ' || r == '.' || r == '-' || r == ',' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			out.WriteRune(r)
			continue
		}
		fmt.Fprintf(&out, "&#%d;", r)
	}
	return strings.ReplaceAll(out.String(), "www.", "www&#46;") // becomes a link
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
