package transport

import (
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"io"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestRedactor_FindsSpellings(t *testing.T) {
	t.Parallel()
	const secret = `rsl_live_0123_p"w<&>r/d +ü?'x`
	for name, spelt := range map[string]string{
		"raw": secret, "twice": secret + secret, "quoted": strconv.Quote(secret), "HTML": html.EscapeString(secret),
		"query": url.QueryEscape(secret), "path": url.PathEscape(secret), "hex": hex.EncodeToString([]byte(secret)),
	} {
		got := NewRedactor(secret, "", "another secret").Text("before " + spelt + " after")
		if rest := strings.ReplaceAll(strings.ReplaceAll(got, redacted, ""), `"`, ""); rest != "before  after" {
			t.Errorf("%s: %q becomes %q", name, spelt, got)
		}
	}
}

func TestRedactor_LeavesTheRest(t *testing.T) {
	t.Parallel()
	r := NewRedactor("1234", "abcdef-secret")
	for _, text := range []string{"", "plain", "100% & <b> \\ %zz &amp; \u00fc", "abcdef", "123 4", "%", "\\", "&", "&#", "\\u12", "\xff\xfe"} {
		if got := r.Text(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	if got := NewRedactor().Text("abcdef-secret"); got != "abcdef-secret" {
		t.Error(got)
	}
	if got := NewRedactor("abc", "abcdef").Text("abcdef abc"); got != redacted+" "+redacted {
		t.Error(got)
	}
}

func TestRedactor_KeepsTheKindOfAnError(t *testing.T) {
	t.Parallel()
	r := NewRedactor("a-long-secret")
	err := r.Error(fmt.Errorf("%w: a-long-secret", io.ErrUnexpectedEOF))
	if err.Error() != io.ErrUnexpectedEOF.Error()+": "+redacted || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	if r.Error(nil) != nil || !errors.Is(r.Error(io.EOF), io.EOF) {
		t.Error("an error without a secret changes")
	}
}

func TestPrintable(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                          "",
		"plain\ttext\nwith ü 漢 🙂":   "plain\ttext\nwith ü 漢 🙂",
		"a\r\nb":                    "a\nb",
		"over\rwrite":               "over\ufffdwrite",
		"\x1b[2J\x07\x00\x7f":       "\ufffd[2J\ufffd\ufffd\ufffd",
		"C1 \u009b31m":              "C1 \ufffd31m",
		"bidi \u202etxt\u2066":      "bidi \ufffdtxt\ufffd",
		"zero\u200bwidth\ufeff":     "zero\ufffdwidth\ufffd",
		"lines\u2028apart\u2029":    "lines\ufffdapart\ufffd",
		"tags \U000e0041\U000e007f": "tags \ufffd\ufffd",
		"broken \xff\xc3":           "broken \ufffd\ufffd",
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestCutText(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text  string
		limit int
		want  string
	}{
		{"short", 20, "short"},
		{strings.Repeat("ü", 20), 20, strings.Repeat("ü", 20)},
		{strings.Repeat("a", 50) + strings.Repeat("z", 50), 20, strings.Repeat("a", 9) + " […] " + strings.Repeat("z", 6)},
		{strings.Repeat("漢", 50), 20, strings.Repeat("漢", 9) + " […] " + strings.Repeat("漢", 6)},
	} {
		got := CutText(tc.text, tc.limit)
		if got != tc.want || utf8.RuneCountInString(got) > tc.limit {
			t.Errorf("%q cut to %d is %q, want %q", tc.text, tc.limit, got, tc.want)
		}
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("a text with %30123 in it", "0123456789")
	f.Add(`\u0041&#66;%43\x44`, "ABCDEFGH")
	f.Fuzz(func(t *testing.T, text, secret string) {
		got := NewRedactor(secret).Text(text)
		if len(secret) >= minSecret && !strings.Contains(redacted, secret) && strings.Contains(got, secret) {
			t.Errorf("%q is in %q", secret, got)
		}
		if clean := Printable(CutText(got, 100)); !utf8.ValidString(clean) || utf8.RuneCountInString(clean) > 100 {
			t.Errorf("%q", clean)
		}
	})
}
