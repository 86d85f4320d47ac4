package client

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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
