package wording_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/tool/wording"
)

func TestLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 16) // 79 columns
	for text, want := range map[string]int{
		"One.":                                  1,
		long:                                    2,
		"One.\n\nTwo.":                          3,
		"One:\n\n  a table\n\nTwo.":             2,
		"One:\n\nimport {\n  to = a\n}\n\nTwo.": 2,
		"One:\n\nresource \"a\" \"b\" {\n\n  c = 1\n}": 1,
		strings.Repeat("x", 300):                       1,
	} {
		assert.Equal(t, want, wording.Lines(text), "%q", text)
	}
}

func TestTooLong(t *testing.T) {
	t.Parallel()
	four, seven := strings.Repeat("word ", 50), strings.Repeat("word ", 100)
	assert.NotEmpty(t, wording.TooLong("warning", "Any", four))
	assert.Empty(t, wording.TooLong("error", "Any", four))
	assert.NotEmpty(t, wording.TooLong("error", "Any", seven))
}

// plannedDiagnostic begins a diagnostic of a golden plan, whose detail is indented.
var plannedDiagnostic = regexp.MustCompile(`^(error|warning)(?: at \S+)?: (.*)$`)

// Each diagnostic of the golden plans has the length of the template. internal/testing/providertest measures what other
// tests see.
func TestPlans_Length(t *testing.T) {
	t.Parallel()
	plans, err := filepath.Glob(filepath.Join(root, "internal", "provider", "*", "testdata", "plans", "*.golden"))
	require.NoError(t, err)
	seen := 0
	for _, plan := range plans {
		text, err := os.ReadFile(plan)
		require.NoError(t, err)
		assert.NotContains(t, string(text), "Nothing was changed", "%s: no plan changes anything", plan)
		var severity, summary string
		var detail []string
		end := func() {
			if severity != "" {
				seen++
				assert.Empty(t, wording.TooLong(severity, summary, strings.Trim(strings.Join(detail, "\n"), "\n")), filepath.Base(plan))
			}
			severity, detail = "", nil
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimRight(line, "\n")
			if begin := plannedDiagnostic.FindStringSubmatch(line); begin != nil {
				end()
				severity, summary = begin[1], begin[2]
			} else if line != "" && !strings.HasPrefix(line, "  ") {
				end()
			} else {
				detail = append(detail, strings.TrimPrefix(line, "  "))
			}
		}
		end()
	}
	const least = 150
	assert.GreaterOrEqual(t, seen, least, "diagnostics")
}
