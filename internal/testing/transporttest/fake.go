// Package transporttest fakes an API and a clock for tests.
package transporttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// URL is the base URL for a client of a Fake, which ignores the host.
const URL = "https://api.example"

// Fake is an API with predefined responses. It replaces the network and records the requests. A call is the method and
// the URI of a request: "GET /console/dashboard".
type Fake struct {
	Before func() // called before each response, if set

	tb testing.TB

	mu       sync.Mutex
	next     func(call string) Answer // nil for an unexpected call
	calls    []string
	requests []*http.Request
	bodies   []string
}

// Expect returns a fake that expects the exchanges of a script in this order. At the end of the test all must have been made.
func Expect(tb testing.TB, script string, own ...Answers) *Fake {
	tb.Helper()
	steps := readScript(tb, script, own)
	f, done := &Fake{tb: tb}, 0
	f.next = func(call string) Answer {
		if done == len(steps) || steps[done].call != call {
			return nil
		}
		done++
		return steps[done-1].answer
	}
	tb.Cleanup(func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if done < len(steps) {
			tb.Errorf("%d of %d expected requests were made; the next would be %s", done, len(steps), steps[done].call)
		}
	})
	return f
}

// Serve returns a fake that accepts the calls of a script in any order, any number of times. The last response to a call
// repeats.
func Serve(tb testing.TB, script string, own ...Answers) *Fake {
	tb.Helper()
	answers, done := map[string][]Answer{}, map[string]int{}
	for _, e := range readScript(tb, script, own) {
		answers[e.call] = append(answers[e.call], e.answer)
	}
	return &Fake{tb: tb, next: func(call string) Answer {
		if len(answers[call]) == 0 {
			return nil
		}
		done[call]++
		return answers[call][min(done[call], len(answers[call]))-1]
	}}
}

func (f *Fake) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	call := r.Method + " " + r.URL.RequestURI()
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	assert.Equal(f.tb, int64(len(body)), r.ContentLength, "%s: Content-Length, want %d", call, len(body))
	f.mu.Lock()
	answer, before := f.next(call), len(f.calls)
	f.calls, f.requests, f.bodies = append(f.calls, call), append(f.requests, r), append(f.bodies, string(body))
	f.mu.Unlock()
	if answer == nil {
		f.tb.Errorf("request %d is %s, which is not expected", before, call)
		answer = Reply(http.StatusTeapot, "not expected")
	}
	if f.Before != nil {
		f.Before()
	}
	sent := r.Clone(r.Context())
	sent.Body = io.NopCloser(bytes.NewReader(body))
	return answer(sent)
}

func readBody(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(r.Body)
	return body, errors.Join(err, r.Body.Close())
}

func (f *Fake) Calls() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls)
}

func (f *Fake) Count(call string) (n int) {
	for _, sent := range f.Calls() {
		if sent == call {
			n++
		}
	}
	return n
}

// Request returns request number i without its body.
func (f *Fake) Request(i int) *http.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.requests[i]
}

func (f *Fake) Body(i int) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bodies[i]
}

// Token returns the access token or API key of request number i.
func (f *Fake) Token(i int) string {
	return strings.TrimPrefix(f.Request(i).Header.Get("Authorization"), "Bearer ")
}

// Part is one part of a form as it was sent.
type Part struct{ Name, FileName, ContentType, Content string }

func (f *Fake) Form(i int) []Part {
	f.tb.Helper()
	kind, params, err := mime.ParseMediaType(f.Request(i).Header.Get("Content-Type"))
	require.NoError(f.tb, err, "call %d has the type %q", i, kind)
	require.Equal(f.tb, "multipart/form-data", kind, "call %d has the type", i)
	var parts []Part
	reader := multipart.NewReader(strings.NewReader(f.Body(i)), params["boundary"])
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return parts
		}
		require.NoError(f.tb, err)
		content, err := io.ReadAll(part)
		require.NoError(f.tb, err)
		parts = append(parts, Part{part.FormName(), part.FileName(), part.Header.Get("Content-Type"), string(content)})
	}
}

func MustJSON(tb testing.TB, text string) map[string]any {
	tb.Helper()
	var v map[string]any
	require.NoError(tb, json.Unmarshal([]byte(text), &v), "%q", text)
	return v
}
