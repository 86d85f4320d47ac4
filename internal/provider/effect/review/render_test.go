package review

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

func rendered(t *testing.T, r *Review, format func(*Review, io.Writer) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := format(r, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestReview_Formats(t *testing.T) {
	t.Parallel()
	two := &Review{Partial: true, Rows: []Row{
		{Kind: effect.Permanent, Address: `reseller_private_label.client["acme"]`, What: "host name bound to its private label", Subject: "sign.acme.example"},
		{Kind: effect.Billed, Address: "reseller_assignment.a", What: "package assigned to x.example and billed for the entire billing period", Subject: effect.KnownAfterApply},
	}}
	none := &Review{Rows: []Row{}}
	for name, tc := range map[string]struct {
		of     *Review
		format func(*Review, io.Writer) error
		want   string
	}{
		"text": {two, (*Review).Text, `KIND       RESOURCE                               WHAT                                                                    SUBJECT
permanent  reseller_private_label.client["acme"]  host name bound to its private label                                    sign.acme.example
billed     reseller_assignment.a                  package assigned to x.example and billed for the entire billing period  (known after apply)

2 effects: 1 permanent, 1 billed.
The plan is partial (-target, or deferred changes): effects of what it leaves out are not listed.
`},
		"text, none": {none, (*Review).Text, "No effects that cannot be undone or that reach people.\n"},
		"markdown": {two, (*Review).Markdown, "### Effects of this plan\n\n2 effects: 1 permanent, 1 billed.\n\n| Kind | Resource | What | Subject |\n|---|---|---|---|\n" +
			"| permanent | `reseller_private_label.client[\"acme\"]` | host name bound to its private label | `sign.acme.example` |\n" +
			"| billed | `reseller_assignment.a` | package assigned to x.example and billed for the entire billing period | (known after apply) |\n" +
			"\nThe plan is partial (-target, or deferred changes): effects of what it leaves out are not listed.\n"},
		"markdown, none": {none, (*Review).Markdown, "### Effects of this plan\n\nNo effects that cannot be undone or that reach people.\n"},
		"json, none":     {none, (*Review).JSON, "{\n  \"format_version\": \"1\",\n  \"effects\": []\n}\n"},
		"json": {&Review{Rows: two.Rows[1:]}, (*Review).JSON, `{
  "format_version": "1",
  "effects": [
    {
      "kind": "billed",
      "address": "reseller_assignment.a",
      "what": "package assigned to x.example and billed for the entire billing period",
      "subject": "(known after apply)"
    }
  ]
}
`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := rendered(t, tc.of, tc.format); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

// A value of a plan cannot leave its cell, control a terminal, or mention a user.
func TestReview_Escapes(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ subject, text, markdown string }{
		"plain":          {"Terms 2026 <b>*x*_y_", "Terms 2026 <b>*x*_y_", "`Terms 2026 <b>*x*_y_`"},
		"pipe":           {"a|b", "a|b", "<code>a&#124;b</code>"},
		"backtick":       {"a`@all", "a`@all", "<code>a&#96;&#64;all</code>"},
		"backslash":      {`a\|`, `a\|`, "<code>a&#92;&#124;</code>"},
		"leading blank":  {" a", " a", "<code> a</code>"},
		"empty":          {"", "", "<code></code>"},
		"lines":          {"a\r\n| x |\n", `a\r\n| x |\n`, "<code>a&#92;r&#92;n&#124; x &#124;&#92;n</code>"},
		"escape":         {"\x1b[31mred\x07", `\x1b[31mred\a`, "<code>&#92;x1b&#91;31mred&#92;a</code>"},
		"bidirectional":  {"a\u202eb\u200b", `a\u202eb\u200b`, "<code>a&#92;u202eb&#92;u200b</code>"},
		"no UTF-8":       {"a\xff", "a�", "`a�`"},
		"other alphabet": {"Ærø", "Ærø", "`Ærø`"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &Review{Rows: []Row{{Kind: effect.Permanent, Address: "reseller_document.d", What: "document uploaded", Subject: tc.subject}}}
			if got := strings.Split(rendered(t, r, (*Review).Text), "\n"); !strings.HasSuffix(got[1], "document uploaded  "+tc.text) || len(got) != 5 {
				t.Errorf("text %q, want %q", got, tc.text)
			}
			if got := rendered(t, r, (*Review).Markdown); !strings.HasSuffix(got, "| document uploaded | "+tc.markdown+" |\n") || strings.Count(got, "\n") != 7 {
				t.Errorf("Markdown %q, want %q", got, tc.markdown)
			}
		})
	}
	if got := phrase("package deactivated, if allow_package_change is false"); strings.Contains(got, "`") {
		t.Errorf("a phrase with names of attributes: %s", got)
	}
	if got := phrase("package assigned to <b>x</b>"); got != "`package assigned to <b>x</b>`" {
		t.Errorf("a phrase with a value: %s", got)
	}
}

// Columns are aligned, except for a very wide cell.
func TestReview_AlignsColumns(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 5000)
	r := &Review{Rows: []Row{{Kind: effect.Email, Address: "a.b", What: long, Subject: "s"}, {Kind: effect.Email, Address: "ä.bc", What: "short", Subject: "s"}}}
	lines := strings.Split(rendered(t, r, (*Review).Text), "\n")
	if len(lines[1]) != len("email  a.b       ")+5000+3 || len([]rune(lines[2])) != len("email  a.b       ")+maxColumn+3 {
		t.Errorf("%d and %d characters", len(lines[1]), len([]rune(lines[2])))
	}
}

// A comment has a limit, and says what it omits.
func TestReview_CutsComments(t *testing.T) {
	t.Parallel()
	r := &Review{}
	for i := range 3000 {
		r.Rows = append(r.Rows, Row{Kind: effect.Email, Address: fmt.Sprintf("reseller_member.m[%d]", i), What: "set-password email to a member", Subject: fmt.Sprintf("m%d@acme.example", i)})
	}
	got := rendered(t, r, (*Review).Markdown)
	shown := strings.Count(got, "\n| email | `reseller_member")
	if len(got) > 65_000 || shown < 400 || !strings.Contains(got, "3000 effects: 3000 email.") || !strings.Contains(got, fmt.Sprintf("\n\n%d more effects are not shown", 3000-shown)) {
		t.Errorf("%d bytes, %d rows: …%s", len(got), shown, got[max(0, len(got)-300):])
	}
}

func TestRead_Limit(t *testing.T) {
	t.Parallel()
	plan := `{"format_version":"1.2","planned_values":{"x":"` + strings.Repeat("y", 3<<20) + `"}}`
	if _, err := read(strings.NewReader(plan), 2<<20); err == nil || err.Error() != "The input is larger than 2 MB, the most that this command reads." {
		t.Error(err)
	}
	if _, err := read(strings.NewReader(plan), int64(len(plan))); err != nil {
		t.Error(err)
	}
	if _, err := read(io.MultiReader(strings.NewReader(plan[:100]), failing{}), 2<<20); err == nil || err.Error() != "disk on fire" {
		t.Error(err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, fmt.Errorf("disk on fire") }

func TestSecrets_Hide(t *testing.T) {
	t.Parallel()
	s := &secrets{texts: []string{"5", "bob@x.example", "bobo", "bob", "of", "a.b"}}
	for in, want := range map[string]struct{ phrase, subject string }{
		"":                     {"", ""},
		"50 of 5":              {"50 of (sensitive value)", "50 of (sensitive value)"},
		"5":                    {"(sensitive value)", "(sensitive value)"},
		"5 5":                  {"(sensitive value) (sensitive value)", "(sensitive value) (sensitive value)"},
		"BOB@x.example, bobby": {"(sensitive value), bobby", "(sensitive value), bobby"},
		"(bobo)":               {"((sensitive value))", "((sensitive value))"},
		"package of a.b":       {"package of (sensitive value)", "package of (sensitive value)"},
		"of":                   {"of", "(sensitive value)"},
		" BOB ":                {" BOB ", "(sensitive value)"},
		"terms of Bob":         {"terms of Bob", "terms of Bob"},
	} {
		if got := s.hide(in); got != want.phrase {
			t.Errorf("phrase %q: %q, want %q", in, got, want.phrase)
		}
		if got := s.hideSubject(in); got != want.subject {
			t.Errorf("subject %q: %q, want %q", in, got, want.subject)
		}
	}
}
