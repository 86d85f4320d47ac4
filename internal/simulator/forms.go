package simulator

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// question is something that the API documentation leaves open, with the plausible forms of an answer. The first form is
// the default.
type question struct {
	name    string
	section string // of the Reseller API's documentation, "Signing" and a section of the other one
	text    string
	forms   []form
}

type form struct {
	name, text string
	rejects    bool // it rejects requests that the default accepts, or lacks data that it has, so that chance does not choose it
}

// Forms choose a form by the name of its question. A question without a choice has its default.
type Forms map[string]string

// formOf returns the form of a question.
func (f Forms) formOf(name string) string {
	if chosen, ok := f[name]; ok {
		return chosen
	}
	return questionNamed(name).forms[0].name
}

// isForm reports whether a question has a form.
func (f Forms) isForm(name, form string) bool {
	return f.formOf(name) == form
}

func questionNamed(name string) *question {
	at := slices.IndexFunc(questions, func(q question) bool { return q.name == name })
	if at < 0 {
		return nil
	}
	return &questions[at]
}

func (q *question) hasForm(name string) bool {
	return slices.ContainsFunc(q.forms, func(f form) bool { return f.name == name })
}

func (q *question) formNames() string {
	names := []string{}
	for _, f := range q.forms {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

// check returns an error that names the first choice that this version does not know.
func (f Forms) check() error {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		q := questionNamed(name)
		switch {
		case q == nil:
			return fmt.Errorf("no question has the name %q; simulate -forms help lists them", name)
		case !q.hasForm(f[name]):
			return fmt.Errorf("%s has no form %q; it has %s", name, f[name], q.formNames())
		}
	}
	return nil
}

// String lists the choices as ParseForms reads them.
func (f Forms) String() string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(f)) {
		out = append(out, name+"="+f[name])
	}
	return strings.Join(out, ",")
}

// ParseForms reads NAME=FORM,… or random:SEED.
func ParseForms(text string) (Forms, error) {
	if seed, random := strings.CutPrefix(text, "random:"); random {
		n, err := strconv.ParseUint(seed, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("random:%s: the seed must be a whole number", seed)
		}
		return RandomForms(n), nil
	}
	out := Forms{}
	for pair := range strings.SplitSeq(text, ",") {
		if pair = strings.TrimSpace(pair); pair == "" {
			continue
		}
		name, chosen, _ := strings.Cut(pair, "=")
		out[name] = chosen
	}
	return out, out.check()
}

// RandomForms chooses a form of every question, the same for the same seed. Each form has the same chance.
func RandomForms(seed uint64) Forms {
	chance := rand.New(rand.NewPCG(seed, 7)) //nolint:gosec // a drawing that can be repeated
	out := Forms{}
	for _, q := range questions {
		open := slices.DeleteFunc(slices.Clone(q.forms), func(f form) bool { return f.rejects })
		out[q.name] = open[chance.IntN(len(open))].name
	}
	return out
}

// PrintForms writes the table of questions for a terminal.
func PrintForms(w io.Writer) {
	for _, q := range questions {
		_, _ = fmt.Fprintf(w, "%s (§%s): %s\n", q.name, q.section, q.text)
		for i, f := range q.forms {
			mark := " "
			if i == 0 {
				mark = "*"
			}
			_, _ = fmt.Fprintf(w, "  %s %-16s %s\n", mark, f.name, f.text)
		}
	}
}

// FormsTable is the table of questions in Markdown. A form in bold is the default; one with a dagger is never chosen by
// chance.
func FormsTable() string {
	var out strings.Builder
	out.WriteString("| Name | Section | Question | Forms |\n|---|---|---|---|\n")
	for _, q := range questions {
		var forms []string
		for i, f := range q.forms {
			name := "`" + f.name + "`"
			if i == 0 {
				name = "**" + name + "**"
			}
			if f.rejects {
				name += "†"
			}
			forms = append(forms, name+": "+f.text)
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", q.name, q.section, q.text, strings.Join(forms, "; "))
	}
	return strings.ReplaceAll(out.String(), "§", "section ")
}
