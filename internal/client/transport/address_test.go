package transport

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Plain http uses no proxy of the environment.
func TestPlainHTTP_UsesNoProxy(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"http://localhost:8080/", "http://127.0.0.1/", "http://[::1]/"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
		require.NoError(t, err)
		proxy, err := proxyOf(req)
		assert.Nil(t, proxy, "%s goes through, %v", address, err)
		assert.NoError(t, err, "%s goes through %v", address, proxy)
	}
	if transport, ok := NewPooledTransport().(*http.Transport); !ok || transport.Proxy == nil || transport.MaxResponseHeaderBytes != maxHeader {
		t.Error("the transport has no limits of its own")
	}
}
