package transport

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
)

// Reserve waits until a call may be sent that one of the sets of limits counts,
// and reserves that place for the next call made with the returned context.
//
// Where several sets are open, the first of them is taken. Calls that only one
// set can serve go first: a reservation takes a place only where no such call
// waits for it. The reservation serves one attempt: a retry waits again, and so
// does a call with other limits. release gives an unused place back; it is safe
// to call always, also twice. The error is a *RateLimitError with the earliest reset
// where every set stays closed for longer than MaxWait.
func (c *Caller) Reserve(ctx context.Context, choices ...[]Limit) (reserved context.Context, choice int, release func(), err error) {
	none := func() {}
	if len(choices) == 0 {
		return ctx, 0, none, errors.New("reserve: no limits are given")
	}
	// The token is found first, so that the place does not wait for it.
	if _, err := c.Credentials(ctx); err != nil {
		return ctx, 0, none, NotSent(err)
	}
	p, choice, err := c.limiter.acquire(ctx, choices...)
	if err != nil {
		return ctx, 0, none, NotSent(err)
	}
	r := &reservation{limiter: c.limiter, place: p}
	return context.WithValue(ctx, reservationKey{}, r), choice, r.release, nil
}

// reservation is a place that waits for its call.
type reservation struct {
	limiter *rateLimiter
	place   *place
	spent   atomic.Bool
}

type reservationKey struct{}

func (r *reservation) release() {
	if r.spent.CompareAndSwap(false, true) {
		r.limiter.cancel(r.place)
	}
}

// reservedPlace returns the place that the context carries; nil for none. A
// place that the limits do not fit is given back: the call would wait while it
// holds a place.
func reservedPlace(ctx context.Context, limits []Limit) *place {
	r, ok := ctx.Value(reservationKey{}).(*reservation)
	if !ok {
		return nil
	}
	if !slices.Equal(r.place.limits, limits) {
		r.release()
		return nil
	}
	if !r.spent.CompareAndSwap(false, true) {
		return nil
	}
	return r.place
}
