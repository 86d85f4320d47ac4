package forms

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A form is tried, read or shown.
func TestQuestions(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, q := range Questions {
		assert.False(t, names[q.Name], "two questions %s", q.Name)
		names[q.Name] = true
		assert.NotEmpty(t, q.Text, q.Name)
		_, err := regexp.Compile(q.At)
		assert.NoError(t, err, q.Name)
		for _, f := range q.Forms {
			assert.NotEmpty(t, f.Method+f.Shown+strings.Join(f.Fields, ""), "%s of %s", f.Name, q.Name)
			for line := range strings.FieldsSeq(f.Shown) {
				_, err := regexp.Compile(line)
				assert.NoError(t, err, "%s of %s", f.Name, q.Name)
			}
			assert.Equal(t, f.Name, q.Form(f.Name).Name)
		}
	}
}
