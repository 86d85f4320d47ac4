package simulator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// maxBody limits what is read of a request: two logos of 1 MB or a document of 10 MB fit. A longer body is cut, and its
// handler rejects it for that. Up to maxSent, the rest is read and dropped, so that the sender gets the response.
const (
	maxBody = 16 << 20
	maxSent = 256 << 20
)

// ServeHTTP serves the simulator on one port: the base URL at the root, the upload URL below UploadPrefix. A browser
// that opens the root gets a page with the simulator's data.
func (s *Simulator) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if why := rejectPages(req); why != "" {
		http.Error(w, why, http.StatusForbidden)
		return
	}
	if asksForPage(req) {
		s.servePage(w, req)
		return
	}
	if req.Method == http.MethodPost && req.URL.EscapedPath() == doPath {
		s.serveMove(w, req)
		return
	}
	sent := http.MaxBytesReader(w, req.Body, maxSent)
	body, err := readBody(sent, req.ContentLength)
	if err == nil {
		_, err = io.Copy(io.Discard, sent)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	addr, _, err := net.SplitHostPort(req.RemoteAddr)
	if err != nil {
		addr = req.RemoteAddr
	}
	a, f, err := s.serve(req, req.URL.EscapedPath(), body, addr)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if f != nil && f.Kind == FaultReset {
		panic(http.ErrAbortHandler)
	}
	if f != nil && f.Kind == FaultTimeout {
		<-req.Context().Done()
		panic(http.ErrAbortHandler)
	}
	maps.Copy(w.Header(), a.header)
	if a.status != http.StatusNoContent {
		w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	w.WriteHeader(a.status)
	if f != nil && f.Kind == FaultTruncated {
		_, _ = w.Write(a.body[:len(a.body)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(a.body)
}

// readBody reads at most maxBody bytes, into a buffer of the length that the request states.
func readBody(from io.Reader, stated int64) ([]byte, error) {
	var body bytes.Buffer
	body.Grow(int(min(max(stated, 0), maxBody)) + bytes.MinRead)
	_, err := body.ReadFrom(io.LimitReader(from, maxBody))
	return body.Bytes(), err
}

// serve handles one request. The hooks of faults run outside of the store's lock, so that they may change the simulator
// themselves.
func (s *Simulator) serve(req *http.Request, path string, body []byte, addr string) (*response, *Fault, error) {
	r := &request{
		method: req.Method,
		path:   path,
		query:  req.URL.Query(),
		header: req.Header,
		body:   body,
		addr:   addr,
	}
	r.route, r.params = s.match(r.method, r.path)
	f := s.faults.next(r.routeName())
	f.hook(false)
	a, f, err := s.serveLocked(req.Context(), r, f)
	if err == nil {
		f.hook(true)
	}
	return a, f, err
}

// serveLocked handles a request, with a fault of this process or else of the data file.
func (s *Simulator) serveLocked(ctx context.Context, r *request, f *Fault) (a *response, _ *Fault, err error) {
	err = s.lockedFor(ctx, func() (e effect, _ error) {
		r.now = s.clock.Now()
		if f == nil {
			f = s.store.live.takeFault(r.routeName())
		}
		s.calling = true
		defer func() { s.calling = false }()
		a, e = s.handle(r, f)
		return e, nil
	})
	return a, f, err
}

// Transport calls the simulator in process: no network, no port. It responds for the hosts of BaseURL, UploadURL and
// SigningURL.
func (s *Simulator) Transport() http.RoundTripper {
	return inProcess{s}
}

type inProcess struct{ s *Simulator }

func (t inProcess) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	prefix, err := prefixOf(req.URL)
	if err != nil {
		return nil, err
	}
	var body []byte
	if req.Body != nil {
		body, err = readBody(req.Body, req.ContentLength)
		if err = errors.Join(err, req.Body.Close()); err != nil {
			return nil, err
		}
	}
	a, f, err := t.s.serve(req, prefix+req.URL.EscapedPath(), body, "127.0.0.1")
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: "simulator", Err: err}
	}
	reader := io.Reader(bytes.NewReader(a.body))
	if f != nil {
		switch f.Kind {
		case FaultReset:
			return nil, &net.OpError{Op: "read", Net: "simulator", Err: syscall.ECONNRESET}
		case FaultTimeout:
			return nil, &net.OpError{Op: "read", Net: "simulator", Err: os.ErrDeadlineExceeded}
		case FaultTruncated:
			reader = io.MultiReader(bytes.NewReader(a.body[:len(a.body)/2]), brokenReader{})
		default:
		}
	}
	return &http.Response{
		Status:        fmt.Sprintf("%d %s", a.status, http.StatusText(a.status)),
		StatusCode:    a.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        a.header.Clone(),
		ContentLength: int64(len(a.body)),
		Body:          io.NopCloser(reader),
		Request:       req,
	}, nil
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) {
	return 0, io.ErrUnexpectedEOF
}

// prefixOf maps the simulator's base URLs to paths of the one port.
func prefixOf(u *url.URL) (string, error) {
	switch u.Host {
	case strings.TrimPrefix(BaseURL, "https://"), strings.TrimPrefix(SigningURL, "https://"):
		return "", nil
	case strings.TrimPrefix(UploadURL, "https://"):
		return UploadPrefix, nil
	default:
		return "", &net.OpError{Op: "dial", Net: "simulator", Err: fmt.Errorf("the simulator has no host name %s", u.Host)}
	}
}
