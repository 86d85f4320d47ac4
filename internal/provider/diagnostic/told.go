package diagnostic

import (
	"regexp"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Told has the explanations of the errors that a walk has returned. Terraform asks about one object at a time, so that one
// cause, such as an invalid API key, makes an error for each. It is safe for concurrent use.
type Told struct {
	mu           sync.Mutex
	walk         any
	explanations map[string]bool
	requests     map[string]bool
}

// apiCode begins the paragraph with an error of the API.
var apiCode = regexp.MustCompile(`(?m)^API error \S+ \(HTTP \d+\)`)

// Shorten leaves of an error the first paragraph, which names the object, and the code of the API, if an earlier error of the
// walk has the same summary and the same further paragraphs. A request with an error that repeats is of another walk.
func (t *Told) Shorten(walk any, request string, diags []*tfprotov6.Diagnostic) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.walk != walk || t.requests[request] {
		t.walk = walk
		t.explanations = map[string]bool{}
		t.requests = map[string]bool{}
	}
	for _, d := range diags {
		fact, explanation, found := strings.Cut(d.Detail, "\n\n")
		if !found || d.Severity != tfprotov6.DiagnosticSeverityError {
			continue
		}
		t.requests[request] = true
		key := d.Summary + "\n" + explanation
		if t.explanations[key] {
			d.Detail = fact
			if code := apiCode.FindString(explanation); code != "" {
				d.Detail += " " + code + "."
			}
		}
		t.explanations[key] = true
	}
}
