package simulator_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// A page in a browser of this machine must neither call the simulator nor read it through a host name that points to
// this machine.
func TestPagesAreRefused(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{})
	server := httptest.NewServer(sim)
	t.Cleanup(server.Close)
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	for name, test := range map[string]struct {
		method, path, host string
		header             map[string]string
		want               int
	}{
		"plain":                      {host: "127.0.0.1:" + port, want: http.StatusUnauthorized},
		"localhost":                  {host: "localhost:" + port, want: http.StatusUnauthorized},
		"no port":                    {host: "LocalHost", want: http.StatusUnauthorized},
		"another loopback address":   {host: "127.9.9.9:1", want: http.StatusUnauthorized},
		"IPv6":                       {host: "[::1]:" + port, want: http.StatusUnauthorized},
		"a name that points here":    {host: "rebind.example:" + port, want: http.StatusForbidden},
		"below localhost":            {host: "api.localhost:" + port, want: http.StatusForbidden},
		"another address":            {host: "10.0.0.1", want: http.StatusForbidden},
		"the page by such a name":    {path: "/", host: "rebind.example", want: http.StatusForbidden},
		"an exchange from elsewhere": {method: http.MethodPost, path: "/api/v1/auth/token", header: map[string]string{"Origin": "https://evil.example"}, want: http.StatusForbidden},
		"an origin without a name":   {method: http.MethodPost, path: "/api/v1/auth/token", header: map[string]string{"Origin": "null"}, want: http.StatusForbidden},
		"another port":               {header: map[string]string{"Origin": "http://127.0.0.1:1"}, want: http.StatusForbidden},
		"its own origin":             {header: map[string]string{"Origin": "http://127.0.0.1:" + port}, want: http.StatusUnauthorized},
		"a picture from elsewhere":   {header: map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, want: http.StatusForbidden},
		"a page of this site":        {header: map[string]string{"Sec-Fetch-Site": "same-site"}, want: http.StatusForbidden},
		"its own page":               {header: map[string]string{"Sec-Fetch-Site": "same-origin"}, want: http.StatusUnauthorized},
		"a link to the page":         {path: "/", header: map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, want: http.StatusOK},
		"a link to an endpoint":      {header: map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, want: http.StatusForbidden},
		"the page in another one":    {path: "/", header: map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, want: http.StatusForbidden},
		"the address in the bar":     {path: "/", header: map[string]string{"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, want: http.StatusOK},
		"a preflight from elsewhere": {method: http.MethodOptions, header: map[string]string{"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}, want: http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			if test.method == "" {
				test.method = http.MethodGet
			}
			if test.path == "" {
				test.path = labelsPath
			}
			req, err := http.NewRequestWithContext(t.Context(), test.method, server.URL+test.path, http.NoBody)
			require.NoError(t, err)
			req.Host = test.host
			for header, value := range test.header {
				req.Header.Set(header, value)
			}
			resp, err := server.Client().Do(req)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, test.want, resp.StatusCode)
			assert.Empty(t, resp.Header.Get("Access-Control-Allow-Origin"), "pages of other origins are let in")
		})
	}
	// Rejected requests used no token exchange of the five that an IP address has.
	require.Equal(t, 0, sim.Count("/auth/token"))
}

// A simulator that listens on the network can be called by host names of the network.
func TestPagesAreRefused_NotOnTheNetwork(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{})
	for origin, want := range map[string]int{"": http.StatusUnauthorized, "http://simulator.internal:8080": http.StatusUnauthorized, "https://evil.example": http.StatusForbidden} {
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, labelsPath, nil)
		req.Host = "simulator.internal:8080"
		if origin != "" {
			req.Header.Set("Origin", origin)
		}
		w := httptest.NewRecorder()
		sim.ServeHTTP(w, req)
		assert.Equal(t, want, w.Code, origin)
	}
}
