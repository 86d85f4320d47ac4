package diagnostic

import (
	"errors"
	"fmt"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// commonAdvice has the codes that mean the same for every endpoint.
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

// callText is a failed call as a separate paragraph, with the API's message verbatim. It is "" for no error.
func callText(err error) string {
	var e *transport.Error
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &e):
		return "The API call failed: " + err.Error()
	}
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

// outcomeAdvice is what to do if the outcome of a write is unknown.
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

func failedInAPI(op string) string {
	return "The API call to " + op + " failed in the API, not in the configuration. Run again. If the error persists, contact the API provider's support with the code, the time and the API key's ID (never the API key)."
}
