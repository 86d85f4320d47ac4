package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

func TestRateLimiter_WaitsForReset(t *testing.T) {
	t.Parallel()
	for name, reset := range map[string]string{
		"seconds from now":   "40",
		"epoch seconds":      "1791201640",
		"epoch milliseconds": "1791201640000",
		"a date":             "Mon, 05 Oct 2026 12:00:40 GMT",
	} {
		c, clock := dial(t, transporttest.Expect(t, tokenScript+
			"GET {labels} -> 200 {no labels} + RateLimit-Limit: 60 + RateLimit-Remaining: 0 + RateLimit-Reset: "+reset+"; list"))
		for range 2 {
			require.NoError(t, c.read(t.Context()), name)
		}
		assert.Equal(t, 40*time.Second, clock.Slept(), name)
	}
}

func TestRateLimiter_WaitsAfter429(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		seconds              | limited + Retry-After: 30                              | 30s
		HTTP date            | limited + Retry-After: Mon, 05 Oct 2026 12:00:30 GMT   | 30s
		no header at all     | limited                                                | 1s
		nonsense             | limited + Retry-After: soon                            | 1s
		zero                 | limited + Retry-After: 0                               | 1s
		Reset alone          | limited + RateLimit-Reset: 20                          | 20s
		Reset that is over   | limited + RateLimit-Reset: 0                           | 1s
		Remaining above zero | limited + RateLimit-Remaining: 7 + RateLimit-Reset: 20 | 20s
		all of them          | limited + Retry-After: 30 + RateLimit-Limit: 60 + RateLimit-Remaining: 0 + RateLimit-Reset: 30 | 30s
	`, func(t *testing.T, row []string) {
		// A POST that must not be retried is retried here: the rejected call had no effect.
		c, clock := dial(t, transporttest.Expect(t, "POST {labels} -> "+row[1]+"; POST {labels} -> 200 {provisioned}"))
		assert.NoError(t, c.write(t.Context()))
		assert.Equal(t, row[2], clock.Slept().String())
	})
}

func TestRateLimiter_ReturnsLimitError(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		a second too long              | 30s | Retry-After: 31                                | console limit until +31s
		nothing may be waited          | 0s  | Retry-After: 1                                 | console limit until +1s
		the headers speak of the total | 30s | Retry-After: 31 + RateLimit-Limit: 300         | total limit until +31s
		of the console                 | 30s | Retry-After: 31 + RateLimit-Limit: 60, 60;w=60 | console limit until +31s
		of none that counts this route | 30s | Retry-After: 31 + RateLimit-Limit: 20          | console limit until +31s
	`, func(t *testing.T, row []string) {
		c, clock := dial(t, transporttest.Expect(t, "POST {labels} -> limited + "+row[2]), withMaxWait(duration(t, row[1])))
		for _, call := range []func(context.Context) error{
			c.write,
			c.read, // the limit is exhausted: no call is made
		} {
			err := call(t.Context())
			assert.Equal(t, row[3], inWords(err))
			assert.False(t, MayHaveTakenEffect(err), "a call that was not made is in doubt")
		}
		assert.Zero(t, clock.Slept())
	})
}

func TestRateLimiter_HoldsRoutesOfClosedLimitOnly(t *testing.T) {
	t.Parallel()
	clock := transporttest.NewClock()
	r := newRateLimiter(clock, time.Minute)
	enter := func(limits ...Limit) func(int, http.Header) {
		t.Helper()
		_, err := r.acquire(t.Context(), limits)
		require.NoError(t, err)
		return func(status int, header http.Header) { r.finish(limits, status, header) }
	}
	headers := func(ceiling int) http.Header {
		return http.Header{"Ratelimit-Limit": {strconv.Itoa(ceiling)}, "Ratelimit-Remaining": {"0"}, "Ratelimit-Reset": {"10"}}
	}
	enter(LimitBilling, LimitTotal)(200, headers(60))
	enter(LimitConsole, LimitTotal)(200, nil)
	assert.Equal(t, time.Duration(0), clock.Slept(), "the billing limit held a console call")
	enter(LimitAllocation, LimitBilling, LimitTotal)(200, nil)
	assert.Equal(t, 10*time.Second, clock.Slept())
	enter(LimitAllocation, LimitBilling, LimitTotal)(200, headers(20))
	enter(LimitBilling, LimitTotal)(200, nil)
	assert.Equal(t, 10*time.Second, clock.Slept(), "the allocation limit held a billing call: slept")
	enter(LimitBilling, LimitTotal)(200, headers(300))
	enter(LimitConsole, LimitTotal)(200, nil)
	assert.Equal(t, 20*time.Second, clock.Slept(), "the total limit held no console call: slept")
}

func TestRateLimiter_IgnoresOvertakenHeaders(t *testing.T) {
	t.Parallel()
	clock := transporttest.NewClock()
	r := newRateLimiter(clock, time.Minute)
	console := []Limit{LimitConsole}
	enter := func() func(int, http.Header) {
		t.Helper()
		_, err := r.acquire(t.Context(), console)
		require.NoError(t, err)
		return func(status int, header http.Header) { r.finish(console, status, header) }
	}
	headers := func(remaining string) http.Header {
		return http.Header{"Ratelimit-Remaining": {remaining}, "Ratelimit-Reset": {"10"}}
	}
	first, second := enter(), enter()
	second(200, headers("0"))
	first(200, headers("1")) // older than the response before
	enter()(500, nil)
	assert.Equal(t, 10*time.Second, clock.Slept())
	enter()(200, headers("1"))
	enter()(200, nil) // no headers: the call is counted all the same
	enter()(200, nil)
	assert.Equal(t, 20*time.Second, clock.Slept())
}

// inBubble returns a client of an in-memory fake with the clock of the synctest bubble.
func inBubble(t *testing.T, h http.Handler, maxWait time.Duration, change ...func(*Config)) *api {
	t.Helper()
	cfg := Config{Settings: Settings{MaxWait: maxWait, MaxRetries: 3, Transport: transporttest.InMemory(h)}, AccessToken: transporttest.GivenToken}
	for _, f := range change {
		f(&cfg)
	}
	return newAPI("https://api.example", cfg)
}

func TestRateLimiter_ParallelCallsMeetNo429(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := withCallsLeft(4)
		c := inBubble(t, service, time.Minute)
		require.NoError(t, c.read(t.Context())) // shows that 3 calls remain
		start := time.Now()
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				assert.NoError(t, c.read(t.Context()))
			})
		}
		wg.Wait()
		assert.Equal(t, 11, service.calls["console"], "calls")
		assert.Equal(t, 0, service.rejected, "calls were rejected")
		assert.Equal(t, 30*time.Second, time.Since(start), "it took")
	})
}

// With more concurrent calls than a window has, as with -parallelism=200, no more than the limit are sent before the
// first response arrives.
func TestRateLimiter_MoreCallsThanWindowMeetNo429(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := &bucketService{latency: 100 * time.Millisecond}
		c := inBubble(t, service, time.Minute)
		start := time.Now()
		var wg sync.WaitGroup
		for range 200 {
			wg.Go(func() {
				assert.NoError(t, c.read(t.Context()))
			})
		}
		wg.Wait()
		assert.Equal(t, 200, service.calls["console"], "calls")
		assert.Equal(t, 0, service.rejected, "calls were rejected")
		assert.LessOrEqual(t, time.Since(start), 3*time.Minute+5*time.Second, "it took")
	})
}

func TestRateLimiter_KeepsOrderAfterCancel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := withCallsLeft(1)
		c := inBubble(t, service, time.Minute)
		call := c.readOf
		require.NoError(t, call(t.Context(), "first"))
		var wg sync.WaitGroup
		want := []string{"first"}
		left := 0
		leaving, leave := context.WithCancel(t.Context())
		for i := range 12 {
			ctx, name, leaves := t.Context(), fmt.Sprintf("%02d", i), i%4 == 0
			if leaves { // including the first of the queue
				ctx = leaving
				left++
			} else {
				want = append(want, name)
			}
			wg.Go(func() {
				err := call(ctx, name)
				assert.Equal(t, errors.Is(err, context.Canceled), leaves, "%s: %v", name, err)
			})
			synctest.Wait() // they arrive one after another
		}
		start := time.Now()
		leave()
		synctest.Wait()
		assert.Equal(t, time.Duration(0), time.Since(start), "leaving took time")
		wg.Wait()
		// When the limit resets, calls are admitted in order; then they run in parallel.
		slices.Sort(service.order[1:])
		assert.Equal(t, want, service.order, "calls")
		assert.Equal(t, 13, len(want)+left, "calls: %q", service.order)
	})
}

func TestRateLimiter_FIFO(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, console := newRateLimiter(RealClock{}, time.Hour), []Limit{LimitConsole}
		pass := func() (entered time.Time) {
			if _, err := r.acquire(t.Context(), console); err != nil {
				t.Error(err)
				return time.Time{}
			}
			entered = time.Now()
			r.finish(console, http.StatusOK, http.Header{"Ratelimit-Remaining": {"0"}, "Ratelimit-Reset": {"60"}})
			return entered
		}
		last := pass()
		var wg sync.WaitGroup
		entered := make([]time.Time, 8)
		for i := range entered {
			wg.Go(func() { entered[i] = pass() })
			synctest.Wait()
		}
		wg.Wait()
		assert.True(t, slices.IsSortedFunc(entered, time.Time.Compare), "entered at %v", entered)
		assert.True(t, entered[0].After(last), "entered at %v", entered)
	})
}

func TestRateLimiter_LogsLongWaitOnce(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		seconds string
		told    bool
	}{{"6", true}, {"5", false}} {
		s := transporttest.Expect(t, tokenScript+"GET {labels} -> limited + Retry-After: "+tc.seconds+"; list")
		c, _ := dial(t, s)
		ctx, log := transporttest.Logged(t)
		require.NoError(t, c.read(ctx))
		assert.Equal(t, map[bool]int{true: 1}[tc.told], strings.Count(log.String(), "waiting for a rate limit"), "%s s: logged times: %s", tc.seconds, log)
	}
}

// Each attempt has a line with its duration, and with what remains of the limit where the API says it.
func TestLog_Attempts(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, `
		GET {labels} -> reset
		GET {labels} -> 502 page
		GET {labels} -> 200 {no labels} + RateLimit-Limit: 60 + RateLimit-Remaining: 41 + RateLimit-Reset: 9
	`)
	c, clock := dial(t, s)
	s.Before = func() { clock.Move(1250 * time.Millisecond) }
	ctx, log := transporttest.Logged(t)
	require.NoError(t, c.read(ctx))
	var lines []map[string]any
	for line := range strings.Lines(log.String()) {
		fields := transporttest.MustJSON(t, line)
		if _, ok := fields["attempt"]; ok {
			lines = append(lines, map[string]any{"attempt": fields["attempt"], "milliseconds": fields["milliseconds"], "status": fields["status"], "limit": fields["limit"], "remaining": fields["remaining"]})
		}
	}
	assert.Equal(t, []map[string]any{
		{"attempt": 1.0, "milliseconds": 1250.0, "status": 0.0, "limit": nil, "remaining": nil},
		{"attempt": 2.0, "milliseconds": 1250.0, "status": 502.0, "limit": nil, "remaining": nil},
		{"attempt": 3.0, "milliseconds": 1250.0, "status": 200.0, "limit": "console", "remaining": 41.0},
	}, lines)
}

// plans runs n concurrent plans of the given number of calls, ten calls at a time each, and returns the number of
// windows.
func plans(t *testing.T, s *bucketService, n, calls int) int {
	t.Helper()
	start := time.Now()
	var all errgroup.Group
	for range n {
		c := inBubble(t, s, time.Hour)
		all.Go(func() error {
			var group errgroup.Group
			group.SetLimit(10)
			for range calls {
				group.Go(func() error { return c.read(t.Context()) })
			}
			return group.Wait()
		})
	}
	assert.NoError(t, all.Wait())
	return int(time.Since(start)/time.Minute) + 1
}

// Three concurrent plans of 100 private labels each know nothing of one another: the API rejects at most the calls that
// are in flight when a window is exhausted. Each is sent again, and the number of windows is minimal.
func TestRateLimiter_PlansAtOnce(t *testing.T) {
	t.Parallel()
	for _, latency := range []time.Duration{time.Millisecond, 100 * time.Millisecond, 2 * time.Second} {
		t.Run(latency.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &bucketService{latency: latency}
				took, least := plans(t, s, 3, 111), (mix{console: 333}).leastWindows()
				assert.Equal(t, 333, s.calls["console"], "calls, of which %d were sent again, in %d windows, want %d", s.rejected, took, least)
				assert.Equal(t, least, took, "%d calls, of which %d were sent again, in windows", s.calls["console"], s.rejected)
				assert.LessOrEqual(t, s.rejected, 3*10*took, "%d calls, of which were sent again, in %d windows, want %d", s.calls["console"], took, least)
				t.Logf("%d of 333 calls were sent again, %d windows", s.rejected, took)
			})
		})
	}
}

// If the seconds in the headers are rounded down, the second window opens too early, and no other one.
func TestRateLimiter_LearnsRounding(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &bucketService{latency: 100 * time.Millisecond, roundsDown: true}
		plans(t, s, 1, 333)
		assert.NotEqual(t, 0, s.rejected, "%d calls were rejected", s.rejected)
		assert.LessOrEqual(t, s.rejected, 10, "calls were rejected")
	})
}

func TestRateLimitHeaders_Read(t *testing.T) {
	t.Parallel()
	header := func(name, value string) http.Header { return http.Header{http.CanonicalHeaderKey(name): {value}} }
	for value, want := range map[string]time.Duration{
		"": 0, "0": 0, "-5": 0, "NaN": 0, "soon": 0, "1.5": 1500 * time.Millisecond, "7\t": 7 * time.Second,
		"1e300": longestTold, "Inf": longestTold,
		transporttest.Start.Add(-time.Hour).Format(http.TimeFormat):  0,
		transporttest.Start.Add(time.Minute).Format(http.TimeFormat): time.Minute,
		transporttest.Start.AddDate(9, 0, 0).Format(http.TimeFormat): longestTold,
		transporttest.Start.Add(time.Minute).Format(time.RFC850):     time.Minute,
		transporttest.Start.Add(time.Minute).Format(time.RFC3339):    0,
		transporttest.Start.Add(2 * time.Minute).Format(time.ANSIC):  2 * time.Minute,
	} {
		assert.Equal(t, want, retryAfter(header("Retry-After", value), transporttest.Start), "Retry-After %q", value)
	}
	for value, want := range map[string]int{"60": 60, "60, 60;w=60": 60, "20;w=60": 20, " 5 ": 5, "": -1, "-1": -1, "x": -1, "1.5": -1} {
		if got, ok := headerInt(header("RateLimit-Limit", value), "RateLimit-Limit"); ok != (want >= 0) || ok && got != want {
			t.Errorf("%q: %d, %v", value, got, ok)
		}
	}
	for value, want := range map[string]time.Duration{
		"0": 0, "30": 30 * time.Second, "86401": longestTold, "-1": -1, "": -1, "NaN": -1, "Inf": -1, "1e16": -1, "soon": -1,
		"999999999999999": longestTold, "99999999999": longestTold,
		strconv.FormatInt(transporttest.Start.Add(time.Minute).UnixMilli(), 10): time.Minute,
	} {
		at, ok := resetAt(header("RateLimit-Reset", value), transporttest.Start)
		if ok != (want >= 0) || ok && at.Sub(transporttest.Start) != want {
			t.Errorf("RateLimit-Reset %q: %s, %v", value, at.Sub(transporttest.Start), ok)
		}
	}
}

// A token exchange counts toward the total limit, too (§8), and its headers may be those of its own limit.
func TestRateLimiter_ExchangeCountsTowardTheTotal(t *testing.T) {
	t.Parallel()
	r := newRateLimiter(transporttest.NewClock(), time.Minute)
	headers := func(limit, remaining string) http.Header {
		return http.Header{"Ratelimit-Limit": {limit}, "Ratelimit-Remaining": {remaining}, "Ratelimit-Reset": {"50"}}
	}
	total := func() int { return r.windows[LimitTotal].remaining }
	_, err := r.acquire(t.Context(), []Limit{LimitTotal})
	require.NoError(t, err)
	r.finish([]Limit{LimitTotal}, http.StatusOK, headers("300", "200"))
	for _, step := range []struct {
		header http.Header
		want   int
	}{{headers("5", "4"), 199}, {nil, 198}, {headers("300", "150"), 150}} {
		r.spend(http.StatusOK, step.header)
		if total() != step.want || r.windows[LimitTotal].capacity != 300 {
			t.Errorf("%d of %d remain, want %d", total(), r.windows[LimitTotal].capacity, step.want)
		}
	}
}
