// Package client is a thin client of the Reseller API: one method an endpoint,
// typed requests, answers and errors. Its manners are in files of their own:
// tokens, rate limits, repeating and settling.
package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// Config says where the service is and how to meet it.
type Config struct {
	BaseURL        string            // every path but logo uploads; needed
	UploadURL      string            // logo uploads (§4.7)
	APIKey         string            // exchanged for tokens (§4.1)
	AccessToken    string            // beats the key: no exchange is made, and a 401 is final
	Slug           string            // empty: found from the dashboard (§4.2)
	UserAgent      string            // header of every call
	TokenCacheDir  string            // shared by processes; empty: tokens stay in memory
	MaxWait        time.Duration     // longest time a limit may stay closed (§8); 0 never waits
	MaxRetries     int               // repeats of calls that are safe to repeat (§7.4); 0 never repeats
	RequestTimeout time.Duration     // for one HTTP call; 0 is a minute
	Transport      http.RoundTripper // nil: connections of its own
	Clock          Clock             // nil: the real one
}

const defaultRequestTimeout = time.Minute

// Client speaks to one reseller of one service. It is safe for concurrent use,
// and makes no call before the first that is asked of it.
type Client struct {
	cfg     Config
	base    *url.URL
	upload  *url.URL // nil: no logos can be uploaded
	clock   Clock
	http    *http.Client // token, rate limits, time-out, whole body, in this order
	tokens  *tokenSource
	limiter *rateLimiter
	calls   atomic.Int64

	worked struct { // how endpoints are called whose method is not documented
		mu      sync.Mutex
		variant map[string]variant
	}

	slugLock *semaphore.Weighted // held while the dashboard is read; waiters get it in order of arrival
	slugMu   sync.Mutex
	slug     slugState
}

// New checks the configuration and makes no call. It fails without an address,
// and without a key or token.
func New(cfg Config) (*Client, error) {
	base, err := parseBase(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	if cfg.APIKey == "" && cfg.AccessToken == "" {
		return nil, errors.New("neither an API key nor an access token is given")
	}
	var upload *url.URL
	if cfg.UploadURL != "" {
		if upload, err = parseBase(cfg.UploadURL); err != nil {
			return nil, fmt.Errorf("upload address: %w", err)
		}
	}
	if cfg.RequestTimeout <= 0 {
		cfg.RequestTimeout = defaultRequestTimeout
	}
	if cfg.Transport == nil {
		cfg.Transport = newPooledTransport()
	}
	if cfg.Clock == nil {
		cfg.Clock = realClock{}
	}
	c := &Client{cfg: cfg, base: base, upload: upload, clock: cfg.Clock, limiter: newRateLimiter(cfg.Clock, cfg.MaxWait), slugLock: semaphore.NewWeighted(1)}
	c.limiter.shared = newSharedWindows(c)
	c.slug.value = cfg.Slug
	c.worked.variant = map[string]variant{}
	plain := &timeoutTransport{timeout: cfg.RequestTimeout, next: &bufferTransport{limit: maxBody, next: &countTransport{calls: &c.calls, next: cfg.Transport}}}
	c.tokens = newTokenSource(c, plain)
	c.http = &http.Client{
		Transport: &authTransport{source: c.tokens, next: &rateLimitTransport{limiter: c.limiter, next: plain}},
		// A redirect would carry the token elsewhere, or turn a POST into a GET.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// Clock that every wait passes on.
func (c *Client) Clock() Clock { return c.clock }

// Calls is how many HTTP calls were made, repeats and exchanges included.
func (c *Client) Calls() int { return int(c.calls.Load()) }
