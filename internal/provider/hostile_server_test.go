package provider_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// hostileService is a server with arbitrary responses. The honest responses come from the simulator.
type hostileService struct {
	t      *testing.T
	sim    *simulator.Simulator
	answer func(net.Conn, *hostileCall)
	url    string

	mu      sync.Mutex
	strikes func(*hostileCall) bool
	struck  int
}

// hostileCall is one request, and its honest response.
type hostileCall struct {
	*http.Request
	body     []byte
	honestly func() honestAnswer
}

type honestAnswer struct {
	status int
	header http.Header
	body   []byte
}

func newHostileService(t *testing.T, sim *simulator.Simulator, answer func(net.Conn, *hostileCall)) *hostileService {
	t.Helper()
	s := &hostileService{t: t, sim: sim, answer: answer}
	s.strike(func(*hostileCall) bool { return false })
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// strike sets which calls get the row's response.
func (s *hostileService) strike(at func(*hostileCall) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.strikes = at
}

func (s *hostileService) strikesAt(call *hostileCall) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	hits := s.strikes(call)
	if hits {
		s.struck++
	}
	return hits
}

func (s *hostileService) hits() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.struck
}

// ServeHTTP closes the connection after a hostile response, because the following data would be ambiguous.
func (s *hostileService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	call := &hostileCall{Request: r, body: body, honestly: sync.OnceValue(func() honestAnswer {
		honest := httptest.NewRecorder()
		s.sim.ServeHTTP(honest, r)
		return honestAnswer{honest.Code, honest.Header(), honest.Body.Bytes()}
	})}
	if !s.strikesAt(call) {
		s.sim.ServeHTTP(w, r)
		return
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if !assert.NoError(s.t, err) {
		return
	}
	defer func() { _ = conn.Close() }()
	s.answer(conn, call)
}

func (a honestAnswer) raw() []byte { return rawAnswer(a.status, a.header, a.body) }

// rawAnswer has exactly one length header.
func rawAnswer(status int, header http.Header, body []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	for name, values := range header {
		for _, value := range values {
			if name != "Content-Length" {
				fmt.Fprintf(&b, "%s: %s\r\n", name, value)
			}
		}
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return b.Bytes()
}

// writes reports whether the call changes something; searches and views read with
// a POST, and so do the lists of what was sent and signed.
func (c *hostileCall) writes() bool {
	for _, reads := range []string{"/search", "/get", "/documents/view", "/view/sent-documents", "/auth/token"} {
		if strings.Contains(c.RequestURI, reads) {
			return false
		}
	}
	return c.Method != http.MethodGet
}

func (c *hostileCall) token() string { return c.Header.Get("Authorization") }

// secrets are the secrets of the call, which an echo repeats.
func (c *hostileCall) secrets() string { return c.token() + " " + string(c.body) }
