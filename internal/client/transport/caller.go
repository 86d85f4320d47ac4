// Package transport makes calls to an HTTP API: it knows no endpoint. A Caller takes
// a Request as a value and returns a Response, or an error that says whether the call
// may have taken effect. Sections (§) are those of the Reseller API
// documentation.
//
// Its layers, from the outside in:
//
//	Settle          sends a write, and reads what is not known of its Outcome (outcome.go, settle.go)
//	Caller.Do       one loop of attempts (call.go), each of which is prepared with its token (token.go, exchange.go) when
//	                the rate limits allow it (rate_limiter.go), is sent, classified (decode.go) and perhaps retried (retry.go)
//	roundTrip       one HTTP request, not cut by cancellation if it writes, with the whole body
//
// Beside them: Form (a multipart body that streams its files), Clock.
package transport

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/privatelabels/terraform-provider-reseller/internal/secrets"
)

// Settings are how calls are made.
type Settings struct {
	UserAgent      string            // header of every request
	MaxWait        time.Duration     // longest wait for a rate limit; 0 never waits
	MaxRetries     int               // retries of calls that are safe to retry; 0 never retries
	RequestTimeout time.Duration     // for one HTTP request with its files; 0 is one minute
	Transport      http.RoundTripper // nil: own connections
	Clock          Clock             // nil: the real clock
}

// Config configures the Caller of an API.
type Config struct {
	Settings
	API           string   // for the log: "reseller API"
	BaseURL       *url.URL // of calls without their own base URL
	APIKey        string   // exchanged for access tokens (Reseller API §4.1)
	AccessToken   string   // takes precedence over the key: no token exchange is made, and a 401 is final
	TokenOrigin   string   // where AccessToken is configured, for the error of one that is rejected
	TokenCacheDir string   // shared by processes; "" keeps tokens in memory
	// IsFinal reports whether a retry would get the same response. nil: the HTTP status decides.
	IsFinal func(*Error) bool
	// Codes are documented error codes, from which no short secret is redacted.
	Codes []string
	// UncountedLimit is the name of the limit in a *RateLimitError for a call without Limits.
	UncountedLimit string
}

// givenToken describes the configured access token, nil for none.
func (cfg Config) givenToken() *GivenToken {
	if cfg.TokenOrigin == "" {
		return nil
	}
	return &GivenToken{Origin: cfg.TokenOrigin, KeyUnused: cfg.APIKey != ""}
}

const defaultRequestTimeout = time.Minute

// Caller makes the calls of one API. It is safe for concurrent use and sends nothing before its first call.
type Caller struct {
	cfg     Config
	clock   Clock
	tokens  *tokenSource
	limiter *rateLimiter
}

// New returns a Caller and sends nothing.
func New(cfg Config) *Caller {
	cfg.RequestTimeout = cmp.Or(cfg.RequestTimeout, defaultRequestTimeout)
	cfg.Clock = cmp.Or[Clock](cfg.Clock, RealClock{})
	if cfg.Transport == nil {
		cfg.Transport = NewPooledTransport()
	}
	if cfg.IsFinal == nil {
		cfg.IsFinal = func(*Error) bool { return false }
	}
	c := &Caller{cfg: cfg, clock: cfg.Clock, limiter: newRateLimiter(cfg.Clock, cfg.MaxWait)}
	c.tokens = newTokenSource(c)
	return c
}

// Clock returns the clock of all waits.
func (c *Caller) Clock() Clock {
	return c.clock
}

// Patience is how long reads wait for a write.
func (c *Caller) Patience() Patience {
	return Patience{c.clock, c.cfg.MaxWait}
}

// Masked returns a context whose log lines mask the secrets.
func (c *Caller) Masked(ctx context.Context, more ...string) context.Context {
	return tflog.MaskLogStrings(ctx, c.secrets(more...)...)
}

// KeepSecret redacts a word of the API from now on, like a token.
func (c *Caller) KeepSecret(word string) {
	c.tokens.mu.Lock()
	defer c.tokens.mu.Unlock()
	c.tokens.addSecret(word)
}

// secrets returns what must not be in a log, an error or an excerpt. Words of the API that are too short to be secrets
// are omitted.
func (c *Caller) secrets(more ...string) []string {
	known := append([]string{c.cfg.APIKey, secretOf(c.cfg.APIKey), c.cfg.AccessToken}, c.tokens.seen()...)
	known = slices.DeleteFunc(known, func(s string) bool { return len(s) < secrets.MinLength })
	return append(known, slices.DeleteFunc(slices.Clone(more), func(s string) bool { return s == "" })...)
}

// secretOf returns the secret part of an API key (Reseller API §2.9), which follows the prefix, "live_", the key's ID
// and "_". It is "" for a key in another form.
func secretOf(key string) string {
	const idLength = 32
	_, rest, ok := strings.Cut(key, "live_")
	if !ok || len(rest) <= idLength || rest[idLength] != '_' {
		return ""
	}
	return rest[idLength+1:]
}

func (c *Caller) redactor(more ...string) secrets.Redactor {
	return secrets.New(c.secrets(more...)...)
}
