package transport

import (
	"net/http"
	"testing"
)

// Plain http uses no proxy of the environment.
func TestPlainHTTP_UsesNoProxy(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"http://localhost:8080/", "http://127.0.0.1/", "http://[::1]/"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if proxy, err := proxyOf(req); proxy != nil || err != nil {
			t.Errorf("%s goes through %v, %v", address, proxy, err)
		}
	}
	if transport, ok := NewPooledTransport().(*http.Transport); !ok || transport.Proxy == nil || transport.MaxResponseHeaderBytes != maxHeader {
		t.Error("the transport has no limits of its own")
	}
}
