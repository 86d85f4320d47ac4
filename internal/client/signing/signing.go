// Package signing is a thin client of the Signing API: one method for each endpoint, typed requests, responses and
// errors. Sections (§) are those of the Signing API Specification. Uploading, signing and minting cannot be undone, so
// that each is sent once (one_time.go); Upload documents what follows a lost response.
//
// open_questions.go has what the API documentation leaves open: paths, methods and the shapes of responses.
package signing

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/onetime"
)

// The two families of paths. The API documentation does not say whether an API has both.
const (
	FamilySigningAPI = "signing-api" // the default; family B in the API documentation
	FamilySigning    = "signing"     // family A in the API documentation
)

// Config configures the client of the Signing API.
type Config struct {
	transport.Settings
	URL        string           // base URL before /signing; https, or http for loopback addresses; "" is APIURL
	APIURL     string           // base URL before /signing-api if it differs; "" is URL
	UserAPIKey string           // of the user account (§5)
	Family     string           // "" is FamilySigningAPI
	Markers    *onetime.Markers // of one-time calls, which return an error without them
}

// Client makes the calls of one user. It is safe for concurrent use and sends nothing before its first call.
type Client struct {
	cfg    Config
	base   *url.URL
	api    *url.URL // of the family signing-api and of mints
	caller *transport.Caller
	clock  transport.Clock
	paths  family

	sent atomic.Pointer[sentForm] // that responded
}

// bases returns the base URLs of the two families.
func (cfg Config) bases() (base, api *url.URL, err error) {
	if base, err = transport.ParseBase(cmp.Or(cfg.URL, cfg.APIURL)); err != nil {
		return nil, nil, err
	}
	if api, err = transport.ParseBase(cmp.Or(cfg.APIURL, cfg.URL)); err != nil {
		return nil, nil, fmt.Errorf("api_url: %w", err)
	}
	return base, api, nil
}

// LoopbackURL returns the base URL of the calls for documents, or of mints, if it is http, which only a loopback address
// can be; "" for https.
func (cfg Config) LoopbackURL(mints bool) string {
	base, api, err := cfg.bases()
	if err == nil && (mints || cfg.Family != FamilySigning) {
		base = api
	}
	if err != nil || base.Scheme != "http" {
		return ""
	}
	return base.String()
}

// New validates the configuration and makes no API call.
func New(cfg Config) (*Client, error) {
	base, api, err := cfg.bases()
	if err != nil {
		return nil, err
	}
	cfg.Family = cmp.Or(cfg.Family, FamilySigningAPI)
	paths, known := families[cfg.Family]
	switch {
	case !known:
		return nil, fmt.Errorf("%q is not a family of the Signing API; set %q or %q", cfg.Family, FamilySigningAPI, FamilySigning)
	case cfg.UserAPIKey == "":
		return nil, errors.New("user_api_key is not set")
	case strings.ContainsFunc(cfg.UserAPIKey, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return nil, errors.New("the user API key contains white space or control characters")
	}
	caller := transport.New(transport.Config{
		Settings: cfg.Settings, API: "Signing API", BaseURL: base, AccessToken: cfg.UserAPIKey,
		IsFinal: isFinal, Codes: codes, UncountedLimit: "signing",
	})
	return &Client{cfg: cfg, base: base, api: api, caller: caller, clock: caller.Clock(), paths: paths}, nil
}

// do makes a call and returns `data` of its response, nil if there is none.
func (c *Client) do(ctx context.Context, r transport.Request) (json.RawMessage, error) {
	if strings.HasPrefix(r.Path, "/signing-api/") {
		r.Base = c.api
	}
	r.Secrets = append(r.Secrets, c.cfg.UserAPIKey)
	resp, err := c.caller.Do(ctx, r)
	return resp.Data, err
}

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

var codes = []string{
	CodeInvalidAPIKey, CodeInvalidUserAPIKey, CodeNoPermission, CodeInvalidData, CodeNoFileAttached,
	CodeMissingBody, CodeFileAttachmentIssue, CodeInvalidFileType, CodeInvalidDocID,
}

// isDocumented reports whether an endpoint returned one of its own codes: the call had no effect, and a retry would get
// the same response.
func isDocumented(err error) bool {
	return transport.IsCode(err, codes...)
}

// Statuses that show that no endpoint processed a request: none has the method and path, or it rejects the body.
var (
	noEndpoint = []int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented}
	notServed  = append(slices.Clone(noEndpoint), http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusLengthRequired)
)

// isFinal reports whether a retry would get the same response: an API error, a status that shows that no endpoint
// processed the request, or an HTML page.
func isFinal(e *transport.Error) bool {
	return isDocumented(e) || transport.IsStatus(e, notServed...) || e.Status < http.StatusBadRequest
}

// mayHaveHappened reports whether a failed write may have taken effect.
func mayHaveHappened(err error) bool {
	return transport.MayHaveTakenEffect(err) && !isDocumented(err) && !transport.IsStatus(err, notServed...)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
