package transport

import (
	"errors"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

func TestMaxWait(t *testing.T) {
	t.Parallel()
	withMaxWait := func(d time.Duration) func(*Config) { return func(cfg *Config) { cfg.MaxWait = d } }
	t.Run("0 never waits", func(t *testing.T) {
		t.Parallel()
		s := transporttest.Serve(t, transporttest.Replies{transporttest.ReqList: {transporttest.Limited("Retry-After", "1")}})
		c, clock := dial(t, s, withMaxWait(0))
		err := c.read(t.Context())
		var limit *RateLimitError
		if !errors.As(err, &limit) || limit.Limit != "console" || !limit.Until.Equal(transporttest.Start.Add(time.Second)) || limit.Wait != time.Second {
			t.Errorf("got %v", err)
		}
		assert.Equal(t, time.Duration(0), clock.Slept(), "slept, calls %v", s.Calls())
		assert.Len(t, s.Calls(), 1, "slept %s, calls", clock.Slept())
	})
	t.Run("a limit that never opens", func(t *testing.T) {
		t.Parallel()
		s := transporttest.Serve(t, transporttest.Replies{transporttest.ReqList: {transporttest.Limited("Retry-After", "60")}})
		c, clock := dial(t, s, withMaxWait(5*time.Minute))
		err := c.read(t.Context())
		assert.True(t, IsRateLimitError(err), "got %v", err)
		assert.Equal(t, 5*time.Minute, clock.Slept(), "slept in %d calls", len(s.Calls()))
		assert.Len(t, s.Calls(), 6, "slept %s in calls", clock.Slept())
	})
	t.Run("an earlier closure does not count", func(t *testing.T) {
		t.Parallel()
		c, clock := dial(t, transporttest.Serve(t, transporttest.Replies{transporttest.ReqList: {transporttest.Limited("Retry-After", "60"), transporttest.Reject(http.StatusForbidden, "INSUFFICIENT_SCOPE"), transporttest.Limited("Retry-After", "60"), transporttest.OK(transporttest.NoLabels)}}), withMaxWait(time.Minute))
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
		// 600 calls at 60 a minute take 10 minutes; each window lasts one minute.
		service := &meteredService{clock: transporttest.NewClock(), ceiling: 60, window: time.Minute}
		service.start = service.clock.Now()
		c := newAPI("https://x.example", Config{Settings: Settings{MaxWait: time.Minute, Transport: service, Clock: service.clock}, AccessToken: "a-token-from-outside"})
		var all sync.WaitGroup
		for range 600 {
			all.Go(func() {
				assert.NoError(t, c.read(t.Context()))
			})
		}
		all.Wait()
		assert.LessOrEqual(t, service.rejected, 0, "calls met a 429")
	})
}

// meteredService counts calls in windows and describes them in headers (§8).
type meteredService struct {
	clock   *transporttest.Clock
	ceiling int
	window  time.Duration

	mu             sync.Mutex
	start          time.Time
	used, rejected int
	inside, widest int
	hold           chan struct{} // if set, calls in flight wait for it
}

func (m *meteredService) RoundTrip(req *http.Request) (*http.Response, error) {
	m.mu.Lock()
	now := m.clock.Now()
	if now.Sub(m.start) >= m.window {
		m.start, m.used = now, 0
	}
	m.used++
	m.inside++
	m.widest = max(m.widest, m.inside)
	over, left, reset := m.used > m.ceiling, max(0, m.ceiling-m.used), m.start.Add(m.window).Sub(now)
	if over {
		m.rejected++
	}
	hold := m.hold
	m.mu.Unlock()
	if hold != nil {
		<-hold
	}
	m.mu.Lock()
	m.inside--
	m.mu.Unlock()
	headers := []string{"RateLimit-Limit", "60", "RateLimit-Remaining", strconv.Itoa(left), "RateLimit-Reset", strconv.Itoa(int(reset.Seconds()))}
	if over {
		return transporttest.Limited(append(headers, "Retry-After", "60")...)(req)
	}
	return transporttest.OK(transporttest.NoLabels, headers...)(req)
}
