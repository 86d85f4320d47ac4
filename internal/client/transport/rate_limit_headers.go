package transport

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// headerInt reads the leading integer of a header such as "60" or "60, 60;w=60".
func headerInt(header http.Header, name string) (int, bool) {
	text, _, _ := strings.Cut(header.Get(name), ",")
	text, _, _ = strings.Cut(text, ";")
	n, err := strconv.Atoi(strings.TrimSpace(text))
	return n, err == nil && n >= 0
}

// resetAt reads RateLimit-Reset: seconds from now or, for large numbers, seconds or milliseconds since the Unix epoch.
// The API documentation does not show which. The result is based on now, so that a later change of the clock does not
// affect it.
func resetAt(header http.Header, now time.Time) (time.Time, bool) {
	const epochSeconds, epochMillis = 1_000_000_000, 1_000_000_000_000
	text := strings.TrimSpace(header.Get("RateLimit-Reset"))
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || !(n >= 0) || n > 1e15:
		return time.Time{}, false
	case n >= epochMillis:
		return now.Add(boundedSeconds(time.UnixMilli(int64(n)).Sub(now).Seconds())), true
	case n >= epochSeconds:
		return now.Add(boundedSeconds(time.Unix(int64(n), 0).Sub(now).Seconds())), true
	default:
		return now.Add(boundedSeconds(n)), true
	}
}

// windowHeaders are the rate limit headers of a response.
type windowHeaders struct {
	limit     int // calls in a window; 0 if absent
	remaining int
	resets    time.Time
	complete  bool // remaining and resets are present
}

func readWindowHeaders(header http.Header, now time.Time) (h windowHeaders) {
	var okRemaining, okReset bool
	h.limit, _ = headerInt(header, "RateLimit-Limit")
	h.remaining, okRemaining = headerInt(header, "RateLimit-Remaining")
	h.resets, okReset = resetAt(header, now)
	h.complete = okRemaining && okReset
	return h
}
