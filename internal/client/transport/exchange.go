package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"
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

// exchanger makes token exchanges (§4.1).
type exchanger struct {
	caller *Caller
	next   http.RoundTripper
	log    *exchangeLog
}

// exchange makes a token exchange. Only one caller of all processes may be in it. If the limit is exhausted, the error
// is an exchangeLimitError: the caller then waits without a lock.
func (e *exchanger) exchange(ctx context.Context) (*Credentials, error) {
	clock, cfg := e.caller.clock, e.caller.cfg
	for attempt := 0; ; attempt++ {
		if err := e.log.enter(ctx, clock.Now()); err != nil {
			return nil, err
		}
		creds, err := e.once(ctx)
		var closed *exchangeLimitError
		allowed := min(exchangeRepeats, cfg.MaxRetries)
		switch {
		case err == nil || errors.As(err, &closed):
			return creds, err
		case NeverSent(err):
			e.log.undo(ctx, clock.Now())
			if allowed = cfg.MaxRetries; badCertificate(err) {
				allowed = 0
			}
		case !MayHaveTakenEffect(err):
			return nil, err
		}
		if attempt >= allowed || ctx.Err() != nil {
			return nil, err
		}
		if err := clock.Sleep(ctx, backoffAfter(attempt)); err != nil {
			return nil, err
		}
	}
}

func (e *exchanger) once(ctx context.Context) (*Credentials, error) {
	body, err := json.Marshal(map[string]string{"grant_type": "client_credentials", "api_key": e.caller.cfg.APIKey})
	if err != nil {
		return nil, err
	}
	exchanging := withCall(ctx, &Call{Op: opExchange, Writes: true})
	req, err := http.NewRequestWithContext(exchanging, http.MethodPost, e.caller.cfg.BaseURL.String()+exchangePath, bytes.NewReader(body))
	if err != nil {
		return nil, NotSent(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", e.caller.cfg.UserAgent)
	resp, err := e.next.RoundTrip(req)
	if err != nil {
		return nil, e.caller.redactor().Error(fmt.Errorf("%s: %w", opExchange, err))
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, e.caller.redactor().Error(fmt.Errorf("%s: %w", opExchange, err))
	}
	now := e.caller.clock.Now()
	if resp.StatusCode == http.StatusTooManyRequests {
		// The window of the limit has 15 minutes, so that a longer block is a mistake.
		wait := min(max(retryAfter(resp.Header, now), minBlock), exchangesWindow)
		closed := &exchangeLimitError{now.Add(wait)}
		e.log.shut(ctx, now, closed.opens)
		return nil, closed
	}
	return e.read(resp.StatusCode, resp.Header, text, now)
}

// read decodes the response, which has no envelope (§7.3).
func (e *exchanger) read(status int, header http.Header, body []byte, now time.Time) (*Credentials, error) {
	var answer struct {
		AccessToken string  `json:"access_token"`
		ExpiresIn   float64 `json:"expires_in"`
		Scope       string  `json:"scope"`
	}
	if isSuccess(status) && json.Unmarshal(body, &answer) == nil && answer.AccessToken != "" {
		if !isToken(answer.AccessToken) {
			return nil, &Error{Status: status, Op: opExchange, Message: "the access_token of the response cannot be sent in a header", unreadable: true}
		}
		life := secondsUpTo(longestLife, answer.ExpiresIn)
		if life == 0 {
			life = tokenLife
		}
		return &Credentials{
			AccessToken: answer.AccessToken,
			IssuedAt:    now,
			ExpiresAt:   now.Add(life),
			Scope:       answer.Scope,
		}, nil
	}
	_, err := decode(opExchange, status, header, body, now, e.caller.redactor())
	if err == nil || isSuccess(status) {
		err = &Error{Status: status, Op: opExchange, Message: "the response has no access_token", unreadable: true}
	}
	err.RequestID = requestID(header, e.caller.redactor())
	return nil, err
}

// maxToken is the maximum length of a token: servers reject longer headers.
const maxToken = 8 << 10 // bytes

// isToken reports whether a text is a valid bearer token.
func isToken(text string) bool {
	visible := func(r rune) bool { return r > ' ' && r <= '~' }
	return len(text) <= maxToken && !strings.ContainsFunc(text, func(r rune) bool { return !visible(r) })
}

const maxRequestID = 100 // characters

// requestID returns the request ID that the API provider's support asks for (§4.1), cut, printable and without secrets.
func requestID(header http.Header, secrets Redactor) string {
	plain := strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return -1
		}
		return r
	}, secrets.Text(header.Get("X-Request-Id")))
	return plain[:min(len(plain), maxRequestID)]
}

func newTokenSource(c *Caller, next http.RoundTripper) *tokenSource {
	s := &tokenSource{caller: c, given: c.cfg.AccessToken}
	s.lock = semaphore.NewWeighted(1)
	dir := newCacheDir(c.cfg.TokenCacheDir)
	dir.lockWait = lockWaitFor(c.cfg.RequestTimeout)
	s.cache = &tokenCache{dir: dir, name: fingerprint(c.cfg.BaseURL.String(), c.cfg.APIKey), secret: c.cfg.APIKey}
	s.exchanger = &exchanger{caller: c, next: next, log: &exchangeLog{dir: dir, name: "exchanges-" + fingerprint(c.cfg.BaseURL.String())}}
	return s
}
