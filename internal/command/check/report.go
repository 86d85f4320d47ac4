package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/forms"
)

// Results of an endpoint, the worse the larger.
type result int

const (
	resultUnread result = iota
	resultDocumented
	resultDiffers
	resultFails
)

var resultTexts = map[result]string{
	resultUnread: "not read", resultDocumented: "as documented", resultDiffers: "differs, no harm", resultFails: "cannot be used",
}

// Report is the result of a check.
type Report struct {
	Verdict   string            `json:"verdict"`
	Calls     int               `json:"calls"`
	Endpoints []*EndpointReport `json:"endpoints"`
	Questions []Answer          `json:"questions"`

	fails int
}

// EndpointReport is the result of one endpoint.
type EndpointReport struct {
	API      string   `json:"api"`
	Endpoint string   `json:"endpoint"`
	Calls    int      `json:"calls"`
	Result   string   `json:"result"`
	Notes    []string `json:"notes,omitempty"`
	NeededBy string   `json:"needed_by"`

	result  result
	problem string
	look    look
}

func (r *EndpointReport) worse(than result) {
	r.result = max(r.result, than)
}

// Answer is what was seen of a question that the API documentation leaves open.
type Answer struct {
	Name     string `json:"name"`
	Question string `json:"question"`
	Answer   string `json:"answer"` // "" if no response shows it
	Meaning  string `json:"meaning,omitempty"`
}

// report returns what was found. It has no texts of the API but names of fields and error codes.
func (c *check) report() *Report {
	out := &Report{Calls: len(c.exchanges)}
	unread := "nothing to read: no object of this kind was found"
	if c.stopped != nil {
		unread = c.stopped.Error()
	}
	for i, r := range c.rows {
		if r.API == apiSigning && c.signing == nil || i == 0 && r.Calls == 0 {
			continue // without settings of the Signing API, or with an access token
		}
		if r.Notes = r.look.notes(); len(r.Notes) > 0 && r.result == resultDocumented {
			r.result = resultDiffers
		}
		if r.problem == "" && r.result == resultUnread {
			r.problem = unread
		}
		if r.problem != "" {
			r.Notes = slices.Insert(r.Notes, 0, r.problem)
		}
		if r.result == resultFails {
			out.fails++
		}
		r.Result = resultTexts[r.result]
		out.Endpoints = append(out.Endpoints, r)
	}
	answers := c.answers()
	for _, q := range forms.Questions {
		if q.IsShown() {
			out.Questions = append(out.Questions, Answer{q.Name, q.Text, answers[q.Name], q.Form(answers[q.Name]).Means})
		}
	}
	switch {
	case out.fails > 0:
		out.Verdict = fmt.Sprintf("%d of %d endpoints cannot be used", out.fails, len(out.Endpoints))
	case c.stopped != nil:
		out.Verdict = "Incomplete: " + c.stopped.Error()
	default:
		out.Verdict = "All that was read can be used"
	}
	return out
}

// readsAnything reports whether any endpoint but the token exchange could be read.
func (c *check) readsAnything() bool {
	return slices.ContainsFunc(c.rows[1:], func(r *EndpointReport) bool { return r.result == resultDocumented || r.result == resultDiffers })
}

// write writes the report in a format of formats.
func (r *Report) write(w io.Writer, format string) error {
	if format == "json" {
		return writeJSON(w, r)
	}
	var out strings.Builder
	heading := "%s\n\n"
	item := "  %-16s  %s\n"
	note := "  %-16s    %s\n"
	tail := "\n"
	if format == "markdown" {
		heading = "## %s\n\n"
		item = "- **%s**: `%s`\n"
		note = "%.0s  - %s\n"
	}
	fmt.Fprintf(&out, heading, fmt.Sprintf("%s (%d calls)", r.Verdict, r.Calls))
	for _, e := range r.Endpoints {
		fmt.Fprintf(&out, item, e.Result, e.Endpoint)
		for _, n := range e.Notes {
			fmt.Fprintf(&out, note, "", n)
		}
		if e.Result == resultTexts[resultFails] {
			fmt.Fprintf(&out, note, "", "needed by "+e.NeededBy)
		}
	}
	out.WriteString(tail)
	fmt.Fprintf(&out, heading, "Answers to questions that the API documentation leaves open")
	for _, a := range r.Questions {
		if format == "markdown" {
			fmt.Fprintf(&out, "- %s (`%s`): %s\n", a.Question, a.Name, cmp.Or(a.Meaning, a.Answer, "not seen"))
		} else {
			fmt.Fprintf(&out, "  %-18s %s: %s\n", a.Name, a.Question, cmp.Or(a.Meaning, a.Answer, "not seen"))
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// writeJSON writes a report or a transcript.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
