package transport

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"time"
)

const (
	// windowLength is the length of every window (§8), and the maximum time for which the shared file delays a call.
	windowLength = time.Minute
	// windowFileVersion changes when the meaning of a field changes.
	windowFileVersion = 1
	// windowFileMax is the maximum size of the file in bytes.
	windowFileMax = 16 << 10
	// windowRecordsMax is the maximum number of records: one for each limit of a source IP address, and one for the
	// allocation limit of each reseller.
	windowRecordsMax = 32
	// windowLockWait is the maximum wait for another process, which holds the lock for one read and one write.
	windowLockWait = 5 * time.Second
	// windowLockRetry is the interval between two attempts to lock.
	windowLockRetry = time.Millisecond
)

// windowFile is the JSON of the shared file.
type windowFile struct {
	Version int                     `json:"version"`
	Windows map[string]windowRecord `json:"windows"`
}

// sharedWindows stores the rate limit windows of one base URL in a file, so that the processes of a machine together do
// not exceed the limits. The file has no secret.
type sharedWindows struct {
	dir  *cacheDir
	name string
	slug func() string // the reseller, "" while unknown
}

// newSharedWindows returns nil without a directory, and for a client with its own clock, whose times mean nothing to
// other processes.
func newSharedWindows(cfg Config) *sharedWindows {
	if _, isReal := cfg.Clock.(RealClock); !isReal || cfg.TokenCacheDir == "" {
		return nil
	}
	dir := newCacheDir(cfg.TokenCacheDir)
	dir.lockWait, dir.lockRetry = windowLockWait, windowLockRetry
	dir.fallback = "the windows of rate limits are not shared with other processes"
	return &sharedWindows{
		dir:  dir,
		name: "windows-" + fingerprint(cfg.BaseURL.String()),
		slug: cfg.Reseller,
	}
}

// keys returns the keys of the limits in the file; "" for one that is not shared. The allocation limit applies to the
// reseller, the others to the source IP address (§8).
func (s *sharedWindows) keys() (keys [limitCount]string) {
	for l := range limitCount {
		keys[l] = l.String()
	}
	keys[LimitAllocation] = ""
	if slug := s.slug(); slug != "" {
		keys[LimitAllocation] = LimitAllocation.String() + "-" + fingerprint(slug)
	}
	return keys
}

// update changes the records under the lock of all processes, and writes them if they changed. It returns false if the
// file cannot be used in this run.
func (s *sharedWindows) update(ctx context.Context, change func(map[string]windowRecord)) bool {
	unlock, err := s.dir.lock(ctx, s.name)
	if err != nil || !s.dir.usable(ctx) {
		return false
	}
	defer unlock()
	f, err := openOwn(filepath.Join(s.dir.path, s.name))
	if err != nil {
		s.dir.giveUp(ctx, err)
		return false
	}
	err = updateRecords(f, change)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		s.dir.giveUp(ctx, err) // change took effect here; the next one is not shared
	}
	return true
}

// openOwn opens or creates a file that only this user can read or write. Any other file in its place is removed.
func openOwn(path string) (f *os.File, err error) {
	for range 2 {
		if f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|safeOpen, 0o600); err == nil {
			if err = checkPrivateFile(path, f); err == nil {
				return f, nil
			}
			_ = f.Close() // nothing was written
		}
		if removeErr := os.Remove(path); removeErr != nil {
			return nil, err
		}
	}
	return nil, err
}

// updateRecords writes in place: replacing a file takes a millisecond, and a partial file of a killed process has no
// valid records.
func updateRecords(f *os.File, change func(map[string]windowRecord)) error {
	raw, err := io.ReadAll(io.LimitReader(f, windowFileMax+1))
	records := map[string]windowRecord{}
	if err == nil {
		records = readRecords(raw)
	}
	before := maps.Clone(records)
	change(records)
	if maps.Equal(before, records) {
		return nil
	}
	dropOldest(records)
	next, err := json.Marshal(windowFile{windowFileVersion, records})
	if err != nil {
		return err
	}
	if _, err := f.WriteAt(next, 0); err != nil {
		return err
	}
	if len(next) >= len(raw) {
		return nil
	}
	return f.Truncate(int64(len(next)))
}

// readRecords returns no records for a file that is damaged, too large or of another version.
func readRecords(raw []byte) map[string]windowRecord {
	var file windowFile
	if len(raw) > windowFileMax || json.Unmarshal(raw, &file) != nil || file.Version != windowFileVersion || file.Windows == nil {
		return map[string]windowRecord{}
	}
	return file.Windows
}

// dropOldest limits the number of records.
func dropOldest(records map[string]windowRecord) {
	for len(records) > windowRecordsMax {
		oldest := ""
		for key, r := range records {
			if oldest == "" || r.Start < records[oldest].Start {
				oldest = key
			}
		}
		delete(records, oldest)
	}
}

// windowRecord is a window in the file. Times are milliseconds since the Unix epoch.
type windowRecord struct {
	Start    int64 `json:"start"`              // time of the first call; identifies the window
	End      int64 `json:"end,omitempty"`      // 0 while unknown
	Sent     int   `json:"sent"`               // calls of all processes, and other calls that the API counted
	Capacity int   `json:"capacity,omitempty"` // calls in a window; 0 while unknown
	Blocked  int64 `json:"blocked,omitempty"`  // end of a block, until a later call succeeds
	Early    bool  `json:"early,omitempty"`    // the API's windows end later than its headers say
}

// windowReport is what the end of a call shows about a window.
type windowReport struct {
	at       int64 // time of the report
	start    int64 // start of the window that counted the call
	end      int64 // end of the API's window; 0 while unknown
	used     int   // calls that the API counted in it
	capacity int
	blocked  int64 // end of a block that a 429 began
	early    bool
	cleared  bool // the API accepted the call
	silent   bool // no response, or one without headers
	unsent   bool // the call was not sent
}

// valid returns the record without impossible values: a wrong clock or a damaged file must not delay calls for longer
// than windowLength.
func (r windowRecord) valid(now int64) windowRecord {
	const (
		length, slack = int64(windowLength / time.Millisecond), 1000
		oldest, most  = int64(time.Hour / time.Millisecond), 1 << 20
	)
	switch {
	case r.Start < now-oldest || r.Start > now+slack, r.End < 0 || r.End > now+length+slack,
		r.Sent < 0 || r.Sent > most || r.Capacity < 0 || r.Capacity > most:
		return windowRecord{}
	case r.Blocked > now+length+slack || r.Blocked < now-length:
		r.Blocked = 0
	}
	if r.End != 0 {
		r.End = min(r.End, now+length)
	}
	r.Blocked = min(r.Blocked, now+length)
	return r
}

// over reports whether the window has ended. A window with an unknown end, because its process was killed, lasts
// windowLength.
func (r windowRecord) over(now int64) bool {
	end := r.End
	if end == 0 {
		end = r.Start + windowLength.Milliseconds()
	}
	return now >= end
}

// next returns the record of a window that starts at the given time.
func (r windowRecord) next(start int64) windowRecord {
	return windowRecord{Start: start, Capacity: r.Capacity, Blocked: r.Blocked, Early: r.Early}
}

// apply returns the record updated with a report.
func (r windowRecord) apply(a windowReport) windowRecord {
	const near, step = int64(sameWindow / time.Millisecond), 250
	r.Blocked, r.Early = max(r.Blocked, a.blocked), r.Early || a.early
	if a.cleared && r.Blocked <= a.at {
		r.Blocked = 0
	}
	counted := a.start != 0 && a.start == r.Start
	if a.end == 0 {
		// Before the first headers only calls in flight count toward the capacity.
		if counted && (a.unsent || a.silent && r.End == 0) {
			r.Sent = max(0, r.Sent-1)
		}
		return r
	}
	switch {
	case r.Start == 0, r.End != 0 && a.end > r.End+near:
		r = r.next(a.at) // it began while the call was in flight
		r.Sent = 1
	case counted:
	case a.end < r.End-near, r.End == 0 && a.end <= r.Start+near:
		return r // an earlier window
	default:
		r.Sent++ // sent in an earlier window, and counted in this one
	}
	if r.End == 0 || r.End-a.end >= step {
		r.End = a.end
	}
	r.Sent, r.Capacity = max(r.Sent, a.used), a.capacity
	return r
}
