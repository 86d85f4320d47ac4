package client

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// limit is one of the service's rate limits (§8). The headers tell what is left of
// it, and count every process of the address; its documented ceiling only bounds
// what sets out before the first of them.
type limit int

const (
	limitConsole    limit = iota // 60 a minute an address
	limitBilling                 // 60 a minute an address
	limitAllocation              // 20 a minute a reseller
	limitTotal                   // 300 a minute an address
	limitCount
)

func (l limit) String() string {
	return [limitCount]string{"console", "billing", "allocation", "total"}[l]
}

// ceiling tells which limit a set of headers speaks of.
func (l limit) ceiling() int { return [limitCount]int{60, 60, 20, 300}[l] }

const (
	// minClosed: a 429 closes for this long at least, whatever its headers say,
	// or it would be repeated at full speed.
	minClosed = time.Second
	// sameClosure: a 429 this soon after a limit should have opened shows that
	// it never did.
	sameClosure = time.Minute
	// tellAfter is how long a wait may be before the log tells of it.
	tellAfter = 5 * time.Second
)

// pacer holds calls back while a limit is closed: one gate a limit, full speed
// until the service says otherwise.
type pacer struct {
	clock   Clock
	maxWait time.Duration
	gates   [limitCount]*gate
}

func newPacer(clock Clock, maxWait time.Duration) *pacer {
	p := &pacer{clock: clock, maxWait: maxWait}
	for l := range limitCount {
		p.gates[l] = newGate(l)
	}
	return p
}

// enter waits for all limits of a call. The release that it returns is called
// with the answer (status 0 for none) and reads its headers.
func (p *pacer) enter(ctx context.Context, limits []limit) (release func(status int, header http.Header), err error) {
	for i, l := range limits {
		if err := p.gates[l].enter(ctx, p.clock, p.maxWait); err != nil {
			for _, entered := range limits[:i] {
				p.gates[entered].leave()
			}
			return nil, err
		}
	}
	return func(status int, header http.Header) {
		speaksOf := whichLimit(limits, header)
		for _, l := range limits {
			if l == speaksOf {
				p.gates[l].learn(p.clock.Now(), status, header)
			}
			p.gates[l].leave()
		}
	}, nil
}

// whichLimit: headers carry one limit; its ceiling tells which where a route is
// counted by several. An unknown ceiling is the route's narrowest.
func whichLimit(limits []limit, header http.Header) limit {
	if n, ok := headerInt(header, "RateLimit-Limit"); ok {
		for _, l := range limits {
			if l.ceiling() == n {
				return l
			}
		}
	}
	return limits[0]
}

// gate is one limit. Calls enter in the order in which they came: whoever holds
// the turn waits for the gate, all others for the turn.
type gate struct {
	limit   limit
	turn    turn
	changed chan struct{} // told when a call left or headers came

	mu        sync.Mutex
	most      int       // calls a window: as documented, until headers tell
	known     bool      // remaining and resets are what headers told
	remaining int       // calls left in the window
	resets    time.Time // end of the window
	closed    time.Time // no call before this: a 429 said so
	shutSince time.Time // the first 429 since a call was answered otherwise
	closures  int       // so many times closed since then
	inside    int       // calls under way: they may not be counted in remaining yet
}

func newGate(l limit) *gate {
	return &gate{limit: l, most: l.ceiling(), turn: newTurn(), changed: make(chan struct{}, 1)}
}

func (g *gate) enter(ctx context.Context, clock Clock, maxWait time.Duration) error {
	if err := g.turn.take(ctx); err != nil {
		return err
	}
	defer g.turn.give()
	told := false
	for {
		now := clock.Now()
		opens, stays, full := g.admit(now)
		wait := opens.Sub(now)
		switch {
		case opens.IsZero() && !full:
			return nil
		case full:
			// All that may go is under way: the answers tell.
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-g.changed:
			}
		case stays > maxWait:
			return &LimitError{Limit: g.limit.String(), Until: opens, Wait: wait, MaxWait: maxWait}
		default:
			if wait > tellAfter && !told {
				told = true
				tflog.Info(ctx, "waiting for a rate limit of the service", map[string]any{"limit": g.limit.String(), "seconds": LogSeconds(wait)})
			}
			if err := clock.Sleep(ctx, wait); err != nil {
				return err
			}
		}
	}
}

// admit lets a call in (no time, not full), or says when the gate opens and how
// long it will then have stayed closed, or that all that is left may be in use
// by calls under way. After a 429 one call goes ahead and shows whether the rest
// would be refused, too.
func (g *gate) admit(now time.Time) (opens time.Time, stays time.Duration, full bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if now.Before(g.closed) {
		return g.closed, g.closed.Sub(g.shutSince), false
	}
	if g.known && !now.Before(g.resets) {
		g.known = false
	}
	if g.known && g.remaining-g.inside <= 0 {
		if g.inside == 0 {
			return g.resets, g.resets.Sub(now), false
		}
		return time.Time{}, 0, true
	}
	if !g.known && g.inside >= g.most {
		return time.Time{}, 0, true // no window has more, and the first answer tells
	}
	if !g.shutSince.IsZero() && g.inside > 0 {
		return time.Time{}, 0, true
	}
	g.inside++
	return time.Time{}, 0, false
}

func (g *gate) leave() {
	g.mu.Lock()
	g.inside--
	g.mu.Unlock()
	select {
	case g.changed <- struct{}{}:
	default:
	}
}

// learn reads an answer's headers. An answer of the same window that was
// overtaken by a later one must not raise what remains.
func (g *gate) learn(now time.Time, status int, header http.Header) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if status == http.StatusTooManyRequests {
		g.shut(now, header)
	} else if status != 0 {
		g.shutSince = time.Time{}
	}
	if most, ok := headerInt(header, "RateLimit-Limit"); ok && most > 0 {
		g.most = most
	}
	remaining, okRemaining := headerInt(header, "RateLimit-Remaining")
	reset, okReset := resetAt(header, now)
	if !okRemaining || !okReset {
		if g.known && status != 0 {
			g.remaining = max(0, g.remaining-1)
		}
		return
	}
	const sameWindow = 1500 * time.Millisecond // headers carry whole seconds
	if g.known && reset.Sub(g.resets).Abs() < sameWindow {
		remaining = min(remaining, g.remaining)
	}
	g.known, g.remaining, g.resets = true, remaining, reset
}

// shut closes the gate after a 429 for as long as that says; where one follows
// the other, for longer and longer.
func (g *gate) shut(now time.Time, header http.Header) {
	wait := max(retryAfter(header, now), minClosed)
	if reset, ok := resetAt(header, now); ok && header.Get("Retry-After") == "" {
		wait = max(wait, reset.Sub(now))
	}
	switch {
	case g.shutSince.IsZero() || now.Sub(g.closed) > sameClosure:
		g.shutSince, g.closures = now, 0
	case !now.Before(g.closed): // not one more of those that were refused together
		g.closures++
		wait = max(wait, pauseAfter(g.closures))
	}
	g.closed = later(g.closed, now.Add(wait))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// headerInt reads the leading whole number of a header such as "60" or "60, 60;w=60".
func headerInt(header http.Header, name string) (int, bool) {
	text, _, _ := strings.Cut(header.Get(name), ",")
	text, _, _ = strings.Cut(text, ";")
	n, err := strconv.Atoi(strings.TrimSpace(text))
	return n, err == nil && n >= 0
}

// resetAt reads RateLimit-Reset: seconds from now, or, where the number is that
// large, seconds or milliseconds since the epoch. The documents do not say. The
// result counts from now, so that a clock that is set later does not move it.
func resetAt(header http.Header, now time.Time) (time.Time, bool) {
	const epochSeconds, epochMillis = 1_000_000_000, 1_000_000_000_000
	text := strings.TrimSpace(header.Get("RateLimit-Reset"))
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || !(n >= 0) || n > 1e15:
		return time.Time{}, false
	case n >= epochMillis:
		return now.Add(boundedSeconds(time.UnixMilli(int64(n)).Sub(now).Seconds())), true
	case n >= epochSeconds:
		return now.Add(boundedSeconds(time.Unix(int64(n), 0).Sub(now).Seconds())), true
	default:
		return now.Add(boundedSeconds(n)), true
	}
}
