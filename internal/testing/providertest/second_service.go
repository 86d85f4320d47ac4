package providertest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
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
	respond         func(request *http.Request, body []byte) (status int, response string)
	edit            func(data map[string]any)
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
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, rule{method: method, pathEnd: pathEnd, respond: respond})
}

// Edits changes `data` of every success of a route.
func (s *SecondService) Edits(method, pathEnd string, edit func(data map[string]any)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, rule{method: method, pathEnd: pathEnd, edit: edit})
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

func (s *SecondService) rule(req *http.Request) (rule, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.rules {
		if req.Method == r.method && strings.HasSuffix(req.URL.Path, r.pathEnd) {
			return r, true
		}
	}
	return rule{}, false
}

func (s *SecondService) RoundTrip(req *http.Request) (*http.Response, error) {
	r, ok := s.rule(req)
	if !ok {
		return s.next.RoundTrip(req)
	}
	if r.respond != nil {
		var body []byte
		if req.Body != nil {
			var err error
			if body, err = io.ReadAll(req.Body); err != nil {
				return nil, err
			}
			req.Body = io.NopCloser(bytes.NewReader(body))
		}
		if status, response := r.respond(req, body); status != 0 {
			return responseOf(req, status, response), nil
		}
	}
	resp, err := s.next.RoundTrip(req)
	if err != nil || r.edit == nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	return edited(req, resp, r.edit)
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
