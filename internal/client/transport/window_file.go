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
	// windowLength is the length of every window (§8), and the longest time for
	// which the shared file closes one.
	windowLength = time.Minute
	// windowFileVersion changes with the meaning of the file's fields.
	windowFileVersion = 1
	// windowFileMax bounds the file, in bytes.
	windowFileMax = 16 << 10
	// windowRecordsMax bounds the records: one for each limit of an address, and
	// one for the allocation limit of each reseller.
	windowRecordsMax = 32
	// windowLockWait bounds the wait for another process, which holds the lock for
	// one read and one write.
	windowLockWait = 5 * time.Second
	// windowLockRetry is the interval between two attempts to lock.
	windowLockRetry = time.Millisecond
)

// windowFile is the JSON of the shared file.
type windowFile struct {
	Version int                     `json:"version"`
	Windows map[string]windowRecord `json:"windows"`
}

// sharedWindows keeps the rate limit windows of one base URL in a file, so that
// the processes of a machine send no more than the limits allow together. It
// holds no secret.
type sharedWindows struct {
	dir  *cacheDir
	name string
	slug func() string // the reseller, "" while it is not known
}

// newSharedWindows returns nil where there is no directory, or where the client
// has a clock of its own, whose times mean nothing to other processes.
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

// keys of the limits in the file; "" for one that is not shared. The allocation
// limit is the reseller's, the others are the source IP address's (§8).
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

// update changes the records under the lock of all processes, and writes them
// where they changed. False: the file cannot be used in this run.
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
		s.dir.giveUp(ctx, err) // the change was made, and the next one is not shared
	}
	return true
}

// openOwn opens or creates a file that only this user may read or write. Anything
// else in its place is removed.
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

// updateRecords writes in place: replacing a file costs a millisecond, and one
// that a killed process left half written counts as none.
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

// readRecords returns none for a file that is damaged, too large or of another
// version.
func readRecords(raw []byte) map[string]windowRecord {
	var file windowFile
	if len(raw) > windowFileMax || json.Unmarshal(raw, &file) != nil || file.Version != windowFileVersion || file.Windows == nil {
		return map[string]windowRecord{}
	}
	return file.Windows
}

// dropOldest keeps the file small.
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

// windowRecord is a window in the file. Times are milliseconds since the epoch.
type windowRecord struct {
	Start    int64 `json:"start"`              // the first call; identifies the window
	End      int64 `json:"end,omitempty"`      // 0 while unknown
	Sent     int   `json:"sent"`               // calls of all processes, and others that the API counted
	Capacity int   `json:"capacity,omitempty"` // calls a window; 0 while unknown
	Blocked  int64 `json:"blocked,omitempty"`  // end of a block, until a call succeeds after it
	Early    bool  `json:"early,omitempty"`    // the API's windows end later than its headers say
}

// windowReport is what the end of a call shows about a window.
type windowReport struct {
	at       int64 // when
	start    int64 // the window that counted the call
	end      int64 // end of the API's window; 0 while unknown
	used     int   // calls that the API counted in it
	capacity int
	blocked  int64 // end of a block that a 429 began
	early    bool
	cleared  bool // the API accepted the call
	silent   bool // no response, or one without headers
	unsent   bool // no call was made
}

// valid returns the record as far as it can be true: a clock that was wrong, or
// a damaged file, must not close a window for longer than its length.
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

// over reports whether the window has ended. A window whose end is unknown,
// because its process died, lasts windowLength.
func (r windowRecord) over(now int64) bool {
	end := r.End
	if end == 0 {
		end = r.Start + windowLength.Milliseconds()
	}
	return now >= end
}

// next is the record of a window that starts at a time.
func (r windowRecord) next(start int64) windowRecord {
	return windowRecord{Start: start, Capacity: r.Capacity, Blocked: r.Blocked, Early: r.Early}
}

// apply returns the record with what the end of a call shows.
func (r windowRecord) apply(a windowReport) windowRecord {
	const near, step = int64(sameWindow / time.Millisecond), 250
	r.Blocked, r.Early = max(r.Blocked, a.blocked), r.Early || a.early
	if a.cleared && r.Blocked <= a.at {
		r.Blocked = 0
	}
	counted := a.start != 0 && a.start == r.Start
	if a.end == 0 {
		// Before the first headers only calls under way are held against the capacity.
		if counted && (a.unsent || a.silent && r.End == 0) {
			r.Sent = max(0, r.Sent-1)
		}
		return r
	}
	switch {
	case r.Start == 0, r.End != 0 && a.end > r.End+near:
		r = r.next(a.at) // it began while the call was under way
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
