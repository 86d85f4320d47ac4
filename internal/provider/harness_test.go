package provider_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// Routes as the simulator's journal names them.
const (
	routeToken       = "POST /api/v1/auth/token"
	routeDashboard   = "GET /console/dashboard"
	routeList        = "GET /console/:slug/reseller/private-labels"
	routeProvision   = "POST /console/:slug/reseller/private-labels"
	routeDetail      = "GET /console/:slug/reseller/private-labels/:tenantId"
	routeAttach      = "POST /console/:slug/reseller/private-labels/:tenantId/domain/attach"
	routeDeprovision = "DELETE /console/:slug/reseller/private-labels/:tenantId"
	routeSuspend     = "POST /console/:slug/reseller/private-labels/:tenantId/suspend"
	routeUnsuspend   = "POST /console/:slug/reseller/private-labels/:tenantId/unsuspend"
)

// world is one simulated service and a provider that works on it.
type world struct {
	t   *testing.T
	sim *simulator.Simulator
	env environment
	// compares says that what is answered without the framework is asked of it, too; answered counts that.
	compares bool
	answered atomic.Int64

	key string // another key than the simulator's first

	transport http.RoundTripper // instead of the simulator's own
}

// environment is what the provider finds in it. A test changes it between runs,
// and a provider in this process reads it with only a CLI between the two, which
// the race detector cannot see.
type environment struct {
	mu     sync.Mutex
	values map[string]string
}

func (e *environment) set(name, value string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.values == nil {
		e.values = map[string]string{}
	}
	e.values[name] = value
}

func (e *environment) get(name string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.values[name]
}

func (w *world) apiKey() string {
	if w.key != "" {
		return w.key
	}
	return w.sim.APIKey()
}

// exchange makes a token as somebody outside the provider would.
func (w *world) exchange() string {
	w.t.Helper()
	body := strings.NewReader(fmt.Sprintf(`{"grant_type":"client_credentials","api_key":%q}`, w.apiKey()))
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, simulator.BaseURL+"/api/v1/auth/token", body)
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := w.sim.Transport().RoundTrip(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		w.t.Fatal(err)
	}
	return answer.AccessToken
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldOf(t, simulator.Assumptions{})
}

// newWorldOf is a world whose service reads its documents otherwise.
func newWorldOf(t *testing.T, assumptions simulator.Assumptions) *world {
	t.Helper()
	return newWorldWith(t, simulator.Options{Assumptions: assumptions})
}

// newWorldWith is a world on a frozen clock, unless the options have another.
func newWorldWith(t *testing.T, options simulator.Options) *world {
	t.Helper()
	if options.Clock == nil {
		options.Clock = simulator.NewFrozenClock(time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC))
	}
	sim, err := simulator.New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := sim.Close(); err != nil {
			t.Error(err)
		}
	})
	w := &world{t: t, sim: sim, compares: comparesIn(t.Name())}
	w.env.set("RESELLER_TOKEN_CACHE_DIR", t.TempDir())
	return w
}

// server compares the short path with the framework in half of the tests. In the others the framework is not asked, so
// that a side effect which only its answer has is missed there.
func (w *world) server() (tfprotov6.ProviderServer, error) {
	transport := w.transport
	if transport == nil {
		transport = w.sim.Transport()
	}
	opts := []provider.Option{
		provider.WithTransport(transport),
		provider.WithClock(w.sim.Clock()),
		provider.WithEnv(w.env.get),
	}
	if w.compares {
		opts = append(opts, provider.WithFastPath(func(fast *provider.FastPathServer) provider.Server {
			return &comparedServer{FastPathServer: fast, tell: func(difference string) { w.t.Error(difference) }, answered: func() { w.answered.Add(1) }}
		}))
	}
	return provider.NewServer("test", opts...)(), nil
}

// comparesIn picks half of the tests by their names, the same in every run.
func comparesIn(test string) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(test))
	return h.Sum32()%2 == 0
}

func (w *world) factories() map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){"reseller": w.server}
}

// test runs steps through the real CLI.
func (w *world) test(steps ...resource.TestStep) {
	w.t.Helper()
	resource.UnitTest(w.t, resource.TestCase{
		ProtoV6ProviderFactories: w.factories(),
		Steps:                    steps,
	})
}

// config is a configuration on this world's service.
func (w *world) config(body string) string {
	return w.configWith("", body)
}

// configWith adds lines to the provider block.
func (w *world) configWith(settings, body string) string {
	return fmt.Sprintf("provider \"reseller\" {\n  base_url = %q\n  api_key = %q\n%s\n}\n%s", simulator.BaseURL, w.apiKey(), settings, body)
}

// calls counts the requests of a route since the last reset.
func (w *world) calls(route string) int {
	n := 0
	for _, c := range w.sim.Journal() {
		if c.Route == route {
			n++
		}
	}
	return n
}

// wantFault asserts that the fault that was set struck: a matrix of faults that
// miss would always pass.
func (w *world) wantFault() {
	w.t.Helper()
	for _, call := range w.sim.Journal() {
		if call.Fault {
			return
		}
	}
	w.t.Error("the fault did not strike")
}

// wantCalls asserts the whole journal: every route that is not named was not called.
func (w *world) wantCalls(want map[string]int) error {
	got := map[string]int{}
	for _, c := range w.sim.Journal() {
		got[c.Route]++
	}
	var wrong []string
	for route, n := range want {
		if got[route] != n {
			wrong = append(wrong, fmt.Sprintf("%s: %d calls, want %d", route, got[route], n))
		}
		delete(got, route)
	}
	for route, n := range got {
		wrong = append(wrong, fmt.Sprintf("%s: %d calls, want none", route, n))
	}
	if len(wrong) > 0 {
		return fmt.Errorf("journal:\n%s", strings.Join(wrong, "\n"))
	}
	return nil
}

// wantReads asserts that no call of the journal writes; a search reads with a
// POST.
func (w *world) wantReads() {
	w.t.Helper()
	reads := []string{routeToken, routePackageSearch, routeAddonSearch, routePackageGet, routeAddonGet}
	for _, call := range w.sim.Journal() {
		if call.Method != http.MethodGet && !slices.Contains(reads, call.Route) {
			w.t.Errorf("a call that writes: %s", call.Route)
		}
	}
}

// label is the block of a private label; extra lines go inside.
func label(name, host, extra string) string {
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
