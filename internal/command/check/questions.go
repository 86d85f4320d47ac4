package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/forms"
)

// answers returns the form of each question that the responses answer.
func (c *check) answers() map[string]string {
	out := map[string]string{}
	for _, q := range forms.Questions {
		at := regexp.MustCompile(q.At)
		i := slices.IndexFunc(q.Forms, func(f forms.Form) bool {
			lines := []*regexp.Regexp{}
			for line := range strings.FieldsSeq(f.Shown) {
				lines = append(lines, regexp.MustCompile("(?m)"+line))
			}
			return len(lines) > 0 && slices.ContainsFunc(c.facts, func(fact fact) bool {
				return at.MatchString(fact.endpoint) &&
					!slices.ContainsFunc(lines, func(line *regexp.Regexp) bool { return !line.MatchString(fact.lines) })
			})
		})
		if i >= 0 {
			out[q.Name] = q.Forms[i].Name
		}
	}
	return out
}

// fact is a response as lines, one for each value: `data.rows[].id="9"`.
type fact struct{ endpoint, lines string }

// note keeps the responses of an endpoint for the questions, with their differences from the API documentation.
func (c *check) note(e *endpoint, exchanges []Exchange, l look) {
	for _, x := range exchanges {
		if x.Response == nil {
			continue
		}
		lines := []string{"at=" + e.name, "sent-to=" + x.Request.Path, "method=" + x.Request.Method, c.aside}
		for _, line := range linesOf("", plain(encoded(x.Response))) {
			lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(line, ".body"), "."))
		}
		if e.name == label {
			c.details[c.label] = "detail" + strings.Join(linesOf("", plain(anyjson.ReadObject(x.Response.Body)["data"])), "\ndetail")
		}
		c.facts = append(c.facts, fact{e.name, strings.Join(append(lines, l.notes()...), "\n")})
	}
}

// linesOf lists the values below a value, each with its place.
func linesOf(at string, value any) (out []string) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range sorted(v) {
			out = append(out, linesOf(at+"."+name, v[name])...)
		}
	case []any:
		for _, element := range v {
			out = append(out, linesOf(at+"[]", element)...)
		}
	}
	if out == nil {
		out = []string{at + "=" + string(encoded(value))}
	}
	return out
}
