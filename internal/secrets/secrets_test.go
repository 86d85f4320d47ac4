package secrets

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

func TestRedactor_FindsSpellings(t *testing.T) {
	t.Parallel()
	const secret = `rsl_live_0123_p"w<&>r/d +?'x`
	for name, spelt := range map[string]string{
		"raw": secret, "twice": secret + secret, "quoted": strconv.Quote(secret), "HTML": html.EscapeString(secret),
		"query": url.QueryEscape(secret), "path": url.PathEscape(secret), "hex": hex.EncodeToString([]byte(secret)),
		"JSON": strings.ReplaceAll(inJSON(secret), "/", `\/`), "JSON in JSON": inJSON(inJSON(secret)), "code points": escapedBy(secret, `\u%04x`),
		"percent": escapedBy(secret, "%%%02X"), "percent twice": escapedBy(secret, "%%25%02x"), "entities": escapedBy(secret, "&#%d;"), "mixed": inJSON(html.EscapeString(secret)),
	} {
		got := New(secret, "", "another secret").Text("before " + spelt + " after")
		if rest := strings.ReplaceAll(strings.ReplaceAll(got, Redacted, ""), `"`, ""); rest != "before  after" {
			t.Errorf("%s: %q becomes %q", name, spelt, got)
		}
	}
}

func inJSON(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw[1 : len(raw)-1])
}

func escapedBy(text, format string) string {
	var out strings.Builder
	for _, r := range []byte(text) {
		fmt.Fprintf(&out, format, r)
	}
	return out.String()
}

func TestRedactor_LeavesTheRest(t *testing.T) {
	t.Parallel()
	r := New("1234", "abcdef-secret")
	for _, text := range []string{"", "plain", "100% & <b> \\ %zz &amp; \u00fc", "abcdef", "123 4", "%", "\\", "&", "&#", "\\u12", "\xff\xfe"} {
		if got := r.Text(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	if got := New().Text("abcdef-secret"); got != "abcdef-secret" {
		t.Error(got)
	}
	if got := New("abc", "abcdef").Text("abcdef abc"); got != Redacted+" "+Redacted {
		t.Error(got)
	}
}

func TestRedactor_KeepsTheKindOfAnError(t *testing.T) {
	t.Parallel()
	r := New("a-long-secret")
	err := r.Error(fmt.Errorf("%w: a-long-secret", io.ErrUnexpectedEOF))
	if err.Error() != io.ErrUnexpectedEOF.Error()+": "+Redacted || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	if r.Error(nil) != nil || !errors.Is(r.Error(io.EOF), io.EOF) {
		t.Error("an error without a secret changes")
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("a text with %30123 in it", "0123456789")
	f.Add(`\u0041&#66;%43\x44`, "ABCDEFGH")
	f.Fuzz(func(t *testing.T, text, secret string) {
		got := New(secret).Text(text)
		if len(secret) >= MinLength && !strings.Contains(Redacted, secret) && strings.Contains(got, secret) {
			t.Errorf("%q is in %q", secret, got)
		}
	})
}
