package check_test

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/check"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// What a service of the test has. The texts are those that a transcript must not have.
const (
	apiKey     = "rsl_live_0123456789abcdef0123456789abcdef_kljhgfdsapoiuytrewq"
	signingKey = "usr-9f8e7d6c5b4a-zyxwvutsrq"
	token      = "eyJhbGciOiJub25l.tokentokentoken.sgnsgnsgn"
	slug       = "partner.resellers.example"
	goldLabel  = "11111111111111111111111111111111"
	bareLabel  = "22222222222222222222222222222222"
	suspended  = "33333333333333333333333333333333"
	gold       = "44444444444444444444444444444444"
	scans      = "55555555555555555555555555555555"
)

// service is a service of hand-written responses.
type service struct {
	data   map[string]string       // of documented responses, changed by a test
	answer map[string]http.Handler // instead of data
	header http.Header             // of every response but the exchange's

	mu    sync.Mutex
	calls []string
}

var (
	//go:embed testdata/documented.txt
	documented string

	names = strings.NewReplacer("…/", "/console/"+slug+"/reseller/", "$slug", slug, "$token", token, "$apiKey", apiKey, "$signingKey", signingKey,
		"$goldLabel", goldLabel, "$bareLabel", bareLabel, "$suspended", suspended, "$gold", gold, "$scans", scans)
	documentedCall = regexp.MustCompile(`(?m)^((?:GET|POST) .*)((?:\n  .*)+)$`)
)

// newService does as documented but for the lines of a script: a verb, a call, and what the verb takes, separated by " | ".
func newService(script string) *service {
	s := &service{data: map[string]string{}, answer: map[string]http.Handler{}, header: http.Header{
		"Ratelimit-Limit": {"60"}, "Ratelimit-Remaining": {"59"}, "Ratelimit-Reset": {"60"},
	}}
	for _, found := range documentedCall.FindAllStringSubmatch(names.Replace(documented), -1) {
		s.data[found[1]] = strings.ReplaceAll(found[2], "\n  ", "")
	}
	for line := range strings.Lines(names.Replace(script)) {
		words := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		verb, call, _ := strings.Cut(words[0], " ")
		if call != "*" {
			verbs[verb](s, call, words[1:])
			continue
		}
		for call := range s.data {
			if call != exchange {
				verbs[verb](s, call, words[1:])
			}
		}
	}
	return s
}

// verbs of a script.
var verbs = map[string]func(s *service, call string, words []string){
	"data": func(s *service, call string, words []string) { // data CALL | FROM [| TO]
		if !strings.Contains(s.data[call], words[0]) {
			panic(call + " has no " + words[0])
		}
		s.data[call] = strings.Replace(s.data[call], words[0], strings.Join(words[1:], ""), 1)
	},
	"move": func(s *service, call string, words []string) { // move CALL | CALL
		s.data[words[0]] = s.data[call]
		delete(s.data, call)
	},
	"ok": func(s *service, call string, words []string) { // ok CALL | DATA [| HEADER | VALUE ...]
		s.answer[call] = transporttest.OK(words[0], words[1:]...)
	},
	"reply": func(s *service, call string, words []string) { // reply CALL | STATUS | BODY [| HEADER | VALUE ...]
		s.answer[call] = transporttest.Reply(statusOf(words[0]), words[1], words[2:]...)
	},
	"plain": func(s *service, call string, _ []string) { // plain CALL: without a request ID
		s.answer[call] = transporttest.Reply(http.StatusOK, s.data[call])
	},
	"reject": func(s *service, call string, words []string) { // reject CALL | STATUS | CODE
		s.answer[call] = transporttest.Reject(statusOf(words[0]), words[1])
	},
	"limit": func(s *service, call string, words []string) { // limit CALL | SECONDS
		s.answer[call] = transporttest.Limited("Retry-After", words[0])
	},
	"page": func(s *service, call string, _ []string) { // page CALL
		s.answer[call] = transporttest.HTML(http.StatusOK)
	},
	"cut": func(s *service, call string, _ []string) { // cut CALL
		s.answer[call] = cut
	},
	"endless": func(s *service, call string, _ []string) { // endless CALL: one page after another
		page := 0
		s.answer[call] = transporttest.Answer(func(r *http.Request) (*http.Response, error) {
			page++
			return transporttest.OK(fmt.Sprintf(`{"packages":[{"packageId":"%032x","code":"P%d","name":"n"}],"total":9000}`, page, page))(r)
		})
	},
	"headers": func(s *service, header string, words []string) { // headers HEADER | VALUE, or headers alone for none
		if header == "" {
			s.header = nil
			return
		}
		s.header.Set(header, words[0])
	},
}

func statusOf(text string) int {
	status, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return status
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	call := r.Method + " " + r.URL.Path
	s.mu.Lock()
	s.calls = append(s.calls, call)
	s.mu.Unlock()
	_, _ = io.Copy(io.Discard, r.Body)
	var answer http.Handler = transporttest.Reject(http.StatusNotFound, client.CodeNotFound)
	if data, ok := s.data[call]; ok {
		answer = transporttest.OK(data)
	}
	if call == exchange && s.answer[call] == nil {
		answer = transporttest.Reply(http.StatusOK, s.data[call], "X-Request-Id", "request-1")
	} else {
		maps.Copy(w.Header(), s.header)
	}
	if other := s.answer[call]; other != nil {
		answer = other
	}
	answer.ServeHTTP(w, r)
}

// cut sends half a response.
var cut = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, `{"status":"OK","data":{"keys":[{"id":"0123`)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
})

const exchange = "POST /api/v1/auth/token"

// outcome is what a run of the command ended with.
type outcome struct {
	status      int
	out, said   string
	transcript  string // path, if one was written
	fileContent string
}

// run runs the command against a handler, with a transcript.
func run(t *testing.T, h http.Handler, args ...string) outcome {
	t.Helper()
	server := httptest.NewServer(h)
	defer server.Close()
	return runAt(t, t.Context(), settings(server.URL), args...)
}

func settings(address string) check.Settings {
	s := check.Settings{API: client.Config{BaseURL: address, APIKey: apiKey}, Signing: signing.Config{URL: address, UserAPIKey: signingKey}}
	s.API.Clock = transporttest.NewClock()
	return s
}

func runAt(t *testing.T, ctx context.Context, s check.Settings, args ...string) outcome { //nolint:revive // the test first
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "transcript.json")
	got := started(ctx, func() (check.Settings, error) { return s, nil }, append([]string{"-out", file}, args...)...)
	if raw, err := os.ReadFile(file); err == nil {
		got.transcript, got.fileContent = file, string(raw)
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".*"))
	assert.Empty(t, left, "left behind")
	return got
}

// started runs the command.
func started(ctx context.Context, settings func() (check.Settings, error), args ...string) outcome {
	var stdout, stderr bytes.Buffer
	status := check.Main(ctx, args, "1.2.3", settings, &stdout, &stderr)
	return outcome{status: status, out: stdout.String(), said: stderr.String()}
}

// replay runs the command with a transcript only.
func replay(t *testing.T, file string, args ...string) outcome {
	t.Helper()
	return started(t.Context(), func() (check.Settings, error) {
		t.Error("a replay asked for settings")
		return check.Settings{}, nil
	}, append([]string{"-replay", file}, args...)...)
}

// report returns the report of a run with -format json, which a replay of its transcript gives, too.
func (o outcome) report(t *testing.T) check.Report {
	t.Helper()
	again := replay(t, o.transcript, "-format", "json")
	assert.Equal(t, o.out, again.out, "the replay has another report: %s", again.said)
	assert.Equal(t, o.status, again.status, "the replay ends with another status: %s", again.said)
	var r check.Report
	require.NoError(t, json.Unmarshal([]byte(o.out), &r), "%s\n%s", o.out, o.said)
	return r
}
