package simulator

import (
	"math"
	"net/http"
	"slices"
	"strconv"
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
)

// Fault makes requests of a route fail, before or after their effect.
type Fault struct {
	Route      string // route by its name in the journal; "" is any
	Kind       FaultKind
	After      bool          // the effect happens, and its response is lost
	Skip       int           // this many requests succeed first
	Times      int           // how often; -1 is always, 0 is once
	RetryAfter time.Duration // of FaultRateLimit; 0 is a second
	Hook       func()        // called before or after the effect, while the simulator can handle other calls
}

// distorts reports whether the response differs from the simulator's own.
func (f *Fault) distorts() bool {
	return f != nil && f.Kind != FaultNone
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
		return refused(refuse(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "Something went wrong."))
	case FaultHTML:
		return gatewayPage(http.StatusBadGateway)
	case FaultPage:
		return gatewayPage(http.StatusOK)
	case FaultUnauthorized:
		return refused(errUnauthorized)
	case FaultForbidden:
		return refused(errForbidden)
	case FaultRateLimit:
		wait := max(f.RetryAfter, time.Second)
		header := http.Header{"Retry-After": {wholeSeconds(wait)}}
		return withHeader(tooMany(header), header)
	case FaultReset, FaultTimeout, FaultTruncated:
		if !f.After {
			return &response{status: http.StatusOK, header: http.Header{}}
		}
		return nil
	case FaultNone:
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
	fs.list = append(fs.list, &f)
}

func (fs *faults) clear() {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.list = nil
}

// take returns the fault that occurs for this request, if any.
func (fs *faults) take(route string) *Fault {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for i, f := range fs.list {
		switch {
		case f.Route != "" && f.Route != route:
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
