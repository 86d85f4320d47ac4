package client

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

const (
	firstPause   = 500 * time.Millisecond
	longestPause = 30 * time.Second
	unbounded    = 1 << 30 // the policy counts; the library must not
)

// repeatPolicy decides for one call whether the last attempt may be repeated.
// The library rewinds the body and loops; the waiting passes on our clock.
type repeatPolicy struct {
	client *Client
	call   *call
	ctx    context.Context

	failures int           // server failures and lost answers so far
	renewed  bool          // the token was renewed because of a 401
	pause    time.Duration // before the next attempt
}

func (p *repeatPolicy) do(req *retryablehttp.Request) (*http.Response, error) {
	loop := retryablehttp.Client{
		HTTPClient:   p.client.http,
		RetryMax:     unbounded,
		CheckRetry:   p.check,
		Backoff:      p.wait,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	resp, err := loop.Do(req)
	if err != nil && err == p.ctx.Err() && !p.call.route.repeatable { //nolint:errorlint // the bare error: the run ended between two attempts
		// What is not repeatable comes to a second one only where nothing happened.
		err = &notSentError{err}
	}
	return resp, err
}

// wait passes the pause on our clock and leaves none to the library. An ended
// context is seen by the library right after.
func (p *repeatPolicy) wait(_, _ time.Duration, _ int, _ *http.Response) time.Duration {
	if p.pause > 0 {
		_ = p.client.clock.Sleep(p.ctx, p.pause)
	}
	return 0
}

func (p *repeatPolicy) check(ctx context.Context, resp *http.Response, err error) (bool, error) {
	p.pause = 0
	if err != nil {
		return p.checkFailure(ctx, err)
	}
	status := resp.StatusCode
	switch {
	case isRateLimit(status, peek(resp)):
		// Nothing happened, so every call may be repeated. The rate limiter
		// delays the next attempt, or fails it when the limit resets too late. Waiting
		// behind other calls does not count.
		if ctx.Err() != nil {
			return false, &notSentError{ctx.Err()}
		}
		return true, nil
	case status == http.StatusUnauthorized || isBadToken(resp):
		return p.checkToken(ctx), nil
	}
	p.client.tokens.prove(p.call.token)
	if status >= http.StatusInternalServerError || isSuccess(status) && !json.Valid(peek(resp)) {
		p.call.doubted = true
		return p.call.route.repeatable && p.again(ctx), nil
	}
	return false, nil
}

// checkFailure: there was no whole answer.
func (p *repeatPolicy) checkFailure(ctx context.Context, err error) (bool, error) {
	var limit *LimitError
	var noToken *noTokenError
	if errors.As(err, &limit) || errors.As(err, &noToken) || badCertificate(err) || ctx.Err() != nil {
		return false, err // no limit that opens in time, no token, nobody to trust, or nobody waits any more
	}
	p.call.doubted = p.call.doubted || !neverSent(err)
	if p.call.route.repeatable || neverSent(err) {
		return p.again(ctx), err
	}
	return false, err
}

// pauseAfter doubles with each failure before it, up to the longest.
func pauseAfter(failures int) time.Duration {
	const doublings = 6 // more would only overflow
	return min(longestPause, firstPause<<min(failures, doublings))
}

// again counts a failure and sets the pause before the next attempt.
func (p *repeatPolicy) again(ctx context.Context) bool {
	if p.failures >= p.client.cfg.MaxRetries || ctx.Err() != nil {
		return false
	}
	p.pause = RepeatPause(p.failures)
	p.failures++
	return true
}

// checkToken renews the token once: it may have run out, or been revoked.
func (p *repeatPolicy) checkToken(ctx context.Context) bool {
	if p.renewed || !p.client.tokens.evict(ctx, p.call.token) {
		return false
	}
	p.renewed = true
	return true
}

// isBadToken: flat endpoints answer 400 for a token they cannot read (§5.5).
func isBadToken(resp *http.Response) bool {
	if resp.StatusCode != http.StatusBadRequest {
		return false
	}
	var env envelope
	if json.Unmarshal(peek(resp), &env) != nil {
		return false
	}
	code, _ := errorOf(env)
	return code == CodeJSONWebTokenError
}
