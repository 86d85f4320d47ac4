package providertest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

// SecondService is a proxy before the simulator that responds in other shapes that the API documentation allows. The
// simulator may share assumptions with the client; what a test writes here by hand does not.
type SecondService struct {
	next http.RoundTripper

	mu    sync.Mutex
	rules []rule
}

// rule changes or replaces the responses of one route.
type rule struct {
	method, pathEnd string
	serve           func(request *http.Request) (*http.Response, error)
}

// Second adds a second service before the simulator.
func (w *TestEnv) Second() *SecondService {
	w.T.Helper()
	s := &SecondService{next: w.Sim.Transport()}
	w.Transport = s
	return s
}

// Responds answers every request of a route by hand; a status of 0 passes the
// request on to the simulator.
func (s *SecondService) Responds(method, pathEnd string, respond func(request *http.Request, body []byte) (status int, response string)) {
	s.add(method, pathEnd, func(request *http.Request) (*http.Response, error) {
		var body bytes.Buffer
		if request.Body != nil {
			if _, err := body.ReadFrom(request.Body); err != nil {
				return nil, err
			}
			request.Body = io.NopCloser(bytes.NewReader(body.Bytes()))
		}
		if status, response := respond(request, body.Bytes()); status != 0 {
			return responseOf(request, status, response), nil
		}
		return s.next.RoundTrip(request)
	})
}

// Edits changes `data` of every success of a route.
func (s *SecondService) Edits(method, pathEnd string, edit func(data map[string]any)) {
	s.add(method, pathEnd, func(request *http.Request) (*http.Response, error) {
		resp, err := s.next.RoundTrip(request)
		if err != nil || resp.StatusCode != http.StatusOK {
			return resp, err
		}
		return edited(request, resp, edit)
	})
}

func (s *SecondService) add(method, pathEnd string, serve func(*http.Request) (*http.Response, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, rule{method, pathEnd, serve})
}

// Rows changes every row of a search of packages and add-ons.
func (s *SecondService) Rows(kind string, edit func(row map[string]any)) {
	s.Edits(http.MethodPost, "/billing/"+kind+"/search", func(data map[string]any) {
		rows, _ := data[kind].([]any)
		for _, row := range rows {
			if fields, ok := row.(map[string]any); ok {
				edit(fields)
			}
		}
	})
}

func (s *SecondService) RoundTrip(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	rules := slices.Clone(s.rules)
	s.mu.Unlock()
	for _, r := range rules {
		if req.Method == r.method && strings.HasSuffix(req.URL.Path, r.pathEnd) {
			return r.serve(req)
		}
	}
	return s.next.RoundTrip(req)
}

func edited(req *http.Request, resp *http.Response, edit func(map[string]any)) (*http.Response, error) {
	defer func() { _ = resp.Body.Close() }()
	var envelope struct {
		Status string         `json:"status"`
		Data   map[string]any `json:"data"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&envelope); err != nil {
		return nil, err
	}
	edit(envelope.Data)
	text, err := json.Marshal(envelope)
	if err != nil {
		return nil, err
	}
	return responseOf(req, resp.StatusCode, string(text)), nil
}

func responseOf(req *http.Request, status int, text string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Request: req,
		ContentLength: int64(len(text)), Body: io.NopCloser(strings.NewReader(text)),
	}
}

// NewSecond is a test environment behind a second service.
func NewSecond(t *testing.T) (*TestEnv, *SecondService) {
	t.Helper()
	w := NewTestEnv(t)
	return w, w.Second()
}
