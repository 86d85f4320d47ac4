package simulator

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// FaultKind is what goes wrong with a request.
type FaultKind int

const (
	// FaultNone changes nothing: for a Fault that only has a Hook.
	FaultNone FaultKind = iota
	// FaultServerError responds with 500 INTERNAL_SERVER_ERROR (§7.1).
	FaultServerError
	// FaultReset closes the connection without a response.
	FaultReset
	// FaultTimeout never responds, until the client disconnects.
	FaultTimeout
	// FaultTruncated ends the response in the middle of its body.
	FaultTruncated
	// FaultHTML responds with 502 and a page, as a proxy does.
	FaultHTML
	// FaultPage responds with 200 and a page, as a captive portal does.
	FaultPage
	// FaultRateLimit responds with 429 and a Retry-After.
	FaultRateLimit
	// FaultUnauthorized responds with 401.
	FaultUnauthorized
	// FaultForbidden responds with 403 FORBIDDEN.
	FaultForbidden
	// FaultStale responds to a read with what was there before the last request of the route Since.
	FaultStale
)

// Fault makes requests of a route fail, before or after their effect.
type Fault struct {
	Route      string // route by its name in the journal of the default forms; "" is any
	Kind       FaultKind
	After      bool          // the effect happens, and its response is lost
	Skip       int           // this many requests succeed first
	Times      int           // how often; -1 is always, 0 is once
	RetryAfter time.Duration // of FaultRateLimit; 0 is a second
	Since      string        // if set, the fault waits for a request of this route
	Hook       func()        // called before or after the effect, while the simulator can handle other calls

	waits  bool  // for a request of Since
	before *data // as it was before that request, for FaultStale
}

// distorts reports whether the response differs from the simulator's own.
func (f *Fault) distorts() bool {
	return f != nil && f.Kind != FaultNone && f.Kind != FaultStale
}

// hook calls the Hook of a fault that occurs here.
func (f *Fault) hook(after bool) {
	if f != nil && f.Hook != nil && f.After == after {
		f.Hook()
	}
}

// answer replaces the simulator's response; nil for the faults of the connection, which keep it.
func (f *Fault) answer() *response {
	switch f.Kind {
	case FaultServerError:
		return rejected(reject(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "Something went wrong."))
	case FaultHTML:
		return gatewayPage(http.StatusBadGateway)
	case FaultPage:
		return gatewayPage(http.StatusOK)
	case FaultUnauthorized:
		return rejected(errUnauthorized)
	case FaultForbidden:
		return rejected(errForbidden)
	case FaultRateLimit:
		wait := max(f.RetryAfter, time.Second)
		header := http.Header{"Retry-After": {wholeSeconds(wait)}}
		return withHeader(tooMany(header), header)
	case FaultReset, FaultTimeout, FaultTruncated:
		if !f.After {
			return &response{status: http.StatusOK, header: http.Header{}}
		}
		return nil
	case FaultNone, FaultStale:
		return nil
	}
	return nil
}

func gatewayPage(status int) *response {
	return &response{
		status: status,
		header: http.Header{"Content-Type": {"text/html"}},
		body:   []byte("<!doctype html><html><head><title>Gateway</title></head><body><h1>Bad gateway</h1></body></html>"),
	}
}

// faults are those that have not occurred yet.
type faults struct {
	mu   sync.Mutex
	list []*Fault
}

func (fs *faults) add(f Fault) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if f.Times == 0 {
		f.Times = 1
	}
	f.waits = f.Since != ""
	fs.list = append(fs.list, &f)
}

func (fs *faults) clear() {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.list = nil
}

// begin ends the wait of the faults for requests of a route, which begins now.
func (fs *faults) begin(route string, d *data) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, f := range fs.list {
		if f.Since != "" && f.Since == route {
			f.waits = false
			if f.Kind == FaultStale {
				f.before, _ = d.clone() // without a copy, the fault has no effect
			}
		}
	}
}

// next returns the fault that occurs for this request, if any.
func (fs *faults) next(route string) *Fault {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for i, f := range fs.list {
		switch {
		case f.Route != "" && f.Route != route, f.waits:
			continue
		case f.Skip > 0:
			f.Skip--
			continue
		case f.Times > 0:
			f.Times--
			if f.Times == 0 {
				fs.list = slices.Delete(fs.list, i, i+1)
			}
		}
		struck := *f
		return &struck
	}
	return nil
}

func wholeSeconds(d time.Duration) string {
	return strconv.Itoa(int(math.Ceil(d.Seconds())))
}

// FaultNamed returns a kind of fault by its name in `simulate do`.
func FaultNamed(name string) (kind FaultKind, known bool) {
	kind, known = faultKinds[name]
	return kind, known
}

// faultKinds are the faults that `simulate do` has, by name.
var faultKinds = map[string]FaultKind{
	"500": FaultServerError, "502": FaultHTML, "429": FaultRateLimit, "401": FaultUnauthorized, "403": FaultForbidden,
	"reset": FaultReset, "timeout": FaultTimeout, "cut": FaultTruncated, "page": FaultPage,
}

// keptFault is a fault in the data file, for the next requests of any process.
type keptFault struct {
	Route string `json:"route"`
	Kind  string `json:"kind"`
	After bool   `json:"after,omitempty"`
	Times int    `json:"times"`
}

// keepFault adds a fault to the data file. A route is "POST /…/suspend", or as much of its end as only one route has.
func (s *Simulator) keepFault(route, kind string, after bool, times int) error {
	if _, known := faultKinds[kind]; !known {
		return fmt.Errorf("%s is not a kind of fault", kind)
	}
	method, path, _ := strings.Cut(route, " ")
	var fitting []string
	for _, r := range s.routes {
		if r.name() == route {
			fitting = []string{route}
			break
		}
		if r.method == method && path != "" && strings.HasSuffix(r.pattern, path) {
			fitting = append(fitting, r.name())
		}
	}
	if len(fitting) != 1 {
		const example = "POST /console/:slug/reseller/private-labels"
		return fmt.Errorf("%q matches %d routes. Use a name from the list of calls on the page, such as %q", route, len(fitting), example)
	}
	return s.locked(func() (effect, error) {
		s.store.live.Faults = append(s.store.live.Faults, &keptFault{fitting[0], kind, after, times})
		return effectLive, nil
	})
}

// takeFault returns the fault of the data file that occurs for this request, if any.
func (l *live) takeFault(route string) *Fault {
	at := slices.IndexFunc(l.Faults, func(f *keptFault) bool { return f != nil && f.Route == route })
	if at < 0 {
		return nil
	}
	f := l.Faults[at]
	f.Times--
	if f.Times < 1 {
		l.Faults = slices.Delete(l.Faults, at, at+1)
	}
	return &Fault{Kind: faultKinds[f.Kind], After: f.After}
}
