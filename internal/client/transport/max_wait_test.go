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

func TestMaxWait(t *testing.T) {
	t.Parallel()
	withMaxWait := func(d time.Duration) func(*Config) { return func(cfg *Config) { cfg.MaxWait = d } }
	t.Run("a limit that never opens", func(t *testing.T) {
		t.Parallel()
		s := transporttest.Serve(t, "GET {labels} -> limited + Retry-After: 60")
		c, clock := dial(t, s, withMaxWait(5*time.Minute))
		err := c.read(t.Context())
		assert.True(t, IsRateLimitError(err), "got %v", err)
		assert.Equal(t, 5*time.Minute, clock.Slept(), "slept in %d calls", len(s.Calls()))
		assert.Len(t, s.Calls(), 6, "slept %s in calls", clock.Slept())
	})
	t.Run("an earlier closure does not count", func(t *testing.T) {
		t.Parallel()
		c, clock := dial(t, transporttest.Serve(t, `
			GET {labels} -> limited + Retry-After: 60
			GET {labels} -> 403 INSUFFICIENT_SCOPE
			GET {labels} -> limited + Retry-After: 60
			GET {labels} -> 200 {no labels}
		`), withMaxWait(time.Minute))
		_ = c.read(t.Context())
		err := c.read(t.Context())
		require.NoError(t, err, "slept %s", clock.Slept())
		assert.Equal(t, 2*time.Minute, clock.Slept())
	})
	t.Run("nor one that nobody saw the end of", func(t *testing.T) {
		t.Parallel()
		g, retryAfterMinute := newRateLimiter(RealClock{}, 0).windows[LimitConsole], http.Header{"Retry-After": {"60"}}
		g.update(transporttest.Start, http.StatusTooManyRequests, retryAfterMinute)
		g.update(transporttest.Start.Add(time.Hour), http.StatusTooManyRequests, retryAfterMinute)
		c := g.closed(transporttest.Start.Add(time.Hour))
		assert.Equal(t, time.Minute, c.stays, "closed")
	})
	t.Run("queueing does not count", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) { // 600 calls at 60 a minute take ten minutes
			service := &bucketService{}
			c := inBubble(t, service, time.Minute)
			var all sync.WaitGroup
			for range 600 {
				all.Go(func() {
					assert.NoError(t, c.read(t.Context()))
				})
			}
			all.Wait()
			assert.Equal(t, 0, service.rejected, "calls met a 429")
		})
	})
}
