package check_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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

// documented are responses as the API documentation shows them, by method and path; `data` of those with an envelope.
func documented() map[string]string {
	const (
		ofReseller   = "GET /console/" + slug + "/reseller"
		label        = ofReseller + "/private-labels/"
		setup        = `"domainSetup":{"attached":true,"verified":true,"records":[{"type":"CNAME","name":"sign","value":"portals.example"}]}`
		notSuspended = `"suspendedAt":null,"suspendedBy":null,"suspendReason":null`
		rest         = `"templateQuota":{"used":1,"total":5,"unlimited":false},"metrics":{"templates":1,"documentsSent":2,"members":2}`
		addon        = `{"subscriptionAddonId":"66666666666666666666666666666666","addonId":"` + scans + `","code":"SCANS","name":"Scans","quantity":2}`
		given        = `{"id":"77777777777777777777777777777777","packageId":"` + gold + `","packageCode":"GOLD","packageName":"Golden","currency":"EUR",` +
			`"assignedAt":1790000000000,"addons":[` + addon + `],"allocated":{"documents":10,"seats":2,"templates":5,"notarizations":0}}`
		owner = `"owner":{"userId":"88888888888888888888888888888888","email":"ada@lovelace.example","firstName":"Ada","lastName":"Lovelace"}`
		item  = `{"packageId":"` + gold + `","code":"GOLD","name":"Golden","currency":"EUR","active":true,"price":900}`
		extra = `{"addonId":"` + scans + `","code":"SCANS","name":"Scans","currency":"EUR","active":true}`
	)
	listed := func(id, host, pack, status string) string {
		return `{"tenantId":"` + id + `","primaryHost":"` + host + `","customDomain":null,"adminEmail":"ada@lovelace.example","assignedPackage":` + pack + `,` +
			rest + `,"status":"` + status + `",` + notSuspended + `}`
	}
	detail := func(id, host, assignment string) string {
		return `{"tenantId":"` + id + `","primaryHost":"` + host + `","customDomain":null,"createdAt":1790000000000,"status":"Active",` + notSuspended + `,` + owner +
			`,"memberCount":2,"assignment":` + assignment + `,` + setup + `}`
	}
	out := map[string]string{
		"POST /api/v1/auth/token": `{"access_token":"` + token + `","token_type":"Bearer","expires_in":3600,"scope":"reseller:read reseller:provision"}`,
		"GET /console/dashboard": `{"totalDomains":3,"totalUsers":4,"domains":[{"domain":"sign.lovelace.example","companyName":"Lovelace Ltd","userCount":2}],` +
			`"isReseller":true,"slug":"` + slug + `"}`,
		ofReseller + "/private-labels": `{"privateLabels":[` + strings.Join([]string{
			listed(goldLabel, "sign.lovelace.example", `{"packageId":"`+gold+`","code":"GOLD","name":"Golden"}`, "Active"),
			listed(bareLabel, "sign.babbage.example", "null", "Active"), listed(suspended, "sign.byron.example", "null", "Suspended"),
		}, ",") + `],"provisionedCount":3,"period":"2026-10"}`,
		label + goldLabel:              detail(goldLabel, "sign.lovelace.example", given),
		label + bareLabel:              detail(bareLabel, "sign.babbage.example", "null"),
		label + suspended:              detail(suspended, "sign.byron.example", "null"),
		label + goldLabel + "/package": `{"assignment":` + given + `}`,
		label + bareLabel + "/package": `{"assignment":null}`,
		label + suspended + "/package": `{"assignment":null}`,
		label + goldLabel + "/points":  `{"rows":[{"id":"99999999999999999999999999999999","itemCode":"documents","amount":3}],"total":1}`,
		"POST /console/" + slug + "/reseller/billing/packages/search": `{"packages":[` + item + `],"total":1}`,
		"POST /console/" + slug + "/reseller/billing/packages/get":    item,
		"POST /console/" + slug + "/reseller/billing/addons/search":   `{"addons":[` + extra + `],"total":1}`,
		"POST /console/" + slug + "/reseller/billing/addons/get":      extra,
		ofReseller + "/usage":          `{"period":"2026-10","rows":[{"tenantId":"` + goldLabel + `","documents":3}],"totals":{"documents":3}}`,
		ofReseller + "/billing/quota":  `{"items":[{"itemCode":"documents","remaining":90}]}`,
		ofReseller + "/billing/points": `{"granted":100,"remaining":70}`,
		ofReseller + "/keys": `{"keys":[{"id":"0123456789abcdef0123456789abcdef","lastFour":"ewqz","scopes":["reseller:read"],"createdAt":1790000000000,` +
			`"lastUsedAt":null,"revokedAt":null}]}`,
		"GET /signing-api/signatures/list":  `{"signatures":[{"id":"signature-of-ada.png","type":"Signature"}]}`,
		"POST /signing/view/sent-documents": `{"documents":[{"id":"doc-1","title":"Terms of Lovelace","createdAt":1790000000000}]}`,
	}
	for _, id := range []string{goldLabel, bareLabel, suspended} {
		if id != goldLabel {
			out[label+id+"/points"] = `{"rows":[],"total":0}`
		}
		out[label+id+"/members"] = `{"members":[{"id":"88888888888888888888888888888888","firstName":"Ada","lastName":"Lovelace","email":"ada@lovelace.example",` +
			`"status":"Active","role":"owner","isOwner":true,"createdAt":1790000000000}]}`
		out[label+id+"/templates"] = `{"templates":[{"id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","title":"Contract","slug":"contract","isPrivate":false,"createdAt":1790000000000}]}`
	}
	return out
}

// service is a service of hand-written responses.
type service struct {
	data   map[string]string       // of documented responses, changed by a test
	answer map[string]http.Handler // instead of data
	header http.Header             // of every response but the exchange's

	mu    sync.Mutex
	calls []string
}

func newService(changes ...func(*service)) *service {
	s := &service{data: documented(), answer: map[string]http.Handler{}, header: http.Header{
		"Ratelimit-Limit": {"60"}, "Ratelimit-Remaining": {"59"}, "Ratelimit-Reset": {"60"},
	}}
	for _, change := range changes {
		change(s)
	}
	return s
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

// path returns a call below the reseller.
func path(method, below string) string { return method + " /console/" + slug + "/reseller" + below }

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

func endpointOf(t *testing.T, r check.Report, name string) check.EndpointReport {
	t.Helper()
	for _, e := range r.Endpoints {
		if strings.HasSuffix(e.Endpoint, name) {
			return *e
		}
	}
	t.Fatalf("no endpoint %q in %+v", name, r.Endpoints)
	return check.EndpointReport{}
}

func answerOf(r check.Report, name string) string {
	for _, q := range r.Questions {
		if q.Name == name {
			return q.Answer
		}
	}
	return "no such question"
}
