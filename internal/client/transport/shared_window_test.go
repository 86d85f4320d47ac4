package transport

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport/transporttest"
)

func withDir(dir string) func(*Config) {
	return func(cfg *Config) { cfg.TokenCacheDir = dir }
}

// windowFileOf returns the path of the shared file of clients in a synctest bubble.
func windowFileOf(t *testing.T, dir string) string {
	t.Helper()
	return filepath.Join(dir, "windows-"+fingerprint("https://api.example"))
}

// plans runs n concurrent plans of the given number of calls, ten calls at a time each, and returns the number of
// windows.
func plans(t *testing.T, s *bucketService, n, calls int, change ...func(*Config)) int {
	t.Helper()
	start := time.Now()
	var all errgroup.Group
	for range n {
		c := inBubble(t, s, time.Hour, change...)
		all.Go(func() error {
			var group errgroup.Group
			group.SetLimit(10)
			for range calls {
				group.Go(func() error { return c.read(t.Context()) })
			}
			return group.Wait()
		})
	}
	if err := all.Wait(); err != nil {
		t.Error(err)
	}
	return int(time.Since(start)/time.Minute) + 1
}

// Three concurrent plans of 100 private labels each. Without a directory each sends at full speed when the minute
// begins; with one, the calls are counted together.
func TestSharedWindows_PlansAtOnceMeetNo429(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name     string
		shared   bool
		latency  time.Duration
		rejected bool
	}{
		{"headers alone", false, 100 * time.Millisecond, true},
		{"shared", true, 100 * time.Millisecond, false},
		{"shared and fast", true, time.Millisecond, false},
		{"shared and slow", true, 2 * time.Second, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				s, change := &bucketService{latency: tc.latency}, []func(*Config){}
				if tc.shared {
					change = append(change, withDir(dir))
				}
				took := plans(t, s, 3, 111, change...)
				if tc.rejected != (s.rejected > 0) || s.calls["console"] != 333 {
					t.Errorf("%d of %d calls were rejected", s.rejected, s.calls["console"])
				}
				if least := (mix{console: 333}).leastWindows(); took != least && tc.shared {
					t.Errorf("took %d windows, want %d", took, least)
				}
				t.Logf("%d of 333 calls were rejected, %d windows", s.rejected, took)
			})
		})
	}
}

// Processes with random calls on both buckets: no call is rejected, and there are at most as many windows as one bucket
// alone would need.
func TestSharedWindows_RandomMixesMeetNo429(t *testing.T) {
	t.Parallel()
	for range 30 {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			s := &bucketService{latency: time.Duration(rand.IntN(300)) * time.Millisecond, aligned: rand.IntN(2) == 0}
			_ = RealClock{}.Sleep(t.Context(), time.Duration(rand.IntN(60_000))*time.Millisecond)
			start, calls := time.Now(), 0
			var all errgroup.Group
			for range 1 + rand.IntN(4) {
				m, c := randomMix(), inBubble(t, s, time.Hour, withDir(dir))
				calls += m.all()
				delay := time.Duration(rand.IntN(90)) * time.Second
				all.Go(func() error {
					_ = c.Clock().Sleep(t.Context(), delay)
					m.run(t, c, 10)
					return nil
				})
			}
			_ = all.Wait()
			took, most := time.Since(start), time.Duration(calls/60+1)*(time.Minute+time.Second)+90*time.Second
			if s.rejected > 0 || took > most {
				t.Errorf("%d of %d calls were rejected; it took %s, want at most %s", s.rejected, calls, took, most)
			}
		})
	}
}

// With windows of one second, as in `simulate -fast`, no call is rejected, and the number of windows is about minimal.
func TestSharedWindows_FastWindows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := &bucketService{latency: time.Millisecond, window: time.Second}
		start := time.Now()
		plans(t, s, 3, 111, withDir(dir))
		if took := time.Since(start); s.rejected > 0 || took > 8*time.Second {
			t.Errorf("%d calls were rejected, took %s", s.rejected, took)
		}
	})
}

// If the seconds in the headers are rounded down, the first window opens too early. All processes adjust together.
func TestSharedWindows_LearnRounding(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := &bucketService{latency: 100 * time.Millisecond, roundsDown: true}
		plans(t, s, 3, 50, withDir(dir))
		first := s.rejected
		plans(t, s, 3, 111, withDir(dir))
		if first > 30 || s.rejected != first {
			t.Errorf("%d calls were rejected, and %d after that", first, s.rejected-first)
		}
		t.Logf("%d calls were rejected", first)
	})
}

// If another machine sends from the same source IP address, the lower number in the headers takes precedence.
func TestSharedWindows_HeadersWin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := &bucketService{latency: 10 * time.Millisecond}
		other := inBubble(t, s, time.Hour)
		for range 40 {
			if err := other.read(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		plans(t, s, 1, 1, withDir(dir)) // before the first response nothing is known
		if took := plans(t, s, 3, 25, withDir(dir)); took != 2 || s.rejected > 0 {
			t.Errorf("took %d windows, %d calls were rejected", took, s.rejected)
		}
	})
}

// A process that was killed sent all calls of a window and read no response: the others wait at most until the window
// ends.
func TestSharedWindows_OutlivesDeadProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		dead := inBubble(t, &bucketService{latency: 100 * time.Hour}, time.Hour, withDir(dir), func(cfg *Config) { cfg.RequestTimeout = time.Hour; cfg.MaxRetries = 0 })
		ctx, kill := context.WithCancel(t.Context())
		var calls errgroup.Group
		for range 60 {
			calls.Go(func() error { _ = dead.read(ctx); return nil })
		}
		synctest.Wait()
		start := time.Now()
		s := &bucketService{latency: 10 * time.Millisecond}
		if took := plans(t, s, 1, 60, withDir(dir)); took != 2 || s.rejected > 0 || time.Since(start) > 62*time.Second {
			t.Errorf("took %s, %d calls were rejected", time.Since(start), s.rejected)
		}
		kill()
		_ = calls.Wait()
	})
}

// A process that holds the lock permanently delays only the first call.
func TestSharedWindows_GivesUpOnHeldLock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	held := flock.New(windowFileOf(t, dir)+".lock", flock.SetPermissions(0o600))
	if err := held.Lock(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = held.Unlock() }()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		c := inBubble(t, &bucketService{}, time.Hour, withDir(dir))
		ctx, log := transporttest.Logged(t)
		gone, leave := context.WithTimeout(ctx, time.Second)
		defer leave()
		if err := c.read(gone); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("after %s: %v", time.Since(start), err)
		}
		for range 70 {
			if err := c.read(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if waited := time.Since(start); waited < windowLockWait || waited > time.Minute+windowLockWait+time.Second {
			t.Errorf("waited %s", waited)
		}
		if told := transporttest.CountOf(log.String(), "not shared with other processes"); told != 1 {
			t.Errorf("logged %d times: %s", told, log)
		}
	})
}

func TestSharedWindows_WorksWithoutDirectory(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		s := &bucketService{}
		if took := plans(t, s, 1, 70, withDir(file)); took != 2 || s.rejected != 0 {
			t.Errorf("%d windows, %d rejected", took, s.rejected)
		}
	})
}

// A block of one process delays the others, too.
func TestSharedWindows_ShareBlock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		start, calls := time.Now(), 0
		service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			calls++
			if calls == 1 {
				transporttest.Limited("Retry-After", "20").ServeHTTP(w, r)
				return
			}
			transporttest.OK(transporttest.NoLabels).ServeHTTP(w, r)
		})
		first := inBubble(t, service, 0, withDir(dir))
		if err := first.read(t.Context()); !IsRateLimitError(err) {
			t.Fatal(err)
		}
		second := inBubble(t, service, time.Minute, withDir(dir))
		if err := second.read(t.Context()); err != nil || calls != 2 || time.Since(start) != 20*time.Second {
			t.Errorf("%d calls in %s, %v", calls, time.Since(start), err)
		}
	})
}

// A server without headers is called at full speed, as without a file.
func TestSharedWindows_IgnoreAPIWithoutHeaders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		for range 5 { // processes
			c := inBubble(t, transporttest.OK(transporttest.NoLabels), 0, withDir(dir))
			var group errgroup.Group
			for range 50 {
				group.Go(func() error { return c.read(t.Context()) })
			}
			if err := group.Wait(); err != nil {
				t.Error(err)
			}
		}
		if waited := time.Since(start); waited > 10*time.Millisecond {
			t.Errorf("waited %s", waited)
		}
	})
}

// The allocation limit is for each reseller: another reseller's calls do not count.
func TestSharedWindows_AllocationOfEachReseller(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		limits := []Limit{LimitAllocation, LimitBilling, LimitTotal}
		start := time.Now()
		for i, slug := range []string{"a.example", "a.example", "b.example", "a.example"} {
			c := inBubble(t, &bucketService{}, time.Hour, withDir(dir), func(cfg *Config) { cfg.Reseller = func() string { return slug } })
			for range 10 {
				if _, _, err := c.limiter.acquire(t.Context(), limits); err != nil { // no response arrives
					t.Fatal(err)
				}
			}
			if waited := time.Since(start) > time.Second; waited != (i == 3) {
				t.Errorf("process %d waited %s", i, time.Since(start))
			}
		}
	})
}

// A clock that is set back keeps no window exhausted for longer than its length.
func TestLimitWindow_ClockSetBack(t *testing.T) {
	t.Parallel()
	records := map[string]windowRecord{}
	w := newLimitWindow(LimitConsole)
	later := transporttest.Start.Add(time.Hour)
	w.load(later, "console", map[string]windowRecord{"console": {Start: later.UnixMilli(), End: later.Add(windowLength).UnixMilli(), Sent: 60}})
	if c := w.closed(later); !c.isClosed {
		t.Error("a window that is used up is open")
	}
	w.store("console", records)
	if c := w.closed(transporttest.Start); c.isClosed {
		t.Errorf("got %+v", c)
	}
	w.load(transporttest.Start, "console", records)
	if w.acquire(transporttest.Start) != transporttest.Start.UnixMilli() || w.shared.record.Sent != 1 {
		t.Errorf("got %+v", w.shared.record)
	}
}
