package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const opExchange = "exchange the API key for a token"

// The token exchange's own limit (§8), which its answers carry no headers of:
// 5 an address in 15 minutes, whatever the key.
const (
	exchangesAllowed = 5
	exchangesWindow  = 15 * time.Minute
	exchangeRepeats  = 1 // each attempt counts, so failures are not hammered
)

// exchanger makes the token exchange (§4.1).
type exchanger struct {
	client  *Client
	next    http.RoundTripper
	journal *exchangeJournal
}

// exchange is called by one caller of all processes at a time.
func (e *exchanger) exchange(ctx context.Context) (*credentials, error) {
	clock, cfg := e.client.clock, e.client.cfg
	var limitedSince time.Time
	for attempt := 0; ; attempt++ {
		if err := e.journal.admit(ctx, clock, cfg.MaxWait); err != nil {
			return nil, err
		}
		creds, wait, err := e.once(ctx)
		switch {
		case err == nil:
			return creds, nil
		case wait > 0:
			now := clock.Now()
			if limitedSince.IsZero() {
				limitedSince = now
			}
			if opens := now.Add(wait); opens.Sub(limitedSince) > cfg.MaxWait {
				return nil, &LimitError{Limit: "token exchange", Until: opens, Wait: wait, MaxWait: cfg.MaxWait}
			}
			tflog.Info(ctx, "waiting for the token exchange limit of the service", map[string]any{"seconds": wait.Seconds()})
		case neverSent(err):
			e.journal.withdraw(ctx, clock.Now())
			if attempt >= cfg.MaxRetries || ctx.Err() != nil {
				return nil, err
			}
			wait = pauseAfter(attempt)
		case !doubtful(err), attempt >= min(exchangeRepeats, cfg.MaxRetries), ctx.Err() != nil:
			return nil, err
		default:
			wait = firstPause
		}
		if err := clock.Sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// once answers a wait when the limit is closed.
func (e *exchanger) once(ctx context.Context) (_ *credentials, wait time.Duration, _ error) {
	body, err := json.Marshal(map[string]string{"grant_type": "client_credentials", "api_key": e.client.cfg.APIKey})
	if err != nil {
		return nil, 0, err
	}
	req, err := http.NewRequestWithContext(withCall(ctx, &call{op: opExchange, route: routeToken}), routeToken.method, e.client.base.String()+routeToken.path, bytes.NewReader(body))
	if err != nil {
		return nil, 0, &notSentError{err}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", e.client.cfg.UserAgent)
	resp, err := e.next.RoundTrip(req)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", opExchange, err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", opExchange, err)
	}
	now := e.client.clock.Now()
	if resp.StatusCode == http.StatusTooManyRequests {
		wait = max(retryAfter(resp.Header, now), minClosed)
	}
	creds, err := e.read(resp.StatusCode, resp.Header, text, now)
	return creds, wait, err
}

// read decodes the answer, which has no envelope (§7.3).
func (e *exchanger) read(status int, header http.Header, body []byte, now time.Time) (*credentials, error) {
	var answer struct {
		AccessToken string  `json:"access_token"`
		ExpiresIn   float64 `json:"expires_in"`
		Scope       string  `json:"scope"`
	}
	if isSuccess(status) && json.Unmarshal(body, &answer) == nil && answer.AccessToken != "" {
		return &credentials{
			AccessToken: answer.AccessToken,
			IssuedAt:    now,
			ExpiresAt:   now.Add(boundedSeconds(answer.ExpiresIn)),
			Scope:       answer.Scope,
		}, nil
	}
	err := decode(opExchange, status, header, body, now, e.client.secrets(), nil)
	if err == nil || isSuccess(status) {
		err = &Error{Status: status, Op: opExchange, Message: "the answer has no access_token", unreadable: true}
	}
	return nil, e.client.redactError(err)
}

func newTokenSource(c *Client, next http.RoundTripper) *tokenSource {
	s := &tokenSource{client: c, given: c.cfg.AccessToken}
	s.init()
	dir := newCacheDir(c.cfg.TokenCacheDir)
	s.cache = &tokenCache{dir: dir, name: fingerprint(c.base.String(), c.cfg.APIKey), secret: c.cfg.APIKey}
	s.post = &exchanger{client: c, next: next, journal: &exchangeJournal{dir: dir, name: "exchanges-" + fingerprint(c.base.String())}}
	return s
}
