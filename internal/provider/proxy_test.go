package provider_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Requests use a proxy of the environment, as users behind one expect.
func TestProxyFromEnvironment(t *testing.T) {
	t.Parallel()
	var (
		mu    sync.Mutex
		asked []string
	)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.Method+" "+r.Host)
		w.WriteHeader(http.StatusForbidden)
	}))
	t.Cleanup(proxy.Close)
	c := providertest.InstalledCLI(t,
		"HTTPS_PROXY="+proxy.URL, "NO_PROXY=", "no_proxy=", "https_proxy=",
		"RESELLER_BASE_URL=https://api.example", "RESELLER_API_KEY=rsl_live_0123456789abcdef0123456789abcdef_secretsecret",
		"RESELLER_MAX_RETRIES=0", "RESELLER_TOKEN_CACHE=memory")
	c.Config("data \"reseller_dashboard\" \"d\" {}\n")
	c.Plan().WantError(t, "The dashboard could not be read")
	mu.Lock()
	defer mu.Unlock()
	assert.Contains(t, asked, "CONNECT api.example:443", "the proxy was asked")
}

// The URL of a proxy may contain a password.
func TestProxyPassword_StaysOutOfErrors(t *testing.T) {
	t.Parallel()
	for name, proxy := range map[string]string{
		"malformed":   "http://user:hunter2hunter2@[::1",
		"unreachable": "http://user:hunter2hunter2@127.0.0.1:1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := providertest.InstalledCLI(t,
				"HTTPS_PROXY="+proxy, "NO_PROXY=", "no_proxy=", "https_proxy=", "TF_LOG=TRACE",
				"RESELLER_BASE_URL=https://api.example", "RESELLER_API_KEY=rsl_live_0123456789abcdef0123456789abcdef_secretsecret",
				"RESELLER_MAX_RETRIES=0", "RESELLER_TOKEN_CACHE=memory")
			c.Config("data \"reseller_dashboard\" \"d\" {}\n")
			r := c.Plan()
			r.WantError(t, "The dashboard could not be read")
			for _, secret := range []string{"hunter2hunter2", "secretsecret"} {
				assert.NotContains(t, r.Out, secret, "the output shows")
			}
		})
	}
}
