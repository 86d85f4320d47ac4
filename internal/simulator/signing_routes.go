package simulator

import (
	"net/http"
	"strings"
)

// The Signing API: its own key, its own error set and no rate limits. Section
// numbers in signing_*.go are those of its specification.

// Prefixes of the two path families.
const (
	familyA = "/signing"
	familyB = "/signing-api"
)

// signingRoutes are those of §4: the same operations in two path families. Sent documents and minting are shown in one.
func signingRoutes(forms Forms) []*route {
	const get, post = http.MethodGet, http.MethodPost
	sentMethod := strings.ToUpper(forms.formOf("sent-method"))
	out := []*route{
		{method: post, pattern: familyA + "/upload", signing: wrapped(forms.isForm("signing-result", "nested"), (*Simulator).uploadDocument)},
		{method: post, pattern: familyA + "/sign", signing: (*Simulator).signDocument},
		{method: post, pattern: familyA + "/view-document", signing: (*Simulator).viewDocument},
		{method: get, pattern: familyA + "/signature-list", signing: (*Simulator).listSignatures},
		{method: sentMethod, pattern: familyA + "/view/sent-documents", signing: (*Simulator).sentDocuments, reads: true},

		{method: post, pattern: familyB + "/documents", signing: wrapped(!forms.isForm("signing-result", "flat"), (*Simulator).uploadDocument)},
		{method: post, pattern: familyB + "/documents/update", signing: (*Simulator).signDocument},
		{method: post, pattern: familyB + "/documents/view", signing: (*Simulator).viewDocument},
		{method: get, pattern: familyB + "/signatures/list", signing: (*Simulator).listSignatures},
		{method: post, pattern: familyB + "/mintDocument", signing: (*Simulator).mintDocument},
	}
	if forms.isForm("sent-path", "both") {
		out = append(out, &route{method: sentMethod, pattern: familyB + "/documents/sent-documents", signing: (*Simulator).sentDocuments, reads: true})
	}
	return out
}

// wrapped has the data of a response one level down, as family B does (§4.1).
func wrapped(down bool, serve func(*Simulator, *request) (any, *apiError)) func(*Simulator, *request) (any, *apiError) {
	if !down {
		return serve
	}
	return func(s *Simulator, r *request) (any, *apiError) {
		result, rejection := serve(s, r)
		if rejection != nil {
			return nil, rejection
		}
		return map[string]any{"result": result}, nil
	}
}

// The errors of §7.
var (
	errInternalKey  = bad("INVALID_API_KEY", "The API keys do not match.")
	errUserKey      = reject(http.StatusUnauthorized, "INVALID_USER_API_KEY", "The user API key matches no record.")
	errNoPermission = reject(http.StatusForbidden, "NO_PERMISSION", "The user has no permission to do this.")
	errMissingBody  = bad("MISSING_BODY", "The request has no body.")
	errNoFile       = bad("NO_FILE_ATTACHED", "No file is attached.")
	errFileCount    = bad("FILE_ATTACHMENT_ISSUE", "More than 2 files are attached.")
	errFileType     = bad("INVALID_FILE_TYPE", "The document must be a .pdf, the image a .png or .jpeg.")
	errDocID        = bad("INVALID_DOC_ID", "No document matches the ID.")
)

func invalidData(message string) *apiError {
	return bad("INVALID_DATA", message)
}

func isSigning(path string) bool {
	return strings.HasPrefix(path, familyA+"/") || strings.HasPrefix(path, familyB+"/")
}

// answerSigning handles a request of the Signing API, which has no part in the Reseller API's limits.
func (s *Simulator) answerSigning(r *request) *response {
	if r.route == nil {
		return s.noEndpoint(r)
	}
	if rejection := s.authorizeSigning(r); rejection != nil {
		return s.signingRefused(rejection)
	}
	data, rejection := r.route.signing(s, r)
	if rejection != nil {
		return s.signingRefused(rejection)
	}
	return s.ok(s.forms.shaped(r.route, data))
}

// signingRefused is the error envelope of §7.
func (s *Simulator) signingRefused(r *apiError) *response {
	status := r.status
	switch s.forms.formOf("signing-status") {
	case "ok":
		status = http.StatusOK
	case "bad-request":
		status = http.StatusBadRequest
	}
	return rejected(reject(status, r.code, r.message))
}

// authorizeSigning implements §5.
func (s *Simulator) authorizeSigning(r *request) *apiError {
	books := &s.store.data.Signing
	if books.KeysMismatch {
		return errInternalKey
	}
	scheme, key, _ := strings.Cut(r.header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") && key == books.User.Key {
		return nil
	}
	if s.forms.isForm("signing-wrong-key", "internal-key") && !r.route.listsUserKey() {
		return errInternalKey
	}
	return errUserKey
}

// listsUserKey: §7 lists INVALID_USER_API_KEY for upload and mint.
func (r *route) listsUserKey() bool {
	switch strings.TrimPrefix(strings.TrimPrefix(r.pattern, familyB), familyA) {
	case "/upload", "/documents", "/mintDocument":
		return true
	default:
		return false
	}
}

// mayWrite checks the permission to upload, sign and mint.
func (s *Simulator) mayWrite() *apiError {
	if s.store.data.Signing.NoPermission {
		return errNoPermission
	}
	return nil
}

// mayUse reports whether the user can act on a domain; nil is the default
// personal-account domain.
func (s *Simulator) mayUse(domain *string) *apiError {
	if domain == nil {
		return nil
	}
	if _, known := s.store.data.knownDomain(*domain); known || s.forms.isForm("strange-domain", "accepted") && validHost(strings.ToLower(*domain)) {
		return nil
	}
	return errNoPermission
}

// lacksDomain reports whether a request of an uploaded document has no domain and must have one. An upload has its own
// rule (§2.1).
func (s *Simulator) lacksDomain(domain *string) bool {
	return domain == nil && s.forms.isForm("signing-domain", "required")
}

// signingFault is a fault of the Reseller API in the form of the Signing API.
func (s *Simulator) signingFault(r *request, f *Fault) *response {
	switch {
	case isSigning(r.path) && f.Kind == FaultUnauthorized:
		return s.signingRefused(errUserKey)
	case isSigning(r.path) && f.Kind == FaultForbidden:
		return s.signingRefused(errNoPermission)
	default:
		return f.answer()
	}
}
