// Package signing is a thin client of the Signing API: one method an endpoint,
// typed requests, responses and errors. Sections (§) are those of the Signing API
// Specification. Uploading, signing and minting cannot be undone, so that each
// is sent once (operations.go); Upload documents what follows a lost response.
//
// A method makes a call of an endpoint (endpoints.go, send.go), which the transport
// sends. Responses whose shape is not documented are read by loose.go.
package signing

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// The two address families. Whether an API has both is not documented.
const (
	FamilySigningAPI = "signing-api" // the default; family B of the documents
	FamilySigning    = "signing"     // family A
)

// Config is how the Signing API is called.
type Config struct {
	URL            string                      // before /signing or /signing-api; https, or http on loopback only
	APIURL         string                      // before /signing-api where that is another; "" is URL
	UserAPIKey     string                      // of the user account (§5)
	Family         string                      // "" is FamilySigningAPI
	UserAgent      string                      // header of every call
	MaxWait        time.Duration               // longest wait of a call for 429s; 0 never waits
	MaxRetries     int                         // retries of calls that read, or that were not sent; 0 never retries
	RequestTimeout time.Duration               // for one HTTP call, its file included; 0 is a minute
	Transport      http.RoundTripper           // nil: connections of its own
	Clock          transport.Clock             // nil: the real one
	Markers        *transport.OperationMarkers // of one-time calls; without them none is sent
}

// Client makes the calls of one user. It is safe for concurrent use, and sends
// nothing before its first call.
type Client struct {
	cfg     Config
	base    *url.URL
	api     *url.URL // of the family signing-api and of minting
	caller  *transport.Caller
	clock   transport.Clock
	routes  family
	uploads uploadTracker

	sentMu    sync.Mutex
	sentRoute *endpoint // that has the list of sent documents
}

// New checks the configuration and makes no call.
func New(cfg Config) (*Client, error) {
	base, err := transport.ParseBase(cfg.URL)
	if err != nil {
		return nil, err
	}
	api := base
	if cfg.APIURL != "" {
		if api, err = transport.ParseBase(cfg.APIURL); err != nil {
			return nil, fmt.Errorf("api_url: %w", err)
		}
	}
	if cfg.Family == "" {
		cfg.Family = FamilySigningAPI
	}
	routes, known := families[cfg.Family]
	switch {
	case !known:
		return nil, fmt.Errorf("%q is not a family of the Signing API; set %q or %q", cfg.Family, FamilySigningAPI, FamilySigning)
	case cfg.UserAPIKey == "":
		return nil, errors.New("user_api_key is not set")
	case strings.ContainsFunc(cfg.UserAPIKey, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return nil, errors.New("the user API key contains white space or control characters")
	}
	caller := transport.New(transport.Config{
		API: "Signing API", BaseURL: base, AccessToken: cfg.UserAPIKey, UserAgent: cfg.UserAgent,
		MaxWait: cfg.MaxWait, MaxRetries: cfg.MaxRetries, RequestTimeout: cfg.RequestTimeout,
		Transport: cfg.Transport, Clock: cfg.Clock,
		IsFinal: isFinal, UncountedLimit: "signing",
	})
	return &Client{cfg: cfg, base: base, api: api, caller: caller, clock: caller.Clock(), routes: routes, uploads: newUploadTracker()}, nil
}
