package transport

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	minBackoff = 500 * time.Millisecond
	maxBackoff = 30 * time.Second
)

// retryPolicy retries one call: always if an attempt had no effect, after other failures only if a retry has no further
// effect.
type retryPolicy struct {
	caller *Caller
	call   *Call

	failures     int           // server errors and lost responses so far
	renewed      bool          // the token was renewed because of a 401
	rejected     int           // 429s that no rate limit counts
	blockedSince time.Time     // the first of them
	backoff      time.Duration // before the next attempt
}

func (p *retryPolicy) do(ctx context.Context) (response, error) {
	for {
		resp, retry, err := p.attempt(ctx)
		if !retry {
			return resp, err
		}
		if err := p.wait(ctx); err != nil {
			return response{}, err
		}
	}
}

func (p *retryPolicy) attempt(ctx context.Context) (resp response, retry bool, err error) {
	p.backoff = 0
	req, err := p.caller.newRequest(ctx, p.call)
	if err != nil {
		return response{}, false, NotSent(err)
	}
	raw, err := p.caller.attempt(req, p.call)
	if err != nil {
		return response{}, p.checkFailure(ctx, err), err
	}
	resp = p.caller.decode(p.call, raw)
	if resp.failed == nil {
		p.caller.tokens.prove(p.call.token)
		return resp, false, nil
	}
	retry, err = p.checkResponse(ctx, resp.failed, json.Valid(raw.body))
	return resp, retry, err
}

// wait waits before an attempt. It returns an error if the context ends. A call that is not retryable has a second
// attempt only if the first had no effect.
func (p *retryPolicy) wait(ctx context.Context) error {
	err := ctx.Err()
	if p.backoff > 0 && err == nil {
		err = p.caller.clock.Sleep(ctx, p.backoff)
	}
	if err != nil && !p.call.Retryable {
		return NotSent(err)
	}
	return err
}

// checkFailure decides about an attempt without a complete response.
func (p *retryPolicy) checkFailure(ctx context.Context, err error) (retry bool) {
	var limit *RateLimitError
	var noToken *noTokenError
	if errors.As(err, &limit) || errors.As(err, &noToken) || badCertificate(err) || ctx.Err() != nil {
		return false // rate limit resets too late, no token, bad certificate, or canceled context
	}
	p.call.Uncertain = p.call.Uncertain || !NeverSent(err)
	return (p.call.Retryable || NeverSent(err)) && p.again(ctx)
}

// checkResponse decides about a response that is not a success.
func (p *retryPolicy) checkResponse(ctx context.Context, failed *Error, isJSON bool) (retry bool, err error) {
	isFinal := p.caller.cfg.IsFinal(failed)
	switch {
	case isFinal:
	case failed.Status == http.StatusTooManyRequests:
		return p.checkRateLimit(ctx, failed)
	case failed.Status == http.StatusUnauthorized || isBadToken(failed):
		return p.renewToken(ctx), nil
	}
	p.caller.tokens.prove(p.call.token)
	if isFinal || failed.Status < http.StatusInternalServerError && (!isSuccess(failed.Status) || isJSON) {
		return false, nil
	}
	p.call.Uncertain = true
	return p.call.Retryable && p.again(ctx), nil
}

// checkRateLimit decides about a 429. It had no effect, so that every call may be retried. The rate limiter delays the
// next attempt, or fails it if the limit resets too late; waiting behind other calls does not count as a retry.
func (p *retryPolicy) checkRateLimit(ctx context.Context, failed *Error) (retry bool, err error) {
	if ctx.Err() != nil {
		return false, NotSent(ctx.Err())
	}
	if len(p.call.Limits) > 0 {
		return true, nil
	}
	now, maxWait := p.caller.clock.Now(), p.caller.cfg.MaxWait
	if p.rejected == 0 {
		p.blockedSince = now
	}
	p.backoff = max(failed.RetryAfter, retryBackoff(p.rejected), minBlock)
	p.rejected++
	until := now.Add(p.backoff)
	if until.Sub(p.blockedSince) > maxWait {
		return false, &RateLimitError{Limit: p.caller.cfg.UncountedLimit, Until: until, Wait: p.backoff, MaxWait: maxWait}
	}
	tflog.Info(ctx, "waiting as the "+p.caller.cfg.API+" asked for", map[string]any{"op": p.call.Op, "seconds": logSeconds(p.backoff)})
	return true, nil
}

// again counts a failure and sets the backoff.
func (p *retryPolicy) again(ctx context.Context) bool {
	if p.failures >= p.caller.cfg.MaxRetries || ctx.Err() != nil {
		return false
	}
	p.backoff = retryBackoff(p.failures)
	p.failures++
	return true
}

// renewToken evicts the token once: it may be expired or revoked.
func (p *retryPolicy) renewToken(ctx context.Context) bool {
	if p.renewed || !p.caller.tokens.evict(ctx, p.call.token) {
		return false
	}
	p.renewed = true
	return true
}

// isBadToken reports whether the API rejected the token: flat endpoints return 400 for a token that they cannot read
// (Reseller API §5.5).
func isBadToken(failed *Error) bool {
	return failed.Status == http.StatusBadRequest && failed.Code == CodeJSONWebTokenError
}

// backoffAfter returns the backoff, which doubles with each failure up to maxBackoff.
func backoffAfter(failures int) time.Duration {
	const doublings = 6 // a larger number would overflow
	return min(maxBackoff, minBackoff<<min(failures, doublings))
}

// retryBackoff returns backoffAfter with jitter, so that parallel calls do not retry at the same time.
func retryBackoff(failures int) time.Duration {
	grown := backoffAfter(failures)
	return grown/2 + rand.N(grown/2) //nolint:gosec // G404: jitter, not a secret
}

// logSeconds returns a wait in seconds, rounded to a tenth.
func logSeconds(wait time.Duration) float64 {
	return wait.Round(100 * time.Millisecond).Seconds()
}
