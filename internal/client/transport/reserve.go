package transport

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
)

// Place is a call's place in one set of limits. It serves one attempt: a retry waits again.
type Place struct {
	Choice int // number of the set

	limiter *rateLimiter
	limits  []Limit
	spent   atomic.Bool
}

// Reserve waits until a call may be sent that counts toward one of the sets of limits, and reserves its place.
//
// If several sets are available, the first is used. Calls that only one set can admit take precedence: a reservation
// gets a place only if no such call waits for it. The error is a *RateLimitError with the earliest reset if every set
// stays exhausted for longer than MaxWait.
func (c *Caller) Reserve(ctx context.Context, choices ...[]Limit) (*Place, error) {
	if len(choices) == 0 {
		return nil, errors.New("reserve: no limits are given")
	}
	if _, err := c.Credentials(ctx); err != nil { // first, so that the place is not held during a token exchange
		return nil, NotSent(err)
	}
	choice, err := c.limiter.acquire(ctx, choices...)
	if err != nil {
		return nil, NotSent(err)
	}
	return &Place{Choice: choice, limiter: c.limiter, limits: choices[choice]}, nil
}

// Release returns a place that no call has used. It may be called several times.
func (p *Place) Release() {
	if p.spent.CompareAndSwap(false, true) {
		p.limiter.finish(p.limits, 0, nil)
	}
}

// use reports whether a call with these limits uses the place, nil for none. A place in others is released: otherwise
// the call would wait while it holds a place.
func (p *Place) use(limits []Limit) bool {
	if p == nil {
		return false
	}
	if !slices.Equal(p.limits, limits) {
		p.Release()
	}
	return p.spent.CompareAndSwap(false, true)
}
