// Package client is a thin client of the Reseller API: one file an area, one
// method an endpoint, typed requests, responses and errors. Sections (§) are those
// of the Reseller API documentation.
//
// A method sends a request (request.go), which gets the reseller's slug (slug.go), and
// reads the data of the response: `whole` reads documented types, and
// open_questions.go has all that the API documentation leaves open. A write returns
// its outcome. One that must happen once is settled by reading
// (transport.Settle).
package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Config configures the client of the Reseller API.
type Config struct {
	transport.Settings
	BaseURL       string // of every call except logo uploads; required
	UploadURL     string // logo uploads (§4.7)
	APIKey        string // exchanged for tokens (§4.1)
	AccessToken   string // takes precedence over the key: no token exchange is made, and a 401 is final
	TokenOrigin   string // where AccessToken is configured, for the error of one that is rejected
	Slug          string // "": read from the dashboard (§4.2)
	TokenCacheDir string // shared by processes; "": tokens stay in memory
}

// Client makes the calls of one reseller. It is safe for concurrent use and sends nothing before its first call.
type Client struct {
	*connection
	place *transport.Place // of the next call, nil for none
}

// connection is what all calls of one reseller share.
type connection struct {
	caller *transport.Caller
	upload *url.URL // nil: logos cannot be uploaded

	worked   sync.Map                  // form that responded, by endpoint
	slugLock *semaphore.Weighted       // held while the dashboard is read; waiters get it in order of arrival
	slug     atomic.Pointer[slugState] // never nil
}

// New validates the configuration and makes no API call. It returns an error without a base URL, and without an API key
// or access token.
func New(cfg Config) (*Client, error) {
	base, err := transport.ParseBase(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	if cfg.APIKey == "" && cfg.AccessToken == "" {
		return nil, errors.New("neither an API key nor an access token is given")
	}
	c := &Client{connection: &connection{slugLock: semaphore.NewWeighted(1)}}
	c.slug.Store(&slugState{value: cfg.Slug})
	if cfg.UploadURL != "" {
		if c.upload, err = transport.ParseBase(cfg.UploadURL); err != nil {
			return nil, fmt.Errorf("upload_url: %w", err)
		}
	}
	c.caller = transport.New(transport.Config{
		Settings: cfg.Settings, API: "reseller API", BaseURL: base, APIKey: cfg.APIKey, AccessToken: cfg.AccessToken,
		TokenOrigin: cfg.TokenOrigin, TokenCacheDir: cfg.TokenCacheDir, IsFinal: isTooFrequent,
	})
	return c, nil
}

// isTooFrequent reports whether a 429 is TOO_FREQUENT, which is not a rate limit (§4.19).
func isTooFrequent(e *transport.Error) bool {
	return e.Status == http.StatusTooManyRequests && strings.Contains(e.Code+e.Message, CodeTooFrequent)
}

// Clock returns the clock of all waits.
func (c *Client) Clock() transport.Clock {
	return c.caller.Clock()
}

// Patience is how long reads wait for a write.
func (c *Client) Patience() transport.Patience {
	return c.caller.Patience()
}

// AccessToken returns the current access token, its expiry and its scopes, after a token exchange if needed (§4.1).
// With Config.AccessToken expiry and scopes are unknown. The error is a *transport.RateLimitError if the limit of
// exchanges stays exhausted, and a *transport.Error with CodeInvalidClient for an invalid API key.
func (c *Client) AccessToken(ctx context.Context) (*transport.Credentials, error) {
	return c.caller.Credentials(ctx)
}
