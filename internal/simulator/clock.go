package simulator

import (
	"context"
	"sync"
	"time"
)

// Clock is the simulator's time. It can be moved forward, never back. A client that waits on it moves it instead of
// waiting, so that a rate limit or a domain verification in the simulator takes no real time.
type Clock struct {
	mu     sync.Mutex
	offset time.Duration
	frozen time.Time // if not zero, real time does not pass
}

// NewClock returns a clock that follows real time.
func NewClock() *Clock {
	return &Clock{}
}

// NewFrozenClock returns a clock that only moves when it is moved.
func NewFrozenClock(at time.Time) *Clock {
	return &Clock{frozen: at}
}

// Now is the simulated time in UTC.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.frozen.IsZero() {
		return c.frozen.Add(c.offset).UTC()
	}
	return time.Now().Add(c.offset).UTC()
}

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) {
	if d <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset += d
}

// Sleep moves the clock forward by d instead of waiting.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.Advance(d)
	return nil
}

// shift and atLeast keep the offset in the data file.
func (c *Clock) shift() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.offset
}

func (c *Clock) atLeast(offset time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset = max(c.offset, offset)
}
