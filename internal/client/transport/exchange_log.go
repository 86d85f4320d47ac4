package transport

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Limit of token exchanges (§8), which no response header describes: 5 for each source IP address in 15 minutes, for
// all keys together.
const (
	exchangesAllowed = 5
	exchangesWindow  = 15 * time.Minute
	limitExchange    = "token exchange"
)

// exchangeLimitError: no exchange may be made before a time.
type exchangeLimitError struct{ opens time.Time }

func (e *exchangeLimitError) Error() string {
	return "the token exchange rate limit is exhausted and resets at " + e.opens.UTC().Format(time.RFC3339)
}

// exchangeTimes is the content of the file.
type exchangeTimes struct {
	Made   []time.Time `json:"made"`            // in the window, oldest first
	Closed time.Time   `json:"closed,omitzero"` // end of the block that a 429 began
}

// exchangeLog records the times of the exchanges from this machine, which processes share, so that none exceeds the
// limit.
type exchangeLog struct {
	dir  *cacheDir
	name string

	mu     sync.Mutex
	memory exchangeTimes // used without a directory
}

// enter records an exchange, or returns an exchangeLimitError.
func (l *exchangeLog) enter(ctx context.Context, now time.Time) error {
	var opens time.Time
	err := l.update(ctx, now, func(t *exchangeTimes) bool {
		opens = t.Closed
		if n := len(t.Made); n >= exchangesAllowed {
			opens = later(opens, t.Made[n-exchangesAllowed].Add(exchangesWindow))
		}
		if !opens.IsZero() {
			return false
		}
		t.Made = append(t.Made, now)
		return true
	})
	if err == nil && !opens.IsZero() {
		return &exchangeLimitError{opens}
	}
	return err
}

// undo removes the newest exchange, which never reached the API and does not count.
func (l *exchangeLog) undo(ctx context.Context, now time.Time) {
	// On failure the log has one exchange too many until the window ends.
	_ = l.update(context.WithoutCancel(ctx), now, func(t *exchangeTimes) bool {
		t.Made = t.Made[:max(0, len(t.Made)-1)]
		return true
	})
}

// shut records a 429 for all processes: the API counts more exchanges than the log has.
func (l *exchangeLog) shut(ctx context.Context, now, until time.Time) {
	// On failure the next exchange gets the 429 itself.
	_ = l.update(context.WithoutCancel(ctx), now, func(t *exchangeTimes) bool {
		t.Closed = later(t.Closed, until)
		return true
	})
}

// update changes the times under the lock of all processes, and writes them if change returns true. It returns an error
// only if the context ends.
func (l *exchangeLog) update(ctx context.Context, now time.Time, change func(*exchangeTimes) (write bool)) error {
	unlock, err := l.dir.lock(ctx, l.name)
	if err != nil {
		return err
	}
	defer unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	times := l.memory
	if raw := l.dir.read(ctx, l.name); len(raw) > 0 {
		var stored exchangeTimes
		if err := json.Unmarshal(raw, &stored); err == nil {
			times = stored
		}
	}
	// Keep only the times in the window. Future times come from a wrong clock; a block beyond the window comes from an
	// earlier version.
	times.Made = slices.DeleteFunc(slices.Clone(times.Made), func(t time.Time) bool { return t.After(now) || now.Sub(t) >= exchangesWindow })
	slices.SortFunc(times.Made, time.Time.Compare)
	if !times.Closed.After(now) || times.Closed.Sub(now) > exchangesWindow {
		times.Closed = time.Time{}
	}
	write := change(&times)
	l.memory = times
	if !write {
		return nil
	}
	if raw, err := json.Marshal(times); err == nil {
		l.dir.write(ctx, l.name, raw)
	}
	return nil
}

// file returns the path of the file; "" if the times are in memory.
func (l *exchangeLog) file(ctx context.Context) string {
	if !l.dir.usable(ctx) {
		return ""
	}
	return filepath.Join(l.dir.path, l.name)
}
