package signing

import (
	"net/http"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Codes of the Signing API (§7). Their HTTP statuses are not documented, so that only the code decides.
const (
	CodeInvalidAPIKey       = "INVALID_API_KEY"       // all endpoints: internal keys of the API do not match
	CodeInvalidUserAPIKey   = "INVALID_USER_API_KEY"  // upload, mint
	CodeNoPermission        = "NO_PERMISSION"         // upload, mint
	CodeInvalidData         = "INVALID_DATA"          // upload, mint
	CodeNoFileAttached      = "NO_FILE_ATTACHED"      // upload, mint
	CodeMissingBody         = "MISSING_BODY"          // upload
	CodeFileAttachmentIssue = "FILE_ATTACHMENT_ISSUE" // mint: more than two files
	CodeInvalidFileType     = "INVALID_FILE_TYPE"     // mint: file is not .pdf, or image is neither .png nor .jpeg
	CodeInvalidDocID        = "INVALID_DOC_ID"        // view
)

// isDocumented reports whether an endpoint returned one of its own codes: the call had no effect, and a retry would get
// the same response.
func isDocumented(err error) bool {
	return transport.IsCode(err, CodeInvalidAPIKey, CodeInvalidUserAPIKey, CodeNoPermission, CodeInvalidData, CodeNoFileAttached,
		CodeMissingBody, CodeFileAttachmentIssue, CodeInvalidFileType, CodeInvalidDocID)
}

// notServed reports whether the HTTP status shows that no endpoint processed the request. The body is not read.
func notServed(err error) bool {
	return transport.IsStatus(err, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented,
		http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusLengthRequired)
}

// mayHaveHappened reports whether a failed write may have taken effect.
func mayHaveHappened(err error) bool {
	return transport.MayHaveTakenEffect(err) && !isDocumented(err) && !notServed(err)
}
