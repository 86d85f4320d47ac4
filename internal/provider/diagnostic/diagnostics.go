// Package diagnostic turns errors of the clients into diagnostics, and cleans what is shown.
package diagnostic

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Remedy says where in the configuration an error code belongs, and what to do.
type Remedy struct {
	At     path.Path
	Advice string
}

// APIFailure describes a call that failed in the words of the person who wrote the configuration.
type APIFailure struct {
	Summary   string            // constant for its kind: "Error provisioning private label"
	Object    string            // begins an unknown outcome where the call has an ID only: "sign.acme.example"
	Failed    string            // names the object and what was not done: "sign.acme.example was not provisioned"
	Unchanged string            // what did and did not change
	Remedies  map[string]Remedy // by the API's error code
}

// Diagnostic is the one place where an error of the client becomes a diagnostic.
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
		return f.at(path.Empty(), JoinParagraphs(f.lead(), "The API call failed: "+err.Error(), "Check base_url in the provider block and the network, and run again."))
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
	// With 401 the code is about the token, with 400 about the host (§7.2).
	badToken := e.Code == client.CodeUnauthorized && e.Status == http.StatusUnauthorized
	if r, ok := f.Remedies[e.Code]; ok && !badToken {
		return r
	}
	if advice, ok := commonAdvice[e.Code]; ok {
		return Remedy{Advice: advice}
	}
	switch {
	case e.Status >= 500:
		return Remedy{Advice: "The API call to " + e.Op + " failed in the API, not in the configuration. Run again. If the error persists, contact the API provider's support with the code, the time and the API key's ID (never the API key)."}
	case e.Status == 429:
		return Remedy{Advice: "Run again later, or increase max_wait in the provider block."}
	default:
		return Remedy{}
	}
}

// commonAdvice holds the codes that mean the same for every endpoint.
var commonAdvice = map[string]string{
	client.CodeForbidden:            "The API key's reseller does not own this object, or slug in the provider block names another reseller. Check that the API key belongs to the reseller of this configuration.",
	client.CodeInsufficientScope:    "The API key lacks a scope, and scopes are immutable. Create another API key in the reseller console (API, Keys) with the scopes reseller:read, reseller:provision and reseller:packages.",
	client.CodeUnauthorized:         "The access token or API key is invalid or revoked. Check the API key in the reseller console (API, Keys). Revoking an API key also revokes its tokens.",
	transport.CodeInvalidClient:     "The API key is unknown, revoked or mistyped. Check api_key or RESELLER_API_KEY against the reseller console (API, Keys).",
	transport.CodeJSONWebTokenError: "The access token is missing or malformed. Check access_token or RESELLER_ACCESS_TOKEN.",
	client.CodeSessionRequired:      "The API allows this only to a user who is signed in to the reseller console, and to no API key. Use the console.",
	client.CodeInvalidQuery:         "The API rejects these query arguments. Check period, item_code and limit of the data source. The API reads pages of 1 to 100 rows.",
	client.CodeInvalidRequest:       "The API rejects a value. Check the values of this object; one may be longer than its field.",
	client.CodeInvalidTarget:        "No live private label has this ID. Check the ID, and that the private label was not deprovisioned.",
	client.CodeDomainNotFound:       "No live private label has this host name. Check its spelling.",
	client.CodeDomainEmpty:          "Set the host name.",
	client.CodeNoFiles:              "The API received no file. Check that no proxy changes uploads. If none does, report this as a bug in the provider.",
	client.CodeInvalidData:          "The API could not read the upload. Check that no proxy changes uploads. If none does, report this as a bug in the provider.",

	transport.CodeInvalidRequestGrant: "The API could not read the token exchange. Check that base_url is the base URL of the Reseller API, and that no proxy changes requests.",
	client.CodeConfirmationExpired:    "A confirmation is valid for 10 minutes. Apply again.",

	client.CodeNotFound: "The API has no endpoint with this method and path. Check base_url. If it is right, this version of the provider does not fit the API: look for a newer version.",
}

// answerText is the API's error in a paragraph of its own, with its message verbatim.
func answerText(e *transport.Error) string {
	text := "API error"
	if e.Status < 400 {
		text = "Unexpected API response"
	}
	if e.Code != "" {
		text += " " + e.Code
	}
	text += fmt.Sprintf(" (HTTP %d)", e.Status)
	if e.Message != "" {
		text += ": " + e.Message
	}
	if e.RequestID != "" {
		text += " (request ID " + e.RequestID + ")"
	}
	return text
}

// outcomeAdvice is what to do where the outcome of a write is unknown.
var outcomeAdvice = map[transport.Reason]string{
	transport.ReasonCanceled:    "Plan again to see the outcome.",
	transport.ReasonAbsent:      "Plan again to see the outcome.",
	transport.ReasonCheckFailed: "Plan again to see the outcome before you make the change by hand.",
	transport.ReasonConflict:    "Plan again in a few minutes. If the private label exists then, import it.",
	client.ReasonMadeByOther:    "If it is yours, import it.",
	client.ReasonInvite:         "Ask the user. If no email arrived, send another one after five minutes.",
	signing.ReasonUpload:        "Look for it among the sent documents in the web application before you apply again: an apply sends it a second time.",
	signing.ReasonSign:          "Look at the document in the web application before you apply again.",
	signing.ReasonMint:          "Look for the asset in the account that it is minted to before you apply again: an apply mints it a second time.",
}

func limitText(e *transport.RateLimitError) string {
	return fmt.Sprintf("The %q rate limit is exhausted and resets at %s (in %s). max_wait allows %s",
		e.Limit, e.Until.UTC().Format(time.RFC3339), e.Wait.Round(time.Second), e.MaxWait)
}

func limitAdvice(e *transport.RateLimitError) string {
	advice := "Run again after that time, or increase max_wait in the provider block."
	if e.File != "" {
		advice += fmt.Sprintf(" All processes of this machine share the times in %s. If they are wrong, delete that file and run again.", e.File)
	}
	return advice
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
