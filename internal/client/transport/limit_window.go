package transport

import (
	"net/http"
	"time"
)

const (
	// minBlock is the shortest block after a 429; without it, calls would be retried at full speed.
	minBlock = time.Second
	// blockContinuation: a 429 within this time after a block ends extends that block, so that backoff grows.
	blockContinuation = time.Minute
	// sameWindow: resets that differ by less belong to one window, as headers have whole seconds.
	sameWindow = 1500 * time.Millisecond
)

// limitWindow is the current window of one rate limit. The mutex of the rateLimiter guards it.
type limitWindow struct {
	limit        Limit
	capacity     int          // calls in a window: as documented, until headers differ
	known        bool         // remaining and resets come from headers
	remaining    int          // calls left in the window
	resets       time.Time    // end of the window
	opened       time.Time    // end of the previous window
	early        bool         // the API's windows end up to a second later than its headers say
	blockedUntil time.Time    // end of the block that a 429 began
	blockedSince time.Time    // first 429 since the last other response
	blockCount   int          // blocks since then
	inFlight     int          // calls in flight, which remaining may not include
	logged       time.Time    // end of the last wait that was logged
	shared       sharedWindow // common record of the processes of this machine
}

func newLimitWindow(l Limit) *limitWindow { return &limitWindow{limit: l, capacity: l.ceiling()} }

// closure is the reason why a call must wait.
type closure struct {
	isClosed bool
	limit    Limit
	until    time.Time     // zero: until a response arrives
	stays    time.Duration // duration of the closure at that time
}

func (w *limitWindow) closedUntil(until time.Time, stays time.Duration) closure {
	return closure{isClosed: true, limit: w.limit, until: until, stays: stays}
}

// closed returns whether and why a call must wait. After a block one call is sent ahead of the others.
func (w *limitWindow) closed(now time.Time) closure {
	if now.Before(w.blockedUntil) {
		return w.closedUntil(w.blockedUntil, w.blockedUntil.Sub(w.blockedSince))
	}
	w.roll(now)
	full := w.closedUntil(time.Time{}, 0)
	switch {
	case w.known && w.remaining <= w.inFlight && w.inFlight == 0:
		return w.closedUntil(w.resets, w.resets.Sub(now))
	case w.known && w.remaining <= w.inFlight:
		return full
	case !w.known && w.inFlight >= w.capacity:
		return full // the first response shows the remaining calls
	case !w.blockedSince.IsZero() && w.inFlight > 0:
		return full
	default:
		return w.sharedClosure(now)
	}
}

func (w *limitWindow) roll(now time.Time) {
	if w.known && !now.Before(w.resets) {
		w.known, w.opened = false, w.resets
	}
}

// acquire counts a call. It returns the start of the shared window that counts it.
func (w *limitWindow) acquire(now time.Time) (start int64) {
	w.inFlight++
	return w.count(now)
}

func (w *limitWindow) release(start int64) {
	w.inFlight--
	w.uncount(start)
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
	h := w.headers(header, now)
	if h.limit > 0 {
		w.capacity = h.limit
	}
	if !h.complete {
		if w.known && status != 0 {
			w.remaining = max(0, w.remaining-1)
		}
		return
	}
	if w.known && h.resets.Sub(w.resets).Abs() < sameWindow {
		h.remaining = min(h.remaining, w.remaining)
		h.resets = earliest(h.resets, w.resets)
	}
	w.known, w.remaining, w.resets = true, h.remaining, h.resets
}

// headers returns the rate limit headers of a response.
func (w *limitWindow) headers(header http.Header, now time.Time) windowHeaders {
	h := readWindowHeaders(header, now)
	if w.early {
		h.resets = h.resets.Add(time.Second)
	}
	return h
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
		w.blockedSince, w.blockCount = now, 0
	case !now.Before(w.blockedUntil): // not another one of the calls that were rejected together
		w.blockCount++
		wait = max(wait, backoffAfter(w.blockCount))
	}
	w.blockedUntil = later(w.blockedUntil, now.Add(wait))
}
