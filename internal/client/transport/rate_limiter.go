package transport

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Limit is one of the API's rate limits (§8).
type Limit int

const (
	LimitConsole    Limit = iota // 60 a minute for each source IP address
	LimitBilling                 // 60 a minute for each source IP address
	LimitAllocation              // 20 a minute for each reseller
	LimitTotal                   // 300 a minute for each source IP address
	limitCount
)

func (l Limit) String() string {
	return [limitCount]string{"console", "billing", "allocation", "total"}[l]
}

// ceiling returns the documented number of calls in a window. It identifies the limit that the headers of a response
// describe, and limits the calls before the first headers.
func (l Limit) ceiling() int { return [limitCount]int{60, 60, 20, 300}[l] }

// logWaitAfter: longer waits are logged.
const logWaitAfter = 5 * time.Second

// rateLimiter delays calls while a rate limit is exhausted. It sends at full speed until response headers, a 429 or the
// shared windows require a wait.
//
// Calls wait in order of arrival. One goroutine, dispatch, runs while calls wait: only this goroutine sleeps, and reads
// and writes the shared file.
type rateLimiter struct {
	clock   Clock
	base    context.Context // of work that belongs to no single call
	maxWait time.Duration
	shared  *sharedWindows // nil: only response headers are used

	mu      sync.Mutex
	windows [limitCount]*limitWindow
	lines   []*line            // of waiting calls
	arrived int                // number of calls so far
	running bool               // dispatch runs
	changed bool               // something changed since the last scan of dispatch
	wake    context.CancelFunc // ends the sleep of dispatch; nil while it is awake
	written chan struct{}      // closed when the shared file has the reports; nil without reports
}

// place is a call that the windows of its limits count.
type place struct {
	limits []Limit
	starts [limitCount]int64 // shared windows that counted it; 0 for none
}

func newRateLimiter(clock Clock, maxWait time.Duration) *rateLimiter {
	r := &rateLimiter{clock: clock, base: context.Background(), maxWait: maxWait}
	for l := range limitCount {
		r.windows[l] = newLimitWindow(l)
	}
	return r
}

// acquire waits until a call may be sent that counts toward one of the sets of limits. The caller ends the place with
// release or cancel.
func (r *rateLimiter) acquire(ctx context.Context, choices ...[]Limit) (p *place, choice int, err error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	w := &waiter{ctx: ctx, result: make(chan admission, 1)}
	r.mu.Lock()
	r.join(w, choices)
	r.notify()
	r.mu.Unlock()
	select {
	case a := <-w.result:
		return a.place, a.choice, a.err
	case <-ctx.Done():
		r.leave(w)
		return nil, 0, ctx.Err()
	}
}

// leave removes a waiter whose context ended, and cancels the place that it may have received at the same time.
func (r *rateLimiter) leave(w *waiter) {
	r.mu.Lock()
	if !w.done {
		w.done = true
		w.line.waiters = slices.DeleteFunc(w.line.waiters, func(other *waiter) bool { return other == w })
		r.notify()
	}
	r.mu.Unlock()
	select {
	case a := <-w.result:
		if a.place != nil {
			r.cancel(a.place)
		}
	default:
	}
}

// release ends a call. status is 0 without a response. It returns after the headers are in the shared file, as the
// process may end after its last call.
func (r *rateLimiter) release(p *place, status int, header http.Header) {
	if written := r.end(p, status, header); written != nil {
		<-written
	}
}

func (r *rateLimiter) end(p *place, status int, header http.Header) (written <-chan struct{}) {
	now := r.clock.Now()
	described := whichLimit(p.limits, header)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range p.limits {
		w := r.windows[l]
		if l == described {
			w.update(now, status, header)
		}
		w.share(now, p.starts[l], status, header, l == described)
		w.release(p.starts[l])
	}
	r.notify()
	return r.written
}

// cancel ends the place of a call that was not sent.
func (r *rateLimiter) cancel(p *place) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range p.limits {
		w := r.windows[l]
		w.report(r.clock.Now(), windowReport{start: p.starts[l], unsent: true})
		w.release(p.starts[l])
	}
	r.notify()
}

// whichLimit returns the limit that the headers describe. A route that several limits count recognizes it by its
// ceiling. For an unknown ceiling it is the route's narrowest limit.
func whichLimit(limits []Limit, header http.Header) Limit {
	if n, ok := headerInt(header, "RateLimit-Limit"); ok {
		for _, l := range limits {
			if l.ceiling() == n {
				return l
			}
		}
	}
	return limits[0]
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// earliest returns the earlier time and ignores zero times.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
