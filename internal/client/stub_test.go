package client

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	stubKey   = "pk_live_00112233445566778899aabbccddeeff_0123456789abcdefSECRET"
	stubID    = "00112233445566778899aabbccddeeff"
	stubHost  = "sign.stub.example"
	stubOwner = "ada@stub.example"
	stubSlug  = "stub-reseller.example"
)

// stubReply is one answer, or the failure to get one.
type stubReply struct {
	status int
	body   string
	header http.Header
	err    error
	before func() // the answer is made
}

func stubOK(data string) stubReply {
	return stubReply{status: http.StatusOK, body: `{"status":"OK","data":` + data + `}`}
}

func stubErr(status int, code string) stubReply {
	return stubReply{status: status, body: fmt.Sprintf(`{"status":"Err","error":{"code":%q,"message":"no"}}`, code)}
}

func stubToken(token string) stubReply {
	return stubReply{status: http.StatusOK, body: fmt.Sprintf(`{"access_token":%q,"token_type":"Bearer","expires_in":3600,"scope":"reseller:read"}`, token)}
}

func (r stubReply) with(name, value string) stubReply {
	if r.header = r.header.Clone(); r.header == nil {
		r.header = http.Header{}
	}
	r.header.Set(name, value)
	return r
}

// stub answers the calls of each kind ("POST private-labels") in turn; the last
// answer of a kind stays.
type stub struct {
	t       *testing.T
	mu      sync.Mutex
	replies map[string][]stubReply
	seen    []string
	bodies  []string
}

func (s *stub) kind(req *http.Request) string {
	parts := strings.Split(req.URL.Path, "/")
	return req.Method + " " + parts[len(parts)-1]
}

func (s *stub) RoundTrip(req *http.Request) (*http.Response, error) {
	kind, body := s.kind(req), ""
	if req.Body != nil {
		raw, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		body = string(raw)
		if req.ContentLength != int64(len(raw)) {
			s.t.Errorf("%s: Content-Length %d, want %d", kind, req.ContentLength, len(raw))
		}
	}
	s.mu.Lock()
	s.seen, s.bodies = append(s.seen, kind), append(s.bodies, body)
	queue := s.replies[kind]
	if len(queue) == 0 {
		s.mu.Unlock()
		s.t.Errorf("unexpected call %s", kind)
		return nil, io.ErrUnexpectedEOF
	}
	reply := queue[0]
	if len(queue) > 1 {
		s.replies[kind] = queue[1:]
	}
	s.mu.Unlock()
	if reply.before != nil {
		reply.before()
	}
	if reply.err != nil {
		return nil, reply.err
	}
	header := reply.header
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{StatusCode: reply.status, Header: header, Body: io.NopCloser(strings.NewReader(reply.body)), Request: req}, nil
}

func (s *stub) count(kind string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.seen {
		if k == kind {
			n++
		}
	}
	return n
}

func (s *stub) calls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

const (
	stubList      = "GET private-labels"
	stubProvision = "POST private-labels"
	stubDetail    = "GET " + stubID
	stubDelete    = "DELETE " + stubID
	stubExchange  = "POST token"
	stubBoard     = "GET dashboard"

	stubNoLabels  = `{"privateLabels":[],"provisionedCount":0,"period":"2026-10"}`
	stubOneLabel  = `{"privateLabels":[{"tenantId":"` + stubID + `","primaryHost":"SIGN.stub.example"}],"provisionedCount":1,"period":"2026-10"}`
	stubTheDetail = `{"tenantId":"` + stubID + `","primaryHost":"` + stubHost + `","owner":{"userId":"u","email":"ADA@stub.example"},"domainSetup":{"attached":true}}`
	stubMade      = `{"tenantId":"` + stubID + `","ownerUserId":"u","domainSetup":{"attached":true}}`
)

// stubbed makes a client with a token and a slug of its own.
func stubbed(t *testing.T, replies map[string][]stubReply, change ...func(*Config)) (*Client, *stub, *fakeClock) {
	t.Helper()
	s, clock := &stub{t: t, replies: replies}, newClock()
	cfg := Config{
		BaseURL: "https://api.stub.example", AccessToken: "a-token-from-outside", Slug: stubSlug,
		MaxWait: 15 * time.Minute, MaxRetries: 2, Transport: s, Clock: clock,
	}
	for _, f := range change {
		f(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c, s, clock
}

func stubWithKey(dir string) func(*Config) {
	return func(cfg *Config) { cfg.APIKey, cfg.AccessToken, cfg.TokenCacheDir = stubKey, "", dir }
}

func stubRequest() ProvisionRequest {
	return ProvisionRequest{Domain: stubHost, AppName: "Stub", Owner: ProvisionOwner{Email: stubOwner, FirstName: "Ada", LastName: "L"}}
}
