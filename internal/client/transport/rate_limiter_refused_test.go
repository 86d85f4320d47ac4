package transport

import (
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
				err := c.read(t.Context())
				assert.ErrorAs(t, err, &limit)
			})
			synctest.Wait() // the first is rejected before the others arrive
		}
		wg.Wait()
		most := 20*60/int(maxBackoff.Seconds()) + 8
		assert.LessOrEqual(t, len(asked), most, "asked times: %v", asked)
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
				assert.NoError(t, c.read(t.Context()))
			})
		}
		wg.Wait()
		assert.LessOrEqual(t, refusals, 20+4)
		assert.GreaterOrEqual(t, most, 10, "after the limit only went at once")
	})
}

// A response to a call that was sent before the block neither ends the block nor extends its backoff.
func TestRateLimiter_KeepsBlockAfterOvertakenSuccess(t *testing.T) {
	t.Parallel()
	w := newRateLimiter(RealClock{}, 0).windows[LimitConsole]
	w.update(transporttest.Start, http.StatusTooManyRequests, http.Header{"Retry-After": {"30"}})
	w.update(transporttest.Start.Add(time.Second), http.StatusOK, nil)
	c := w.closed(transporttest.Start.Add(time.Second))
	require.NotNil(t, c, "got %+v", c)
	assert.Equal(t, 30*time.Second, c.stays, "got %+v", c)
}
