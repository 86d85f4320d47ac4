package client

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
	testKey   = "pk_live_0123456789abcdef0123456789abcdef_AbCdEfGhIjKlMnOp"
	givenTok  = "given-access-token"
	testSlug  = "reseller.example"
	testID    = "0123456789abcdef0123456789abcdef"
	otherID   = "ffffffffffffffffffffffffffffffff"
	ownerID   = "11111111111111111111111111111111"
	testHost  = "sign.customer.example"
	testOwner = "owner@customer.example"

	reqExchange  = "POST /api/v1/auth/token"
	reqDashboard = "GET /console/dashboard"
	reqList      = "GET /console/reseller.example/reseller/private-labels"
	reqDetail    = "GET /console/reseller.example/reseller/private-labels/" + testID
	reqProvision = "POST /console/reseller.example/reseller/private-labels"
	reqDelete    = "DELETE /console/reseller.example/reseller/private-labels/" + testID
	reqSuspend   = "POST /console/reseller.example/reseller/private-labels/" + testID + "/suspend"
	reqUnsuspend = "POST /console/reseller.example/reseller/private-labels/" + testID + "/unsuspend"
	reqAttach    = "POST /console/reseller.example/reseller/private-labels/" + testID + "/domain/attach"
	reqTemplates = "GET /console/reseller.example/reseller/private-labels/" + testID + "/templates"

	noLabels  = `{"privateLabels":[],"provisionedCount":0,"period":"2026-10"}`
	oneLabel  = `{"privateLabels":[{"tenantId":"` + testID + `","primaryHost":"` + testHost + `","status":"Active"}],"provisionedCount":1,"period":"2026-10"}`
	theDetail = `{"tenantId":"` + testID + `","primaryHost":"` + testHost + `","status":"Active","owner":{"userId":"` + ownerID + `","email":"` + testOwner + `","firstName":"Olive","lastName":"Owner"},"memberCount":1,"domainSetup":{"attached":true,"verified":false,"records":[]}}`
	theMade   = `{"tenantId":"` + testID + `","ownerUserId":"` + ownerID + `","domainSetup":{"attached":true,"verified":false,"records":[]}}`
	theBoard  = `{"totalDomains":1,"totalUsers":2,"domains":[],"isReseller":true,"slug":"` + testSlug + `"}`
)

var testStart = time.Date(2026, 10, 5, 12, 0, 0, 0, time.UTC)

// fakeClock moves when it is slept on, and remembers how long.
type fakeClock struct {
	mu     sync.Mutex
	now    time.Time
	sleeps []time.Duration
}

func newClock() *fakeClock { return &fakeClock{now: testStart} }

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.sleeps = append(c.sleeps, d)
	return nil
}

func (c *fakeClock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func (c *fakeClock) slept() (total time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range c.sleeps {
		total += d
	}
	return total
}

// step is one request that the fake expects, and its answer.
type step struct {
	request string
	answer  answer
}

type answer func(w http.ResponseWriter, r *http.Request)

// service is a fake with an ordered list of expected requests.
type service struct {
	*httptest.Server
	t testing.TB

	mu     sync.Mutex
	steps  []step
	done   int
	bodies []string
	auth   []string // the tokens that the requests carried
}

// serve starts a fake; at the end of the test every step must have been used.
func serve(tb testing.TB, steps ...step) *service {
	tb.Helper()
	s := &service{t: tb, steps: steps}
	s.Server = httptest.NewServer(s)
	tb.Cleanup(func() {
		s.Close()
		if s.done < len(s.steps) {
			tb.Errorf("%d of %d expected requests were made; the next would be %s", s.done, len(s.steps), s.steps[s.done].request)
		}
	})
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	got := r.Method + " " + r.URL.RequestURI()
	s.mu.Lock()
	s.bodies = append(s.bodies, string(body))
	s.auth = append(s.auth, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	if s.done >= len(s.steps) || s.steps[s.done].request != got {
		at := s.done
		s.mu.Unlock()
		s.t.Errorf("request %d is %s, which is not expected", at, got)
		http.Error(w, "not expected", http.StatusTeapot)
		return
	}
	next := s.steps[s.done]
	s.done++
	s.mu.Unlock()
	next.answer(w, r)
}

func (s *service) body(i int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bodies[i]
}

func (s *service) token(i int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.auth[i]
}

func reply(status int, body string, headers ...string) answer {
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

func ok(data string, headers ...string) answer {
	return reply(http.StatusOK, `{"status":"OK","data":`+data+`}`, headers...)
}

func refuse(status int, code string, headers ...string) answer {
	word := "Err"
	if status >= http.StatusInternalServerError {
		word = "Fail"
	}
	return reply(status, fmt.Sprintf(`{"status":%q,"error":{"code":%q,"message":"says the service"}}`, word, code), headers...)
}

func html(status int) answer {
	return reply(status, "<html><body>Bad gateway</body></html>", "Content-Type", "text/html")
}

func limited(headers ...string) answer {
	return reply(http.StatusTooManyRequests, `{"error":"Too many requests, please try again later."}`, headers...)
}

func grant(token string) answer { return grantFor(token, 3600) }

func grantFor(token string, seconds int) answer {
	return reply(http.StatusOK, fmt.Sprintf(`{"access_token":%q,"token_type":"Bearer","expires_in":%d,"scope":"reseller:read reseller:provision"}`, token, seconds), "X-Request-Id", "request-1")
}

// reset closes the connection without an answer.
func reset(w http.ResponseWriter, _ *http.Request) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

// truncated breaks off in the middle of the body.
func truncated(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, `{"status":"OK","data":{"pri`)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// raw is an answer as it stands, whether that is HTTP or not.
func raw(text string) answer {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_, _ = io.WriteString(conn, text)
			_ = conn.Close()
		}
	}
}

// silent never answers.
func silent(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// dial makes a client of a fake. Without options it has a token and a slug, so
// that the calls of a test are those it makes itself.
func dial(tb testing.TB, s *service, change ...func(*Config)) (*Client, *fakeClock) {
	tb.Helper()
	clock := newClock()
	cfg := Config{
		BaseURL: s.URL, AccessToken: givenTok, Slug: testSlug, UserAgent: "test/1",
		MaxWait: 2 * time.Minute, MaxRetries: 3, RequestTimeout: time.Minute,
		Transport: s.Client().Transport, Clock: clock,
	}
	for _, f := range change {
		f(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	if own, isFake := cfg.Clock.(*fakeClock); isFake {
		clock = own
	}
	return c, clock
}

func withKey(cfg *Config) { cfg.APIKey, cfg.AccessToken = testKey, "" }

func withCache(dir string) func(*Config) {
	return func(cfg *Config) {
		withKey(cfg)
		cfg.TokenCacheDir = dir
	}
}

func withClock(clock Clock) func(*Config) { return func(cfg *Config) { cfg.Clock = clock } }

func withoutSlug(cfg *Config) { cfg.Slug = "" }

// logged returns a context whose log, down to TRACE, can be read.
func logged(tb testing.TB) (context.Context, *safeBuffer) {
	tb.Helper()
	var out safeBuffer
	return tflogtest.RootLogger(tb.Context(), &out), &out
}

type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func list(c *Client) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := c.ListPrivateLabels(ctx, "")
		return err
	}
}

func provisionRequest() ProvisionRequest {
	return ProvisionRequest{
		Owner:  ProvisionOwner{Email: testOwner, FirstName: "Olive", LastName: "Owner"},
		Domain: testHost, AppName: "Customer",
	}
}

func mustJSON(tb testing.TB, text string) map[string]any {
	tb.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		tb.Fatalf("%q: %v", text, err)
	}
	return v
}

// roundTrip is a transport made of a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// inMemory answers without a network, for tests that live in a synctest bubble.
func inMemory(h http.Handler) roundTrip {
	return func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Result(), nil
	}
}

func countOf(text, part string) int { return strings.Count(text, part) }
