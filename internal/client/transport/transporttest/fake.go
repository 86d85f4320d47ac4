// Package transporttest fakes an API and a clock for tests.
package transporttest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

// What the fakes know. The key has the form of §2.9.
const (
	Key        = "pk_live_0123456789abcdef0123456789abcdef_AbCdEfGhIjKlMnOp"
	GivenToken = "given-access-token"
	Slug       = "reseller.example"
	ID         = "0123456789abcdef0123456789abcdef"
	OtherID    = "ffffffffffffffffffffffffffffffff"
	OwnerID    = "11111111111111111111111111111111"
	Host       = "sign.customer.example"
	Owner      = "owner@customer.example"

	ReqExchange  = "POST /api/v1/auth/token"
	ReqDashboard = "GET /console/dashboard"
	ReqList      = "GET /console/reseller.example/reseller/private-labels"
	ReqDetail    = "GET /console/reseller.example/reseller/private-labels/" + ID
	ReqProvision = "POST /console/reseller.example/reseller/private-labels"
	ReqDelete    = "DELETE /console/reseller.example/reseller/private-labels/" + ID
	ReqSuspend   = "POST /console/reseller.example/reseller/private-labels/" + ID + "/suspend"
	ReqUnsuspend = "POST /console/reseller.example/reseller/private-labels/" + ID + "/unsuspend"
	ReqAttach    = "POST /console/reseller.example/reseller/private-labels/" + ID + "/domain/attach"
	ReqTemplates = "GET /console/reseller.example/reseller/private-labels/" + ID + "/templates"

	NoLabels    = `{"privateLabels":[],"provisionedCount":0,"period":"2026-10"}`
	OneLabel    = `{"privateLabels":[{"tenantId":"` + ID + `","primaryHost":"` + Host + `","status":"Active"}],"provisionedCount":1,"period":"2026-10"}`
	Detail      = `{"tenantId":"` + ID + `","primaryHost":"` + Host + `","status":"Active","owner":{"userId":"` + OwnerID + `","email":"` + Owner + `","firstName":"Olive","lastName":"Owner"},"memberCount":1,"domainSetup":{"attached":true,"verified":false,"records":[]}}`
	Provisioned = `{"tenantId":"` + ID + `","ownerUserId":"` + OwnerID + `","domainSetup":{"attached":true,"verified":false,"records":[]}}`
	Dashboard   = `{"totalDomains":1,"totalUsers":2,"domains":[],"isReseller":true,"slug":"` + Slug + `"}`
)

var Start = time.Date(2026, 10, 5, 12, 0, 0, 0, time.UTC)

// Clock moves when it is slept on, and remembers how long.
type Clock struct {
	mu      sync.Mutex
	now     time.Time
	Sleeps  []time.Duration
	OnSleep func() // called before each sleep
}

func NewClock() *Clock { return &Clock{now: Start} }

func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	if c.OnSleep != nil {
		c.OnSleep()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.Sleeps = append(c.Sleeps, d)
	return nil
}

func (c *Clock) Move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func (c *Clock) Slept() (total time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range c.Sleeps {
		total += d
	}
	return total
}

// Step is one request that the fake expects, and its answer.
type Step struct {
	Request string
	Answer  Answer
}

type Answer func(w http.ResponseWriter, r *http.Request)

// Service is a fake with an ordered list of expected requests.
type Service struct {
	*httptest.Server
	t testing.TB

	mu     sync.Mutex
	steps  []Step
	done   int
	bodies []string
	Auth   []string // the tokens that the requests carried
}

// Serve starts a fake; at the end of the test every step must have been used.
func Serve(tb testing.TB, steps ...Step) *Service {
	tb.Helper()
	s := &Service{t: tb, steps: steps}
	s.Server = httptest.NewServer(s)
	tb.Cleanup(func() {
		s.Close()
		if s.done < len(s.steps) {
			tb.Errorf("%d of %d expected requests were made; the next would be %s", s.done, len(s.steps), s.steps[s.done].Request)
		}
	})
	return s
}

func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	got := r.Method + " " + r.URL.RequestURI()
	s.mu.Lock()
	s.bodies = append(s.bodies, string(body))
	s.Auth = append(s.Auth, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	if s.done >= len(s.steps) || s.steps[s.done].Request != got {
		at := s.done
		s.mu.Unlock()
		s.t.Errorf("request %d is %s, which is not expected", at, got)
		http.Error(w, "not expected", http.StatusTeapot)
		return
	}
	next := s.steps[s.done]
	s.done++
	s.mu.Unlock()
	next.Answer(w, r)
}

func (s *Service) Body(i int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bodies[i]
}

func (s *Service) Token(i int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Auth[i]
}

func Reply(status int, body string, headers ...string) Answer {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func OK(data string, headers ...string) Answer {
	return Reply(http.StatusOK, `{"status":"OK","data":`+data+`}`, headers...)
}

func Refuse(status int, code string, headers ...string) Answer {
	word := "Err"
	if status >= http.StatusInternalServerError {
		word = "Fail"
	}
	return Reply(status, fmt.Sprintf(`{"status":%q,"error":{"code":%q,"message":"says the service"}}`, word, code), headers...)
}

func HTML(status int) Answer {
	return Reply(status, "<html><body>Bad gateway</body></html>", "Content-Type", "text/html")
}

func Limited(headers ...string) Answer {
	return Reply(http.StatusTooManyRequests, `{"error":"Too many requests, please try again later."}`, headers...)
}

func Grant(token string) Answer { return GrantFor(token, 3600) }

func GrantFor(token string, seconds int) Answer {
	return Reply(http.StatusOK, fmt.Sprintf(`{"access_token":%q,"token_type":"Bearer","expires_in":%d,"scope":"reseller:read reseller:provision"}`, token, seconds), "X-Request-Id", "request-1")
}

// Reset closes the connection without an answer.
func Reset(w http.ResponseWriter, _ *http.Request) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

// Truncated breaks off in the middle of the body.
func Truncated(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, `{"status":"OK","data":{"pri`)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// Raw is an answer as it stands, whether that is HTTP or not.
func Raw(text string) Answer {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_, _ = io.WriteString(conn, text)
			_ = conn.Close()
		}
	}
}

// Silent never answers.
func Silent(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// Logged returns a context whose log, down to TRACE, can be read.
func Logged(tb testing.TB) (context.Context, *Buffer) {
	tb.Helper()
	var out Buffer
	return tflogtest.RootLogger(tb.Context(), &out), &out
}

type Buffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func MustJSON(tb testing.TB, text string) map[string]any {
	tb.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		tb.Fatalf("%q: %v", text, err)
	}
	return v
}

// RoundTrip is a transport made of a function.
type RoundTrip func(*http.Request) (*http.Response, error)

func (f RoundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// InMemory answers without a network, for tests that live in a synctest bubble.
func InMemory(h http.Handler) RoundTrip {
	return func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Result(), nil
	}
}

func CountOf(text, part string) int { return strings.Count(text, part) }
