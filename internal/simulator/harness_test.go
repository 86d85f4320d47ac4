package simulator_test

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// start is when every frozen clock of these tests begins.
var start = time.Date(2026, time.October, 15, 12, 0, 0, 0, time.UTC)

const (
	ownSlug      = "partner.example"
	resellerPath = "/console/partner.example/reseller"
	labelsPath   = resellerPath + "/private-labels"
	logosPath    = "/console/tenant/upload-logos"

	client = "sign.client.example"
	ada    = "ada@client.example"
	bob    = "bob@client.example"

	nobodyID = "00000000000000000000000000000000"
)

var id32 = regexp.MustCompile(`^[0-9a-f]{32}$`)

// object is decoded JSON.
type object = map[string]any

// caller calls one front of a simulator with one access token.
type caller struct {
	t     *testing.T
	sim   *simulator.Simulator
	doer  *http.Client
	base  string
	token string
}

// reply is one response.
type reply struct {
	t      *testing.T
	status int
	header http.Header
	raw    string
	body   object
}

func newSim(t *testing.T, opts simulator.Options) *simulator.Simulator {
	t.Helper()
	if opts.Clock == nil {
		opts.Clock = simulator.NewFrozenClock(start)
	}
	opts.Slug = cmp.Or(opts.Slug, ownSlug)
	sim, err := simulator.New(opts)
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, sim.Close())
	})
	return sim
}

// inProcess calls the Transport without a token.
func inProcess(t *testing.T, sim *simulator.Simulator) *caller {
	t.Helper()
	return &caller{t: t, sim: sim, doer: &http.Client{Transport: sim.Transport()}, base: simulator.BaseURL}
}

// overHTTP calls the same simulator on a port.
func overHTTP(t *testing.T, sim *simulator.Simulator) *caller {
	t.Helper()
	server := httptest.NewServer(sim)
	t.Cleanup(server.Close)
	return &caller{t: t, sim: sim, doer: server.Client(), base: server.URL}
}

// fronts are the two ways to call the simulator.
var fronts = map[string]func(*testing.T, *simulator.Simulator) *caller{
	"in process": inProcess,
	"over HTTP":  overHTTP,
}

// eachFront runs a test with a new simulator for each of them.
func eachFront(t *testing.T, name string, test func(t *testing.T, c *caller)) {
	t.Helper()
	for front, open := range fronts {
		t.Run(strings.TrimPrefix(name+"/"+front, "/"), func(t *testing.T) {
			t.Parallel()
			sim := newSim(t, simulator.Options{})
			test(t, open(t, sim).as(sim.APIKey()))
		})
	}
}

// newCaller is a new simulator in memory and a caller with all scopes.
func newCaller(t *testing.T) *caller {
	t.Helper()
	sim := newSim(t, simulator.Options{})
	return inProcess(t, sim).as(sim.APIKey())
}

// made returns what a move of the simulator made.
func (c *caller) made(id string, err error) string {
	c.t.Helper()
	require.NoError(c.t, err)
	return id
}

// newLabel is a new caller and the path of a private label of its own.
func newLabel(t *testing.T) (c *caller, path string) {
	t.Helper()
	c = newCaller(t)
	_, path = c.provision(client)
	return c, path
}

// withCaller runs a subtest with a new caller.
func withCaller(t *testing.T, name string, test func(t *testing.T, c *caller)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		test(t, newCaller(t))
	})
}

// as returns a caller with a token of the key.
func (c *caller) as(key string) *caller {
	c.t.Helper()
	got := c.exchange(key)
	require.Equal(c.t, http.StatusOK, got.status, "the exchange answers %s", got.raw)
	return c.with(as[string](got.body["access_token"]))
}

func (c *caller) with(token string) *caller {
	other := *c
	other.token = token
	return &other
}

// withScopes creates an API key with these scopes only.
func (c *caller) withScopes(scopes ...string) *caller {
	c.t.Helper()
	return c.as(c.made(c.sim.MintKey(scopes...)))
}

func (c *caller) exchange(key string) *reply {
	c.t.Helper()
	return c.with("").do(http.MethodPost, "/api/v1/auth/token", object{"grant_type": "client_credentials", "api_key": key})
}

// do sends a request; a body that is a string is sent unchanged.
func (c *caller) do(method, path string, body any) *reply {
	c.t.Helper()
	got, err := c.try(method, path, body)
	require.NoError(c.t, err, "%s %s", method, path)
	return got
}

func (c *caller) try(method, path string, body any) (*reply, error) {
	c.t.Helper()
	return c.send(c.request(method, path, body))
}

func (c *caller) send(req *http.Request) (*reply, error) {
	c.t.Helper()
	res, err := c.doer.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	got := &reply{t: c.t, status: res.StatusCode, header: res.Header, raw: string(raw)}
	_ = json.Unmarshal(raw, &got.body) // pages have none
	return got, nil
}

func (c *caller) request(method, path string, body any) *http.Request {
	c.t.Helper()
	text, isText := body.(string)
	if !isText && body != nil {
		raw, err := json.Marshal(body)
		require.NoError(c.t, err)
		text = string(raw)
	}
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.base+path, strings.NewReader(text))
	require.NoError(c.t, err)
	if text != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	return req
}

func (c *caller) get(path string) *reply { c.t.Helper(); return c.do(http.MethodGet, path, nil) }

func (c *caller) post(path string, body any) *reply {
	c.t.Helper()
	return c.do(http.MethodPost, path, body)
}

func (c *caller) del(path string) *reply { c.t.Helper(); return c.do(http.MethodDelete, path, nil) }

// order is a valid provision request.
func order(host string) object {
	return object{"owner": object{"email": ada, "firstName": "Ada", "lastName": "Lovelace"}, "config": object{"domain": host, "appName": "Client Sign"}}
}

// provision provisions a private label and returns its path.
func (c *caller) provision(host string) (id, path string) {
	c.t.Helper()
	id = as[string](c.post(labelsPath, order(host)).data()["tenantId"])
	return id, labelsPath + "/" + id
}

// items are the private labels of the list.
func (c *caller) items() []any {
	c.t.Helper()
	return as[[]any](c.get(labelsPath).data()["privateLabels"])
}

// data returns the data of a success: {status: OK, data} and nothing else (§2.2).
func (r *reply) data() object {
	r.t.Helper()
	require.Equal(r.t, http.StatusOK, r.status, r.raw)
	data, ok := r.body["data"].(object)
	require.True(r.t, ok, r.raw)
	require.Equal(r.t, object{"status": "OK", "data": data}, r.body)
	return data
}

// rejected checks an error in its envelope (§2.2).
func (r *reply) rejected(status int, code string, about ...any) {
	r.t.Helper()
	word := "Err"
	if status == http.StatusInternalServerError {
		word = "Fail"
	}
	message := as[string](as[object](r.body["error"])["message"])
	assert.Equal(r.t, status, r.status, "%v %s", about, r.raw)
	assert.Equal(r.t, object{"status": word, "error": object{"code": code, "message": message}}, r.body, "%v %s", about, r.raw)
	assert.NotEmpty(r.t, message, "%v %s", about, r.raw)
}

// bare checks a response without an envelope (§7.3).
func (r *reply) bare(status int) string {
	r.t.Helper()
	text := as[string](r.body["error"])
	require.Equal(r.t, status, r.status, "got %s", r.raw)
	require.Equal(r.t, object{"error": text}, r.body)
	return text
}

// limited checks a 429 of a rate limit (§7.3, §8).
func (r *reply) limited(ceiling, retryAfter int) {
	r.t.Helper()
	r.bare(http.StatusTooManyRequests)
	r.limits(ceiling, 0)
	require.Equal(r.t, strconv.Itoa(retryAfter), r.header.Get("Retry-After"), "Retry-After")
}

// limits checks the headers of §8.
func (r *reply) limits(ceiling, remaining int) {
	r.t.Helper()
	require.Equal(r.t, strconv.Itoa(ceiling), r.header.Get("RateLimit-Limit"))
	require.Equal(r.t, strconv.Itoa(remaining), r.header.Get("RateLimit-Remaining"))
	text := r.header.Get("RateLimit-Reset")
	if _, err := http.ParseTime(text); err != nil {
		require.Regexp(r.t, `^[1-9]\d*$`, text)
	}
}

// serve calls the handler directly, from any address.
func serve(sim *simulator.Simulator, req *http.Request) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	sim.ServeHTTP(rec, req)
	return rec
}

// as returns the value as a T, or the zero value for another type, which the next check finds.
func as[T any](value any) T {
	out, _ := value.(T)
	return out
}
