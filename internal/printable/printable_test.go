package printable

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestText(t *testing.T) {
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
		assert.Equal(t, want, Text(in), "%q becomes", in)
	}
}

func TestWriter(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if n, err := fmt.Fprintf(Writer{&b}, "a\x00b\x1b[31m\u202e\nc"); n != 13 || err != nil || b.String() != "a\ufffdb\ufffd[31m\ufffd\nc" {
		t.Errorf("%d, %v, %q", n, err, b.String())
	}
}

func TestCut(t *testing.T) {
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
		got := Cut(tc.text, tc.limit)
		assert.Equal(t, tc.want, got, "%q cut to %d", tc.text, tc.limit)
		assert.LessOrEqual(t, utf8.RuneCountInString(got), tc.limit, "%q cut to is %q, want %q", tc.text, got, tc.want)
	}
}

func FuzzCut(f *testing.F) {
	f.Add("a text with %30123 in it", 30)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = max(limit, 20)
		clean := Text(Cut(text, limit))
		assert.True(t, utf8.ValidString(clean), "%q", clean)
		assert.LessOrEqual(t, utf8.RuneCountInString(clean), limit, "%q", clean)
	})
}
