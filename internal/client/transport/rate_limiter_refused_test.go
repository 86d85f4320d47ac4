package transport

import (
	"errors"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// A server that rejects every call gets few calls, independent of the number of waiting calls and of the time in its
// 429s.
func TestRateLimiter_BacksOffWhileBlocked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked []time.Duration
		start := time.Now()
		c := inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, time.Since(start))
			transporttest.Limited("Retry-After", "1").ServeHTTP(w, r)
		}), 20*time.Minute)
		var wg sync.WaitGroup
		for range 30 {
			wg.Go(func() {
				var limit *RateLimitError
				if err := c.read(t.Context()); !errors.As(err, &limit) {
					t.Error(err)
				}
			})
			synctest.Wait() // the first is rejected before the others arrive
		}
		wg.Wait()
		most := 20*60/int(maxBackoff.Seconds()) + 8
		if len(asked) > most {
			t.Errorf("asked %d times, want at most %d: %v", len(asked), most, asked)
		}
	})
}

// After calls were rejected together, one is sent ahead of the others, which follow at full speed after its response.
func TestRateLimiter_SendsOneAheadAfterBlock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		refusals, inside, most, answered := 0, 0, 0, 0
		start := time.Now()
		c := inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			inside++
			if answered > 0 {
				most = max(most, inside)
			}
			mu.Unlock()
			<-time.NewTimer(100 * time.Millisecond).C
			mu.Lock()
			defer mu.Unlock()
			inside--
			if time.Since(start) < 4*time.Second {
				refusals++
				transporttest.Limited("Retry-After", "1").ServeHTTP(w, r)
				return
			}
			answered++
			transporttest.OK(transporttest.NoLabels).ServeHTTP(w, r)
		}), time.Minute)
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if err := c.read(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if refusals > 20+4 {
			t.Errorf("%d refusals", refusals)
		}
		if most < 10 {
			t.Errorf("after the limit only %d went at once", most)
		}
	})
}

// A response to a call that was sent before the block neither ends the block nor extends its backoff.
func TestRateLimiter_KeepsBlockAfterOvertakenSuccess(t *testing.T) {
	t.Parallel()
	w := newRateLimiter(RealClock{}, 0).windows[LimitConsole]
	w.update(transporttest.Start, http.StatusTooManyRequests, http.Header{"Retry-After": {"30"}})
	w.update(transporttest.Start.Add(time.Second), http.StatusOK, nil)
	if c := w.closed(transporttest.Start.Add(time.Second)); c == nil || c.stays != 30*time.Second {
		t.Errorf("got %+v", c)
	}
}
