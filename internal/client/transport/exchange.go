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

// exchangeRepeats: each attempt that reached the API counts against its
// limit, so that failures are not hammered.
const exchangeRepeats = 1

const (
	// tokenLife is a token's life where the response has none (§5).
	tokenLife = time.Hour
	// longestLife bounds what the response says.
	longestLife = 24 * time.Hour
)

// exchanger makes the token exchange (§4.1).
type exchanger struct {
	caller *Caller
	next   http.RoundTripper
	log    *exchangeLog
}

// exchange is called by one caller of all processes at a time. A limit that is
// closed is an exchangeLimitError: the caller waits, with no lock held.
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
		// The limit's window has 15 minutes: a longer block is not taken as true.
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

// maxToken bounds a token: servers refuse headers that are longer.
const maxToken = 8 << 10 // bytes

// isToken reports whether a text can be sent as a bearer token.
func isToken(text string) bool {
	visible := func(r rune) bool { return r > ' ' && r <= '~' }
	return len(text) <= maxToken && !strings.ContainsFunc(text, func(r rune) bool { return !visible(r) })
}

const maxRequestID = 100 // characters

// requestID is what support asks for (§4.1): without secrets, and as much of it
// as can be shown.
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
