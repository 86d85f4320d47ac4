// Package diagnostic converts errors of the clients to diagnostics, and cleans texts before they are shown.
package diagnostic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
)

// Remedy says which attribute an error code belongs to, and what to do.
type Remedy struct {
	At     path.Path
	Advice string // "": that of the code
}

// APIFailure describes a failed API call in the terms of the configuration.
type APIFailure struct {
	Summary   string            // constant for its kind: "Error provisioning private label"
	Object    string            // begins an unknown outcome where the call has an ID only: "sign.acme.example"
	Failed    string            // names the object and what was not done: "sign.acme.example was not provisioned"
	Unchanged string            // what did and did not change
	Report    string            // lists what did, in a paragraph of its own
	Remedies  map[string]Remedy // by the API's error code
}

// Of converts the outcome of a write that is not in effect. It says what was not done only of a write that had no effect.
func (f APIFailure) Of(o transport.Outcome) diag.Diagnostics {
	return diag.Diagnostics{f.Diagnostic(o.Err)}
}

// Diagnostic is the only place that converts an error of the client to a diagnostic.
func (f APIFailure) Diagnostic(err error) diag.Diagnostic {
	var (
		answer *transport.Error
		doubt  *transport.UnknownOutcomeError
		limit  *transport.RateLimitError
		shown  *transport.ContradictedError
	)
	at := path.Empty()
	opening := strings.TrimSpace(sentence(f.Failed) + " " + sentence(f.Unchanged))
	var what, advice string
	switch {
	case errors.As(err, &doubt):
		f.Summary = SummaryOutcomeUnknown
		opening = Capitalize(doubt.What())
		what = JoinParagraphs(oneLine(callText(doubt.Err)), oneLine(doubt.ReadFailure()))
		advice = outcomeAdvice[doubt.Reason]
		if f.Object != "" {
			opening = f.Object + ": " + doubt.What()
		}
	case errors.As(err, &shown):
		opening = strings.TrimSpace(opening + " " + Capitalize(shown.Error()))
		advice = "Plan again to see what is in effect. If it persists, contact the API provider's support."
	case errors.As(err, &limit):
		f.Summary = SummaryRateLimit
		what = oneLine(limitText(limit))
		advice = limitAdvice
	case errors.As(err, &answer):
		r := f.remedy(answer)
		at = r.At
		if answer.Code == transport.CodeInvalidClient {
			f.Summary = SummaryInvalidKey
		}
		what = oneLine(callText(answer))
		advice = r.Advice
	case errors.Is(err, context.Canceled):
		advice = "The run was canceled. Run again to continue."
	case errors.Is(err, client.ErrNoSlug):
		what = oneLine(Capitalize(err.Error()))
		advice = "Use the API key of a reseller, or set slug in the provider block."
	default:
		what = oneLine(callText(err))
		advice = "Check base_url in the provider block and the network, and run again."
	}
	detail := JoinParagraphs(oneLine(opening), what, f.Report, advice)
	return errorAt(at, f.Summary, detail)
}

// Cause is what the API answered, for the detail of another diagnostic; "" if the error is about something else.
func Cause(err error) string {
	var (
		answer *transport.Error
		limit  *transport.RateLimitError
	)
	switch {
	case errors.As(err, &limit):
		return oneLine(limitText(limit))
	case errors.As(err, &answer):
		return oneLine(callText(answer))
	default:
		return ""
	}
}

func (f APIFailure) remedy(e *transport.Error) Remedy {
	r := f.Remedies[e.Code]
	if e.Code == client.CodeUnauthorized && e.Status == http.StatusUnauthorized || e.Code == client.CodeNotFound && e.Status == http.StatusNotFound {
		r = Remedy{} // about the token, or the endpoint
	}
	if e.GivenToken != nil {
		return Remedy{Advice: e.GivenToken.Advice()}
	}
	if e.NotShown {
		return Remedy{Advice: "This run has provisioned the private label, and the API does not show it yet. Plan again in a few minutes."}
	}
	r.Advice = cmp.Or(r.Advice, advice[e.Code+" "+e.Op], advice[adviceKey(e)])
	switch {
	case r.Advice != "":
	case e.IsPage() && e.Status >= 400 && e.Status < 500 && e.Status != http.StatusTooManyRequests:
		r.Advice = stoppedBefore(e.Status)
	case e.Status >= 500:
		r.Advice = failedInAPI(e.Op)
	case e.Status == 429:
		r.Advice = "Run again later, or increase max_wait in the provider block."
	}
	return r
}

// oneLine returns a text with names and messages of the API, none of which can begin a line of its own or control a
// terminal.
func oneLine(text string) string {
	return printable.OneLine(strings.ReplaceAll(printable.Text(text), string(unicode.ReplacementChar), " "))
}

// sentence ends a text with a period.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".:!?`") {
		return s
	}
	return s + "."
}

// JoinParagraphs joins what is not empty into paragraphs that end in a period. One that is indented is a table.
func JoinParagraphs(parts ...string) string {
	var out []string
	for _, p := range parts {
		if !strings.HasPrefix(p, "  ") {
			p = sentence(p)
		}
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "\n\n")
}

// AsError returns the first error, nil for none.
func AsError(diags diag.Diagnostics) error {
	for _, d := range diags.Errors() {
		return fmt.Errorf("%s: %s", d.Summary(), d.Detail())
	}
	return nil
}

// ReadFailure is the error of a read that failed. Name begins a sentence: "The assignment of sign.acme.example".
func ReadFailure(summary, name string, err error) diag.Diagnostics {
	return diag.Diagnostics{APIFailure{Summary: summary, Failed: name + " could not be read"}.Diagnostic(err)}
}

// Unreadable is the error of a response that cannot be converted; none for no error.
func Unreadable(summary, name string, err error) (diags diag.Diagnostics) {
	if err != nil {
		diags.AddError(summary, fmt.Sprintf("%s could not be read: %s.", name, err))
	}
	return diags
}

// LabelListFailure is the error of a list of private labels that could not be read.
func LabelListFailure(err error) diag.Diagnostics {
	return ReadFailure(SummaryListLabels, "The list of private labels", err)
}

func Capitalize(s string) string {
	_, first := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:first]) + s[first:]
}

// NothingChanged is what an apply says of an error before its first call. A plan changes nothing.
const NothingChanged = "Nothing was changed."

// Unchanged are errors of an apply before its first call.
func Unchanged(diags diag.Diagnostics) (out diag.Diagnostics) {
	for _, d := range diags {
		if d.Severity() == diag.SeverityError && !strings.Contains(d.Detail(), NothingChanged) {
			fact, rest, found := strings.Cut(d.Detail(), "\n\n")
			detail := sentence(fact) + " " + NothingChanged
			if found {
				detail += "\n\n" + rest
			}
			at := path.Empty()
			if about, ok := d.(diag.DiagnosticWithPath); ok {
				at = about.Path()
			}
			d = errorAt(at, d.Summary(), detail)
		}
		out.Append(d)
	}
	return out
}

func errorAt(at path.Path, summary, detail string) diag.Diagnostic {
	if len(at.Steps()) == 0 {
		return diag.NewErrorDiagnostic(summary, detail)
	}
	return diag.NewAttributeErrorDiagnostic(at, summary, detail)
}

// AsWarnings are diagnostics whose errors would taint what was created.
func AsWarnings(diags diag.Diagnostics) (out diag.Diagnostics) {
	for _, d := range diags {
		out.AddWarning(d.Summary(), d.Detail())
	}
	return out
}
