package client

import (
	"errors"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"
)

func stubHeaders(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i+1 < len(pairs); i += 2 {
		h.Set(pairs[i], pairs[i+1])
	}
	return h
}

func stubBare429(pairs ...string) stubReply {
	return stubReply{status: http.StatusTooManyRequests, body: `{"error":"Too many requests"}`, header: stubHeaders(pairs...)}
}

func TestMaxWait(t *testing.T) {
	t.Parallel()
	withMaxWait := func(d time.Duration) func(*CallerConfig) { return func(cfg *CallerConfig) { cfg.MaxWait = d } }
	t.Run("0 never waits", func(t *testing.T) {
		t.Parallel()
		c, s, clock := stubbedAPI(t, map[string][]stubReply{stubList: {stubBare429("Retry-After", "1")}}, withMaxWait(0))
		err := c.read(t.Context())
		var limit *RateLimitError
		if !errors.As(err, &limit) || limit.Limit != "console" || !limit.Until.Equal(testStart.Add(time.Second)) || limit.Wait != time.Second {
			t.Errorf("got %v", err)
		}
		if clock.slept() != 0 || len(s.calls()) != 1 {
			t.Errorf("slept %s, calls %v", clock.slept(), s.calls())
		}
	})
	t.Run("a limit that never opens", func(t *testing.T) {
		t.Parallel()
		c, s, clock := stubbedAPI(t, map[string][]stubReply{stubList: {stubBare429("Retry-After", "60")}}, withMaxWait(5*time.Minute))
		if err := c.read(t.Context()); !IsRateLimitError(err) {
			t.Errorf("got %v", err)
		}
		if clock.slept() != 5*time.Minute || len(s.calls()) != 6 {
			t.Errorf("slept %s in %d calls", clock.slept(), len(s.calls()))
		}
	})
	t.Run("an earlier closure does not count", func(t *testing.T) {
		t.Parallel()
		c, _, clock := stubbedAPI(t, map[string][]stubReply{stubList: {stubBare429("Retry-After", "60"), stubErr(http.StatusForbidden, "INSUFFICIENT_SCOPE"), stubBare429("Retry-After", "60"), stubOK(stubNoLabels)}}, withMaxWait(time.Minute))
		_ = c.read(t.Context())
		if err := c.read(t.Context()); err != nil || clock.slept() != 2*time.Minute {
			t.Errorf("slept %s, %v", clock.slept(), err)
		}
	})
	t.Run("nor one that nobody saw the end of", func(t *testing.T) {
		t.Parallel()
		g := newLimitWindow(LimitConsole)
		g.update(testStart, http.StatusTooManyRequests, stubHeaders("Retry-After", "60"))
		g.update(testStart.Add(time.Hour), http.StatusTooManyRequests, stubHeaders("Retry-After", "60"))
		if c := g.closed(testStart.Add(time.Hour)); c.stays != time.Minute {
			t.Errorf("closed for %s, want a minute", c.stays)
		}
	})
	t.Run("queueing does not count", func(t *testing.T) {
		t.Parallel()
		// 600 calls at 60 a minute take 10 minutes; each window lasts one.
		service := &meteredService{clock: newClock(), ceiling: 60, window: time.Minute}
		service.start = service.clock.Now()
		c := newAPI("https://x.example", CallerConfig{AccessToken: "a-token-from-outside", MaxWait: time.Minute, Transport: service, Clock: service.clock})
		var all sync.WaitGroup
		for range 600 {
			all.Go(func() {
				if err := c.read(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if service.refused > 0 {
			t.Errorf("%d calls met a 429", service.refused)
		}
	})
}

// meteredService counts calls in windows and tells of them as §8 says.
type meteredService struct {
	clock   *fakeClock
	ceiling int
	window  time.Duration

	mu             sync.Mutex
	start          time.Time
	used, refused  int
	inside, widest int
	hold           chan struct{} // what is under way waits for it, when there is one
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
		m.refused++
	}
	hold := m.hold
	m.mu.Unlock()
	if hold != nil {
		<-hold
	}
	m.mu.Lock()
	m.inside--
	m.mu.Unlock()
	reply := stubOK(stubNoLabels)
	if over {
		reply = stubBare429("Retry-After", "60")
	}
	reply = reply.with("RateLimit-Limit", "60").with("RateLimit-Remaining", strconv.Itoa(left)).with("RateLimit-Reset", strconv.Itoa(int(reset.Seconds())))
	return (&stub{replies: map[string][]stubReply{"GET private-labels": {reply}}}).RoundTrip(req)
}
