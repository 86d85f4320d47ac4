package main

import (
	"context"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// waitingClock moves the simulator's clock only when everything waits, to the earliest time that anything waits for.
// Waits do not add up, so the time that passes is that of a real clock with instant responses.
type waitingClock struct {
	sim *simulator.Clock

	mu       sync.Mutex
	sleepers map[*sleeper]bool
}

type sleeper struct {
	until time.Time
	awake chan struct{}
}

func newWaitingClock(sim *simulator.Clock) *waitingClock {
	return &waitingClock{sim: sim, sleepers: map[*sleeper]bool{}}
}

func (c *waitingClock) Now() time.Time { return c.sim.Now() }

// Sleep waits until the clock has moved by d.
func (c *waitingClock) Sleep(ctx context.Context, d time.Duration) error {
	s := &sleeper{until: c.sim.Now().Add(d), awake: make(chan struct{})}
	c.mu.Lock()
	c.sleepers[s] = true
	c.mu.Unlock()
	select {
	case <-s.awake:
		return ctx.Err()
	case <-ctx.Done():
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.sleepers, s)
		return ctx.Err()
	}
}

// move moves the clock to the earliest time that anything waits for.
func (c *waitingClock) move() {
	c.mu.Lock()
	defer c.mu.Unlock()
	var first time.Time
	for s := range c.sleepers {
		if first.IsZero() || s.until.Before(first) {
			first = s.until
		}
	}
	if first.IsZero() {
		return
	}
	c.sim.Advance(first.Sub(c.sim.Now()))
	for s := range c.sleepers {
		if !s.until.After(first) {
			close(s.awake)
			delete(c.sleepers, s)
		}
	}
}

// Everything waits if, in this many observations in a row, no goroutine except the observer runs or could run.
const (
	idleLooks = 5
	lookPause = 2 * time.Millisecond
)

// during calls act and moves the clock until it returns. It returns the time that passed on the clock.
func (c *waitingClock) during(act func() error) (time.Duration, error) {
	began, systemCalls := c.sim.Now(), goroutines(notInGo)
	var err error
	over := make(chan struct{})
	go func() {
		defer close(over)
		err = act()
	}()
	ticker := time.NewTicker(lookPause)
	defer ticker.Stop()
	for idle := 0; ; {
		select {
		case <-over:
			return c.sim.Now().Sub(began), err
		case <-ticker.C:
		}
		idle++
		if goroutines(running) > 1 || goroutines(runnable) > 0 || goroutines(notInGo) > systemCalls {
			idle = 0
		}
		if idle == idleLooks {
			idle = 0
			c.move()
		}
	}
}

const (
	running  = "/sched/goroutines/running:goroutines"
	runnable = "/sched/goroutines/runnable:goroutines"
	notInGo  = "/sched/goroutines/not-in-go:goroutines"
)

func goroutines(state string) uint64 {
	sample := []metrics.Sample{{Name: state}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
