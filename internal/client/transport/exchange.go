package transport

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/secrets"
)

const (
	opExchange   = "exchange the API key for a token"
	exchangePath = "/api/v1/auth/token"
)

// exchangeRepeats is the number of retries. Each attempt that reaches the API counts toward the limit of exchanges.
const exchangeRepeats = 1

const (
	// tokenLife is the lifetime of a token if the response has none (§5).
	tokenLife = time.Hour
	// longestLife is the maximum lifetime that a response can set.
	longestLife = 24 * time.Hour
)

// Limit of token exchanges (§8), which no response header describes: 5 for each source IP address in 15 minutes, for
// all keys together.
const (
	exchangesAllowed = 5
	exchangesWindow  = 15 * time.Minute
	limitExchange    = "token exchange"
)

// exchangeLimitError: no exchange may be made before a time.
type exchangeLimitError struct{ opens time.Time }

func (e *exchangeLimitError) Error() string {
	return "the token exchange rate limit is exhausted and resets at " + e.opens.UTC().Format(time.RFC3339)
}

// exchanger makes token exchanges (§4.1). It records their times in a file that processes share, so that together they
// do not exceed the limit.
type exchanger struct {
	caller *Caller
	dir    *cacheDir
	name   string // of the file

	mu       sync.Mutex
	unshared exchangeTimes // used without a directory
}

// exchangeTimes is the content of the file.
type exchangeTimes struct {
	Made   []time.Time `json:"made"`            // in the window, oldest first
	Closed time.Time   `json:"closed,omitzero"` // end of the block that a 429 began
}

// exchange makes a token exchange. Only one caller of all processes may be in it. If the limit is exhausted, the error
// is an exchangeLimitError: the caller then waits without a lock.
func (e *exchanger) exchange(ctx context.Context) (*Credentials, error) {
	retries := e.caller.cfg.MaxRetries
	for attempt := 0; ; attempt++ {
		if err := e.enter(ctx); err != nil {
			return nil, err
		}
		creds, err := e.once(ctx)
		allowed := min(exchangeRepeats, retries)
		switch {
		case NeverSent(err):
			e.undo(ctx)
			allowed = retries
		case !MayHaveTakenEffect(err), errors.As(err, new(*exchangeLimitError)):
			return creds, err
		}
		if attempt >= allowed || badCertificate(err) || ctx.Err() != nil {
			return nil, err
		}
		asked := retryAfterOf(err)
		if asked > e.caller.cfg.MaxWait {
			return nil, err
		}
		if err := e.caller.clock.Sleep(ctx, max(backoffAfter(attempt), asked)); err != nil {
			return nil, err
		}
	}
}

func (e *exchanger) once(ctx context.Context) (*Credentials, error) {
	r := &Request{Op: opExchange, Method: http.MethodPost, Path: exchangePath, Body: map[string]string{
		"grant_type": "client_credentials", "api_key": e.caller.cfg.APIKey,
	}}
	req, err := e.caller.newRequest(ctx, r)
	if err != nil {
		return nil, NotSent(err)
	}
	got, err := e.caller.roundTripOnce(req, true)
	if err != nil {
		return nil, e.caller.unanswered(r, err)
	}
	now := e.caller.clock.Now()
	e.caller.limiter.spend(got.status, got.header)
	if got.status == http.StatusTooManyRequests {
		// The window of the limit has 15 minutes, so that a longer block is a mistake.
		closed := &exchangeLimitError{now.Add(min(max(retryAfter(got.header, now), minBlock), exchangesWindow))}
		// The API counts more exchanges than the file has. On failure the next exchange gets the 429 itself.
		_ = e.update(context.WithoutCancel(ctx), func(t *exchangeTimes) { t.Closed = later(t.Closed, closed.opens) })
		return nil, closed
	}
	return e.read(got, now)
}

// TokenResponse is the response to a token exchange (§4.1). Only the token decides whether it succeeded.
type TokenResponse struct {
	AccessToken string `json:"access_token" required:"true"`
	TokenType   any    `json:"token_type"` // not used
	ExpiresIn   any    `json:"expires_in"` // a number, or its text
	Scope       any    `json:"scope"`      // a text, or a list of texts
}

// life returns the lifetime of the token.
func (r TokenResponse) life() time.Duration {
	seconds, _ := strconv.ParseFloat(fmt.Sprint(r.ExpiresIn), 64) // 0 for anything else
	return cmp.Or(secondsUpTo(longestLife, seconds), tokenLife)
}

// scopes returns the scopes as one text.
func (r TokenResponse) scopes() string {
	switch scope := r.Scope.(type) {
	case string:
		return scope
	case []any:
		names := make([]string, len(scope))
		for i, name := range scope {
			names[i] = fmt.Sprint(name)
		}
		return strings.Join(names, " ")
	default:
		return ""
	}
}

// read decodes the response, which has no envelope (§7.3).
func (e *exchanger) read(r *reply, now time.Time) (*Credentials, error) {
	var granted TokenResponse
	failed := &Error{Status: r.status, Op: opExchange, unreadable: true}
	switch {
	case !isSuccess(r.status):
		_, failed = decode(opExchange, r.status, r.header, r.body, now, e.caller.redactor())
	case json.Unmarshal(r.body, &granted) != nil || granted.AccessToken == "":
		failed.Message = "the response has no access_token"
	case !isToken(granted.AccessToken):
		failed.Message = "the access_token of the response cannot be sent in a header"
	default:
		return &Credentials{AccessToken: granted.AccessToken, IssuedAt: now, ExpiresAt: now.Add(granted.life()), Scope: granted.scopes()}, nil
	}
	failed.RequestID = requestID(r.header, e.caller.redactor())
	return nil, failed
}

// maxToken is the maximum length of a token: servers reject longer headers.
const maxToken = 8 << 10 // bytes

// isToken reports whether a text is a valid bearer token.
func isToken(text string) bool {
	return len(text) <= maxToken && !strings.ContainsFunc(text, isInvisible)
}

// isInvisible reports whether r is no visible ASCII character.
func isInvisible(r rune) bool { return r <= ' ' || r > '~' }

const maxRequestID = 100 // characters

// requestID returns the request ID that the API provider's support asks for (§4.1), cut, printable and without secrets.
func requestID(header http.Header, clean secrets.Redactor) string {
	visible := strings.Join(strings.FieldsFunc(clean.Text(header.Get("X-Request-Id")), isInvisible), "")
	return visible[:min(len(visible), maxRequestID)]
}

// enter records an exchange, or returns an exchangeLimitError.
func (e *exchanger) enter(ctx context.Context) error {
	var opens time.Time
	now := e.caller.clock.Now()
	err := e.update(ctx, func(t *exchangeTimes) {
		opens = t.Closed
		if n := len(t.Made); n >= exchangesAllowed {
			opens = later(opens, t.Made[n-exchangesAllowed].Add(exchangesWindow))
		}
		if opens.IsZero() {
			t.Made = append(t.Made, now)
		}
	})
	if err == nil && !opens.IsZero() {
		return &exchangeLimitError{opens}
	}
	return err
}

// undo removes the newest exchange, which never reached the API and does not count.
func (e *exchanger) undo(ctx context.Context) {
	// On failure the file has one exchange too many until the window ends.
	_ = e.update(context.WithoutCancel(ctx), func(t *exchangeTimes) { t.Made = t.Made[:max(0, len(t.Made)-1)] })
}

// update changes the times under the lock of all processes. It returns an error only if the context ends.
func (e *exchanger) update(ctx context.Context, change func(*exchangeTimes)) error {
	unlock, err := e.dir.lock(ctx, e.name)
	if err != nil {
		return err
	}
	defer unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	times, now := e.unshared, e.caller.clock.Now()
	var stored exchangeTimes
	if json.Unmarshal(e.dir.read(ctx, e.name), &stored) == nil {
		times = stored
	}
	// Keep only the times in the window. Future times and a block beyond the window come from a wrong clock.
	times.Made = slices.DeleteFunc(slices.Clone(times.Made), func(t time.Time) bool { return t.After(now) || now.Sub(t) >= exchangesWindow })
	sort.Slice(times.Made, func(i, j int) bool { return times.Made[i].Before(times.Made[j]) })
	if !times.Closed.After(now) || times.Closed.Sub(now) > exchangesWindow {
		times.Closed = time.Time{}
	}
	change(&times)
	e.unshared = times
	if raw, err := json.Marshal(times); err == nil {
		e.dir.write(ctx, e.name, raw)
	}
	return nil
}

// file returns the path of the file; "" if the times are in memory.
func (e *exchanger) file(ctx context.Context) string {
	if !e.dir.usable(ctx) {
		return ""
	}
	return filepath.Join(e.dir.path, e.name)
}
