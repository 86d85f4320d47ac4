package transport

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// bucketService counts calls as §8 describes: 60 for each bucket and 300 in total. A window begins with its first call.
// Headers describe the tightest limit.
type bucketService struct {
	latency    time.Duration
	roundsDown bool // of the headers

	mu       sync.Mutex
	meters   map[string]*bucketMeter
	rejected int
	calls    map[string]int // accepted, by bucket
	order    []string       // periods that were asked for, by arrival
}

// withCallsLeft returns a service whose console limit has so many calls left, and resets in 30 seconds.
func withCallsLeft(left int) *bucketService {
	s := &bucketService{}
	m := s.meter(time.Now(), "console", 60)
	m.used, m.ends = m.ceiling-left, time.Now().Add(30*time.Second)
	return s
}

type bucketMeter struct {
	ceiling, used int
	ends          time.Time
}

func (s *bucketService) meter(now time.Time, name string, ceiling int) *bucketMeter {
	if s.meters == nil {
		s.meters, s.calls = map[string]*bucketMeter{}, map[string]int{}
	}
	m := s.meters[name]
	if m == nil || !now.Before(m.ends) {
		m = &bucketMeter{ceiling: ceiling, ends: now.Add(time.Minute)}
		s.meters[name] = m
	}
	return m
}

func bucketOf(r *http.Request) string {
	if strings.Contains(r.URL.Path, "/billing/") {
		return "billing"
	}
	return "console"
}

func (s *bucketService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.count(w, r)
	if s.latency > 0 {
		_ = RealClock{}.Sleep(r.Context(), s.latency/2)
	}
}

func (s *bucketService) count(w http.ResponseWriter, r *http.Request) {
	if s.latency > 0 {
		_ = RealClock{}.Sleep(r.Context(), s.latency/2)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now, bucket := time.Now(), bucketOf(r)
	narrow, total := s.meter(now, bucket, 60), s.meter(now, "total", 300)
	tightest := narrow
	if total.ceiling-total.used < narrow.ceiling-narrow.used {
		tightest = total
	}
	left := tightest.ends.Sub(now)
	if !s.roundsDown {
		left += time.Second - 1
	}
	seconds := strconv.Itoa(int(left / time.Second))
	if tightest.used >= tightest.ceiling {
		s.rejected++
		transporttest.Limited("Retry-After", seconds, "RateLimit-Limit", strconv.Itoa(tightest.ceiling), "RateLimit-Remaining", "0", "RateLimit-Reset", seconds).ServeHTTP(w, r)
		return
	}
	narrow.used++
	total.used++
	s.order = append(s.order, r.URL.Query().Get("period"))
	s.calls[bucket]++
	data := transporttest.NoLabels
	if bucket == "billing" {
		data = `{}`
	}
	transporttest.OK(data, "RateLimit-Limit", strconv.Itoa(tightest.ceiling), "RateLimit-Remaining", strconv.Itoa(tightest.ceiling-tightest.used), "RateLimit-Reset", seconds).ServeHTTP(w, r)
}

// callOn makes a call of a bucket.
func callOn(ctx context.Context, c *api, b bucket) error {
	if b == bucketBilling {
		return c.readBilling(ctx)
	}
	return c.read(ctx)
}

// callEither makes a read that both buckets can count.
func callEither(ctx context.Context, c *api, buckets ...bucket) error {
	place, bucket, err := c.reserve(ctx, buckets...)
	if err != nil {
		return err
	}
	defer place.Release()
	return callOn(ctx, c.in(place), bucket)
}

// mix is a number of calls of each kind.
type mix struct{ console, billing, either int }

func (m mix) all() int { return m.console + m.billing + m.either }

// leastWindows returns the minimum number of windows of any schedule.
func (m mix) leastWindows() int {
	windows := func(calls, perWindow int) int { return (calls + perWindow - 1) / perWindow }
	return max(windows(m.console, 60), windows(m.billing, 60), windows(m.all(), 120), windows(m.all(), 300))
}

func randomMix() mix {
	return mix{console: rand.IntN(150), billing: rand.IntN(150), either: rand.IntN(250)}
}

// run makes the calls in random order with the given concurrency, and returns the number of windows.
func (m mix) run(t *testing.T, c *api, atATime int) int {
	t.Helper()
	var kinds []int
	for kind, n := range []int{m.console, m.billing, m.either} {
		for range n {
			kinds = append(kinds, kind)
		}
	}
	rand.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	start := time.Now()
	var group errgroup.Group
	group.SetLimit(atATime)
	for _, kind := range kinds {
		group.Go(func() error {
			switch kind {
			case 0:
				return callOn(t.Context(), c, bucketConsole)
			case 1:
				return callOn(t.Context(), c, bucketBilling)
			default:
				return callEither(t.Context(), c, bucketBilling, bucketConsole)
			}
		})
	}
	assert.NoError(t, group.Wait())
	return int(time.Since(start)/time.Minute) + 1
}

// If all calls are queued, the number of windows is the exact minimum.
func TestReserve_LeastWindowsWithAllQueued(t *testing.T) {
	t.Parallel()
	for range 20 {
		m := randomMix()
		synctest.Test(t, func(t *testing.T) {
			s := &bucketService{}
			c := inBubble(t, s, time.Hour)
			first := c.limiter.windows[LimitTotal] // closed until all calls are queued
			first.known, first.resets = true, time.Now().Add(time.Second)
			if took, least := m.run(t, c, -1), m.leastWindows(); m.all() > 0 && took != least || s.rejected > 0 {
				t.Errorf("%+v took %d windows, want %d; %d calls were rejected", m, took, least, s.rejected)
			}
		})
		if t.Failed() {
			return
		}
	}
}

// With ten concurrent calls in random order, all ten may be of one bucket while the other is idle. A call waits for a
// window only if a bucket is exhausted, so that there are at most as many windows as one bucket alone would need. If
// billing has no calls of its own, it counts all calls that may use either bucket, and a wait means that the console
// counted 60 calls of its own or that both buckets are exhausted.
func TestReserve_WindowsTenAtATime(t *testing.T) {
	t.Parallel()
	extra := map[int]int{}
	for i := range 20 {
		m := randomMix()
		if i%2 == 0 {
			m.billing = 0
		}
		synctest.Test(t, func(t *testing.T) {
			s := &bucketService{}
			took, least := m.run(t, inBubble(t, s, time.Hour), 10), m.leastWindows()
			most := (max(m.all(), 1) + 59) / 60
			if m.billing == 0 {
				most = min(most, (2*m.console+m.either)/120+1)
			}
			assert.LessOrEqual(t, took, max(most, least), "%+v took windows, want at most %d; %d calls were rejected", m, most, s.rejected)
			assert.LessOrEqual(t, s.rejected, 0, "%+v took %d windows, want at most %d; calls were rejected", m, took, most)
			extra[took-least]++
		})
	}
	t.Logf("windows beyond the least possible: %v", extra)
}

// A plan of 100 private labels with add-ons and members: one members list and one assignment each.
func TestReserve_PlanTenAtATime(t *testing.T) {
	t.Parallel()
	for _, m := range []mix{{console: 1, either: 100}, {console: 101, either: 100}, {console: 61, billing: 2, either: 90}} {
		synctest.Test(t, func(t *testing.T) {
			s := &bucketService{latency: 120 * time.Millisecond}
			took, least := m.run(t, inBubble(t, s, time.Hour), 10), m.leastWindows()
			assert.Equal(t, least, took, "%+v took windows; %d calls were rejected", m, s.rejected)
			assert.LessOrEqual(t, s.rejected, 0, "%+v took %d windows, want %d; calls were rejected", m, took, least)
		})
	}
}

func TestReserve_PrefersAndReleases(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := inBubble(t, &bucketService{}, time.Hour)
		ctx := t.Context()
		for _, want := range []bucket{bucketBilling, bucketConsole} {
			place, got, err := c.reserve(ctx, want, bucketConsole, bucketBilling)
			require.NoError(t, err, "got %v", got)
			require.Equal(t, want, got)
			assert.Equal(t, 1, c.limiter.windows[LimitTotal].inFlight, "places are taken")
			if want == bucketConsole { // the first call uses it, the second does not
				for range 2 {
					assert.NoError(t, c.in(place).read(ctx))
				}
			}
			place.Release()
			place.Release()
			assert.Equal(t, 0, c.limiter.windows[LimitTotal].inFlight, "places are taken after the release")
		}
		_, _, err := c.reserve(ctx)
		assert.Error(t, err, "no bucket")
	})
}

// A call that the reserved bucket does not count cancels the place before it waits: after a 429 only one call may be in
// flight.
func TestReserve_OtherBucketCancelsPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := inBubble(t, &bucketService{}, time.Hour)
		c.limiter.windows[LimitTotal].blockedSince = time.Now().Add(-time.Second)
		place, _, err := c.reserve(t.Context(), bucketBilling)
		require.NoError(t, err)
		defer place.Release()
		assert.NoError(t, c.in(place).read(t.Context()))
		assert.Equal(t, 0, c.limiter.windows[LimitBilling].inFlight, "places are taken")
	})
}

// The reservation serves the first attempt; a retry waits for a place.
func TestReserve_RetryWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		attempts := 0
		c := inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			attempts++
			if attempts == 1 {
				transporttest.Limited("Retry-After", "7").ServeHTTP(w, r)
				return
			}
			transporttest.OK(transporttest.NoLabels).ServeHTTP(w, r)
		}), time.Hour)
		start := time.Now()
		if err := callEither(t.Context(), c, bucketConsole); err != nil || attempts != 2 || time.Since(start) != 7*time.Second {
			t.Errorf("%d attempts in %s, %v", attempts, time.Since(start), err)
		}
		assert.Equal(t, 0, c.limiter.windows[LimitConsole].inFlight, "places are taken")
	})
}

func TestReserve_MaxWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := inBubble(t, &bucketService{}, 30*time.Second)
		now := time.Now()
		shut := func(l Limit, wait time.Duration) {
			c.limiter.windows[l].update(now, http.StatusTooManyRequests, http.Header{"Retry-After": {strconv.Itoa(int(wait.Seconds()))}})
		}
		shut(LimitConsole, 50*time.Second)
		shut(LimitBilling, 40*time.Second)
		_, _, err := c.reserve(t.Context(), bucketConsole, bucketBilling)
		var limit *RateLimitError
		require.ErrorAs(t, err, &limit)
		assert.Equal(t, "billing", limit.Limit, "got %v", err)
		assert.Equal(t, 40*time.Second, limit.Wait, "got %v", err)
		_ = c.Clock().Sleep(t.Context(), 15*time.Second) // the remaining blocks are longer than the allowed wait
		_, _, err = c.reserve(t.Context(), bucketConsole, bucketBilling)
		assert.True(t, IsRateLimitError(err), "got %v", err)
		c.limiter.maxWait = 45 * time.Second
		if _, bucket, err := c.reserve(t.Context(), bucketConsole, bucketBilling); err != nil || bucket != bucketBilling || time.Since(now) != 40*time.Second {
			t.Errorf("got %v after %s, %v", bucket, time.Since(now), err)
		}
	})
}

// Calls that only one bucket counts precede earlier reservations, and a call that leaves the queue takes no place.
func TestReserve_YieldsAndCancels(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := &bucketService{}
		c := inBubble(t, service, time.Hour)
		require.Equal(t, 1, (mix{console: 60, billing: 60}).run(t, c, -1), "windows")
		leaving, leave := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		left, late := 0, 0
		start := time.Now()
		for i := range 100 {
			ctx := t.Context()
			if i%2 == 0 {
				ctx = leaving
			}
			wg.Go(func() {
				err := callEither(ctx, c, bucketConsole, bucketBilling)
				if errors.Is(err, context.Canceled) {
					service.mu.Lock()
					left++
					service.mu.Unlock()
				} else if err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		for range 120 {
			wg.Go(func() {
				assert.NoError(t, callOn(t.Context(), c, bucketConsole))
				if time.Since(start) > 2*time.Minute {
					service.mu.Lock()
					late++
					service.mu.Unlock()
				}
			})
		}
		leave()
		wg.Wait()
		if left != 50 || late != 0 || service.rejected != 0 || time.Since(start) != 2*time.Minute {
			t.Errorf("%d left, %d late, %d rejected, took %s", left, late, service.rejected, time.Since(start))
		}
		for _, w := range c.limiter.windows {
			assert.Equal(t, 0, w.inFlight, fmt.Sprint(w.limit, " has ", w.inFlight, " calls under way"))
		}
	})
}
