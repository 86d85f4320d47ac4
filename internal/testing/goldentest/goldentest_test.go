package goldentest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A difference names its part, and has the old and the new line, and no line of other parts.
func TestDifferences(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		old, now string
		want     [][]string // what each difference contains
	}{
		"equal":            {"== a\nx\n== b\ny\n", "== a\nx\n== b\ny\n", nil},
		"a changed line":   {"== a\nx\n== b\ny\nz\n", "== a\nx\n== b\ny\nw\n", [][]string{{"== b", "-", "z", "+", "w"}}},
		"a new part":       {"== a\nx\n", "== a\nx\n== b\ny\n", [][]string{{"== b", "+", "y"}}},
		"a part less":      {"== a\nx\n== b\ny\n", "== a\nx\n", [][]string{{"== b", "-", "y"}}},
		"without parts":    {"x\ny\n", "x\nz\n", [][]string{{"==", "-", "y", "+", "z"}}},
		"a file of a line": {"x", "y", [][]string{{"==", "x", "y"}}},
	} {
		got := Differences(tc.old, tc.now)
		if len(got) != len(tc.want) {
			t.Errorf("%s: %q", name, got)
			continue
		}
		for i, parts := range tc.want {
			for _, part := range parts {
				assert.Contains(t, got[i], part, "%s: is not", name)
			}
			if len(got) == 1 && strings.Contains(got[i], "== a") {
				t.Errorf("%s: another part is in\n%s", name, got[i])
			}
		}
	}
}

func TestParts(t *testing.T) {
	t.Parallel()
	intro, parts := Parts("# about\n\n== one\nline\n--\nanswer\n\n== two\n--\n")
	assert.Equal(t, "# about\n", intro)
	assert.Equal(t, []Part{{Name: "one", Text: "line\n--\nanswer\n"}, {Name: "two", Text: "--\n"}}, parts)
	assert.Equal(t, []string{"line", ""}, []string{Given(parts[0].Text), Given(parts[1].Text)})
}
