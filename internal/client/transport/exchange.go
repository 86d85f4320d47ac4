package transport

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
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

// The limit of token exchanges (§8), which no response header describes: 5 for each source IP address in 15 minutes, for
// all keys together. A 429 is the only sign of it.
const (
	exchangesWindow = 15 * time.Minute
	limitExchange   = "token exchange"
)

// afterExchange returns how long to wait before another exchange after one that failed, and whether there may be one.
func (c *Caller) afterExchange(failures int, err error) (wait time.Duration, again bool) {
	allowed := min(exchangeRepeats, c.cfg.MaxRetries)
	switch {
	case NeverSent(err):
		allowed = c.cfg.MaxRetries
	case !MayHaveTakenEffect(err):
		allowed = 0
	}
	asked := retryAfterOf(err)
	return max(backoffAfter(failures), asked), failures < allowed && !badCertificate(err) && asked <= c.cfg.MaxWait
}

// exchange makes a token exchange (§4.1). Only one caller of all processes may be in it. If the limit is exhausted, the
// error is a RateLimitError: the caller then waits without a lock.
func (c *Caller) exchange(ctx context.Context) (*Credentials, error) {
	r := &Request{Op: opExchange, Method: http.MethodPost, Path: exchangePath, Body: map[string]string{
		"grant_type": "client_credentials", "api_key": c.cfg.APIKey,
	}}
	req, err := c.newRequest(ctx, r)
	if err != nil {
		return nil, NotSent(err)
	}
	got, err := c.roundTrip(req, true)
	if err != nil {
		return nil, c.unanswered(r, err)
	}
	now := c.clock.Now()
	c.limiter.spend(got.status, got.header)
	if got.status == http.StatusTooManyRequests {
		// The window of the limit has 15 minutes, so that a longer block is a mistake.
		wait := min(max(retryAfter(got.header, now), minBlock), exchangesWindow)
		return nil, &RateLimitError{Limit: limitExchange, Until: now.Add(wait), Wait: wait, MaxWait: c.cfg.MaxWait}
	}
	return c.readGrant(got, now)
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

// readGrant decodes the response, which has no envelope (§7.3).
func (c *Caller) readGrant(r *reply, now time.Time) (*Credentials, error) {
	var granted TokenResponse
	failed := &Error{Status: r.status, Op: opExchange, unreadable: true}
	switch {
	case !isSuccess(r.status):
		_, failed = decode(opExchange, r.status, r.header, r.body, now, c.redactor())
	case json.Unmarshal(r.body, &granted) != nil || granted.AccessToken == "":
		failed.Message = "the response has no access_token"
	case !isToken(granted.AccessToken):
		failed.Message = "the access_token of the response cannot be sent in a header"
	default:
		return &Credentials{AccessToken: granted.AccessToken, IssuedAt: now, ExpiresAt: now.Add(granted.life()), Scope: granted.scopes()}, nil
	}
	failed.RequestID = requestID(r.header, c.redactor())
	return nil, failed
}

// maxToken is the maximum length of a token: servers reject longer headers.
const maxToken = 8 << 10 // bytes

// isToken reports whether a text is a valid bearer token.
func isToken(text string) bool {
	return len(text) <= maxToken && !strings.ContainsFunc(text, isInvisible)
}

// isInvisible reports whether r is no visible ASCII character.
func isInvisible(r rune) bool {
	return r <= ' ' || r > '~'
}

const maxRequestID = 100 // characters

// requestID returns the request ID that the API provider's support asks for (§4.1), cut, printable and without secrets.
func requestID(header http.Header, clean secrets.Redactor) string {
	visible := strings.Join(strings.FieldsFunc(clean.Text(header.Get("X-Request-Id")), isInvisible), "")
	return visible[:min(len(visible), maxRequestID)]
}
