package secrets

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRedactor_FindsSpellings(t *testing.T) {
	t.Parallel()
	const secret = `rsl_live_0123_p"w<&>r/d +?'x`
	for name, spelt := range map[string]string{
		"raw": secret, "twice": secret + secret, "quoted": strconv.Quote(secret), "HTML": html.EscapeString(secret),
		"query": url.QueryEscape(secret), "path": url.PathEscape(secret), "hex": hex.EncodeToString([]byte(secret)),
		"JSON": strings.ReplaceAll(inJSON(secret), "/", `\/`), "JSON in JSON": inJSON(inJSON(secret)), "code points": escapedBy(secret, `\u%04x`),
		"capitals": strings.ToUpper(secret), "small letters": strings.ToLower(secret), "capitals in JSON": inJSON(strings.ToUpper(secret)), "upper hex": strings.ToUpper(hex.EncodeToString([]byte(secret))),
		"split by a zero-width space": strings.Join(strings.Split(secret, ""), "\u200b"), "by one joiner": secret[:9] + "\u2060" + secret[9:], "by a soft hyphen": secret[:9] + "\u00ad" + secret[9:],
		"by an escaped zero-width space": strings.Join(strings.Split(secret, ""), `\u200b`), "by a line break": secret[:9] + "\r\n" + secret[9:], "by a variation selector": secret[:9] + "\ufe0f" + secret[9:],
		"percent": escapedBy(secret, "%%%02X"), "percent twice": escapedBy(secret, "%%25%02x"), "entities": escapedBy(secret, "&#%d;"), "mixed": inJSON(html.EscapeString(secret)),
	} {
		got := New(secret, "", "another secret").Text("before " + spelt + " after")
		assert.Equal(t, "before  after", strings.ReplaceAll(strings.ReplaceAll(got, Redacted, ""), `"`, ""), "%s: %q becomes %q", name, spelt, got)
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
		assert.Equal(t, text, r.Text(text), "becomes")
	}
	assert.Equal(t, "abcdef-secret", New().Text("abcdef-secret"))
	assert.Equal(t, Redacted+" "+Redacted, New("abc", "abcdef").Text("abcdef abc"))
}

func TestRedactor_KeepsTheKindOfAnError(t *testing.T) {
	t.Parallel()
	r := New("a-long-secret")
	err := r.Error(fmt.Errorf("%w: a-long-secret", io.ErrUnexpectedEOF))
	assert.Equal(t, io.ErrUnexpectedEOF.Error()+": "+Redacted, err.Error(), err)
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.NoError(t, r.Error(nil), "an error without a secret changes")
	assert.ErrorIs(t, r.Error(io.EOF), io.EOF, "an error without a secret changes")
}

// A text of megabytes is cut, and not in a secret.
func TestRedactor_CutsLongTexts(t *testing.T) {
	t.Parallel()
	const secret = "0123456789-secret"
	for at := range 2 * len(secret) {
		text := strings.Repeat("x ", maxText/2-len(secret)) + strings.Repeat("y", at) + secret + strings.Repeat(" z", maxText)
		got := New(secret).Text(text)
		assert.LessOrEqual(t, len(got), maxText+len(Redacted)+len("…"))
		assert.NotContains(t, got, secret[:MinLength])
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
