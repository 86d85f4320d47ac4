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

// APIFailure describes a call that failed in the words of the person who wrote
// the configuration: to which host, code or person, and what was not done.
type APIFailure struct {
	Summary   string            // "sign.acme.example was not provisioned"
	Unchanged string            // what the refused call left as it was
	Remedies  map[string]Remedy // by the service's error code
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
		return f.at(path.Empty(), "", JoinParagraphs(doubt.Error()+" "+outcomeAdvice[doubt.Reason], cause(doubt.Err)))
	case errors.As(err, &limit):
		return f.at(path.Empty(), "rate limit", JoinParagraphs(limitText(limit), f.Unchanged, limitAdvice(limit)))
	case errors.As(err, &answer):
		r := f.remedy(answer)
		return f.at(r.At, answer.Code, JoinParagraphs(answerText(answer), f.Unchanged, r.Advice))
	case errors.Is(err, context.Canceled):
		return f.at(path.Empty(), "", JoinParagraphs("The run was cancelled.", f.Unchanged, "Run again to go on."))
	case errors.Is(err, client.ErrNoSlug):
		return f.at(path.Empty(), "", JoinParagraphs(Capitalize(err.Error()), f.Unchanged, "Use a reseller's key, or set `slug` in the provider block."))
	default:
		return f.at(path.Empty(), "", JoinParagraphs("The service could not be reached: "+err.Error(), f.Unchanged,
			"Check the address in the provider block and the network, and run again."))
	}
}

func (f APIFailure) at(p path.Path, code, detail string) diag.Diagnostic {
	summary := f.Summary
	if code != "" {
		summary += " (" + code + ")"
	}
	if len(p.Steps()) == 0 {
		return diag.NewErrorDiagnostic(summary, detail)
	}
	return diag.NewAttributeErrorDiagnostic(p, summary, detail)
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
		return Remedy{Advice: "This is a failure of the service, not of the configuration. Run again; if it lasts, ask the service's support and name the code, the time and the key's id (never the key)."}
	case e.Status == 429:
		return Remedy{Advice: "Run again later, or raise `max_wait` in the provider block."}
	default:
		return Remedy{}
	}
}

// commonAdvice holds the codes that mean the same wherever they come from.
var commonAdvice = map[string]string{
	client.CodeForbidden:            "The key's reseller does not own this, or `slug` in the provider block names another reseller. Check that the key belongs to the reseller this configuration was written for.",
	client.CodeInsufficientScope:    "The key lacks a scope. Scopes are fixed when a key is made: make another key in the reseller console (API, Keys) with `reseller:read`, `reseller:provision` and `reseller:packages`.",
	client.CodeUnauthorized:         "The token or its key is not valid (any more). Check the key in the reseller console (API, Keys); a revoked key ends its tokens at once.",
	transport.CodeInvalidClient:     "The key is unknown, revoked or mistyped. Check `api_key` or RESELLER_API_KEY against the reseller console (API, Keys).",
	transport.CodeJSONWebTokenError: "The token is missing or malformed. Check `access_token` or RESELLER_ACCESS_TOKEN.",
	client.CodeSessionRequired:      "Only a user who is signed in to the reseller console may do this; no API key may. Do it in the console.",
	client.CodeInvalidQuery:         "The API does not take these arguments of the query. Check `period`, `item_code` and `limit` of the data source; the API reads pages of 1 to 100 rows.",
	client.CodeInvalidRequest:       "The API does not accept a value as written. Check the values of this object; one may be longer than its field.",
	client.CodeInvalidTarget:        "No live private label has this ID. Check the ID, and that the private label was not deprovisioned.",
	client.CodeDomainNotFound:       "No live private label has this host name. Check its spelling.",
	client.CodeDomainEmpty:          "Set the host name.",
	client.CodeNoFiles:              "The API received no file. Check that no proxy changes uploads; if none does, report this as a bug of the provider.",
	client.CodeInvalidData:          "The API could not read the upload. Check that no proxy changes uploads; if none does, report this as a bug of the provider.",

	transport.CodeInvalidRequestGrant: "The API could not read the token exchange. Check that `base_url` is the base URL of the Reseller API, and that no proxy changes requests.",
	client.CodeConfirmationExpired:    "A confirmation is valid for 10 minutes. Apply again.",

	client.CodeNotFound: "No endpoint of the service answers this method and path. Check `base_url`; if it is right, this version of the provider does not fit the service: look for a newer one.",
}

func answerText(e *transport.Error) string {
	text := fmt.Sprintf("The service refused to %s with HTTP %d", e.Op, e.Status)
	if e.Status >= 500 {
		text = fmt.Sprintf("The service failed to %s with HTTP %d", e.Op, e.Status)
	}
	if e.Code != "" {
		text += " " + e.Code
	}
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
	transport.ReasonCanceled:    "Plan again to see.",
	transport.ReasonAbsent:      "Plan again to see.",
	transport.ReasonCheckFailed: "It may have been done: plan again to see before doing it by hand.",
	transport.ReasonConflict:    "Plan again in a while; if the label shows up then, import it.",
	client.ReasonMadeByOther:    "Import it if it is the right one.",
	client.ReasonInvite:         "Ask the person, and send it again after five minutes if it did not arrive.",
	signing.ReasonUpload:        "Look for it among the sent documents in the web application before applying again: applying sends it a second time.",
	signing.ReasonSign:          "Look at it in the web application before applying again.",
	signing.ReasonMint:          "Look for the asset in the account it is minted to before applying again: applying mints it a second time.",
}

func limitText(e *transport.RateLimitError) string {
	return fmt.Sprintf("The %s limit of the service is closed for another %s, until %s; `max_wait` allows %s",
		e.Limit, e.Wait.Round(time.Second), e.Until.UTC().Format(time.RFC3339), e.MaxWait)
}

func limitAdvice(e *transport.RateLimitError) string {
	advice := fmt.Sprintf("Run again after %s, or raise `max_wait` in the provider block to let the provider wait.", e.Until.UTC().Format(time.RFC3339))
	if e.File != "" {
		advice += fmt.Sprintf(" All processes of this machine keep to the times in %s. If they are wrong, delete that file and run again.", e.File)
	}
	return advice
}

func cause(err error) string {
	if err == nil {
		return ""
	}
	return "It began with: " + err.Error()
}

// JoinParagraphs joins what is not empty into paragraphs that end in a full stop.
func JoinParagraphs(parts ...string) string {
	var out []string
	for _, p := range parts {
		p = strings.TrimSpace(p)
		if p == "" {
			continue
		}
		if !strings.ContainsAny(p[len(p)-1:], ".!?`") {
			p += "."
		}
		out = append(out, p)
	}
	return strings.Join(out, "\n\n")
}
