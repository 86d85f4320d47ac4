package transport

import (
	"context"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// line holds the calls that wait for the same limits, in order of arrival.
type line struct {
	choices [][]Limit // sets of limits in order of preference; a call needs one of them
	waiters []*waiter
	closed  bool // in the current scan: its first call must wait
}

// waiter is a call that waits for a place.
type waiter struct {
	ctx     context.Context
	line    *line
	arrival int
	done    bool
	result  chan admission // buffered: dispatch never blocks
}

// admission is the result of a wait.
type admission struct {
	place  *place
	choice int
	err    error
}

func (w *waiter) finish(a admission) {
	w.done = true
	w.result <- a
}

// join adds a waiter at the end of its line.
func (r *rateLimiter) join(w *waiter, choices [][]Limit) {
	same := func(l *line) bool { return slices.EqualFunc(l.choices, choices, slices.Equal) }
	i := slices.IndexFunc(r.lines, same)
	if i < 0 {
		i, r.lines = len(r.lines), append(r.lines, &line{choices: choices})
	}
	r.arrived++
	w.line, w.arrival = r.lines[i], r.arrived
	w.line.waiters = append(w.line.waiters, w)
}

// notify starts or wakes dispatch. The caller holds the mutex.
func (r *rateLimiter) notify() {
	r.changed = true
	if r.written == nil && r.hasReports() {
		r.written = make(chan struct{})
	}
	if r.wake != nil {
		r.wake()
	}
	if !r.running && r.hasWork() {
		r.running = true
		go r.dispatch()
	}
}

func (r *rateLimiter) hasWork() bool {
	return r.hasReports() || slices.ContainsFunc(r.lines, func(l *line) bool { return len(l.waiters) > 0 })
}

// hasReports returns whether the shared file lacks a report of a response.
func (r *rateLimiter) hasReports() bool {
	waits := func(w *limitWindow) bool { return len(w.shared.reports) > 0 }
	return r.shared != nil && slices.ContainsFunc(r.windows[:], waits)
}

// dispatch admits waiting calls until none is left.
func (r *rateLimiter) dispatch() {
	for {
		r.mu.Lock()
		if !r.hasWork() {
			r.running = false
			r.mu.Unlock()
			return
		}
		r.changed = false
		r.mu.Unlock()
		r.sleep(r.serve())
	}
}

// sleep returns at the given time, or when something changes. The zero time means never.
func (r *rateLimiter) sleep(until time.Time) {
	r.mu.Lock()
	if r.changed || !r.hasWork() {
		r.mu.Unlock()
		return
	}
	ctx, cancel := context.WithCancel(r.base)
	defer cancel()
	r.wake = cancel
	r.mu.Unlock()
	if until.IsZero() {
		<-ctx.Done()
	} else {
		_ = r.clock.Sleep(ctx, until.Sub(r.clock.Now())) // woken or not, dispatch scans again
	}
	r.mu.Lock()
	r.wake = nil
	r.mu.Unlock()
}

// serve admits all calls that may be sent now. It returns the time of the next possible admission without another
// event; zero for never.
func (r *rateLimiter) serve() (next time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.clock.Now(); r.shared == nil || !r.needsShared(now) {
		return r.scan(now)
	}
	shared, ctx := r.shared, r.logContext()
	r.mu.Unlock()
	next, ok := r.serveShared(ctx, shared)
	r.mu.Lock()
	if ok {
		return next
	}
	r.shared = nil // for the rest of the run
	for _, w := range r.windows {
		w.unshare()
	}
	closeIfAny(r.written)
	r.written = nil
	return r.scan(r.clock.Now())
}

// serveShared admits calls under the lock of the shared file and counts them in it. It returns false if the file cannot
// be used.
func (r *rateLimiter) serveShared(ctx context.Context, shared *sharedWindows) (next time.Time, ok bool) {
	var written chan struct{}
	ok = shared.update(ctx, func(records map[string]windowRecord) {
		r.mu.Lock()
		defer r.mu.Unlock()
		now, keys := r.clock.Now(), shared.keys()
		for l, w := range r.windows {
			w.load(now, keys[l], records)
		}
		written, r.written = r.written, nil
		next = r.scan(now)
		for l, w := range r.windows {
			w.store(keys[l], records)
		}
	})
	closeIfAny(written)
	return next, ok
}

func closeIfAny(c chan struct{}) {
	if c != nil {
		close(c)
	}
}

// needsShared returns whether the shared file must be read: this process knows no reason to wait for some call, or the
// file lacks a report. The caller holds the mutex.
func (r *rateLimiter) needsShared(now time.Time) bool {
	return r.hasReports() || slices.ContainsFunc(r.lines, func(l *line) bool {
		return len(l.waiters) > 0 && slices.ContainsFunc(l.choices, func(limits []Limit) bool {
			return !slices.ContainsFunc(limits, func(l Limit) bool { return r.windows[l].closed(now).isClosed })
		})
	})
}

// logContext returns a context with the logger of a waiting call. The caller holds the mutex.
func (r *rateLimiter) logContext() context.Context {
	for _, l := range r.lines {
		if len(l.waiters) > 0 {
			return context.WithoutCancel(l.waiters[0].ctx)
		}
	}
	return r.base
}

// scan admits waiting calls in order of arrival. Calls that only one set of limits can admit come first, since the
// others may use what remains. The caller holds the mutex.
func (r *rateLimiter) scan(now time.Time) (next time.Time) {
	for _, flexible := range []bool{false, true} {
		for _, l := range r.lines {
			l.closed = len(l.choices) > 1 != flexible
		}
		for l := r.firstOpen(); l != nil; l = r.firstOpen() {
			w := l.waiters[0]
			next = earliest(next, r.admit(now, w))
			if l.closed = !w.done; w.done {
				l.waiters = l.waiters[1:]
			}
		}
	}
	return next
}

// firstOpen returns the open line whose first call arrived first.
func (r *rateLimiter) firstOpen() (first *line) {
	for _, l := range r.lines {
		if !l.closed && len(l.waiters) > 0 && (first == nil || l.waiters[0].arrival < first.waiters[0].arrival) {
			first = l
		}
	}
	return first
}

// admit ends the wait of a call that may be sent, or whose choices all stay exhausted for longer than maxWait.
// Otherwise it returns when the first of them resets.
func (r *rateLimiter) admit(now time.Time, w *waiter) (next time.Time) {
	if err := w.ctx.Err(); err != nil {
		w.finish(admission{err: err})
		return time.Time{}
	}
	var tooLong *RateLimitError
	var soonest closure
	for i, limits := range w.line.choices {
		p, c := r.tryAcquire(now, limits)
		if p != nil {
			w.finish(admission{place: p, choice: i})
			return time.Time{}
		}
		next = earliest(next, c.until)
		switch {
		case c.stays > r.maxWait:
			if tooLong == nil || c.until.Before(tooLong.Until) {
				tooLong = &RateLimitError{Limit: c.limit.String(), Until: c.until, Wait: c.until.Sub(now), MaxWait: r.maxWait}
			}
		case !soonest.isClosed || c.until.Before(soonest.until):
			soonest = c
		}
	}
	if !soonest.isClosed {
		w.finish(admission{err: tooLong})
		return time.Time{}
	}
	r.logWait(w.ctx, soonest, now)
	return next
}

// tryAcquire takes a place in all windows or in none: then it returns the closure of the first one.
func (r *rateLimiter) tryAcquire(now time.Time, limits []Limit) (*place, closure) {
	for _, l := range limits {
		if c := r.windows[l].closed(now); c.isClosed {
			return nil, c
		}
	}
	p := &place{limits: limits}
	for _, l := range limits {
		p.starts[l] = r.windows[l].acquire(now)
	}
	return p, closure{}
}

// logWait logs a long wait once for each closure of a limit.
func (r *rateLimiter) logWait(ctx context.Context, c closure, now time.Time) {
	w, wait := r.windows[c.limit], c.until.Sub(now)
	if wait <= logWaitAfter || c.until.Sub(w.logged) <= sameWindow {
		return
	}
	w.logged = c.until
	tflog.Info(ctx, "waiting for a rate limit", map[string]any{
		"limit": c.limit.String(), "seconds": logSeconds(wait),
	})
}
