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
func (j *exchangeJournal) enter(ctx context.Context, now time.Time) (time.Duration, error) {
	unlock, err := j.dir.lock(ctx, j.name)
	if err != nil {
		return 0, err
	}
	defer unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	times := j.memory
	if raw := j.dir.read(ctx, j.name); len(raw) > 0 {
		var stored []time.Time
		if err := json.Unmarshal(raw, &stored); err == nil {
			times = stored
		}
	}
	// Only the window counts; times in the future are of a clock that was wrong.
	times = slices.DeleteFunc(times, func(t time.Time) bool { return t.After(now) || now.Sub(t) >= exchangesWindow })
	slices.SortFunc(times, time.Time.Compare)
	if len(times) >= exchangesAllowed {
		return times[len(times)-exchangesAllowed].Add(exchangesWindow).Sub(now), nil
	}
	times = append(times, now)
	j.memory = times
	if raw, err := json.Marshal(times); err == nil {
		j.dir.write(ctx, j.name, raw)
	}
	return 0, nil
}
