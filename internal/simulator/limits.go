package simulator

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"
)

// The limits of §8.
const (
	consoleCeiling    = 60
	billingCeiling    = 60
	allocationCeiling = 20
	totalCeiling      = 300
	exchangeCeiling   = 5

	minuteWindow   = time.Minute
	exchangeWindow = 15 * time.Minute

	// fastRatio shortens windows: a minute takes a second.
	fastRatio = 60
)

// meter counts calls in a fixed window that begins with its first call.
type meter struct {
	Start int64 `json:"start"` // ms
	Count int   `json:"count"`
}

// rule is one limit that applies to a request.
type rule struct {
	key     string
	ceiling int
	window  time.Duration
}

func (s *Simulator) window(d time.Duration) time.Duration {
	if s.opts.Fast {
		return d / fastRatio
	}
	return d
}

// rules returns the limits that count a request. A token exchange counts in its own limit and in the total.
func (s *Simulator) rules(r *request) []rule {
	minute := s.window(minuteWindow)
	var out []rule
	switch r.route.bucket {
	case bucketExchange:
		out = append(out, rule{"exchange/" + r.addr, exchangeCeiling, s.window(exchangeWindow)})
	case bucketBilling:
		out = append(out, rule{"billing/" + r.addr, billingCeiling, minute})
	case bucketConsole:
		out = append(out, rule{"console/" + r.addr, consoleCeiling, minute})
	case bucketNone:
	}
	return append(out, rule{"total/" + r.addr, totalCeiling, minute})
}

// count counts a call in every rule, or in none if one of them is exhausted.
func (s *Simulator) count(now time.Time, rules []rule) (header http.Header, limited bool) {
	tightest := rule{}
	least := math.MaxInt
	for _, ru := range rules {
		left := ru.ceiling - s.meterOf(now, ru).Count
		if left < least {
			tightest = ru
			least = left
		}
	}
	if least <= 0 {
		h := s.limitHeaders(now, tightest, 0)
		h.Set("Retry-After", wholeSeconds(s.windowEnd(now, tightest).Sub(now)))
		return h, true
	}
	for _, ru := range rules {
		s.meterOf(now, ru).Count++
	}
	if s.forms.isForm("limit-headers", "own") {
		tightest = rules[0]
		least = tightest.ceiling - s.meterOf(now, tightest).Count + 1
	}
	return s.limitHeaders(now, tightest, least-1), false
}

func (s *Simulator) meterOf(now time.Time, ru rule) *meter {
	m := s.store.live.Meters[ru.key]
	if m == nil || over(m.Start, ru.window, now) {
		m = &meter{Start: millis(now)}
		s.store.live.Meters[ru.key] = m
	}
	return m
}

// over reports whether a time that began at a millisecond has passed. A begin in the future has passed, too: a
// machine's clock can be set back between runs on one file, and must not keep a limit exhausted until then.
func over(begin int64, d time.Duration, now time.Time) bool {
	since := millis(now) - begin
	return since < 0 || since >= d.Milliseconds()
}

// windowEnd is the end of the window of a rule that counts at now.
func (s *Simulator) windowEnd(now time.Time, ru rule) time.Time {
	return time.UnixMilli(s.meterOf(now, ru).Start).Add(ru.window)
}

// limitHeaders describe the limit with the fewest calls left .
func (s *Simulator) limitHeaders(now time.Time, ru rule, left int) http.Header {
	ends := s.windowEnd(now, ru)
	reset := wholeSeconds(ends.Sub(now))
	epoch := int64(math.Ceil(float64(ends.UnixMilli()) / 1000))
	switch s.forms.formOf("reset") {
	case "epoch":
		reset = strconv.FormatInt(epoch, 10)
	case "epoch-ms":
		reset = strconv.FormatInt(ends.UnixMilli(), 10)
	case "date":
		reset = time.Unix(epoch, 0).UTC().Format(http.TimeFormat)
	}
	h := http.Header{}
	h.Set("RateLimit-Limit", strconv.Itoa(ru.ceiling))
	h.Set("RateLimit-Remaining", strconv.Itoa(left))
	h.Set("RateLimit-Reset", reset)
	return h
}

// tooMany is the 429 without an envelope (§7.3).
func tooMany(header http.Header) *response {
	a := bare(http.StatusTooManyRequests, fmt.Sprintf("Too many requests, try again in %s seconds.", header.Get("Retry-After")))
	a.code = ""
	return a
}
