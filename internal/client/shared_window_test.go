package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"
)

func withDir(dir string) func(*Config) { return func(cfg *Config) { cfg.TokenCacheDir = dir } }

// windowFileOf returns the path of the shared file of clients in a bubble.
func windowFileOf(t *testing.T, dir string) string {
	t.Helper()
	return filepath.Join(dir, "windows-"+fingerprint("https://api.example"))
}

// plans runs as many plans of so many calls at once, ten calls at a time each,
// and returns the windows that it took.
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
				group.Go(func() error { return list(c)(t.Context()) })
			}
			return group.Wait()
		})
	}
	if err := all.Wait(); err != nil {
		t.Error(err)
	}
	return int(time.Since(start)/time.Minute) + 1
}

// Three plans over 100 labels each at once: without a directory each rushes when
// the minute opens; with one the calls are counted together.
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

// Windows of a second, as `simulate -fast` has them: no call is rejected, and
// the whole takes about the least possible windows.
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

// Another machine behind the address sends, too: the headers win downward.
func TestSharedWindows_HeadersWin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := &bucketService{latency: 10 * time.Millisecond}
		other := inBubble(t, s, time.Hour)
		for range 40 {
			if err := list(other)(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		plans(t, s, 1, 1, withDir(dir)) // before the first response nobody can know
		if took := plans(t, s, 3, 25, withDir(dir)); took != 2 || s.rejected > 0 {
			t.Errorf("took %d windows, %d calls were rejected", took, s.rejected)
		}
	})
}

// A process that died sent a window's calls and read no response: the others
// wait for the end of the window at most.
func TestSharedWindows_OutlivesDeadProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		dead := inBubble(t, &bucketService{latency: 100 * time.Hour}, time.Hour, withDir(dir), func(cfg *Config) { cfg.RequestTimeout = time.Hour; cfg.MaxRetries = 0 })
		ctx, kill := context.WithCancel(t.Context())
		var calls errgroup.Group
		for range 60 {
			calls.Go(func() error { _ = list(dead)(ctx); return nil })
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

// What cannot be true is as good as no file.
func TestSharedWindows_IgnoresBadFiles(t *testing.T) {
	t.Parallel()
	start := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli() // of every bubble
	record := func(start, end int64, rest string) string {
		return fmt.Sprintf(`{"version":1,"windows":{"console":{"start":%d,"end":%d,%s}}}`, start, end, rest)
	}
	for name, text := range map[string]string{
		"torn":                record(start, start+30_000, `"sent":60`)[:40],
		"empty":               "",
		"null":                "null",
		"another form":        `[1,2,3]`,
		"no windows":          `{"version":1}`,
		"null window":         `{"version":1,"windows":{"console":null}}`,
		"other version":       strings.Replace(record(start, start+30_000, `"sent":60`), `"version":1`, `"version":2`, 1),
		"huge":                strings.Repeat(" ", 1<<20) + record(start, start+30_000, `"sent":60`),
		"huge number":         record(start, start+30_000, `"sent":1e99`),
		"future":              record(start+3_600_000, start+3_630_000, `"sent":60`),
		"far end":             record(start, start+3_600_000, `"sent":60`),
		"past":                record(start-120_000, start-60_000, `"sent":60`),
		"past, no end":        record(start-61_000, 0, `"sent":60`),
		"negative":            record(start, start+30_000, `"sent":-1`),
		"no capacity":         record(start, start+30_000, `"sent":1,"capacity":-7`),
		"blocked for an hour": record(start, start+30_000, fmt.Sprintf(`"sent":1,"blocked":%d`, start+3_600_000)),
		"blocked long ago":    record(start, start+30_000, fmt.Sprintf(`"sent":1,"blocked":%d`, start-90_000)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(windowFileOf(t, dir), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) {
				s, began := &bucketService{}, time.Now()
				plans(t, s, 2, 5, withDir(dir))
				if waited := time.Since(began); waited > 10*time.Millisecond {
					t.Errorf("waited %s", waited)
				}
			})
			raw, err := os.ReadFile(windowFileOf(t, dir))
			if err != nil || len(raw) > 1000 || !strings.Contains(string(raw), `"console":{"start":`) {
				t.Errorf("the file is %.200q, %v", raw, err)
			}
		})
	}
}

// A true file holds, at most for a window.
func TestSharedWindows_KeepsToTheFile(t *testing.T) {
	t.Parallel()
	start := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	for name, tc := range map[string]struct {
		record string
		waits  time.Duration
	}{
		"used up":        {fmt.Sprintf(`{"start":%d,"end":%d,"sent":60}`, start-1000, start+30_000), 30 * time.Second},
		"lower capacity": {fmt.Sprintf(`{"start":%d,"end":%d,"sent":12,"capacity":10}`, start-1000, start+30_000), 30 * time.Second},
		"no end yet":     {fmt.Sprintf(`{"start":%d,"sent":60}`, start-20_000), 40 * time.Second},
		"blocked":        {fmt.Sprintf(`{"start":%d,"end":%d,"sent":3,"blocked":%d}`, start-1000, start+10_000, start+20_000), 20 * time.Second},
		"end too late":   {fmt.Sprintf(`{"start":%d,"end":%d,"sent":60}`, start-1000, start+60_500), time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(windowFileOf(t, dir), []byte(`{"version":1,"windows":{"console":`+tc.record+`}}`), 0o600); err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				plans(t, &bucketService{}, 1, 1, withDir(dir))
				if waited := time.Since(began); waited < tc.waits || waited > tc.waits+200*time.Millisecond {
					t.Errorf("waited %s, want %s", waited, tc.waits)
				}
			})
		})
	}
}

// A process that holds the lock for ever delays the first call only.
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
		ctx, log := logged(t)
		gone, leave := context.WithTimeout(ctx, time.Second)
		defer leave()
		if err := list(c)(gone); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("after %s: %v", time.Since(start), err)
		}
		for range 70 {
			if err := list(c)(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if waited := time.Since(start); waited < windowLockWait || waited > time.Minute+windowLockWait+time.Second {
			t.Errorf("waited %s", waited)
		}
		if told := countOf(log.String(), "not shared with other processes"); told != 1 {
			t.Errorf("told %d times: %s", told, log)
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

// A link, a pipe or a file that others may read is replaced, and a link is not
// followed.
func TestSharedWindows_ReplacesForeignFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target := filepath.Join(t.TempDir(), "target")
	if err := os.WriteFile(target, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, windowFileOf(t, dir)); err != nil {
		t.Skip(err)
	}
	synctest.Test(t, func(t *testing.T) { plans(t, &bucketService{}, 1, 3, withDir(dir)) })
	if text, err := os.ReadFile(target); err != nil || string(text) != "kept" {
		t.Errorf("the target has %q, %v", text, err)
	}
	if raw, err := os.ReadFile(windowFileOf(t, dir)); err != nil || len(readRecords(raw)) != 1 {
		t.Errorf("the file has %q, %v", raw, err)
	}
}

// A block that one process met holds the others back, too.
func TestSharedWindows_ShareBlock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		start, calls := time.Now(), 0
		service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if calls++; calls == 1 {
				limited("Retry-After", "20")(w, r)
				return
			}
			ok(noLabels)(w, r)
		})
		first := inBubble(t, service, 0, withDir(dir))
		if err := list(first)(t.Context()); !IsLimit(err) {
			t.Fatal(err)
		}
		second := inBubble(t, service, time.Minute, withDir(dir))
		if err := list(second)(t.Context()); err != nil || calls != 2 || time.Since(start) != 20*time.Second {
			t.Errorf("%d calls in %s, %v", calls, time.Since(start), err)
		}
	})
}

// A service that sends no headers is called at full speed, as without a file.
func TestSharedWindows_IgnoreServiceWithoutHeaders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		for range 5 { // processes
			c := inBubble(t, http.HandlerFunc(ok(noLabels)), 0, withDir(dir))
			var group errgroup.Group
			for range 50 {
				group.Go(func() error { return list(c)(t.Context()) })
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

// The allocation limit is the reseller's: another reseller's calls do not count.
func TestSharedWindows_AllocationOfEachReseller(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		limits := route{billing: true, allocation: true}.limits()
		start := time.Now()
		for i, slug := range []string{"a.example", "a.example", "b.example", "a.example"} {
			c := inBubble(t, &bucketService{}, time.Hour, withDir(dir), func(cfg *Config) { cfg.Slug = slug })
			for range 10 {
				if _, _, err := c.limiter.acquire(t.Context(), limits); err != nil { // no response comes
					t.Fatal(err)
				}
			}
			if waited := time.Since(start) > time.Second; waited != (i == 3) {
				t.Errorf("process %d waited %s", i, time.Since(start))
			}
		}
	})
}

func TestWindowFile_StaysSmall(t *testing.T) {
	t.Parallel()
	records := map[string]windowRecord{}
	for i := range 1000 {
		records[fmt.Sprint("allocation-", i)] = windowRecord{Start: int64(i)}
		dropOldest(records)
	}
	raw, err := json.Marshal(windowFile{windowFileVersion, records})
	if _, kept := records["allocation-999"]; err != nil || !kept || len(records) > windowRecordsMax || len(raw) > windowFileMax {
		t.Errorf("%d records in %d bytes, %v", len(records), len(raw), err)
	}
}

func TestWindowRecord_Apply(t *testing.T) {
	t.Parallel()
	const second, start = 1000, 1_000_000
	open := windowRecord{Start: start, Sent: 10}
	known := windowRecord{Start: start, End: start + 60*second, Sent: 10, Capacity: 60}
	told := windowAnswer{at: start + second, start: start, end: start + 60*second, used: 4, capacity: 60}
	for name, tc := range map[string]struct {
		before windowRecord
		answer func(*windowAnswer)
		want   func(*windowRecord)
	}{
		"first headers":            {open, nil, func(r *windowRecord) { *r = known }},
		"the same again":           {known, nil, nil},
		"others called":            {known, func(a *windowAnswer) { a.used = 40 }, func(r *windowRecord) { r.Sent = 40 }},
		"earlier end":              {known, func(a *windowAnswer) { a.end -= 900 }, func(r *windowRecord) { r.End -= 900 }},
		"later end":                {known, func(a *windowAnswer) { a.end += 900 }, nil},
		"sent in another window":   {known, func(a *windowAnswer) { a.start = start - 50*second }, func(r *windowRecord) { r.Sent++ }},
		"of an earlier window":     {known, func(a *windowAnswer) { a.start, a.end, a.used = start-50*second, start, 60 }, nil},
		"of the window before":     {open, func(a *windowAnswer) { a.start, a.end, a.used = start-50*second, start, 60 }, nil},
		"a new window":             {known, func(a *windowAnswer) { a.at, a.end = start+60*second, start+120*second }, func(r *windowRecord) { *r = windowRecord{start + 60*second, start + 120*second, 4, 60, 0} }},
		"no record":                {windowRecord{}, nil, func(r *windowRecord) { *r = windowRecord{start + second, start + 60*second, 4, 60, 0} }},
		"not sent":                 {known, func(a *windowAnswer) { *a = windowAnswer{start: start, unsent: true} }, func(r *windowRecord) { r.Sent-- }},
		"not sent, another window": {known, func(a *windowAnswer) { *a = windowAnswer{start: start - 1, unsent: true} }, nil},
		"no response":              {known, func(a *windowAnswer) { *a = windowAnswer{start: start, silent: true} }, nil},
		"no response, end unknown": {open, func(a *windowAnswer) { *a = windowAnswer{start: start, silent: true} }, func(r *windowRecord) { r.Sent-- }},
		"blocked":                  {known, func(a *windowAnswer) { a.blocked = start + 70*second }, func(r *windowRecord) { r.Blocked = start + 70*second }},
	} {
		answer, want := told, tc.before
		if tc.answer != nil {
			tc.answer(&answer)
		}
		if tc.want != nil {
			tc.want(&want)
		}
		got := tc.before
		if got.apply(answer); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
	blocked := known
	blocked.Blocked = start + 20*second
	for at, want := range map[int64]int64{start + 19*second: blocked.Blocked, start + 20*second: 0} {
		got := blocked
		if got.apply(windowAnswer{at: at, cleared: true}); got.Blocked != want {
			t.Errorf("cleared at %d: blocked until %d", at, got.Blocked)
		}
	}
}

// A clock that is set back keeps no window closed for longer than its length.
func TestLimitWindow_ClockSetBack(t *testing.T) {
	t.Parallel()
	records := map[string]windowRecord{}
	w := newLimitWindow(limitConsole)
	later := stubStart.Add(time.Hour)
	w.load(later, "console", map[string]windowRecord{"console": {Start: later.UnixMilli(), End: later.Add(windowLength).UnixMilli(), Sent: 60}})
	if c := w.closed(later); !c.isClosed {
		t.Error("a window that is used up is open")
	}
	w.store("console", records)
	if c := w.closed(stubStart); c.isClosed {
		t.Errorf("got %+v", c)
	}
	w.load(stubStart, "console", records)
	if w.acquire(stubStart) != stubStart.UnixMilli() || w.shared.record.Sent != 1 {
		t.Errorf("got %+v", w.shared.record)
	}
}
