package transport

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
)

// Reserve waits until a call may be sent that counts toward one of the sets of limits. It reserves a place for the next
// call with the returned context.
//
// If several sets are available, the first is used. Calls that only one set can admit take precedence: a reservation
// gets a place only if no such call waits for it. The reservation serves one attempt: a retry waits again, and so does
// a call with other limits. release returns an unused place and may be called several times. The error is a
// *RateLimitError with the earliest reset if every set stays exhausted for longer than MaxWait.
func (c *Caller) Reserve(ctx context.Context, choices ...[]Limit) (reserved context.Context, choice int, release func(), err error) {
	if len(choices) == 0 {
		return ctx, 0, func() {}, errors.New("reserve: no limits are given")
	}
	_, err = c.Credentials(ctx) // first, so that the place is not held during a token exchange
	if err == nil {
		choice, err = c.limiter.acquire(ctx, choices...)
	}
	if err != nil {
		return ctx, 0, func() {}, NotSent(err)
	}
	r := &reservation{limiter: c.limiter, limits: choices[choice]}
	return context.WithValue(ctx, reservationKey{}, r), choice, r.release, nil
}

// reservation is a place that waits for its call.
type reservation struct {
	limiter *rateLimiter
	limits  []Limit
	spent   atomic.Bool
}

type reservationKey struct{}

func (r *reservation) release() {
	if r.spent.CompareAndSwap(false, true) {
		r.limiter.finish(r.limits, 0, nil)
	}
}

// useReservation reports whether the context has a place for a call with these limits, which uses it. A place for
// others is canceled: otherwise the call would wait while it holds a place.
func useReservation(ctx context.Context, limits []Limit) bool {
	r, ok := ctx.Value(reservationKey{}).(*reservation)
	if ok && !slices.Equal(r.limits, limits) {
		r.release()
	}
	return ok && r.spent.CompareAndSwap(false, true)
}
