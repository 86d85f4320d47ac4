package transport

import (
	"context"
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
	caller  *Caller
	request *Request

	token        string        // of the last attempt
	lost         bool          // an attempt before the last may have taken effect
	failures     int           // server errors and lost responses so far
	renewed      bool          // the token was renewed because of a 401
	rejected     int           // 429s that no rate limit counts
	blockedSince time.Time     // the first of them
	asked        time.Duration // that the API asked to wait after failures, in sum
	backoff      time.Duration // before the next attempt
}

// wait waits before an attempt. It returns an error if the context ends. A call that is not retryable has a second
// attempt only if the first had no effect.
func (p *retryPolicy) wait(ctx context.Context) error {
	err := ctx.Err()
	if p.backoff > 0 && err == nil {
		err = p.caller.clock.Sleep(ctx, p.backoff)
	}
	p.backoff = 0
	if err != nil && !p.request.Retryable {
		return NotSent(err)
	}
	return err
}

// after decides about an attempt that failed without a complete response, or with an error of the API, and waits before the
// next one.
func (p *retryPolicy) after(ctx context.Context, token string, failed *Error, err error) (retry bool, _ error) {
	p.token = token
	switch {
	case err != nil:
		retry = p.afterFailure(ctx, err)
	case failed != nil:
		retry, err = p.afterResponse(ctx, failed)
	default:
		p.caller.tokens.prove(token)
	}
	if retry {
		err = p.wait(ctx)
	}
	return retry && err == nil, err
}

// doubt keeps with the error of the last attempt that an earlier one may have taken effect.
func (p *retryPolicy) doubt(err error) error {
	if p.lost && p.request.Writes && !MayHaveTakenEffect(err) {
		return &effectError{err: err, may: true}
	}
	return err
}

// afterFailure decides about an attempt without a complete response.
func (p *retryPolicy) afterFailure(ctx context.Context, err error) (retry bool) {
	if IsRateLimitError(err) || badCertificate(err) || ctx.Err() != nil {
		return false // the rate limit resets too late, no retry helps, or the run is canceled
	}
	retry = (p.request.Retryable || NeverSent(err)) && p.again(ctx, 0)
	p.lost = p.lost || retry && !NeverSent(err)
	return retry
}

// afterResponse decides about a response that is not a success.
func (p *retryPolicy) afterResponse(ctx context.Context, failed *Error) (retry bool, err error) {
	isFinal := p.caller.cfg.IsFinal(failed)
	switch {
	case isFinal:
	case failed.Status == http.StatusTooManyRequests:
		return p.afterRejection(ctx, failed)
	case failed.Status == http.StatusUnauthorized, failed.Status == http.StatusBadRequest && failed.Code == CodeJSONWebTokenError:
		// The token may be expired or revoked, or a flat endpoint cannot read it (Reseller API §5.5).
		retry = !p.renewed && p.caller.tokens.evict(ctx, p.token)
		p.renewed = p.renewed || retry
		failed.GivenToken = p.caller.cfg.givenToken()
		return retry, nil
	}
	p.caller.tokens.prove(p.token)
	if isFinal || failed.Status < http.StatusInternalServerError && (!isSuccess(failed.Status) || !failed.notJSON) {
		return false, nil
	}
	retry = p.request.Retryable && p.again(ctx, failed.RetryAfter)
	p.lost = p.lost || retry
	return retry, nil
}

// afterRejection decides about a 429. It had no effect, so that every call may be retried. The rate limiter delays the
// next attempt, or fails it if the limit resets too late; waiting behind other calls does not count as a retry.
func (p *retryPolicy) afterRejection(ctx context.Context, failed *Error) (retry bool, err error) {
	if ctx.Err() != nil {
		return false, NotSent(ctx.Err())
	}
	if len(p.request.Limits) > 0 {
		return true, nil
	}
	now := p.caller.clock.Now()
	maxWait := p.caller.cfg.MaxWait
	if p.rejected == 0 {
		p.blockedSince = now
	}
	p.backoff = max(failed.RetryAfter, retryBackoff(p.rejected), minBlock)
	p.rejected++
	until := now.Add(p.backoff)
	if until.Sub(p.blockedSince) > maxWait {
		return false, &RateLimitError{Limit: p.caller.cfg.UncountedLimit, Until: until, Wait: p.backoff, MaxWait: maxWait}
	}
	p.logWait(ctx)
	return true, nil
}

// again counts a failure and sets the backoff, which is at least as long as the API asks for. A longer wait than MaxWait
// is not made.
func (p *retryPolicy) again(ctx context.Context, asked time.Duration) bool {
	p.asked += asked
	if p.failures >= p.caller.cfg.MaxRetries || ctx.Err() != nil || p.asked > p.caller.cfg.MaxWait {
		return false
	}
	p.backoff = max(retryBackoff(p.failures), asked)
	p.failures++
	if asked > logWaitAfter {
		p.logWait(ctx)
	}
	return true
}

func (p *retryPolicy) logWait(ctx context.Context) {
	tflog.Info(ctx, "waiting as the "+p.caller.cfg.API+" asked for", map[string]any{"op": p.request.Op, "seconds": logSeconds(p.backoff)})
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
