package transporttest

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

const (
	StubKey   = "pk_live_00112233445566778899aabbccddeeff_0123456789abcdefSECRET"
	StubID    = "00112233445566778899aabbccddeeff"
	StubHost  = "sign.stub.example"
	StubOwner = "ada@stub.example"
	StubSlug  = "stub-reseller.example"
)

// StubReply is one answer, or the failure to get one.
type StubReply struct {
	Status int
	Body   string
	Header http.Header
	Err    error
	Before func() // the answer is made
}

func StubOK(data string) StubReply {
	return StubReply{Status: http.StatusOK, Body: `{"status":"OK","data":` + data + `}`}
}

func StubErr(status int, code string) StubReply {
	return StubReply{Status: status, Body: fmt.Sprintf(`{"status":"Err","error":{"code":%q,"message":"no"}}`, code)}
}

func StubToken(token string) StubReply {
	return StubReply{Status: http.StatusOK, Body: fmt.Sprintf(`{"access_token":%q,"token_type":"Bearer","expires_in":3600,"scope":"reseller:read"}`, token)}
}

func (r StubReply) With(name, value string) StubReply {
	if r.Header = r.Header.Clone(); r.Header == nil {
		r.Header = http.Header{}
	}
	r.Header.Set(name, value)
	return r
}

// Stub answers the calls of each kind ("POST private-labels") in turn; the last
// answer of a kind stays.
type Stub struct {
	T       *testing.T
	mu      sync.Mutex
	Replies map[string][]StubReply
	seen    []string
	bodies  []string
}

func (s *Stub) kind(req *http.Request) string {
	parts := strings.Split(req.URL.Path, "/")
	return req.Method + " " + parts[len(parts)-1]
}

func (s *Stub) RoundTrip(req *http.Request) (*http.Response, error) {
	kind, body := s.kind(req), ""
	if req.Body != nil {
		raw, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		body = string(raw)
		if req.ContentLength != int64(len(raw)) {
			s.T.Errorf("%s: Content-Length %d, want %d", kind, req.ContentLength, len(raw))
		}
	}
	s.mu.Lock()
	s.seen, s.bodies = append(s.seen, kind), append(s.bodies, body)
	queue := s.Replies[kind]
	if len(queue) == 0 {
		s.mu.Unlock()
		s.T.Errorf("unexpected call %s", kind)
		return nil, io.ErrUnexpectedEOF
	}
	reply := queue[0]
	if len(queue) > 1 {
		s.Replies[kind] = queue[1:]
	}
	s.mu.Unlock()
	if reply.Before != nil {
		reply.Before()
	}
	if reply.Err != nil {
		return nil, reply.Err
	}
	header := reply.Header
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{StatusCode: reply.Status, Header: header, Body: io.NopCloser(strings.NewReader(reply.Body)), Request: req}, nil
}

func (s *Stub) Count(kind string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.seen {
		if k == kind {
			n++
		}
	}
	return n
}

func (s *Stub) Calls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

const (
	StubList      = "GET private-labels"
	StubProvision = "POST private-labels"
	StubDetail    = "GET " + StubID
	StubDelete    = "DELETE " + StubID
	StubExchange  = "POST token"
	StubBoard     = "GET dashboard"

	StubNoLabels  = `{"privateLabels":[],"provisionedCount":0,"period":"2026-10"}`
	StubOneLabel  = `{"privateLabels":[{"tenantId":"` + StubID + `","primaryHost":"SIGN.stub.example"}],"provisionedCount":1,"period":"2026-10"}`
	StubTheDetail = `{"tenantId":"` + StubID + `","primaryHost":"` + StubHost + `","owner":{"userId":"u","email":"ADA@stub.example"},"domainSetup":{"attached":true}}`
	StubMade      = `{"tenantId":"` + StubID + `","ownerUserId":"u","domainSetup":{"attached":true}}`
)
