package transport

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

func FuzzLimitHeaders(f *testing.F) {
	f.Add("60", "3", "42", "7")
	f.Add("60, 60;w=60", "-1", "1790000000000", "Mon, 05 Oct 2026 12:00:30 GMT")
	f.Add("", "1e9", "NaN", "-Inf")
	f.Add("-1", "0x1p-2", "1e400", "-0")
	f.Fuzz(func(t *testing.T, limit, remaining, reset, after string) {
		h := http.Header{"Ratelimit-Limit": {limit}, "Ratelimit-Remaining": {remaining}, "Ratelimit-Reset": {reset}, "Retry-After": {after}}
		d := retryAfter(h, transporttest.Start)
		require.GreaterOrEqual(t, d, time.Duration(0), "Retry-After %q", after)
		require.LessOrEqual(t, d, longestTold, "Retry-After %q", after)
		if at, ok := resetAt(h, transporttest.Start); ok && at.Sub(transporttest.Start) > longestTold {
			t.Fatalf("RateLimit-Reset %q: %s", reset, at)
		}
		if n, ok := headerInt(h, "RateLimit-Limit"); ok && n < 0 {
			t.Fatalf("RateLimit-Limit %q: %d", limit, n)
		}
		g := newRateLimiter(RealClock{}, 0).windows[whichLimit(consoleLimits, h)]
		for _, status := range []int{http.StatusOK, http.StatusTooManyRequests, 0} {
			g.update(transporttest.Start, status, h)
		}
		c := g.closed(transporttest.Start)
		require.LessOrEqual(t, c.until.Sub(transporttest.Start), longestTold, "got %+v", c)
		require.LessOrEqual(t, c.stays, longestTold, "got %+v", c)
		require.True(t, c.until.After(transporttest.Start), "got %+v", c)
		require.Nil(t, g.closed(transporttest.Start.Add(longestTold+time.Second)), "still closed")
	})
}
