package listing

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/goldentest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
)

const nothing = "No effects that cannot be undone or that reach people."

// listingOf is a listing of rows, as a review makes it.
func listingOf(rows ...Row) *Listing {
	return &Listing{Title: "Effects of this plan", Nothing: nothing, Noun: "effect", Kinds: effect.Kinds(), Named: effect.Removed, Rows: rows}
}

func rendered(t *testing.T, l *Listing, format string) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, l.Write(format, &out))
	return out.String()
}

func TestListing_Formats(t *testing.T) {
	t.Parallel()
	two := listingOf(
		Row{Kind: effect.Permanent, Address: `reseller_private_label.client["acme"]`, What: "host name bound to its private label", Subject: "sign.acme.example", Unnamed: effect.KnownAfterApply},
		Row{Kind: effect.Billed, Address: "reseller_assignment.a", What: "package assigned and billed for the entire billing period", Subject: effect.KnownAfterApply, Host: "x.example", Quantity: 2.5, Before: "GOLD"},
	)
	two.Notes = []string{"The plan imports 3 objects."}
	var out strings.Builder
	for _, format := range formats {
		for _, l := range []*Listing{two, listingOf()} {
			fmt.Fprintf(&out, "== %s, %d effects\n%s\n", format, len(l.Rows), rendered(t, l, format))
		}
	}
	goldentest.Check(t, "testdata/formats.txt", out.String())
}

// A value of a plan cannot leave its cell, control a terminal, or mention a user.
func TestListing_Escapes(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ subject, text, markdown string }{
		"plain":          {"Terms 2026 <b>*x*_y_", "Terms 2026 <b>*x*_y_", "`Terms 2026 <b>*x*_y_`"},
		"pipe":           {"a|b", "a|b", "<code>a&#124;b</code>"},
		"backtick":       {"a`@all", "a`@all", "<code>a&#96;&#64;all</code>"},
		"backslash":      {`a\|`, `a\|`, "<code>a&#92;&#124;</code>"},
		"leading blank":  {" a", " a", "<code> a</code>"},
		"empty":          {"", "", "<code></code>"},
		"lines":          {"a\r\n| x |\n", "a\ufffd\ufffd| x |\ufffd", "<code>a&#65533;&#65533;&#124; x &#124;&#65533;</code>"},
		"escape":         {"\x1b[31mred\x07", "\ufffd[31mred\ufffd", "`\ufffd[31mred\ufffd`"},
		"bidirectional":  {"a\u202eb\u200b", "a\ufffdb\ufffd", "`a\ufffdb\ufffd`"},
		"no UTF-8":       {"a\xff", "a�", "`a�`"},
		"other alphabet": {"Ærø", "Ærø", "`Ærø`"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := listingOf(Row{Kind: effect.Permanent, Address: "reseller_document.d", What: "document uploaded", Subject: tc.subject})
			got := strings.Split(rendered(t, r, "text"), "\n")
			assert.Equal(t, "permanent  "+strings.TrimSpace(tc.text+": document uploaded"), got[2], "text, want %q", tc.text)
			assert.Len(t, got, 7, "text, want %q", tc.text)
			if got := rendered(t, r, "markdown"); !strings.HasSuffix(got, "| document uploaded | "+tc.markdown+" |\n") || strings.Count(got, "\n") != 7 {
				t.Errorf("Markdown %q, want %q", got, tc.markdown)
			}
		})
	}
	assert.NotContains(t, phrase("package deactivated, if allow_package_change is false"), "`", "a phrase with names of attributes")
	assert.Equal(t, "`package assigned to <b>x</b>`", phrase("package assigned to <b>x</b>"), "a phrase with a value")
}

// Lines are no wider than the page, and keep their words; only a word that is wider is broken.
func TestListing_FitsThePage(t *testing.T) {
	t.Parallel()
	address := `module.portal["a client with a very long name and an address that is wider than a page, as in reports with 224 columns"].reseller_private_label.this`
	l := listingOf(
		Row{Kind: effect.Conflict, Address: address, What: strings.Repeat("words ", 60), Subject: "sign.acme.example", Host: "x.example", Beneath: []string{address}},
		Row{Kind: effect.Deactivated, Address: strings.Repeat("x", 500), What: strings.Repeat("ä", 300), Subject: "s"})
	l.Notes, l.Known = []string{strings.Repeat("note ", 50)}, l.Rows[:1]
	for _, width := range []int{40, 80, 100, 300} {
		got := l.text(width)
		for line := range strings.Lines(got) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimRight(line, "\n")), width, line)
		}
		joined := strings.Join(strings.Fields(got), " ")
		assert.Equal(t, 120, strings.Count(joined, "words"), joined)
		if width == 300 {
			assert.Contains(t, got, address)
		}
	}
	assert.Equal(t, textWidth, widthOf(&bytes.Buffer{}))
}

// A report of which all is known says so, and not that there is nothing.
func TestListing_AllIsKnown(t *testing.T) {
	t.Parallel()
	l := listingOf()
	l.Known = []Row{{Kind: effect.Drift, Address: "a.b", What: "w", Subject: "s"}, {Kind: effect.Drift, Address: "a.c", What: "w", Subject: "s"}}
	for _, format := range []string{"text", "markdown"} {
		got := rendered(t, l, format)
		assert.Contains(t, got, "Nothing new: 2 effects are known.", format)
		assert.NotContains(t, got, nothing, format)
	}
	l.Known = l.Known[:1]
	assert.Contains(t, rendered(t, l, "text"), "Nothing new: 1 effect is known.")
}

// An amount has the decimals of its currency.
func TestAmount(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]Amount{"0.05 EUR": {5, "EUR"}, "49.00 EUR": {4900, "EUR"}, "700 JPY": {700, "JPY"}, "-1.50 USD": {-150, "USD"}, "0.007 KWD": {7, "KWD"}} {
		assert.Equal(t, want, a.String())
	}
}

// effects are n rows: one private label destroyed, some removals, and for each new portal five more.
func effects(n int) *Listing {
	l := listingOf()
	for i := 0; len(l.Rows) < n; i++ {
		host := fmt.Sprintf("sign.client-%04d.example", i)
		at := fmt.Sprintf(`module.portal["client-%04d"].`, i)
		add := func(kind effect.Kind, address, what, subject string) {
			if len(l.Rows) < n {
				row := Row{Kind: kind, Address: at + address, What: what, Subject: subject, Host: Text(host)}
				if kind == effect.Email {
					row.Email = Text(subject)
				}
				l.Rows = append(l.Rows, row)
			}
		}
		if i == 197 {
			add(effect.Destroyed, "reseller_private_label.this", "private label deprovisioned with its members", host)
		}
		add(effect.Permanent, "reseller_private_label.this", "host name bound to its private label", host)
		add(effect.Billed, "reseller_assignment.this[0]", "package assigned and billed for the entire billing period", "GOLD")
		add(effect.Email, `reseller_member.this["staff@agency.example"]`, "set-password email to a member", "staff@agency.example")
		add(effect.Email, fmt.Sprintf(`reseller_member.this["m%d@client.example"]`, i), "set-password email to a member", fmt.Sprintf("m%d@client.example", i))
		if i%10 == 0 {
			add(effect.Removed, fmt.Sprintf(`reseller_member.this["old%d@client.example"]`, i), "member signed out and removed", fmt.Sprintf("old%d@client.example", i))
		}
	}
	l.Sort()
	return l
}

// A comment has a limit. It names all harmful rows, and counts what it leaves out, which are others.
func TestListing_CutsComments(t *testing.T) {
	t.Parallel()
	left := regexp.MustCompile(`\n(\d+) more effects are not shown: (.*)\. A comment`)
	for _, n := range []int{1, 10, 40, 41, 300, 2000, 20_000} {
		l := effects(n)
		got := rendered(t, l, "markdown")
		number := 0
		if found := left.FindStringSubmatch(got); found != nil {
			number, _ = strconv.Atoi(found[1])
			if regexp.MustCompile("conflict|destroyed|unprotected|excess|suspended|removed").MatchString(found[2]) && n <= 2000 {
				t.Errorf("%d effects: left out are %s", n, found[2])
			}
		}
		t.Logf("%d effects: %d characters, %d left out", n, len(got), number)
		if len(got) >= 60_000 || number > n/2 && n <= 300 || strings.Count(got, "<details>") != strings.Count(got, "</details>") {
			t.Errorf("%d effects: %d characters, %d left out", n, len(got), number)
		}
		for _, row := range l.Rows {
			if row.Kind == effect.Destroyed || row.Kind == effect.Removed && n <= 2000 {
				if at, fold := strings.Index(got, row.Subject), strings.Index(got, "<details>"); at < 0 || fold >= 0 && at > fold {
					t.Errorf("%d effects: %s %s is at %d, the first fold at %d", n, row.Kind, row.Subject, at, fold)
				}
			}
		}
		if people := strings.Count(got, "| `staff@agency.example`: "); n >= 300 && people != 1 {
			t.Errorf("%d effects: the person of many portals is on %d lines", n, people)
		}
	}
}

// Many harmful rows are named more densely, and never omitted below some thousand.
func TestListing_NamesHarm(t *testing.T) {
	t.Parallel()
	for _, n := range []int{41, 300, 900, 1900} {
		l := listingOf()
		for i := range n {
			host := fmt.Sprintf("c%04d.example", i)
			l.Rows = append(l.Rows,
				Row{Kind: effect.Removed, Address: fmt.Sprintf(`module.portal["client-%04d"].reseller_assignment.this`, i), What: "package removed", Subject: "GOLD", Code: "GOLD", Host: Text(host)},
				Row{Kind: effect.Email, Address: "reseller_member.x", What: "set-password email to a member", Subject: fmt.Sprintf("m%d@x.example", i), Host: Text(host)})
		}
		l.Sort()
		got := rendered(t, l, "markdown")
		shown, _, _ := strings.Cut(got, "<details>")
		for i := range n {
			if host := fmt.Sprintf("c%04d.example", i); !strings.Contains(shown, host) && !strings.Contains(shown, host[1:5]) {
				t.Fatalf("%d rows: %s is not named", n, host)
			}
		}
		if len(got) >= 60_000 || strings.Contains(got, "not shown: 1 removed") || regexp.MustCompile(`not shown:.* removed`).MatchString(got) {
			t.Errorf("%d rows: %d characters: %s", n, len(got), got[len(got)-200:])
		}
	}
}

// Those with the most harmful rows come first.
func TestListing_OrdersGroups(t *testing.T) {
	t.Parallel()
	l := listingOf()
	for i := range 15 {
		for _, k := range []effect.Kind{effect.Billed, effect.Email, effect.Permanent} {
			l.Rows = append(l.Rows, Row{Kind: k, Address: "a.b", What: "w", Subject: fmt.Sprint(k, i), Host: Text(fmt.Sprintf("h%02d.example", i))})
		}
	}
	l.Rows = append(l.Rows,
		Row{Kind: effect.Permanent, Address: "a.b", What: "w", Subject: "s", Host: "h07.example"}, Row{Kind: effect.Removed, Address: "a.b", What: "w", Subject: "gone", Host: "h11.example"},
		Row{Kind: effect.Permanent, Address: "reseller_package.p", What: "w", Subject: "GOLD"})
	l.Sort()
	got := rendered(t, l, "markdown")
	var titles []string
	for _, found := range regexp.MustCompile(`<summary>(.*?): `).FindAllStringSubmatch(got, -1) {
		titles = append(titles, found[1])
	}
	want := []string{"<code>h11.example</code>", "<code>h07.example</code>", "<code>h00.example</code>"}
	require.Len(t, titles, 16)
	assert.Equal(t, want, titles[:3], "%q", titles)
	assert.Equal(t, "Other resources", titles[15], "%q", titles)
}

// What an earlier report has is known until the end of its day.
func TestListing_Known(t *testing.T) {
	t.Parallel()
	row := func(subject, until string) Row {
		return Row{Kind: effect.Drift, Address: "reseller_private_label.x", What: "suspended by the platform", Subject: subject, Until: until}
	}
	earlier := listingOf(row("a", ""), row("b", "2027-01-31"), row("c", "2027-01-30"), row("gone", ""))
	earlier.Known = []Row{row("d", "2027-02-01")}
	file := filepath.Join(t.TempDir(), "known.json")
	write := func(l *Listing) {
		t.Helper()
		require.NoError(t, os.WriteFile(file, []byte(rendered(t, l, "json")), 0o600))
	}
	write(earlier)
	day := func(d int) time.Time { return time.Date(2027, 1, d, 23, 59, 0, 0, time.UTC) }
	forget := func(l *Listing, d int) int {
		t.Helper()
		known, err := readKnown(file)
		require.NoError(t, err)
		return l.forget(known, day(d))
	}
	l := listingOf(row("a", ""), row("b", ""), row("c", ""), row("d", ""), row("new", ""))
	if again := forget(l, 31); again != 1 || len(l.Rows) != 2 || l.Rows[0].Subject != "c" || l.Rows[1].Subject != "new" {
		t.Errorf("%d count again: %+v", again, l.Rows)
	}
	require.Len(t, l.Known, 3)
	assert.Equal(t, "2027-01-31", l.Known[1].Until, l.Known)
	assert.Equal(t, "2027-02-01", l.Known[2].Until, l.Known)
	for _, format := range []string{"text", "markdown"} {
		if got := rendered(t, l, format); !strings.Contains(got, "2 effects: 2 drift") || !strings.Contains(got, "Known, and not counted:") || !strings.Contains(got, "(known until 2027-01-31)") {
			t.Errorf("%s: %s", format, got)
		}
	}
	write(l) // the report of today is what is known tomorrow, once
	next := listingOf(row("a", ""), row("b", ""), row("c", ""), row("d", ""), row("new", ""))
	if again := forget(next, 31); again != 0 || len(next.Rows) != 0 || len(next.Known) != 5 {
		t.Errorf("%d count again: %+v", again, next.Rows)
	}
}

func TestReadKnown_RejectsOtherFiles(t *testing.T) {
	t.Parallel()
	for _, row := range texttable.Rows(`
		nothing                                     | is not a report that -format json wrote
		{}                                          | no format_version or no effects
		{"format_version":"1.2","values":{}}        | no format_version or no effects
		{"format_version":"1","effects":[]}         | has format version "1", and this command reads 1.1
		{"format_version":"1.1","effects":[null]}   | a row has no kind or no address
		{"format_version":"1.1","effects":{}}       | is not a report
		{"format_version":"1.1","effects":[{"kind":"drift","address":"a\u001b[31m","until":"31.1.2027"}]} | knows a�[31m until "31.1.2027", which is not a date such as 2027-01-31
	`) {
		file := filepath.Join(t.TempDir(), "known.json")
		require.NoError(t, os.WriteFile(file, []byte(row[0]), 0o600))
		_, err := readKnown(file)
		assert.ErrorContains(t, err, row[1], row[0])
		assert.NotRegexp(t, `[\n\x1b]`, err.Error(), row[0])
	}
	_, err := readKnown(filepath.Join(t.TempDir(), "none"))
	assert.Error(t, err, "no file")
}
