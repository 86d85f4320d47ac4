// Package transport makes calls to an HTTP API: it knows no endpoint. A Caller takes
// a Call as a value and returns the data of the response, or an error that says
// whether the call may have taken effect. Sections (§) are those of the Reseller API
// documentation.
//
// Its layers, from the outside in:
//
//	Reconcile                       executes a write once, and reads its outcome where that is unknown
//	Caller.Do                       encodes, redacts, logs; decodes the envelope (call.go, decode.go, redact.go)
//	retryPolicy                     attempts, backoff, token renewal (retry.go)
//	authTransport, tokenSource      access tokens: memory, file cache, exchange (token.go, token_cache.go, exchange.go)
//	rateLimitTransport, rateLimiter windows of the rate limits, shared by processes (rate_limiter.go, limit_window.go, window_file.go)
//	timeoutTransport                one HTTP call, not cut by cancellation if it writes (round_trippers.go)
//	bufferTransport                 the whole body, up to a limit
//	NewPooledTransport              connections (address.go)
//
// Beside them: OperationMarkers (a file for each one-time call), Form (a multipart
// body that streams its files), Clock.
package transport

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// Config is how an API is called.
type Config struct {
	API            string            // in the log: "reseller API"
	BaseURL        *url.URL          // of calls without a base URL of their own
	APIKey         string            // exchanged for access tokens (Reseller API §4.1)
	AccessToken    string            // takes precedence over the key: no exchange is made, and a 401 is final
	UserAgent      string            // header of every call
	TokenCacheDir  string            // shared by processes; "" keeps tokens in memory
	MaxWait        time.Duration     // longest wait for a rate limit; 0 never waits
	MaxRetries     int               // retries of calls that are safe to retry; 0 never retries
	RequestTimeout time.Duration     // for one HTTP call, its files included; 0 is a minute
	Transport      http.RoundTripper // nil: connections of its own
	Clock          Clock             // nil: the real one

	// Reseller is the account that the allocation limit counts for, "" while it is
	// not known. nil: it never is.
	Reseller func() string
	// IsFinal reports whether a retry would get the same response, whatever its
	// status is. nil: the status decides.
	IsFinal func(*Error) bool
	// UncountedLimit names a 429 of a call without Limits in a *RateLimitError.
	UncountedLimit string
}

const defaultRequestTimeout = time.Minute

// Caller makes the calls of one API. It is safe for concurrent use, and sends
// nothing before its first call.
type Caller struct {
	cfg     Config
	clock   Clock
	http    *http.Client // token, rate limits, time-out, whole body, in this order
	tokens  *tokenSource
	limiter *rateLimiter
	calls   atomic.Int64
}

// New sends nothing.
func New(cfg Config) *Caller {
	if cfg.RequestTimeout <= 0 {
		cfg.RequestTimeout = defaultRequestTimeout
	}
	if cfg.Transport == nil {
		cfg.Transport = NewPooledTransport()
	}
	if cfg.Clock == nil {
		cfg.Clock = RealClock{}
	}
	if cfg.Reseller == nil {
		cfg.Reseller = func() string { return "" }
	}
	if cfg.IsFinal == nil {
		cfg.IsFinal = func(*Error) bool { return false }
	}
	c := &Caller{cfg: cfg, clock: cfg.Clock, limiter: newRateLimiter(cfg.Clock, cfg.MaxWait)}
	c.limiter.shared = newSharedWindows(cfg)
	plain := &timeoutTransport{timeout: cfg.RequestTimeout, next: &bufferTransport{limit: maxBody, next: &countTransport{calls: &c.calls, next: cfg.Transport}}}
	c.tokens = newTokenSource(c, plain)
	c.http = &http.Client{
		Transport: &authTransport{source: c.tokens, next: &rateLimitTransport{limiter: c.limiter, isFinal: c.isFinal, next: plain}},
		// A redirect would carry the token elsewhere, or turn a POST into a GET.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// Clock that every wait passes on.
func (c *Caller) Clock() Clock { return c.clock }

// Calls is how many HTTP calls were made, retries and token exchanges included.
func (c *Caller) Calls() int { return int(c.calls.Load()) }

// Masked keeps the secrets out of what is logged with this context.
func (c *Caller) Masked(ctx context.Context, more ...string) context.Context {
	return tflog.MaskLogStrings(ctx, c.secrets(more...)...)
}

// KeepSecret redacts a word of the API like a token from now on.
func (c *Caller) KeepSecret(word string) { c.tokens.keepSecret(word) }

// secrets that must not reach a log, an error or an excerpt. Words of the API
// that are too short to be secrets are left out, whatever it says they are.
func (c *Caller) secrets(more ...string) []string {
	var out []string
	for _, s := range append([]string{c.cfg.APIKey, secretOf(c.cfg.APIKey), c.cfg.AccessToken}, c.tokens.seen()...) {
		if len(s) >= minSecret {
			out = append(out, s)
		}
	}
	for _, s := range more {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// secretOf an API key is what follows its public part (Reseller API §2.9): a
// prefix, "live_", the key's ID and "_". Empty for a key of another form.
func secretOf(key string) string {
	const idLength = 32
	_, rest, ok := strings.Cut(key, "live_")
	if !ok || len(rest) <= idLength || rest[idLength] != '_' {
		return ""
	}
	return rest[idLength+1:]
}

func (c *Caller) redactor(more ...string) Redactor { return NewRedactor(c.secrets(more...)...) }
