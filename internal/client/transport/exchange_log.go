package transport

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// The token exchange's own limit (§8), which no response header describes:
// 5 an address in 15 minutes, whatever the key.
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

// exchangeTimes is what the file holds.
type exchangeTimes struct {
	Made   []time.Time `json:"made"`            // of the window, oldest first
	Closed time.Time   `json:"closed,omitzero"` // no exchange before this: a 429 said so
}

// exchangeLog keeps the times of the exchanges of this address, so that a
// sixth in 15 minutes is not tried. Processes share it.
type exchangeLog struct {
	dir  *cacheDir
	name string

	mu     sync.Mutex
	memory exchangeTimes // where there is no folder
}

// enter writes an exchange down, or fails with an exchangeLimitError.
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

// undo takes the newest exchange back: it never reached the API, which
// does not count it then.
func (l *exchangeLog) undo(ctx context.Context, now time.Time) {
	// If that fails, the log holds one exchange too many for a while.
	_ = l.update(context.WithoutCancel(ctx), now, func(t *exchangeTimes) bool {
		t.Made = t.Made[:max(0, len(t.Made)-1)]
		return true
	})
}

// shut remembers a 429 for all processes: the API counts more exchanges of
// this address than the log does.
func (l *exchangeLog) shut(ctx context.Context, now, until time.Time) {
	// Should it fail, the next exchange meets the 429 itself.
	_ = l.update(context.WithoutCancel(ctx), now, func(t *exchangeTimes) bool {
		t.Closed = later(t.Closed, until)
		return true
	})
}

// update changes what is kept, under the lock of all processes, and writes it
// where that is asked for. It only fails with the context.
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
	// Only the window counts. Times in the future are of a clock that was wrong,
	// and a closure beyond the window of a version that took any.
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

// file that keeps the times; "" where they are in memory.
func (l *exchangeLog) file(ctx context.Context) string {
	if !l.dir.usable(ctx) {
		return ""
	}
	return filepath.Join(l.dir.path, l.name)
}
