package provider_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/echoprovider"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

const (
	dashboard = "data \"reseller_dashboard\" \"d\" {}\n"
	newToken  = "ephemeral \"reseller_access_token\" \"run\" {}\n"
)

// elevenObjects are ten private labels and a package that do not exist.
func elevenObjects() string {
	body := providertest.Item("package", "gold", "GOLD", "")
	for i := range 10 {
		body += providertest.Label(fmt.Sprintf("n%d", i), fmt.Sprintf("n%d.acme.example", i), "")
	}
	return body
}

// A mistyped key costs one of the five token exchanges that an address has in 15 minutes, however much is planned. All
// of it gets the same error.
func TestKey_RejectedOnce(t *testing.T) {
	t.Parallel()
	for _, throughCLI := range []bool{true, false} {
		w := providertest.NewTestEnv(t)
		w.Key = w.Sim.APIKey() + "x"
		c := coretest.For(t, w, throughCLI)
		c.Config(w.Config(elevenObjects()))
		start := w.Sim.Clock().Now()
		r := c.Plan()
		r.WantError(t, "API error invalid_client", "unknown, revoked or mistyped")
		assert.Equal(t, 11, strings.Count(r.Out, "Error: "+diagnostic.SummaryInvalidKey), "errors in\n%s", r.Out)
		assert.Equal(t, 1, strings.Count(r.Out, "unknown, revoked or mistyped"), "errors with the explanation in\n%s", r.Out)
		assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteToken: 1}))
		assert.Equal(t, start, w.Sim.Clock().Now(), "time of waits")
	}
}

// A token of an earlier job is used although a good key is there. The error says so.
func TestAccessToken_Expired(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	w.Env.Set("RESELLER_ACCESS_TOKEN", "eyJhbGciOiJub25lIn0.b2xk.dG9rZW4\n")
	c := coretest.New(t, w)
	c.Config(w.Config(dashboard))
	c.Plan().WantError(t, "HTTP 401", "environment variable RESELLER_ACCESS_TOKEN", "valid for one hour", "API key, which was not used")
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteDashboard: 1}))
	w.Env.Set("RESELLER_ACCESS_TOKEN", "")
	c.Plan().WantOK(t)
	c.Config(w.ConfigWith("  access_token = \"eyJhbGciOiJub25lIn0.b2xk.dG9rZW4\"", dashboard))
	c.Plan().WantError(t, "HTTP 401", "access_token in the provider block")
}

// A file server, a proxy or a portal answers at a mistyped base URL. One request shows it.
func TestBaseURL_OfAnotherServer(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	requests := 0
	w.Transport = transporttest.After(func() { requests++ }, transporttest.HTML(http.StatusNotFound))
	c := coretest.New(t, w)
	c.Config(w.Config(elevenObjects()))
	r := c.Plan()
	r.WantError(t, "HTTP 404", "Check the API's URL in the provider block")
	assert.NotContains(t, r.Out, diagnostic.SummaryRateLimit)
	assert.Equal(t, 1, requests)
}

// A cache directory that cannot be written costs token exchanges, but no run fails. For root, which can write everywhere, a file
// is in its place.
func TestTokenCache_ReadOnly(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	blocked := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(blocked, nil, 0o400))
	w.Env.Set("RESELLER_TOKEN_CACHE_DIR", filepath.Join(blocked, "cache"))
	c := coretest.New(t, w)
	c.Config(w.Config(dashboard))
	c.Plan().WantOK(t)
	assert.Equal(t, 1, w.Calls(providertest.RouteToken), "exchanges")
}

func TestTokenCache_Corrupt(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.New(t, w)
	c.Config(w.Config(dashboard))
	c.Plan().WantOK(t)
	files, err := filepath.Glob(filepath.Join(w.Env.Get("RESELLER_TOKEN_CACHE_DIR"), "*"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no cache")
	for _, path := range files {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.NotContains(t, string(raw), w.Sim.APIKey(), path)
		require.NoError(t, os.WriteFile(path, []byte("nonsense"), 0o600))
	}
	for range 2 { // the cache is mended
		c.Plan().WantOK(t)
		assert.Equal(t, 2, w.Calls(providertest.RouteToken), "exchanges")
	}
}

// behindProxy is a plan that calls the API through a proxy of the environment.
func behindProxy(t *testing.T, proxy string) providertest.Result {
	t.Helper()
	c := providertest.InstalledCLI(t, "HTTPS_PROXY="+proxy, "NO_PROXY=", "no_proxy=", "https_proxy=", "TF_LOG=TRACE", "RESELLER_BASE_URL=https://api.example",
		"RESELLER_API_KEY=rsl_live_0123456789abcdef0123456789abcdef_secretsecret", "RESELLER_MAX_RETRIES=0", "RESELLER_TOKEN_CACHE=memory")
	c.Config(dashboard)
	r := c.Plan()
	r.WantError(t, "The dashboard could not be read")
	return r
}

// Requests use a proxy of the environment, as users behind one expect. Its URL may contain a password.
func TestProxy(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked := ""
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked += r.Method + " " + r.Host + "\n"
		w.WriteHeader(http.StatusForbidden)
	}))
	t.Cleanup(proxy.Close)
	behindProxy(t, proxy.URL)
	mu.Lock()
	assert.Contains(t, asked, "CONNECT api.example:443", "the proxy was asked")
	mu.Unlock()
	for _, url := range []string{"http://user:hunter2hunter2@[::1", "http://user:hunter2hunter2@127.0.0.1:1"} { // malformed, and unreachable
		assert.NotRegexp(t, "hunter2hunter2|secretsecret", behindProxy(t, url).Out)
	}
}

// An ephemeral value is in no state: a provider that echoes it shows it.
func TestAccessToken(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnvAssuming(t, simulator.Forms{"scope-list": "commas"})
	echoed := func(name string) tfjsonpath.Path { return tfjsonpath.New("data").AtMapKey(name) }
	resource.UnitTest(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_10_0)}, // ephemeral resources
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			"reseller": w.Server, "echo": echoprovider.NewProviderServer(),
		},
		Steps: []resource.TestStep{{
			Config: w.Config(newToken + "provider \"echo\" {\n  data = ephemeral.reseller_access_token.run\n}\nresource \"echo\" \"token\" {}\n"),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue("echo.token", echoed("access_token"), knownvalue.StringFunc(w.Knows)),
				statecheck.ExpectKnownValue("echo.token", echoed("expires_at"), knownvalue.StringExact("2026-03-14T10:00:00Z")),
				statecheck.ExpectKnownValue("echo.token", echoed("scopes"), knownvalue.ListSizeExact(3)),
			},
		}},
	})
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteToken: 1}))
}

// A configured access token is passed on without a token exchange, and is not in state. With a wrong key there is none.
func TestAccessToken_Given(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.10.0", "the ephemeral resource")
	w := providertest.NewTestEnv(t)
	token := w.Exchange()
	w.Sim.ResetJournal()
	w.Env.Set("RESELLER_ACCESS_TOKEN", token)
	c := w.Cli()
	c.Config(strings.Replace(w.Config(newToken+providertest.Label("acme", providertest.AcmeHost, "")), "api_key", "#", 1))
	c.Apply().WantOK(t)
	assert.Equal(t, 0, w.Calls(providertest.RouteToken), "exchanges")
	assert.NotContains(t, c.Read("terraform.tfstate"), token)
	w.Env.Set("RESELLER_ACCESS_TOKEN", "")
	w.Key = w.Sim.APIKey() + "x"
	c = w.Cli()
	c.Config(w.Config(newToken))
	c.Plan().WantError(t, diagnostic.SummaryInvalidKey, "No access token was received", "invalid_client")
}

// With -parallelism=500, the CLI sends everything at once. All requests succeed, in the order of the limits, and none
// gets a 429.
func TestParallelism_500(t *testing.T) {
	t.Parallel()
	const labels = 500
	w := providertest.NewTestEnv(t)
	require.NoError(t, w.Sim.Seed(labels))
	p := w.Protocol()
	var group sync.WaitGroup
	for _, label := range w.Sim.Labels() {
		for _, name := range []string{"reseller_members", "reseller_templates"} {
			config := p.Value(p.Schema.DataSourceSchemas[name], map[string]string{"private_label_id": label.ID})
			group.Go(func() {
				resp, err := p.Server.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{TypeName: name, Config: config})
				if assert.NoError(t, err) {
					assert.Empty(t, resp.Diagnostics)
				}
			})
		}
	}
	group.Wait()
	assert.Equal(t, labels, w.Calls(providertest.RouteMembers), "lists of members")
	assert.Zero(t, rateLimited(w), "calls that were rejected")
}

// rateLimited counts the calls that a rate limit rejected.
func rateLimited(w *providertest.TestEnv) int {
	return providertest.Count(w.Sim.Journal(), func(call simulator.Call) bool { return call.Status == http.StatusTooManyRequests })
}
