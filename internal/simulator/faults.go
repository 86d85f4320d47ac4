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
	// FaultNone distorts nothing: for a Fault that is only a Hook.
	FaultNone FaultKind = iota
	// FaultServerError answers 500 INTERNAL_SERVER_ERROR (§7.1).
	FaultServerError
	// FaultReset closes the connection without an answer.
	FaultReset
	// FaultTimeout never answers, until the client goes away.
	FaultTimeout
	// FaultTruncated breaks the answer off in the middle of its body.
	FaultTruncated
	// FaultHTML answers 502 with a page, as a proxy does.
	FaultHTML
	// FaultPage answers 200 with a page, as a captive portal does.
	FaultPage
	// FaultRateLimit answers 429 with a Retry-After.
	FaultRateLimit
	// FaultUnauthorized answers 401.
	FaultUnauthorized
	// FaultForbidden answers 403 FORBIDDEN.
	FaultForbidden
)

// Fault goes wrong with requests of a route, before their effect or after it.
type Fault struct {
	Route      string // as the journal names it; "" is any
	Kind       FaultKind
	After      bool          // the effect happens, its answer is lost
	Skip       int           // this many requests go well first
	Times      int           // how often; -1 is always, 0 is once
	RetryAfter time.Duration // of FaultRateLimit; 0 is a second
	Hook       func()        // called before the effect or after it, with the service free for other calls
}

// distorts reports whether the answer is another than the service's own.
func (f *Fault) distorts() bool {
	return f != nil && f.Kind != FaultNone
}

// hook calls the Hook of a fault that strikes here.
func (f *Fault) hook(after bool) {
	if f != nil && f.Hook != nil && f.After == after {
		f.Hook()
	}
}

// answer in place of the service's own; nil for the faults of the connection,
// which keep it.
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

// faults that are waiting to strike.
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

// take returns the fault that strikes this request, if one does.
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
