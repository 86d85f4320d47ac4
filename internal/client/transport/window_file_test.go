package transport

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A file with impossible values is ignored.
func TestSharedWindows_IgnoresBadFiles(t *testing.T) {
	t.Parallel()
	start := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli() // start of every bubble
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

// A valid file delays calls for at most one window.
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

// A link, or a file that others can read, is replaced, and the target of the link is not changed.
func TestSharedWindows_ReplacesForeignFile(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(path, target string) error{
		"link":            func(path, target string) error { return os.Symlink(target, path) },
		"link to nowhere": func(path, target string) error { return os.Symlink(target+"-not-there", path) },
		"readable":        func(path, _ string) error { return os.WriteFile(path, []byte("{}"), 0o644) },
		"empty directory": func(path, _ string) error { return os.Mkdir(path, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, outside := t.TempDir(), t.TempDir()
			target := filepath.Join(outside, "target")
			if err := os.WriteFile(target, []byte("kept"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := spoil(windowFileOf(t, dir), target); err != nil {
				t.Skip(err)
			}
			synctest.Test(t, func(t *testing.T) { plans(t, &bucketService{}, 1, 3, withDir(dir)) })
			if text, err := os.ReadFile(target); err != nil || string(text) != "kept" {
				t.Errorf("the target has %q, %v", text, err)
			}
			if there, err := os.ReadDir(outside); err != nil || len(there) != 1 {
				t.Errorf("%v, %v", there, err)
			}
			if raw, err := os.ReadFile(windowFileOf(t, dir)); err != nil || len(readRecords(raw)) != 1 {
				t.Errorf("the file has %q, %v", raw, err)
			}
		})
	}
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
	told := windowReport{at: start + second, start: start, end: start + 60*second, used: 4, capacity: 60}
	for name, tc := range map[string]struct {
		before windowRecord
		answer func(*windowReport)
		want   func(*windowRecord)
	}{
		"first headers":            {open, nil, func(r *windowRecord) { *r = known }},
		"the same again":           {known, nil, nil},
		"others called":            {known, func(a *windowReport) { a.used = 40 }, func(r *windowRecord) { r.Sent = 40 }},
		"earlier end":              {known, func(a *windowReport) { a.end -= 900 }, func(r *windowRecord) { r.End -= 900 }},
		"later end":                {known, func(a *windowReport) { a.end += 900 }, nil},
		"sent in another window":   {known, func(a *windowReport) { a.start = start - 50*second }, func(r *windowRecord) { r.Sent++ }},
		"of an earlier window":     {known, func(a *windowReport) { a.start, a.end, a.used = start-50*second, start, 60 }, nil},
		"of the window before":     {open, func(a *windowReport) { a.start, a.end, a.used = start-50*second, start, 60 }, nil},
		"a new window":             {known, func(a *windowReport) { a.at, a.end = start+60*second, start+120*second }, func(r *windowRecord) { *r = windowRecord{start + 60*second, start + 120*second, 4, 60, 0, false} }},
		"no record":                {windowRecord{}, nil, func(r *windowRecord) { *r = windowRecord{start + second, start + 60*second, 4, 60, 0, false} }},
		"not sent":                 {known, func(a *windowReport) { *a = windowReport{start: start, unsent: true} }, func(r *windowRecord) { r.Sent-- }},
		"not sent, another window": {known, func(a *windowReport) { *a = windowReport{start: start - 1, unsent: true} }, nil},
		"no response":              {known, func(a *windowReport) { *a = windowReport{start: start, silent: true} }, nil},
		"no response, end unknown": {open, func(a *windowReport) { *a = windowReport{start: start, silent: true} }, func(r *windowRecord) { r.Sent-- }},
		"blocked":                  {known, func(a *windowReport) { a.blocked = start + 70*second }, func(r *windowRecord) { r.Blocked = start + 70*second }},
	} {
		answer, want := told, tc.before
		if tc.answer != nil {
			tc.answer(&answer)
		}
		if tc.want != nil {
			tc.want(&want)
		}
		if got := tc.before.apply(answer); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
	blocked := known
	blocked.Blocked = start + 20*second
	for at, want := range map[int64]int64{start + 19*second: blocked.Blocked, start + 20*second: 0} {
		if got := blocked.apply(windowReport{at: at, cleared: true}); got.Blocked != want {
			t.Errorf("cleared at %d: blocked until %d", at, got.Blocked)
		}
	}
}
