package diagnostic

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// advice says what to do about each code of the Reseller API (§7.2), the token exchange, the scopes and the Signing API (its
// §7). An object may replace the text of a code that it knows more about. NOT_FOUND and UNAUTHORIZED mean something else with
// status 400, and the codes of the Signing API something else for each call.
var advice = map[string]string{
	client.CodeUnauthorized:            "The access token or API key is invalid or revoked. Check the API key in the reseller console (API, Keys). Revoking an API key also revokes its tokens.",
	client.CodeForbidden:               "The reseller of the API key may have been deleted. Check the API key, and contact the API provider's support.",
	client.CodeForbidden + " reseller": "slug in the provider block names another reseller than that of the API key. Check that the API key belongs to the reseller of this configuration.",
	client.CodeForbidden + " label":    "The private label may be deprovisioned, in another reseller's subtree, or moved by the platform, or slug in the provider block may be wrong. Check the list of private labels, and that the API key belongs to the right reseller.",

	client.CodeInsufficientScope:               "The API key lacks the scope reseller:provision, which writing private labels, members and branding needs, and every action. " + scopesFixed,
	client.CodeInsufficientScope + " other":    "The API key lacks the scope that the API names. " + scopesFixed,
	client.CodeInsufficientScope + " read":     "The API key lacks the scope reseller:read, which every resource and data source of the Reseller API needs. " + scopesFixed,
	client.CodeInsufficientScope + " packages": "The API key lacks the scope reseller:packages, which writing reseller_package, reseller_addon or reseller_assignment needs. " + scopesFixed,

	client.CodeSessionRequired:        "The API allows this only to a user who is signed in to the reseller console, and to no API key. Use the console.",
	client.CodeNotFound:               "The API has no endpoint with this method and path. Check base_url. If it is right, this version of the provider does not fit the API: look for a newer version.",
	transport.CodeInvalidClient:       "The API key is unknown, revoked or mistyped. Check api_key or RESELLER_API_KEY against the reseller console (API, Keys).",
	transport.CodeInvalidRequestGrant: "The API could not read the token exchange. Check that base_url is the base URL of the Reseller API, and that no proxy changes requests.",
	transport.CodeJSONWebTokenError:   "The access token is missing or malformed. Check access_token or RESELLER_ACCESS_TOKEN.",

	client.CodeInvalidRequest: "The API rejects a value. Check the values of this object; one may be longer than its field.",
	client.CodeInvalidTarget:  "No live private label has this ID. Check the ID, and that the private label was not deprovisioned.",
	client.CodeInvalidQuery:   "The API rejects these query arguments. Check period, item_code and limit of the data source. The API reads pages of 1 to 100 rows.",

	client.CodeHostTaken:             "The host name is in use or belonged to a deprovisioned private label, which nobody can provision again. Choose another host name, or import the private label if it is yours.",
	client.CodeHostReserved:          "The platform reserves this host name. Choose a host name of your customer's domain.",
	client.CodeDomainInvalid:         "Write the bare host name, such as sign.acme.example.",
	client.CodeDomainEmpty:           "Set the host name.",
	client.CodeDomainNotFound:        "No live private label has this host name. Check its spelling.",
	client.CodeUnauthorized + " 400": "The reseller has no live private label with this host name. Check its spelling and the API key.",
	client.CodeNotFound + " 400":     "The host name has no branding to change. Contact the API provider's support.",
	client.CodeInvalidColor:          "Write colors as #rgb or #rrggbb.",
	client.CodeInvalidURL:            "Check website_url, support_url and social_links. Each is a full http or https URL.",
	client.CodeTooManySocialLinks:    "At most 20 social links are allowed.",
	client.CodeNoFiles:               noUpload,
	client.CodeInvalidData:           noUpload,
	client.CodeInvalidImage:          "The API cannot read one of the images, or finds it larger than 4096 x 4096 pixels. Save it again as a plain PNG.",
	client.CodeLimitFileSize:         "A logo has at most 1 MB, which may be 1,000,000 bytes.",
	client.CodeLimitUnexpectedFile:   "The API accepts PNG, JPEG, GIF and SVG.",

	client.CodeInvalidEmail:        "Write one plain email address, such as ada@acme.example.",
	client.CodeInvalidName:         noName,
	client.CodeOwnerInvalidEmail:   "Write one plain email address.",
	client.CodeOwnerInvalidName:    noName,
	client.CodeAlreadyInDomain:     "The user already has a seat. Import the member.",
	client.CodeSeatQuotaReached:    "All seats of the private label are used. Attach an add-on with seats, assign a larger package, or remove a member. If this apply adds seats, set depends_on = [reseller_assignment.NAME].",
	client.CodeUserNotFound:        "No member of the private label has this ID. The data source reseller_members lists all members.",
	client.CodeCannotRemoveOwner:   "The API does not allow removing the owner or an admin, and no API call changes a role. Contact the API provider's support.",
	client.CodeSuspendedByPlatform: "Only the platform can lift this suspension. Contact support. You can keep suspended in the configuration; the provider does not act on it until then.",
	client.CodeTooFrequent:         "The API rejects an invitation for five minutes after the last set-password email of a user. Try again later.",

	client.CodeCodeInUse:           "The code belongs to another item permanently, even after deactivation, and in upper or lower case. Import that item, or choose another code.",
	client.CodeAlreadyAssigned:     "The private label has another package. Plan again.",
	client.CodeAlreadyAttached:     "The add-on is attached already, outside of this apply. Plan again.",
	client.CodeNotAssigned:         "The private label has no package, which add-ons require. Plan again.",
	client.CodeAddonNotFound:       "Check the code of the add-on, and whether it is still attached. Plan again.",
	client.CodeNoSubscription:      "The reseller has no subscription, which packages require. Contact the API provider's sales.",
	client.CodePackageInactive:     "Activate the package, or choose another one.",
	client.CodeConfirmationInvalid: "The API rejected the confirmation of the excess. Apply again to request a new one.",
	client.CodeConfirmationExpired: "A confirmation is valid for 10 minutes. Apply again.",

	client.CodeNotFound + " signing": "The Signing API has no endpoint with this method and path. Check signing.url, signing.api_url and signing.family in the provider block.",

	signing.CodeInvalidUserAPIKey:   "The user API key matches no account. Check signing.user_api_key in the provider block, or RESELLER_SIGNING_API_KEY, against the user's profile page.",
	signing.CodeInvalidAPIKey:       "Internal keys of the API do not match. The configuration is not the cause. Contact the API provider's support.",
	signing.CodeMissingBody:         "The API received no request body. Check that no proxy removes it.",
	signing.CodeNoFileAttached:      "The API received no file. Check that no proxy removes it.",
	signing.CodeFileAttachmentIssue: "The API accepts two files, a PDF and a thumbnail. Check that no proxy adds a file.",
	signing.CodeInvalidFileType:     "The API accepts a PDF, and a PNG or JPEG as thumbnail, and may decide by the file name. Let the name end in .pdf, .png or .jpeg.",
	signing.CodeInvalidDocID:        "No document has this ID. Set doc_id = reseller_document.NAME.id, or check the ID.",

	signing.CodeNoPermission + " upload the document":     "The API key's user may not upload documents to this domain. Set a domain of the account, or omit domain for a personal account.",
	signing.CodeNoPermission + " sign the document":       "The API key's user may not sign this document. Check domain, doc_password if the document has a passcode, and whether it is this signer's turn.",
	signing.CodeNoPermission + " mint the document":       "The API key's user may not mint documents. Contact the owner of the account.",
	signing.CodeNoPermission + " view the document":       "The API key's user may not view this document on this domain.",
	signing.CodeNoPermission + " list the sent documents": "The API key's user may not list documents of this domain.",
	signing.CodeInvalidData + " upload the document":      "Check domain, owner_email, signers and annotations. A stored signature must be one of the user's or the signer's, and the PDF must be complete.",
	signing.CodeInvalidData + " sign the document":        "Check that each ID is an annotation of this document that is not verified yet, and that each Signature has the ID of a stored signature.",
	signing.CodeInvalidData + " mint the document":        "Check unit_name (at most 8 characters), asset_name (at most 32) and creator_email.",
	signing.CodeInvalidData + " list the sent documents":  "Set a domain of the account, such as the host name of a private label.",
}

// Advice of several rows.
const (
	scopesFixed = "Scopes are immutable: create an API key with that scope in the reseller console (API, Keys)."
	noUpload    = "The API could not read the upload, or found no file in it. Check that no proxy changes uploads. If none does, report this as a bug in the provider."
	noName      = "Set first_name and last_name. Neither may be blank."
)

// adviceKey returns the row of an error: a few codes mean something else with another status, or at another endpoint (§4).
func adviceKey(e *transport.Error) string {
	at := func(part string) bool { return strings.Contains(e.Endpoint, part) }
	reads := strings.HasPrefix(e.Endpoint, http.MethodGet) || strings.HasSuffix(e.Endpoint, "/search") || strings.HasSuffix(e.Endpoint, "/get")
	switch {
	case at(" /signing"):
		return signingKey(e)
	case e.Status == http.StatusBadRequest && (e.Code == client.CodeUnauthorized || e.Code == client.CodeNotFound):
		return e.Code + " 400"
	case e.Code == client.CodeForbidden && at("/:tenantId"):
		return e.Code + " label"
	case e.Code == client.CodeForbidden && at("/:slug/"):
		return e.Code + " reseller"
	case e.Code == client.CodeInsufficientScope:
		return scopeKey(e, reads, at("/billing/") || at("/package"))
	default:
		return e.Code
	}
}

// scopeKey returns the row of the scope that the API documentation names for an endpoint (§4). The API's own words may name
// another one.
func scopeKey(e *transport.Error, reads, ofPackages bool) string {
	scope := "reseller:provision"
	key := e.Code
	switch {
	case reads:
		scope = "reseller:read"
		key = e.Code + " read"
	case ofPackages:
		scope = "reseller:packages"
		key = e.Code + " packages"
	}
	if strings.Contains(e.Message, "reseller:") && !strings.Contains(e.Message, scope) {
		return e.Code + " other"
	}
	return key
}

// signingKey is adviceKey for the Signing API, whose key is another one than that of the Reseller API.
func signingKey(e *transport.Error) string {
	switch {
	case e.Status == http.StatusUnauthorized && e.Code != signing.CodeInvalidAPIKey, e.Code == client.CodeUnauthorized, e.Code == transport.CodeJSONWebTokenError:
		return signing.CodeInvalidUserAPIKey
	case e.Code == client.CodeForbidden:
		return signing.CodeNoPermission + " " + e.Op
	case e.Code == client.CodeNotFound:
		return e.Code + " signing"
	default:
		return e.Code
	}
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
	text := "API error "
	if e.Status < 400 {
		text = "Unexpected API response "
	}
	text = strings.TrimSpace(text+e.Code) + fmt.Sprintf(" (HTTP %d)", e.Status)
	if e.Message != "" {
		text += ": " + e.Message
	}
	if e.RequestID != "" {
		text += " (request ID " + e.RequestID + ")"
	}
	if e.RetryAfter > 0 {
		text += fmt.Sprintf(" (Retry-After: %s)", e.RetryAfter.Round(time.Second))
	}
	return text
}

// outcomeAdvice is what to do if the outcome of a write is unknown.
var outcomeAdvice = map[transport.Reason]string{
	transport.ReasonLost:        "Apply again; a retry of this call is safe.",
	transport.ReasonCanceled:    "Plan again to see the outcome.",
	transport.ReasonAbsent:      "Plan again to see the outcome.",
	transport.ReasonCheckFailed: "Plan again to see the outcome before you make the change by hand.",
	transport.ReasonHidden:      "Apply again; a retry of this call is safe.",
	transport.ReasonNotShown:    "The API may show it late. Plan again in a few minutes to see whether it is in effect. If the error persists, contact the API provider's support.",
	transport.ReasonConflict:    "Plan again in a few minutes. If the private label exists then, import it.",
	client.ReasonMadeByOther:    "If it is yours, import it.",
	client.ReasonInvite:         "Ask the user. If no email arrived, send another one after five minutes.",
	// Of one-time operations, the resource says what to do.
}

const limitAdvice = "Run again after that time, or increase max_wait in the provider block."

func limitText(e *transport.RateLimitError) string {
	return fmt.Sprintf("The %q rate limit is exhausted and resets at %s (in %s). max_wait allows %s",
		e.Limit, e.Until.UTC().Format(time.RFC3339), e.Wait.Round(time.Second), e.MaxWait)
}

// stoppedBefore is what to do about a rejection that is not one of the API.
func stoppedBefore(status int) string {
	text := "A proxy or a gateway in front of the API stopped the call, so the API stored nothing. "
	switch status {
	case http.StatusRequestEntityTooLarge:
		return text + "The request is larger than that server allows. Use a smaller file."
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return text + "Check the API's URL in the provider block."
	default:
		return text + "Check HTTPS_PROXY and the API's URL in the provider block. If both are right, contact the API provider's support."
	}
}

func failedInAPI(op string) string {
	return "The API call to " + op + " failed in the API, not in the configuration. Run again. If the error persists, contact the API provider's support with the code, the time and the API key's ID (never the API key)."
}
