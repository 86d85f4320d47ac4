// Package diagnostic converts errors of the clients to diagnostics, and cleans texts before they are shown.
package diagnostic

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Remedy says which attribute an error code belongs to, and what to do.
type Remedy struct {
	At     path.Path
	Advice string
}

// APIFailure describes a failed API call in the terms of the configuration.
type APIFailure struct {
	Summary   string            // constant for its kind: "Error provisioning private label"
	Object    string            // begins an unknown outcome where the call has an ID only: "sign.acme.example"
	Failed    string            // names the object and what was not done: "sign.acme.example was not provisioned"
	Unchanged string            // what did and did not change
	Remedies  map[string]Remedy // by the API's error code
}

// Diagnostic is the only place that converts an error of the client to a diagnostic.
func (f APIFailure) Diagnostic(err error) diag.Diagnostic {
	var (
		answer *transport.Error
		doubt  *transport.UnknownOutcomeError
		limit  *transport.RateLimitError
	)
	switch {
	case errors.As(err, &doubt):
		f.Summary = SummaryOutcomeUnknown
		return f.at(path.Empty(), JoinParagraphs(f.outcome(doubt), cause(doubt.Err), outcomeAdvice[doubt.Reason]))
	case errors.As(err, &limit):
		f.Summary = SummaryRateLimit
		return f.at(path.Empty(), JoinParagraphs(f.lead(), limitText(limit), limitAdvice(limit)))
	case errors.As(err, &answer):
		r := f.remedy(answer)
		return f.at(r.At, JoinParagraphs(f.lead(), answerText(answer), r.Advice))
	case errors.Is(err, context.Canceled):
		return f.at(path.Empty(), JoinParagraphs(f.lead(), "The run was canceled. Run again to continue."))
	case errors.Is(err, client.ErrNoSlug):
		return f.at(path.Empty(), JoinParagraphs(f.lead(), Capitalize(err.Error()), "Use the API key of a reseller, or set slug in the provider block."))
	default:
		return f.at(path.Empty(), JoinParagraphs(f.lead(), "The API call failed: "+err.Error(),
			"Check base_url in the provider block and the network, and run again."))
	}
}

// Cause explains an error of the client in the detail of another diagnostic.
func Cause(err error) string { return APIFailure{}.Diagnostic(err).Detail() }

func (f APIFailure) outcome(doubt error) string {
	if f.Object == "" {
		return Capitalize(doubt.Error())
	}
	return f.Object + ": " + doubt.Error()
}

func (f APIFailure) lead() string {
	return strings.TrimSpace(sentence(f.Failed) + " " + sentence(f.Unchanged))
}

func (f APIFailure) at(p path.Path, detail string) diag.Diagnostic {
	if len(p.Steps()) == 0 {
		return diag.NewErrorDiagnostic(f.Summary, detail)
	}
	return diag.NewAttributeErrorDiagnostic(p, f.Summary, detail)
}

func (f APIFailure) remedy(e *transport.Error) Remedy {
	// With status 401 the code is about the token, with 400 about the host name (§7.2).
	badToken := e.Code == client.CodeUnauthorized && e.Status == http.StatusUnauthorized
	if r, ok := f.Remedies[e.Code]; ok && !badToken {
		return r
	}
	if advice, ok := commonAdvice[e.Code]; ok {
		return Remedy{Advice: advice}
	}
	switch {
	case e.Status >= 500:
		return Remedy{Advice: failedInAPI(e.Op)}
	case e.Status == 429:
		return Remedy{Advice: "Run again later, or increase max_wait in the provider block."}
	default:
		return Remedy{}
	}
}

// cause is the failure after which the outcome of a write was unknown.
func cause(err error) string {
	var answer *transport.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &answer):
		return answerText(answer)
	default:
		return "The API call failed: " + err.Error()
	}
}

// sentence ends a text with a period.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?`") {
		return s
	}
	return s + "."
}

// JoinParagraphs joins what is not empty into paragraphs that end in a period.
func JoinParagraphs(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p = sentence(p); p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "\n\n")
}
