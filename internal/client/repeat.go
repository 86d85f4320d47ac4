package client

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
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

	failures     int  // server failures and lost answers so far
	renewed      bool // the token was renewed because of a 401
	limitedSince time.Time
	pause        time.Duration // before the next attempt
}

func (p *repeatPolicy) do(req *retryablehttp.Request) (*http.Response, error) {
	loop := retryablehttp.Client{
		HTTPClient:   p.client.http,
		RetryMax:     unbounded,
		CheckRetry:   p.check,
		Backoff:      p.wait,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	return loop.Do(req)
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
	switch status := resp.StatusCode; {
	case isRateLimit(status, peek(resp)):
		return p.checkRateLimit(ctx, resp)
	case status == http.StatusUnauthorized || isBadToken(resp):
		return p.checkToken(ctx), nil
	case status >= http.StatusInternalServerError, isSuccess(status) && !json.Valid(peek(resp)):
		return p.call.route.repeatable && p.again(ctx), nil
	default:
		return false, nil
	}
}

// checkFailure: there was no whole answer.
func (p *repeatPolicy) checkFailure(ctx context.Context, err error) (bool, error) {
	var limit *LimitError
	var noToken *noTokenError
	if errors.As(err, &limit) || errors.As(err, &noToken) || ctx.Err() != nil {
		return false, err // no limit that opens in time, no token, or nobody waits any more
	}
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

// again counts a failure and sets the pause before the next attempt: it grows,
// with jitter so that parallel calls do not come back in step.
func (p *repeatPolicy) again(ctx context.Context) bool {
	if p.failures >= p.client.cfg.MaxRetries || ctx.Err() != nil {
		return false
	}
	grown := pauseAfter(p.failures)
	p.failures++
	p.pause = grown/2 + rand.N(grown/2) //nolint:gosec // G404: jitter, not a secret
	return true
}

// checkRateLimit: nothing happened, so every call may be repeated. The gate was
// closed by the answer's headers; here only the whole time is watched.
func (p *repeatPolicy) checkRateLimit(ctx context.Context, resp *http.Response) (bool, error) {
	now, maxWait := p.client.clock.Now(), p.client.cfg.MaxWait
	if p.limitedSince.IsZero() {
		p.limitedSince = now
	}
	opens := now.Add(max(retryAfter(resp.Header, now), minClosed))
	if opens.Sub(p.limitedSince) > maxWait {
		return false, &notSentError{&LimitError{Limit: whichLimit(p.call.route.limits(), resp.Header).String(), Until: opens, Wait: opens.Sub(now), MaxWait: maxWait}}
	}
	return ctx.Err() == nil, nil
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
