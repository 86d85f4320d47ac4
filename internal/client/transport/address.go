package transport

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/hashicorp/go-cleanhttp"
)

// errPlainHTTP: credentials must not be sent over a network unencrypted.
var errPlainHTTP = errors.New("http is allowed for localhost and loopback addresses only: it would send credentials unencrypted")

// ParseBase parses a base URL, which may have a path. It returns an error for a user, a query or a fragment, and for
// plain http unless the host is this machine.
func ParseBase(address string) (*url.URL, error) {
	base, err := url.Parse(strings.TrimRight(address, "/"))
	switch {
	case err != nil || base.Host == "" || base.Scheme != "https" && base.Scheme != "http":
		return nil, errors.New("the base URL is not an http or https URL")
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return nil, errors.New("the base URL must have no user, query or fragment")
	case base.Scheme == "http" && !IsLoopback(base.Hostname()):
		return nil, errPlainHTTP
	}
	return base, nil
}

// SentHost returns a host name as it is sent: in lowercase, without a final dot. The API documentation does not say how
// host names compare.
func SentHost(name string) string {
	return strings.ToLower(strings.TrimSuffix(name, "."))
}

// IsLoopback reports whether a host is `localhost` or a loopback address. Names below `localhost` are not: many systems
// resolve them with name servers.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// Limits of a connection.
const (
	maxHeader    = 256 << 10 // bytes of a response's header; Go's default is 10 MB
	maxIdleConns = 16        // the CLI reads 10 resources concurrently
)

// NewPooledTransport returns a transport with its own connections.
func NewPooledTransport() http.RoundTripper {
	t := cleanhttp.DefaultPooledTransport()
	t.MaxIdleConnsPerHost = maxIdleConns
	t.MaxResponseHeaderBytes = maxHeader
	t.Proxy = proxyOf
	return t
}

// proxyOf returns the proxy of the environment, except for plain http, which stays on this machine. Its error omits the
// proxy's URL, which may contain a password.
func proxyOf(req *http.Request) (*url.URL, error) {
	if req.URL.Scheme == "http" {
		return nil, nil //nolint:nilnil // nil means no proxy
	}
	proxy, err := http.ProxyFromEnvironment(req)
	if err != nil {
		return nil, NotSent(errors.New("the proxy address in HTTPS_PROXY is not a URL"))
	}
	return proxy, nil
}
