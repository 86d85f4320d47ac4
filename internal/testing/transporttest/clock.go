package transporttest

import (
	"context"
	"sync"
	"time"
)

var Start = time.Date(2026, 10, 5, 12, 0, 0, 0, time.UTC)

// Clock advances when a caller sleeps, and records each sleep.
type Clock struct {
	mu      sync.Mutex
	now     time.Time
	Sleeps  []time.Duration
	OnSleep func() // called before each sleep
}

func NewClock() *Clock { return &Clock{now: Start} }

func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	if c.OnSleep != nil {
		c.OnSleep()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.Sleeps = append(c.Sleeps, d)
	return nil
}

func (c *Clock) Move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func (c *Clock) Slept() (total time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range c.Sleeps {
		total += d
	}
	return total
}
