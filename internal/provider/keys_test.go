package provider_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// planned are ten private labels and a package that do not exist.
func planned() string {
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
	for name, workspace := range map[string]func(*providertest.TestEnv) providertest.Workspace{
		"CLI":  func(w *providertest.TestEnv) providertest.Workspace { return w.Cli() },
		"core": func(w *providertest.TestEnv) providertest.Workspace { return coretest.New(t, w) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			w.Key = w.Sim.APIKey() + "x"
			c := workspace(w)
			c.Config(w.Config(planned()))
			start := w.Sim.Clock().Now()
			r := c.Plan()
			r.WantError(t, "API error invalid_client", "unknown, revoked or mistyped")
			assert.Equal(t, 11, strings.Count(r.Out, "Error: "+diagnostic.SummaryInvalidKey), "errors in\n%s", r.Out)
			assert.Equal(t, 1, strings.Count(r.Out, "unknown, revoked or mistyped"), "errors with the explanation in\n%s", r.Out)
			assert.Equal(t, 1, w.Calls(providertest.RouteToken), "exchanges")
			assert.Len(t, w.Sim.Journal(), 1, "calls")
			assert.Equal(t, start, w.Sim.Clock().Now(), "time of waits")
		})
	}
}

// A token of an earlier job is used although a good key is there. The error says so.
func TestAccessToken_Expired(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	w.Env.Set("RESELLER_ACCESS_TOKEN", "eyJhbGciOiJub25lIn0.b2xk.dG9rZW4\n")
	c := coretest.New(t, w)
	c.Config(w.Config("data \"reseller_dashboard\" \"it\" {}\n"))
	c.Plan().WantError(t, "HTTP 401", "environment variable RESELLER_ACCESS_TOKEN", "valid for one hour", "API key, which was not used")
	assert.Equal(t, 0, w.Calls(providertest.RouteToken), "exchanges")
	require.Len(t, w.Sim.Journal(), 1)
	w.Env.Set("RESELLER_ACCESS_TOKEN", "")
	c.Plan().WantOK(t)
	c.Config(w.ConfigWith("  access_token = \"eyJhbGciOiJub25lIn0.b2xk.dG9rZW4\"", "data \"reseller_dashboard\" \"it\" {}\n"))
	c.Plan().WantError(t, "HTTP 401", "access_token in the provider block")
}

// A file server, a proxy or a portal answers at a mistyped base URL. One request shows it.
func TestBaseURL_OfAnotherServer(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	requests := 0
	w.Transport = transporttest.After(func() { requests++ }, transporttest.HTML(http.StatusNotFound))
	c := coretest.New(t, w)
	c.Config(w.Config(planned()))
	r := c.Plan()
	r.WantError(t, "HTTP 404", "Check the API's URL in the provider block")
	assert.NotContains(t, r.Out, diagnostic.SummaryRateLimit)
	assert.Equal(t, 1, requests)
}
