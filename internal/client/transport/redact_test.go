package transport

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	markup "html"
	"io"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestRedactor_FindsEverySpelling(t *testing.T) {
	t.Parallel()
	const secret = `rsl_live_0123_p"w<&>r/d +ü?'x`
	inJSON := func(s string) string {
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw[1 : len(raw)-1])
	}
	eachByte := func(format string) string {
		var b strings.Builder
		for _, c := range []byte(secret) {
			fmt.Fprintf(&b, format, c)
		}
		return b.String()
	}
	eachRune := func(format string) string {
		var b strings.Builder
		for _, c := range secret {
			fmt.Fprintf(&b, format, c)
		}
		return b.String()
	}
	apart := func(by string) string { return strings.Join(strings.Split(secret, ""), by) }
	for name, spelt := range map[string]string{
		"raw":                    secret,
		"twice":                  secret + secret,
		"quoted":                 strconv.Quote(secret),
		"quoted twice":           strconv.Quote(strconv.Quote(secret)),
		"JSON":                   inJSON(secret),
		"JSON in JSON":           inJSON(inJSON(secret)),
		"JSON, each character":   eachRune(`\u%04x`),
		"HTML":                   markup.EscapeString(secret),
		"HTML, decimal":          eachRune("&#%d;"),
		"HTML, hex":              eachRune("&#x%X;"),
		"query":                  url.QueryEscape(secret),
		"path":                   url.PathEscape(secret),
		"URL, each byte":         eachByte("%%%02X"),
		"URL, lower case":        eachByte("%%%02x"),
		"URL in a quoted string": strconv.Quote(url.QueryEscape(secret)),
		"URL in HTML in JSON":    inJSON(markup.EscapeString(url.PathEscape(secret))),
		"Go, each byte":          eachByte(`\x%02x`),
		"hex":                    hex.EncodeToString([]byte(secret)),
		"hex, upper case":        strings.ToUpper(hex.EncodeToString([]byte(secret))),
		"base64":                 base64.StdEncoding.EncodeToString([]byte(secret)),
		"base64 of a longer one": base64.URLEncoding.EncodeToString([]byte("Bearer " + secret + "!")),
		"base64, third place":    base64.StdEncoding.EncodeToString([]byte("xx" + secret)),
		"NUL between":            apart("\x00"),
		"zero width between":     apart("\u200b"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := NewRedactor(secret, "", "another secret").Text("before " + spelt + " after")
			if !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " after") || !strings.Contains(got, redacted) {
				t.Errorf("%q becomes %q", spelt, got)
			}
			if rest := strings.ReplaceAll(got, redacted, ""); len(rest) > len("before   after")+16 { // characters that base64 shares with its neighbors
				t.Errorf("%q leaves %q", spelt, got)
			}
		})
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

// A cut text does not end with half a secret, even if the cut divides an escape.
func TestRedactor_CutsBetweenSecrets(t *testing.T) {
	t.Parallel()
	const secret = "0123456789abcdefghij"
	for _, spelt := range []string{secret, url.QueryEscape("&&") + secret, strings.Repeat("%30", 1) + secret[1:], "&#48;" + secret[1:]} {
		for shift := range len(spelt) {
			text := strings.Repeat("x", maxRedacted-shift) + spelt + spelt
			got := NewRedactor(secret).Text(text)
			if strings.Contains(strings.ReplaceAll(got, redacted, ""), secret[1:6]) {
				t.Fatalf("shift %d: ends with %q", shift, got[len(got)-40:])
			}
			if len(got) > maxRedacted+100 {
				t.Fatalf("%d bytes", len(got))
			}
		}
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
