// Package providertest is the environment of the provider's tests: the simulator with a clock that tests move, the CLI,
// a client of the plugin protocol, and the fault matrices.
package providertest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/command"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/shortpath"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/compared"
)

// Routes by their names in the simulator's journal.
const (
	RouteToken       = "POST /api/v1/auth/token"
	RouteDashboard   = "GET /console/dashboard"
	RouteList        = "GET /console/:slug/reseller/private-labels"
	RouteProvision   = "POST /console/:slug/reseller/private-labels"
	RouteDetail      = "GET /console/:slug/reseller/private-labels/:tenantId"
	RouteAttach      = "POST /console/:slug/reseller/private-labels/:tenantId/domain/attach"
	RouteDeprovision = "DELETE /console/:slug/reseller/private-labels/:tenantId"
	RouteSuspend     = "POST /console/:slug/reseller/private-labels/:tenantId/suspend"
	RouteUnsuspend   = "POST /console/:slug/reseller/private-labels/:tenantId/unsuspend"
)

// TestEnv is a simulator with a provider that uses it.
type TestEnv struct {
	T   *testing.T
	Sim *simulator.Simulator
	Env EnvVars
	// Compares says that each request of the short path is also sent to the framework; answered counts these requests.
	Compares bool
	Answered atomic.Int64

	Key string // another API key than the simulator's first one

	Transport http.RoundTripper // instead of the simulator's own
	Clock     transport.Clock   // of the provider, instead of the simulator's, which moves instead of waiting

	Simulated *simulator.Simulator // what the provider uses in simulator mode; nil: this build has none
}

// EnvVars are the provider's environment variables. A test changes them between runs, and a provider in this process
// reads them with only a CLI in between, which the race detector cannot see.
type EnvVars struct{ values sync.Map }

func (e *EnvVars) Set(name, value string) { e.values.Store(name, value) }

func (e *EnvVars) Get(name string) string {
	value, _ := e.values.Load(name)
	text, _ := value.(string)
	return text
}

func (w *TestEnv) APIKey() string {
	if w.Key != "" {
		return w.Key
	}
	return w.Sim.APIKey()
}

// Exchange exchanges a token as a user outside of the provider would.
func (w *TestEnv) Exchange() string {
	w.T.Helper()
	var answer struct {
		AccessToken string `json:"access_token"`
	}
	text := w.post("/api/v1/auth/token", fmt.Sprintf(`{"grant_type":"client_credentials","api_key":%q}`, w.APIKey()), "")
	require.NoError(w.T, json.Unmarshal(text, &answer))
	return answer.AccessToken
}

func (w *TestEnv) post(path, body, token string) []byte {
	w.T.Helper()
	req, err := http.NewRequestWithContext(w.T.Context(), http.MethodPost, simulator.BaseURL+path, strings.NewReader(body))
	require.NoError(w.T, err)
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := w.Sim.Transport().RoundTrip(req)
	require.NoError(w.T, err)
	text, err := io.ReadAll(resp.Body)
	require.NoError(w.T, errors.Join(err, resp.Body.Close()))
	require.Equal(w.T, http.StatusOK, resp.StatusCode, string(text))
	return text
}

// Slug is the reseller's own domain in test environments.
const Slug = "partner.example"

func NewTestEnv(t *testing.T) *TestEnv {
	t.Helper()
	return NewTestEnvAssuming(t, simulator.Forms{})
}

// NewTestEnvAssuming is a test environment whose simulator makes other assumptions.
func NewTestEnvAssuming(t *testing.T, assumptions simulator.Forms) *TestEnv {
	t.Helper()
	return NewTestEnvOptions(t, simulator.Options{Forms: assumptions})
}

// NewTestEnvOptions is a test environment on a frozen clock, unless the options have another clock.
func NewTestEnvOptions(t *testing.T, options simulator.Options) *TestEnv {
	t.Helper()
	if options.Clock == nil {
		options.Clock = simulator.NewFrozenClock(time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC))
	}
	options.Slug = cmp.Or(options.Slug, Slug)
	sim, err := simulator.New(options)
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, sim.Close())
	})
	w := &TestEnv{T: t, Sim: sim, Compares: drawn(t)%4 == 0}
	w.Env.Set("RESELLER_TOKEN_CACHE_DIR", t.TempDir())
	return w
}

// Server compares the short path with the framework in a quarter of the tests. The others do not call the framework, so that
// a missing side effect of its response is noticed there.
func (w *TestEnv) Server() (tfprotov6.ProviderServer, error) {
	o := provider.Options{
		Transport: cmp.Or(w.Transport, w.Sim.Transport()),
		Clock:     cmp.Or(w.Clock, transport.Clock(w.Sim.Clock())),
		Getenv:    w.Env.Get,
		LookupDNS: command.LookupIn(w.Sim),
	}
	if w.Simulated != nil {
		o.OpenSimulator = w.openSimulated
	}
	if w.Compares {
		o.WrapShortPath = func(short *shortpath.Server) provider.Server {
			return &compared.Server{Server: short, Tell: func(difference string) { w.T.Error(difference) }, Answered: func() { w.Answered.Add(1) }}
		}
	}
	return measure(w.T, provider.NewServer("test", o)()), nil
}

// drawn is a number by chance, the same in every run of a test.
func drawn(t *testing.T) uint64 {
	t.Helper()
	h := fnv.New64a()
	_, _ = h.Write([]byte(t.Name()))
	return h.Sum64()
}

func (w *TestEnv) Factories() map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){"reseller": w.Server}
}

// Test runs steps through the real CLI.
func (w *TestEnv) Test(steps ...resource.TestStep) {
	w.T.Helper()
	resource.UnitTest(w.T, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps:                    steps,
	})
}

// Config is a configuration for this simulator.
func (w *TestEnv) Config(body string) string {
	return w.ConfigWith("", body)
}

// ConfigWith adds lines to the provider block.
func (w *TestEnv) ConfigWith(settings, body string) string {
	return fmt.Sprintf("provider \"reseller\" {\n  base_url = %q\n  api_key = %q\n%s\n}\n%s", simulator.BaseURL, w.APIKey(), settings, body)
}

// Calls counts the requests of a route since the last reset.
func (w *TestEnv) Calls(route string) int {
	return Count(w.Sim.Journal(), func(c simulator.Call) bool { return c.Route == route })
}

// WantFault asserts that the fault that was set occurred: a matrix of faults that do not occur would always pass.
func (w *TestEnv) WantFault() {
	w.T.Helper()
	assert.True(w.T, slices.ContainsFunc(w.Sim.Journal(), func(c simulator.Call) bool { return c.Fault }), "the fault did not strike")
}

// WantCalls asserts the whole journal: no call of a route that is not named.
func (w *TestEnv) WantCalls(want map[string]int) error {
	got := map[string]int{}
	for _, c := range w.Sim.Journal() {
		got[c.Route]++
	}
	for route := range want {
		got[route] += 0 // a route may be named to have no call
	}
	if !maps.Equal(want, got) {
		return fmt.Errorf("calls in the journal, - is wanted:\n%s", gocmp.Diff(want, got))
	}
	return nil
}

// WantReads asserts that no call in the journal writes.
func (w *TestEnv) WantReads() {
	w.T.Helper()
	for _, route := range Writes(w.Sim) {
		w.T.Errorf("a call that writes: %s", route)
	}
}

// Writes returns the routes of the calls in a journal that write; a search reads with a POST.
func Writes(sim *simulator.Simulator) (routes []string) {
	reads := []string{RouteToken, RoutePackageSearch, RouteAddonSearch, RoutePackageGet, routeAddonGet}
	for _, call := range sim.Journal() {
		if call.Method != http.MethodGet && !slices.Contains(reads, call.Route) {
			routes = append(routes, call.Route)
		}
	}
	return routes
}

// Label is the block of a private label, with further lines.
func Label(name, host, extra string) string {
	return fmt.Sprintf(`
resource "reseller_private_label" %q {
  domain   = %q
  app_name = "Acme Sign"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
%s
}
`, name, host, extra)
}

// Number is the size of a test from an environment variable.
func Number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, name)
	return n
}
