package client

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// exchangeJournal keeps the times of the exchanges of this address, so that a
// sixth in 15 minutes is not tried. Processes share it.
type exchangeJournal struct {
	dir  *cacheDir
	name string

	mu     sync.Mutex
	memory []time.Time // where there is no folder
}

// admit writes the exchange down and lets it go, or waits until it may.
func (j *exchangeJournal) admit(ctx context.Context, clock Clock, maxWait time.Duration) error {
	for {
		wait, err := j.enter(ctx, clock.Now())
		if err != nil || wait == 0 {
			return err
		}
		if wait > maxWait {
			return &LimitError{Limit: "token exchange", Until: clock.Now().Add(wait), Wait: wait, MaxWait: maxWait}
		}
		tflog.Info(ctx, "waiting for the token exchange limit of the service", map[string]any{"seconds": wait.Seconds()})
		if err := clock.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// enter answers how long the next exchange has to wait; 0 wrote it down.
func (j *exchangeJournal) enter(ctx context.Context, now time.Time) (wait time.Duration, err error) {
	err = j.update(ctx, now, func(times []time.Time) []time.Time {
		if len(times) >= exchangesAllowed {
			wait = times[len(times)-exchangesAllowed].Add(exchangesWindow).Sub(now)
			return times
		}
		return append(times, now)
	})
	return wait, err
}

// withdraw takes the newest exchange back: it never reached the service, which
// does not count it then.
func (j *exchangeJournal) withdraw(ctx context.Context, now time.Time) {
	// Should it fail, the journal holds one exchange too many for a while.
	_ = j.update(context.WithoutCancel(ctx), now, func(times []time.Time) []time.Time {
		return times[:max(0, len(times)-1)]
	})
}

// update changes the times of the window, oldest first, under the lock.
func (j *exchangeJournal) update(ctx context.Context, now time.Time, change func([]time.Time) []time.Time) error {
	unlock, err := j.dir.lock(ctx, j.name)
	if err != nil {
		return err
	}
	defer unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	times := slices.Clone(j.memory)
	if raw := j.dir.read(ctx, j.name); len(raw) > 0 {
		var stored []time.Time
		if err := json.Unmarshal(raw, &stored); err == nil {
			times = stored
		}
	}
	// Only the window counts; times in the future are of a clock that was wrong.
	times = slices.DeleteFunc(times, func(t time.Time) bool { return t.After(now) || now.Sub(t) >= exchangesWindow })
	slices.SortFunc(times, time.Time.Compare)
	before := len(times)
	times = change(times)
	j.memory = times
	if len(times) == before {
		return nil
	}
	if raw, err := json.Marshal(times); err == nil {
		j.dir.write(ctx, j.name, raw)
	}
	return nil
}
