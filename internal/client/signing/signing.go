// Package signing is a thin client of the Signing API: one method for each endpoint, typed requests, responses and
// errors. Sections (§) are those of the Signing API Specification. Uploading, signing and minting cannot be undone, so
// that each is sent once (operations.go); Upload documents what follows a lost response.
//
// A method makes a call of an endpoint (endpoints.go, send.go), which the transport sends. Responses whose shape is not
// documented are read by loose.go.
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

// The two families of paths. The API documentation does not say whether an API has both.
const (
	FamilySigningAPI = "signing-api" // the default; family B in the API documentation
	FamilySigning    = "signing"     // family A in the API documentation
)

// Config configures the client of the Signing API.
type Config struct {
	URL            string                      // base URL before /signing or /signing-api; https, or http for loopback addresses
	APIURL         string                      // base URL before /signing-api if it differs; "" is URL
	UserAPIKey     string                      // of the user account (§5)
	Family         string                      // "" is FamilySigningAPI
	UserAgent      string                      // header of every request
	MaxWait        time.Duration               // longest wait of a call for rate limits (429); 0 never waits
	MaxRetries     int                         // retries of reads and of requests that were not sent; 0 never retries
	RequestTimeout time.Duration               // for one HTTP request with its file; 0 is one minute
	Transport      http.RoundTripper           // nil: own connections
	Clock          transport.Clock             // nil: the real clock
	Markers        *transport.OperationMarkers // of one-time calls, which return an error without them
}

// Client makes the calls of one user. It is safe for concurrent use and sends nothing before its first call.
type Client struct {
	cfg    Config
	base   *url.URL
	api    *url.URL // of the family signing-api and of mints
	caller *transport.Caller
	clock  transport.Clock
	routes family

	sentMu    sync.Mutex
	sentRoute *endpoint // variant of the list of sent documents that responded
}

// New validates the configuration and makes no API call.
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
	return &Client{cfg: cfg, base: base, api: api, caller: caller, clock: caller.Clock(), routes: routes}, nil
}
