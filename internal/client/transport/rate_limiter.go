package transport

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
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
func (l Limit) ceiling() int {
	return [limitCount]int{60, 60, 20, 300}[l]
}

const (
	// logWaitAfter: longer waits are logged.
	logWaitAfter = 5 * time.Second
	// minBlock is the shortest block after a 429; without it, calls would be retried at full speed.
	minBlock = time.Second
	// blockContinuation: a 429 within this time after a block ends extends that block, so that backoff grows.
	blockContinuation = time.Minute
	// sameWindow: resets that differ by less belong to one window, as headers have whole seconds.
	sameWindow = 1500 * time.Millisecond
)

// rateLimiter delays calls while a rate limit is exhausted. It sends at full speed until response headers or a 429
// require a wait, and then in order of arrival. A 429 had no effect, so that its call waits like any other.
type rateLimiter struct {
	clock   Clock
	maxWait time.Duration

	mu      sync.Mutex
	windows [limitCount]*limitWindow
	waiting []*waiter // in order of arrival
	wake    time.Time // when waiting calls are checked again; zero: when a call ends
	asleep  context.CancelFunc
}

// waiter is a call that waits until it may be sent.
type waiter struct {
	ctx     context.Context
	choices [][]Limit // sets of limits in order of preference; the call needs one of them
	done    chan struct{}
	choice  int   // set when done
	err     error // set when done
}

func newRateLimiter(clock Clock, maxWait time.Duration) *rateLimiter {
	r := &rateLimiter{clock: clock, maxWait: maxWait, asleep: func() {}}
	for l := range limitCount {
		r.windows[l] = &limitWindow{limit: l, capacity: l.ceiling()}
	}
	return r
}

// acquire waits until a call may be sent that counts toward one of the sets of limits, and takes a place in each limit
// of that set. The caller returns the places with finish.
func (r *rateLimiter) acquire(ctx context.Context, choices ...[]Limit) (choice int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	w := &waiter{ctx: ctx, choices: choices, choice: -1, done: make(chan struct{})}
	r.mu.Lock()
	r.waiting = append(r.waiting, w)
	r.admit()
	r.mu.Unlock()
	select {
	case <-w.done:
		return w.choice, w.err
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = slices.DeleteFunc(r.waiting, func(other *waiter) bool { return other == w })
	if w.choice >= 0 { // admitted at the same time
		r.leave(choices[w.choice])
	} else {
		r.admit()
	}
	return 0, ctx.Err()
}

// finish ends a call and returns its places. status is 0 without a response.
func (r *rateLimiter) finish(limits []Limit, status int, header http.Header) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.windows[whichLimit(limits, header)].update(r.clock.Now(), status, header)
	r.leave(limits)
}

// spend counts a token exchange toward the total limit (§8), for which it does not wait. Headers of another limit say
// nothing about the total.
func (r *rateLimiter) spend(status int, header http.Header) {
	if limit, ok := headerInt(header, "RateLimit-Limit"); !ok || limit != LimitTotal.ceiling() {
		status = http.StatusOK
		header = nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.windows[LimitTotal].update(r.clock.Now(), status, header)
	r.admit()
}

// The methods from here on are called with the mutex held.

func (r *rateLimiter) leave(limits []Limit) {
	for _, l := range limits {
		r.windows[l].inFlight--
	}
	r.admit()
}

// admit ends the wait of each call that may be sent now. A call that waits for the same limits as an earlier one stays
// behind it, since admitting calls opens no window. Calls with one set of limits come first: the others may use what
// they leave.
func (r *rateLimiter) admit() {
	now := r.clock.Now()
	wake := time.Time{}
	for _, flexible := range []bool{false, true} {
		r.waiting = slices.DeleteFunc(r.waiting, func(w *waiter) (done bool) {
			if len(w.choices) > 1 != flexible {
				return false
			}
			done, opens := r.try(now, w)
			wake = earliest(wake, opens)
			return done
		})
	}
	r.sleepUntil(now, wake)
}

// try ends the wait of a call that may be sent, or whose limits all stay exhausted for longer than maxWait. Otherwise
// it returns when the first of them resets; zero for not before a call ends.
func (r *rateLimiter) try(now time.Time, w *waiter) (done bool, opens time.Time) {
	var tooLong *RateLimitError
	var soonest *blocked
	for i, limits := range w.choices {
		c := r.blockedAmong(now, limits)
		switch {
		case c == nil:
			for _, l := range limits {
				r.windows[l].inFlight++
			}
			w.choice = i
			close(w.done)
			return true, time.Time{}
		case c.stays > r.maxWait:
			if tooLong == nil || c.until.Before(tooLong.Until) {
				tooLong = &RateLimitError{Limit: c.limit.String(), Until: c.until, Wait: c.until.Sub(now), MaxWait: r.maxWait}
			}
		case soonest == nil || c.until.Before(soonest.until):
			soonest = c
		}
		opens = earliest(opens, c.until)
	}
	if soonest == nil {
		w.err = tooLong
		close(w.done)
		return true, time.Time{}
	}
	if wait := soonest.until.Sub(now); wait > logWaitAfter && soonest.until.Sub(soonest.logged) > sameWindow {
		soonest.logged = soonest.until // once for all calls
		tflog.Info(w.ctx, "waiting for a rate limit", map[string]any{"limit": soonest.limit.String(), "seconds": logSeconds(wait)})
	}
	return false, opens
}

// blockedAmong returns the first of the limits that is blocked; nil for none.
func (r *rateLimiter) blockedAmong(now time.Time, limits []Limit) *blocked {
	for _, l := range limits {
		if c := r.windows[l].closed(now); c != nil {
			return c
		}
	}
	return nil
}

// sleepUntil calls admit at a time, in place of the time that was set before.
func (r *rateLimiter) sleepUntil(now, wake time.Time) {
	if wake.Equal(r.wake) {
		return
	}
	r.asleep()
	ctx, cancel := context.WithCancel(context.Background())
	r.wake = wake
	r.asleep = cancel
	if wake.IsZero() {
		return
	}
	go func() {
		defer cancel()
		if r.clock.Sleep(ctx, wake.Sub(now)) != nil {
			return // another time was set
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if ctx.Err() == nil {
			r.wake = time.Time{}
			r.admit()
		}
	}()
}

// limitWindow is the current window of one rate limit.
type limitWindow struct {
	limit        Limit
	capacity     int       // calls in a window: as documented, until headers differ
	known        bool      // remaining and resets come from headers
	remaining    int       // calls left in the window
	resets       time.Time // end of the window
	opened       time.Time // end of the previous window
	early        bool      // the API's windows end up to a second later than its headers say
	blockedUntil time.Time // end of the block that a 429 began
	blockedSince time.Time // first 429 since the last other response
	blockCount   int       // blocks since then
	inFlight     int       // calls in flight, which remaining may not include
	logged       time.Time // end of the last wait that was logged
}

// blocked is the reason why a call must wait.
type blocked struct {
	*limitWindow
	until time.Time     // zero: until a response arrives
	stays time.Duration // how long the window will have been closed by then
}

// closed returns why a call must wait; nil if it need not. After a block one call is sent ahead of the others.
func (w *limitWindow) closed(now time.Time) *blocked {
	if now.Before(w.blockedUntil) {
		return &blocked{w, w.blockedUntil, w.blockedUntil.Sub(w.blockedSince)}
	}
	w.roll(now)
	left := w.capacity // until the first response shows the remaining calls
	if w.known {
		left = w.remaining
	}
	switch {
	case left <= w.inFlight && w.inFlight == 0:
		return &blocked{w, w.resets, w.resets.Sub(now)}
	case left <= w.inFlight, !w.blockedSince.IsZero() && w.inFlight > 0:
		return &blocked{limitWindow: w}
	default:
		return nil
	}
}

func (w *limitWindow) roll(now time.Time) {
	if w.known && !now.Before(w.resets) {
		w.known = false
		w.opened = w.resets
	}
}

// update reads the headers of a response. A response that is older than another one of its window does not increase the
// remaining calls. The earliest of several resets applies: each is rounded up to a second.
func (w *limitWindow) update(now time.Time, status int, header http.Header) {
	w.roll(now)
	if status == http.StatusTooManyRequests {
		w.block(now, header)
	} else if status != 0 && !now.Before(w.blockedUntil) { // not one of the calls sent before the block
		w.blockedSince = time.Time{}
	}
	if limit, ok := headerInt(header, "RateLimit-Limit"); ok && limit > 0 {
		w.capacity = limit
	}
	remaining, hasRemaining := headerInt(header, "RateLimit-Remaining")
	resets, hasReset := resetAt(header, now)
	if !hasRemaining || !hasReset {
		if w.known && status != 0 {
			w.remaining = max(0, w.remaining-1)
		}
		return
	}
	if w.early {
		resets = resets.Add(time.Second)
	}
	if w.known && resets.Sub(w.resets).Abs() < sameWindow {
		remaining = min(remaining, w.remaining)
		resets = earliest(resets, w.resets)
	}
	w.known = true
	w.remaining = remaining
	w.resets = resets
}

// block blocks the window for the time of a 429, and longer for each consecutive 429.
func (w *limitWindow) block(now time.Time, header http.Header) {
	w.early = w.early || !w.opened.IsZero() && now.Sub(w.opened) < sameWindow // its seconds were not rounded up
	wait := max(retryAfter(header, now), minBlock)
	if reset, ok := resetAt(header, now); ok && header.Get("Retry-After") == "" {
		wait = max(wait, reset.Sub(now))
	}
	switch {
	case w.blockedSince.IsZero() || now.Sub(w.blockedUntil) > blockContinuation:
		w.blockedSince = now
		w.blockCount = 0
	case !now.Before(w.blockedUntil): // not another one of the calls that were rejected together
		w.blockCount++
		wait = max(wait, backoffAfter(w.blockCount))
	}
	w.blockedUntil = later(w.blockedUntil, now.Add(wait))
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

// headerInt reads the leading integer of a header such as "60" or "60, 60;w=60".
func headerInt(header http.Header, name string) (int, bool) {
	text, _, _ := strings.Cut(header.Get(name), ",")
	text, _, _ = strings.Cut(text, ";")
	n, err := strconv.Atoi(strings.TrimSpace(text))
	return n, err == nil && n >= 0
}

// resetAt reads RateLimit-Reset: seconds from now or, for large numbers, seconds or milliseconds since the Unix epoch, or a
// date of HTTP.
// The API documentation does not show which. The result is based on now, so that a later change of the clock does not
// affect it.
func resetAt(header http.Header, now time.Time) (time.Time, bool) {
	const epochSeconds, epochMillis = 1_000_000_000, 1_000_000_000_000
	text := strings.TrimSpace(header.Get("RateLimit-Reset"))
	if date, err := http.ParseTime(text); err == nil {
		text = strconv.FormatInt(max(date.Unix(), 0), 10)
	}
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || !(n >= 0) || n > 1e15:
		return time.Time{}, false
	case n >= epochMillis:
		n = time.UnixMilli(int64(n)).Sub(now).Seconds()
	case n >= epochSeconds:
		n = time.Unix(int64(n), 0).Sub(now).Seconds()
	}
	return now.Add(boundedSeconds(n)), true
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
