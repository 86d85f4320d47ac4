package provider_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// hostileService is a server with arbitrary responses. The honest responses come from the simulator.
type hostileService struct {
	t        *testing.T
	sim      *simulator.Simulator
	listener net.Listener
	answer   func(net.Conn, *hostileCall)

	mu      sync.Mutex
	strikes func(*hostileCall) bool
	conns   map[net.Conn]bool
	struck  int
}

// hostileCall is one request, and its honest response.
type hostileCall struct {
	service        *hostileService
	method, target string
	header         map[string]string // by lowercase name
	body           []byte

	once   sync.Once
	honest honestAnswer
}

type honestAnswer struct {
	status int
	header http.Header
	body   []byte
}

func newHostileService(t *testing.T, sim *simulator.Simulator, answer func(net.Conn, *hostileCall)) *hostileService {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &hostileService{t: t, sim: sim, listener: listener, answer: answer, conns: map[net.Conn]bool{}}
	s.strike(nil)
	go s.listen()
	t.Cleanup(s.close)
	return s
}

func (s *hostileService) address() string { return "http://" + s.listener.Addr().String() }

// strike sets which calls get the row's response; nil is none.
func (s *hostileService) strike(at func(*hostileCall) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at == nil {
		at = func(*hostileCall) bool { return false }
	}
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

func (s *hostileService) close() {
	_ = s.listener.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for conn := range s.conns {
		_ = conn.Close()
	}
}

func (s *hostileService) listen() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns[conn] = true
		s.mu.Unlock()
		go s.serve(conn)
	}
}

// serve responds to the requests of one connection. After a hostile response it is closed, because the following data
// would be ambiguous.
func (s *hostileService) serve(conn net.Conn) {
	defer func() {
		_ = conn.Close()
		s.mu.Lock()
		delete(s.conns, conn)
		s.mu.Unlock()
	}()
	in := bufio.NewReader(conn)
	for {
		call, err := readCall(in)
		if err != nil {
			return
		}
		call.service = s
		if s.strikesAt(call) {
			s.answer(conn, call)
			return
		}
		honest := call.honestly()
		if _, err := conn.Write(honest.raw()); err != nil {
			return
		}
	}
}

// readCall reads a request by its length or in chunks, which is all that the client sends.
func readCall(in *bufio.Reader) (*hostileCall, error) {
	first, err := in.ReadString('\n')
	if err != nil {
		return nil, err
	}
	parts := strings.Fields(first)
	if len(parts) != 3 {
		return nil, fmt.Errorf("no request line: %q", first)
	}
	call := &hostileCall{method: parts[0], target: parts[1], header: map[string]string{}}
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		call.header[strings.ToLower(name)] = strings.TrimSpace(value)
	}
	if call.header["transfer-encoding"] == "chunked" {
		return call, call.readChunks(in)
	}
	n, _ := strconv.Atoi(call.header["content-length"])
	call.body = make([]byte, n)
	_, err = io.ReadFull(in, call.body)
	return call, err
}

func (c *hostileCall) readChunks(in *bufio.Reader) error {
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(strings.TrimSpace(line), 16, 32)
		if err != nil {
			return err
		}
		chunk := make([]byte, n+2)
		if _, err := io.ReadFull(in, chunk); err != nil {
			return err
		}
		if n == 0 {
			return nil
		}
		c.body = append(c.body, chunk[:n]...)
	}
}

// honestly sends the call to the simulator, once.
func (c *hostileCall) honestly() honestAnswer {
	c.once.Do(func() {
		honest, err := c.ask()
		if err != nil {
			honest = honestAnswer{status: http.StatusBadGateway, header: http.Header{}, body: []byte(err.Error())}
		}
		c.honest = honest
	})
	return c.honest
}

func (c *hostileCall) ask() (honestAnswer, error) {
	base := simulator.BaseURL
	target, isUpload := strings.CutPrefix(c.target, simulator.UploadPrefix)
	if isUpload {
		base = simulator.UploadURL
	}
	req, err := http.NewRequestWithContext(c.service.t.Context(), c.method, base+target, bytes.NewReader(c.body))
	if err != nil {
		return honestAnswer{}, err
	}
	for name, value := range c.header {
		req.Header.Set(name, value)
	}
	resp, err := c.service.sim.Transport().RoundTrip(req)
	if err != nil {
		return honestAnswer{}, err
	}
	body, err := io.ReadAll(resp.Body)
	return honestAnswer{resp.StatusCode, resp.Header, body}, errors.Join(err, resp.Body.Close())
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
		if strings.Contains(c.target, reads) {
			return false
		}
	}
	return c.method != http.MethodGet
}

// secrets are the secrets of the call, which an echo repeats.
func (c *hostileCall) secrets() string {
	return c.header["authorization"] + " " + string(c.body)
}
