package main

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func TestWaitingClock_PassesForAllAtOnce(t *testing.T) {
	t.Parallel()
	c := newWaitingClock(simulator.NewFrozenClock(time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)))
	passed, err := c.during(func() error {
		errs := make(chan error)
		for _, d := range []time.Duration{time.Minute, time.Minute, 90 * time.Second} {
			go func() { errs <- c.Sleep(t.Context(), d) }()
		}
		return errors.Join(<-errs, <-errs, <-errs)
	})
	if err != nil || passed != 90*time.Second {
		t.Errorf("%s passed, %v", passed, err)
	}
}

func TestWaitingClock_StandsWhileSomebodyWorks(t *testing.T) {
	t.Parallel()
	c := newWaitingClock(simulator.NewFrozenClock(time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)))
	passed, err := c.during(func() error {
		ctx, cancel := context.WithCancel(t.Context())
		slept := make(chan error)
		go func() { slept <- c.Sleep(ctx, time.Minute) }()
		for began := time.Now(); time.Since(began) < 10*idleLooks*lookPause; {
			runtime.Gosched()
		}
		cancel()
		if err := <-slept; !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	})
	if err != nil || passed != 0 {
		t.Errorf("%s passed, %v", passed, err)
	}
}
