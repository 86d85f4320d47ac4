package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Limits of a check. Retries and the token exchange count toward maxCalls.
const (
	maxCalls    = 40
	maxBody     = 16<<20 + 1 // bytes of one response, one more than the client accepts
	maxRecorded = 64 << 20   // bytes of all responses
)

// errLimit: a limit of the check itself.
var (
	errLimit  = errors.New("the check ended")
	errCalls  = fmt.Errorf("%w, because it had made %d calls", errLimit, maxCalls)
	errVolume = fmt.Errorf("%w, because the responses have more than %d MB", errLimit, maxRecorded>>20)
)

// recorder keeps what a check sends and receives. Calls are made one after another.
type recorder struct {
	clock     transport.Clock
	started   time.Time
	exchanges []Exchange
	volume    int
}

// wire is the recorded transport of one API.
type wire struct {
	*recorder
	api   string
	bases []string // base URLs of the API
	next  http.RoundTripper
}

// recordedHeaders are those of a response that show something of the API.
var recordedHeaders = []string{
	"Content-Type", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy", "Retry-After", "X-Request-Id",
}

// RoundTrip sends a request if the limits of the check allow it. The client gets the response as it came.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	switch {
	case len(w.exchanges) >= maxCalls:
		return nil, transport.NotSent(errCalls)
	case w.volume > maxRecorded:
		return nil, transport.NotSent(errVolume)
	}
	var sent []byte
	if req.GetBody != nil {
		if body, err := req.GetBody(); err == nil {
			sent, _ = io.ReadAll(body) // of memory
		}
	}
	path := req.URL.EscapedPath()
	for _, base := range w.bases {
		if at, err := url.Parse(base); err == nil && strings.EqualFold(at.Host, req.URL.Host) {
			path = strings.TrimPrefix(path, strings.TrimRight(at.EscapedPath(), "/"))
		}
	}
	e := Exchange{API: w.api, At: w.sinceStart(), Request: Request{Method: req.Method, Path: path, Body: sent}}
	for name := range req.URL.Query() {
		e.Request.Query = with(e.Request.Query, name, req.URL.Query().Get(name))
	}
	resp, err := w.next.RoundTrip(req)
	if err != nil {
		e.Failure = failureOf(err)
	} else {
		e.Response, e.Failure = w.receive(resp)
	}
	e.Took = w.sinceStart() - e.At
	w.exchanges = append(w.exchanges, e)
	return resp, err
}

func (r *recorder) sinceStart() int64 {
	return r.clock.Now().Sub(r.started).Milliseconds()
}

// receive reads the body and puts it back, with the error that ended it.
func (r *recorder) receive(resp *http.Response) (*Response, string) {
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	_ = resp.Body.Close()
	r.volume += len(body)
	failure := ""
	resp.Body = io.NopCloser(bytes.NewReader(body))
	if err != nil {
		failure = failureInterrupted
		resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{err}))
	}
	out := &Response{Status: resp.StatusCode}
	if json.Valid(body) {
		out.Body = body
	} else {
		out.Text = strings.ToValidUTF8(string(body), "\uFFFD")
	}
	for _, name := range recordedHeaders {
		if value := resp.Header.Get(name); value != "" {
			out.Header = with(out.Header, name, value)
		}
	}
	return out, failure
}

func with(m map[string]string, name, value string) map[string]string {
	if m == nil {
		m = map[string]string{}
	}
	m[name] = value
	return m
}

// failing is a reader that only has an error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	return 0, f.err
}

// Kinds of failures. An error's text may have names and addresses.
const (
	failureUnsent      = "no connection"
	failureTimeout     = "no response in time"
	failureInterrupted = "the response was interrupted"
	failureOther       = "no response"
)

func failureOf(err error) string {
	switch {
	case transport.NeverSent(err):
		return failureUnsent
	case errors.Is(err, context.DeadlineExceeded):
		return failureTimeout
	}
	return failureOther
}

// player is the transport that answers from a transcript.
type player struct {
	left []Exchange // not played yet, in order
}

// transportOf returns the transport of one API.
func (p *player) transportOf(api string) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		at := slices.IndexFunc(p.left, func(e Exchange) bool {
			return e.API == api && e.Request.Method == req.Method && e.Request.Path == req.URL.EscapedPath()
		})
		if at < 0 {
			return nil, transport.NotSent(errNotRecorded)
		}
		e := p.left[at]
		p.left = slices.Delete(p.left, at, at+1)
		if e.Response == nil {
			if e.Failure == failureUnsent {
				return nil, transport.NotSent(errors.New(e.Failure))
			}
			return nil, errors.New(e.Failure)
		}
		body := io.Reader(bytes.NewReader(append([]byte(e.Response.Text), e.Response.Body...)))
		if e.Failure != "" {
			body = io.MultiReader(body, failing{io.ErrUnexpectedEOF})
		}
		header := http.Header{}
		for name, value := range e.Response.Header {
			header.Set(name, value)
		}
		return &http.Response{StatusCode: e.Response.Status, Header: header, Body: io.NopCloser(body), Request: req, ContentLength: -1}, nil
	})
}

var errNotRecorded = errors.New("the transcript has no response to this call")

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	return f(req)
}

// playedClock is the time of a replay: it starts when the check did, and no wait takes time.
type playedClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *playedClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *playedClock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return ctx.Err()
}
