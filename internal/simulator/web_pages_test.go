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
// this machine. A request is a method, a path, a host, and headers; LIST is the list of private labels.
func TestPagesAreRefused(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{})
	server := httptest.NewServer(sim)
	t.Cleanup(server.Close)
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	for request, want := range map[string]int{
		"GET LIST 127.0.0.1:PORT":                               http.StatusUnauthorized,
		"GET LIST localhost:PORT":                               http.StatusUnauthorized,
		"GET LIST LocalHost":                                    http.StatusUnauthorized,
		"GET LIST 127.9.9.9:1":                                  http.StatusUnauthorized,
		"GET LIST [::1]:PORT":                                   http.StatusUnauthorized,
		"GET LIST rebind.example:PORT":                          http.StatusForbidden, // a name that points here
		"GET LIST api.localhost:PORT":                           http.StatusForbidden,
		"GET LIST 10.0.0.1":                                     http.StatusForbidden,
		"GET / rebind.example":                                  http.StatusForbidden,
		"POST TOKEN 127.0.0.1:PORT Origin=https://evil.example": http.StatusForbidden,
		"POST TOKEN 127.0.0.1:PORT Origin=null":                 http.StatusForbidden,
		"GET LIST 127.0.0.1:PORT Origin=http://127.0.0.1:1":     http.StatusForbidden, // another port
		"GET LIST 127.0.0.1:PORT Origin=http://127.0.0.1:PORT":  http.StatusUnauthorized,
		"GET LIST 127.0.0.1:PORT Sec-Fetch-Site=cross-site Sec-Fetch-Mode=no-cors":                   http.StatusForbidden, // a picture
		"GET LIST 127.0.0.1:PORT Sec-Fetch-Site=same-site":                                           http.StatusForbidden,
		"GET LIST 127.0.0.1:PORT Sec-Fetch-Site=same-origin":                                         http.StatusUnauthorized,
		"GET / 127.0.0.1:PORT Sec-Fetch-Site=cross-site Sec-Fetch-Mode=navigate":                     http.StatusOK, // a link to the page
		"GET LIST 127.0.0.1:PORT Sec-Fetch-Site=cross-site Sec-Fetch-Mode=navigate":                  http.StatusForbidden,
		"GET / 127.0.0.1:PORT Sec-Fetch-Site=cross-site Sec-Fetch-Mode=no-cors":                      http.StatusForbidden, // the page in another one
		"GET / 127.0.0.1:PORT Sec-Fetch-Site=none Sec-Fetch-Mode=navigate":                           http.StatusOK,        // the address in the bar
		"OPTIONS LIST 127.0.0.1:PORT Origin=https://evil.example Access-Control-Request-Method=POST": http.StatusForbidden,
	} {
		t.Run(request, func(t *testing.T) {
			words := strings.Fields(strings.NewReplacer("LIST", labelsPath, "TOKEN", "/api/v1/auth/token", "PORT", port).Replace(request))
			req, err := http.NewRequestWithContext(t.Context(), words[0], server.URL+words[1], http.NoBody)
			require.NoError(t, err)
			req.Host = words[2]
			for _, header := range words[3:] {
				name, value, _ := strings.Cut(header, "=")
				req.Header.Set(name, value)
			}
			resp, err := server.Client().Do(req)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, want, resp.StatusCode)
			assert.Empty(t, resp.Header.Get("Access-Control-Allow-Origin"), "pages of other origins are let in")
		})
	}
	// Rejected requests used no token exchange of the five that an IP address has.
	require.Equal(t, 0, sim.Count("/auth/token"))
}

// A simulator that listens on the network can be called by host names of the network.
func TestNamesOfTheNetworkAreNotRefusedThere(t *testing.T) {
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
