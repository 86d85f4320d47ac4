package client

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
)

// Bucket is a rate limit that a read can be counted by (§8).
type Bucket int

// The buckets of reads.
const (
	BucketConsole Bucket = iota
	BucketBilling
)

// Reserve waits until a call that one of the buckets counts may be sent and
// reserves that place for the next call made with the returned context.
//
// Where several buckets are free, the first of them is taken. Calls that only
// one bucket can serve go first: a reservation takes a place only where no such
// call waits for it. The reservation serves one attempt: a retry waits again,
// and so does a call that another bucket counts. release gives an unused place
// back; it is safe to call always, also twice. The error is a *LimitError with
// the earliest reset where every bucket stays closed for longer than MaxWait.
func (c *Client) Reserve(ctx context.Context, buckets ...Bucket) (reserved context.Context, bucket Bucket, release func(), err error) {
	none := func() {}
	if len(buckets) == 0 {
		return ctx, 0, none, errors.New("reserve: no bucket is given")
	}
	// The token and the slug are found first: the dashboard call needs a place itself.
	if _, err := c.Slug(ctx); err != nil {
		return ctx, 0, none, &notSentError{err}
	}
	if _, err := c.tokens.credentials(c.masked(ctx)); err != nil {
		return ctx, 0, none, &notSentError{err}
	}
	choices := make([][]limit, len(buckets))
	for i, b := range buckets {
		choices[i] = route{billing: b == BucketBilling}.limits()
	}
	p, choice, err := c.limiter.acquire(ctx, choices...)
	if err != nil {
		return ctx, 0, none, &notSentError{err}
	}
	r := &reservation{limiter: c.limiter, place: p}
	return context.WithValue(ctx, reservationKey{}, r), buckets[choice], r.release, nil
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
func reservedPlace(ctx context.Context, limits []limit) *place {
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
