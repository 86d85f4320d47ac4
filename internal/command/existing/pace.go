package existing

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/listing"
)

// The API's limit of calls for private labels and members (§8), until a response shows another one.
const (
	documentedCalls  = 60
	documentedWindow = time.Minute
	longestWindow    = time.Hour // a longer reset is a time since the epoch
	begun            = 2         // calls for them before the first private label: the dashboard and the list
)

// Pace sees the API's responses, whose headers show which limits it really has.
type Pace struct {
	Transport http.RoundTripper

	mu     sync.Mutex
	calls  int
	window time.Duration
}

// RoundTrip notes the limit of a response.
func (p *Pace) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := p.Transport.RoundTrip(req)
	if err != nil || req.Method != http.MethodGet { // such as a token exchange, which has a limit of its own
		return resp, err
	}
	calls, _ := strconv.Atoi(resp.Header.Get("RateLimit-Limit"))
	reset, _ := strconv.Atoi(resp.Header.Get("RateLimit-Reset"))
	window := time.Duration(reset) * time.Second
	p.mu.Lock()
	defer p.mu.Unlock()
	if calls > 0 && (p.calls == 0 || calls < p.calls) {
		p.calls = calls
	}
	if window > p.window && window <= longestWindow {
		p.window = window
	}
	return resp, nil
}

// limit returns what was seen, else what the documentation says. known is false if there was no response: a simulator in
// the provider has its own clock.
func (p *Pace) limit() (calls int, window time.Duration, known bool) {
	if p == nil {
		return documentedCalls, documentedWindow, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return cmp.Or(p.calls, documentedCalls), cmp.Or(p.window, documentedWindow), p.calls > 0 || p.window > 0
}

// progress counts private labels that are read, and prints how many minutes the rate limit takes for the others.
type progress struct {
	Options
	labels, finished, left, each int
}

func (p *Pace) begin(o Options, labels int) *progress {
	reading := &progress{Options: o, labels: labels, each: 2}
	if o.Members("") == MembersNone {
		reading.each = 1
	}
	fmt.Fprintf(o.Stderr, "Reading %s with %s", listing.Count(labels, "private label"), listing.Count(reading.each*labels, "API call"))
	calls, window, known := p.limit()
	reading.left = reading.minutes()
	switch {
	case !known:
		fmt.Fprintln(o.Stderr, ".")
	case window == time.Minute:
		fmt.Fprintf(o.Stderr, ": %s at the limit of %d a minute.\n", shownMinutes(reading.left), calls)
	default:
		fmt.Fprintf(o.Stderr, ": %s at the limit of %d in %s.\n", shownMinutes(reading.left), calls, window)
	}
	return reading
}

// minutes that the calls wait for the next windows.
func (p *progress) minutes() int {
	calls, window, known := p.Pace.limit()
	if !known {
		return 0
	}
	waits := (begun+p.each*p.labels)/calls - (begun+p.each*p.finished)/calls
	return int(time.Duration(waits) * window / time.Minute)
}

// label counts one. The caller holds the mutex of the read.
func (p *progress) label() {
	p.finished++
	left := p.minutes()
	if left < p.left {
		fmt.Fprintf(p.Stderr, "%d of %s are read: %s left.\n", p.finished, listing.Count(p.labels, "private label"), shownMinutes(left))
	}
	p.left = left
}

func shownMinutes(n int) string {
	if n == 0 {
		return "less than a minute"
	}
	return fmt.Sprintf("about %d min", n)
}
