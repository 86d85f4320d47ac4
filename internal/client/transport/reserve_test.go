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

	"golang.org/x/sync/errgroup"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport/transporttest"
)

// bucketService counts calls as §8 has them, in windows that begin with their first
// call unless they are aligned: 60 for each bucket and 300 in total, and headers of the tightest.
type bucketService struct {
	latency    time.Duration
	window     time.Duration // 0: a minute
	roundsDown bool          // seconds of the headers
	aligned    bool          // windows begin with the minute

	mu       sync.Mutex
	meters   map[string]*bucketMeter
	rejected int
	calls    map[string]int // accepted, by bucket
	opened   map[string]int // windows, by bucket
}

type bucketMeter struct {
	ceiling, used int
	ends          time.Time
}

func (s *bucketService) meter(now time.Time, name string, ceiling int) *bucketMeter {
	if s.meters == nil {
		s.meters, s.calls, s.opened = map[string]*bucketMeter{}, map[string]int{}, map[string]int{}
	}
	m := s.meters[name]
	if m == nil || !now.Before(m.ends) {
		window := s.window
		if window == 0 {
			window = time.Minute
		}
		m = &bucketMeter{ceiling: ceiling, ends: now.Add(window)}
		if s.aligned {
			m.ends = now.Truncate(window).Add(window)
		}
		s.meters[name] = m
		s.opened[name]++
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
	own, total := s.meter(now, bucket, 60), s.meter(now, "total", 300)
	tightest := own
	if total.ceiling-total.used < own.ceiling-own.used {
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
	own.used++
	total.used++
	s.calls[bucket]++
	data := transporttest.NoLabels
	if bucket == "billing" {
		data = `{}`
	}
	transporttest.OK(data, "RateLimit-Limit", strconv.Itoa(tightest.ceiling), "RateLimit-Remaining", strconv.Itoa(tightest.ceiling-tightest.used), "RateLimit-Reset", seconds).ServeHTTP(w, r)
}

// call makes a call of a bucket.
func callOn(ctx context.Context, c *api, b bucket) error {
	if b == bucketBilling {
		return c.readBilling(ctx)
	}
	return c.read(ctx)
}

// callEither makes a read that both buckets can answer.
func callEither(ctx context.Context, c *api, buckets ...bucket) error {
	reserved, bucket, release, err := c.reserve(ctx, buckets...)
	defer release()
	if err != nil {
		return err
	}
	return callOn(reserved, c, bucket)
}

// mix is a number of calls of each kind.
type mix struct{ console, billing, either int }

func (m mix) all() int { return m.console + m.billing + m.either }

// leastWindows is the bound: no schedule needs fewer.
func (m mix) leastWindows() int {
	windows := func(calls, perWindow int) int { return (calls + perWindow - 1) / perWindow }
	return max(windows(m.console, 60), windows(m.billing, 60), windows(m.all(), 120), windows(m.all(), 300))
}

func randomMix() mix {
	return mix{console: rand.IntN(150), billing: rand.IntN(150), either: rand.IntN(250)}
}

// run makes the calls in random order, so many at a time, and returns the
// windows that it took.
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
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	return int(time.Since(start)/time.Minute) + 1
}

// With everything queued the windows are the least possible, exactly.
func TestReserve_LeastWindowsWithAllQueued(t *testing.T) {
	t.Parallel()
	for range 80 {
		m := randomMix()
		synctest.Test(t, func(t *testing.T) {
			s := &bucketService{}
			c := inBubble(t, s, time.Hour)
			first := c.limiter.windows[LimitTotal] // closed until all are queued
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

// Ten at a time in an order that nobody knows, the ten may all be calls of one
// bucket while the other is idle. What holds: a window is waited for only when a
// bucket is used up, so that no more windows pass than one bucket alone would
// need. Where billing has no calls of its own, it counts whatever can go
// there, and a wait means that the console counted 60 calls of its own or that
// both buckets are used up.
func TestReserve_WindowsTenAtATime(t *testing.T) {
	t.Parallel()
	extra := map[int]int{}
	for i := range 80 {
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
			if took > max(most, least) || s.rejected > 0 {
				t.Errorf("%+v took %d windows, want at most %d; %d calls were rejected", m, took, most, s.rejected)
			}
			extra[took-least]++
		})
	}
	t.Logf("windows beyond the least possible: %v", extra)
}

// A plan over 100 labels with add-ons and members: a members list and an
// assignment each.
func TestReserve_PlanTenAtATime(t *testing.T) {
	t.Parallel()
	for _, m := range []mix{{console: 1, either: 100}, {console: 101, either: 100}, {console: 61, billing: 2, either: 90}} {
		synctest.Test(t, func(t *testing.T) {
			s := &bucketService{latency: 120 * time.Millisecond}
			if took, least := m.run(t, inBubble(t, s, time.Hour), 10), m.leastWindows(); took != least || s.rejected > 0 {
				t.Errorf("%+v took %d windows, want %d; %d calls were rejected", m, took, least, s.rejected)
			}
		})
	}
}

func TestReserve_PrefersAndGivesBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := inBubble(t, &bucketService{}, time.Hour)
		ctx := t.Context()
		for _, want := range []bucket{bucketBilling, bucketConsole} {
			reserved, got, release, err := c.reserve(ctx, want, bucketConsole, bucketBilling)
			if err != nil || got != want {
				t.Fatalf("got %v, %v", got, err)
			}
			if n := c.limiter.windows[LimitTotal].inFlight; n != 1 {
				t.Errorf("%d places are taken", n)
			}
			if want == bucketConsole { // used by one call, not by the second
				for range 2 {
					if err := c.read(reserved); err != nil {
						t.Error(err)
					}
				}
			}
			release()
			release()
			if n := c.limiter.windows[LimitTotal].inFlight; n != 0 {
				t.Errorf("%d places are taken after the release", n)
			}
		}
		if _, _, release, err := c.reserve(ctx); err == nil {
			t.Error("no bucket is no error")
		} else {
			release()
		}
	})
}

// A call that the reserved bucket does not count gives the place back before it
// waits: after a 429 only one call may be under way.
func TestReserve_OtherBucketGivesBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := inBubble(t, &bucketService{}, time.Hour)
		c.limiter.windows[LimitTotal].blockedSince = time.Now().Add(-time.Second)
		reserved, _, release, err := c.reserve(t.Context(), bucketBilling)
		if err != nil {
			t.Fatal(err)
		}
		defer release()
		if err := c.read(reserved); err != nil {
			t.Error(err)
		}
		if n := c.limiter.windows[LimitBilling].inFlight; n != 0 {
			t.Errorf("%d places are taken", n)
		}
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
		if n := c.limiter.windows[LimitConsole].inFlight; n != 0 {
			t.Errorf("%d places are taken", n)
		}
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
		_, _, release, err := c.reserve(t.Context(), bucketConsole, bucketBilling)
		release()
		var limit *RateLimitError
		if !errors.As(err, &limit) || limit.Limit != "billing" || limit.Wait != 40*time.Second {
			t.Errorf("got %v", err)
		}
		_ = c.Clock().Sleep(t.Context(), 15*time.Second) // the blocks still last longer than may be waited
		if _, _, _, err := c.reserve(t.Context(), bucketConsole, bucketBilling); !IsRateLimitError(err) {
			t.Errorf("got %v", err)
		}
		c.limiter.maxWait = 45 * time.Second
		if _, bucket, _, err := c.reserve(t.Context(), bucketConsole, bucketBilling); err != nil || bucket != bucketBilling || time.Since(now) != 40*time.Second {
			t.Errorf("got %v after %s, %v", bucket, time.Since(now), err)
		}
	})
}

// Calls that one bucket alone serves go before reservations that came first, and
// who leaves the queue takes nothing.
func TestReserve_YieldsAndMayLeave(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := &bucketService{}
		c := inBubble(t, service, time.Hour)
		if took := (mix{console: 60, billing: 60}).run(t, c, -1); took != 1 {
			t.Fatalf("%d windows", took)
		}
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
				if err := callOn(t.Context(), c, bucketConsole); err != nil {
					t.Error(err)
				}
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
			if w.inFlight != 0 {
				t.Error(fmt.Sprint(w.limit, " has ", w.inFlight, " calls under way"))
			}
		}
	})
}
