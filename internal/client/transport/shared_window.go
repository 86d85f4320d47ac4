package transport

import (
	"net/http"
	"time"
)

// sharedPoll is the interval of reads for the end of a window that another process opened.
const sharedPoll = 100 * time.Millisecond

// sharedWindow is a process's copy of a window in the shared file.
type sharedWindow struct {
	used    bool // the window is in the file
	headers bool // a response had headers
	silent  bool // no response has headers: the window is not counted
	record  windowRecord
	readAt  time.Time
	counted int            // calls in flight that the record counts
	reports []windowReport // not yet in the file
}

func (w *limitWindow) unshare() { w.shared = sharedWindow{} }

// sharedClosure returns whether the calls of all processes exhaust the window.
func (w *limitWindow) sharedClosure(now time.Time) closure {
	s := &w.shared
	// A clock that was set back makes the record invalid, and it is read again.
	if !s.used || s.silent || s.record.valid(now.UnixMilli()).over(now.UnixMilli()) {
		return closure{}
	}
	end, poll := timeOf(s.record.End, now), s.readAt.Add(sharedPoll)
	switch {
	case s.record.Sent >= w.capacity && s.record.End != 0:
		return w.closedUntil(end, end.Sub(now))
	case s.record.Sent >= w.capacity && now.Before(poll):
		return w.closedUntil(poll, 0)
	case s.record.Sent < w.capacity && s.record.Sent+w.inFlight-s.counted >= w.capacity:
		return w.closedUntil(time.Time{}, 0) // calls of an earlier window may count in this one
	default:
		return closure{}
	}
}

// count adds a call to the shared window. It returns the start of the window, 0 if none counts the call. The total
// limit is counted from its first headers on: its window is unknown before, and the other limits do not add up to it.
func (w *limitWindow) count(now time.Time) (start int64) {
	s := &w.shared
	if !s.used || s.silent {
		return 0
	}
	if s.record.over(now.UnixMilli()) {
		if w.limit == LimitTotal {
			return 0
		}
		if s.record.End != 0 {
			w.opened = timeOf(s.record.End, now)
		}
		s.replace(s.record.next(now.UnixMilli()))
	}
	s.record.Sent++
	s.counted++
	return s.record.Start
}

func (w *limitWindow) uncount(start int64) {
	if start != 0 && start == w.shared.record.Start {
		w.shared.counted--
	}
}

func (s *sharedWindow) replace(r windowRecord) {
	if r.Start != s.record.Start {
		s.counted = 0
	}
	s.record = r
}

// share reports a response to the other processes.
func (w *limitWindow) share(now time.Time, start int64, status int, header http.Header, described bool) {
	s, h := &w.shared, w.headers(header, now)
	a := windowReport{start: start, silent: !h.complete}
	longest := now.Add(windowLength)
	if described && h.complete {
		s.headers, s.silent = true, false
		a.end, a.used, a.capacity = millisUp(earliest(h.resets, longest)), max(0, w.capacity-h.remaining), w.capacity
	}
	if described && status == http.StatusTooManyRequests {
		a.blocked, a.early = millisUp(earliest(w.blockedUntil, longest)), w.early
	} else if status != 0 {
		a.cleared = described
		s.silent = s.silent || !s.headers && !h.complete
	}
	w.report(now, a)
}

// report keeps a change of the record until the file is written.
func (w *limitWindow) report(now time.Time, a windowReport) {
	s := &w.shared
	if !s.used {
		return
	}
	a.at = now.UnixMilli()
	if next := s.record.apply(a); next != s.record {
		s.replace(next)
		s.reports = append(s.reports, a)
	}
}

// load reads the record from the file and applies the reports that it lacks.
func (w *limitWindow) load(now time.Time, key string, records map[string]windowRecord) {
	s := &w.shared
	if key == "" {
		w.unshare()
		return
	}
	s.used = true
	record := records[key].valid(now.UnixMilli())
	for _, a := range s.reports {
		record = record.apply(a)
	}
	s.reports, s.readAt = nil, now
	s.replace(record)
	w.early = w.early || record.Early
	if record.Capacity > 0 {
		w.capacity = record.Capacity
	}
	if blocked := timeOf(record.Blocked, now); record.Blocked != 0 && blocked.After(w.blockedUntil) {
		w.blockedUntil = blocked
		if w.blockedSince.IsZero() {
			w.blockedSince = now
		}
	}
	if end := timeOf(record.End, now); w.known && end.Sub(w.resets).Abs() < sameWindow {
		w.resets = earliest(w.resets, end)
	}
}

// store writes the record to the file's records.
func (w *limitWindow) store(key string, records map[string]windowRecord) {
	if key == "" || w.shared.record == (windowRecord{}) {
		return
	}
	records[key] = w.shared.record
}

// timeOf returns a time that is based on now, so that a later change of the clock does not affect it.
func timeOf(millis int64, now time.Time) time.Time {
	return now.Add(time.UnixMilli(millis).Sub(now))
}

// millisUp rounds up to milliseconds, so that a window does not end too early.
func millisUp(t time.Time) int64 { return t.Add(time.Millisecond - time.Nanosecond).UnixMilli() }
