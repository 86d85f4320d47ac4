package client

import (
	"net/http"
	"testing"
)

func TestNew_RefusesPlainHTTPToOthers(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://api.example": true, "http://localhost:1": true, "http://LOCALHOST": true, "http://127.0.0.1": true, "http://127.3.2.1:8": true, "http://[::1]:1": true,
		"http://api.localhost": false, "http://localhost.": false, "http://a.localhost.example": false, "http://10.0.0.1": false, "http://127.1": false,
		"http://0.0.0.0": false, "http://[::]": false, "http://127.0.0.1.example": false, "http://api.example": false, "http://": false,
	} {
		_, err := New(Config{BaseURL: address, AccessToken: givenTok})
		if (err == nil) != want {
			t.Errorf("%s: %v", address, err)
		}
		if _, err := New(Config{BaseURL: "https://api.example", UploadURL: address, AccessToken: givenTok}); (err == nil) != want {
			t.Errorf("%s for uploads: %v", address, err)
		}
	}
}

// Whatever the environment says, plain http goes through no proxy.
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
