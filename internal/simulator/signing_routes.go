package simulator

import (
	"cmp"
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

// SigningAssumptions are the choices where the Signing API's documentation is ambiguous; the zero value is the choice
// of ASSUMPTIONS.md.
type SigningAssumptions struct {
	ErrorStatus           int  // the HTTP status of every error; 0 is 401, 403 or 400 by code
	WrongKeyIsInternal    bool // where INVALID_USER_API_KEY is not listed (§7), a wrong key responds with INVALID_API_KEY
	SingularArrays        bool // `viewer` and `signer` instead of `viewers` and `signers`
	UploadTakesJSON       bool // an upload may be JSON as well, with the file as base64
	DecimalMegabytes      bool // 10 MB are 10,000,000 bytes instead of 10,485,760
	DueDateIsMillis       bool // a viewed dueDate is ms since the epoch instead of dd-mm-yyyy
	StrangeDomainsRefused bool // a domain that belongs to no private label responds with NO_PERMISSION
	OwnAnnotationsOnly    bool // the key's user signs own annotations only, others respond with NO_PERMISSION
	SignedIsFinal         bool // signing an annotation with its present content responds with INVALID_DATA
	RowsAreBare           bool // data of the two lists is the array itself
	SentDocumentsIsGET    bool // sent documents are read with GET and the domain in the query
	SentDocumentsInBoth   bool // family B has them as well, at /documents/sent-documents
	MintARC69HasNoDetail  bool // minting with ARC69 responds with assetId and transactionId only
}

// signingRoutes are those of §4: the same operations in two path families. Sent documents and minting are shown in one.
func signingRoutes(assume SigningAssumptions) []*route {
	const get, post = http.MethodGet, http.MethodPost
	sentMethod := post
	if assume.SentDocumentsIsGET {
		sentMethod = get
	}
	out := []*route{
		{method: post, pattern: familyA + "/upload", signing: (*Simulator).uploadDocument},
		{method: post, pattern: familyA + "/sign", signing: (*Simulator).signDocument},
		{method: post, pattern: familyA + "/view-document", signing: (*Simulator).viewDocument},
		{method: get, pattern: familyA + "/signature-list", signing: (*Simulator).listSignatures},
		{method: sentMethod, pattern: familyA + "/view/sent-documents", signing: (*Simulator).sentDocuments, reads: true},

		{method: post, pattern: familyB + "/documents", signing: nested((*Simulator).uploadDocument)},
		{method: post, pattern: familyB + "/documents/update", signing: (*Simulator).signDocument},
		{method: post, pattern: familyB + "/documents/view", signing: (*Simulator).viewDocument},
		{method: get, pattern: familyB + "/signatures/list", signing: (*Simulator).listSignatures},
		{method: post, pattern: familyB + "/mintDocument", signing: (*Simulator).mintDocument},
	}
	if assume.SentDocumentsInBoth {
		out = append(out, &route{method: sentMethod, pattern: familyB + "/documents/sent-documents", signing: (*Simulator).sentDocuments, reads: true})
	}
	return out
}

// nested wraps the data of family A's responses one level down (§4.1).
func nested(serve func(*Simulator, *request) (any, *apiError)) func(*Simulator, *request) (any, *apiError) {
	return func(s *Simulator, r *request) (any, *apiError) {
		result, refusal := serve(s, r)
		if refusal != nil {
			return nil, refusal
		}
		return map[string]any{"result": result}, nil
	}
}

// The errors of §7.
var (
	errInternalKey  = bad("INVALID_API_KEY", "The API keys do not match.")
	errUserKey      = refuse(http.StatusUnauthorized, "INVALID_USER_API_KEY", "The user API key matches no record.")
	errNoPermission = refuse(http.StatusForbidden, "NO_PERMISSION", "The user has no permission to do this.")
	errMissingBody  = bad("MISSING_BODY", "The request has no body.")
	errNoFile       = bad("NO_FILE_ATTACHED", "No file is attached.")
	errFileCount    = bad("FILE_ATTACHMENT_ISSUE", "More than 2 files are attached.")
	errFileType     = bad("INVALID_FILE_TYPE", "The document must be a .pdf, the image a .png or .jpeg.")
	errDocID        = bad("INVALID_DOC_ID", "No document matches the ID.")
)

func invalidData(message string) *apiError { return bad("INVALID_DATA", message) }

func isSigning(path string) bool {
	return strings.HasPrefix(path, familyA+"/") || strings.HasPrefix(path, familyB+"/")
}

// answerSigning handles a request of the Signing API, which has no part in the Reseller API's limits.
func (s *Simulator) answerSigning(r *request) *response {
	if r.route == nil {
		return refused(errNotFound)
	}
	if refusal := s.authorizeSigning(r); refusal != nil {
		return s.signingRefused(refusal)
	}
	data, refusal := r.route.signing(s, r)
	if refusal != nil {
		return s.signingRefused(refusal)
	}
	return ok(data)
}

// signingRefused is the error envelope of §7.
func (s *Simulator) signingRefused(r *apiError) *response {
	return refused(refuse(cmp.Or(s.assume.Signing.ErrorStatus, r.status), r.code, r.message))
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
	if s.assume.Signing.WrongKeyIsInternal && !r.route.listsUserKey() {
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
	if _, known := s.store.data.knownDomain(*domain); known || !s.assume.Signing.StrangeDomainsRefused && validHost(strings.ToLower(*domain)) {
		return nil
	}
	return errNoPermission
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
