package transport

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/hashicorp/go-cleanhttp"
)

// errPlainHTTP: a key must not cross a network in the clear.
var errPlainHTTP = errors.New("http is allowed for localhost and loopback addresses only: it would send credentials unencrypted")

// ParseBase takes a base URL with a directory below the host, and nothing that would
// end up in the middle of an address or in an error's text.
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

// IsLoopback reports whether a host is this machine whatever a name server says:
// `localhost` itself or a loopback address. Names below `localhost` are left to
// name servers by many systems.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// Limits of a connection.
const (
	maxHeader    = 256 << 10 // bytes of a response's header; Go's own limit is 10 MB
	maxIdleConns = 16        // the CLI reads 10 resources at a time
)

// NewPooledTransport makes connections of its own.
func NewPooledTransport() http.RoundTripper {
	t := cleanhttp.DefaultPooledTransport()
	t.MaxIdleConnsPerHost = maxIdleConns
	t.MaxResponseHeaderBytes = maxHeader
	t.Proxy = proxyOf
	return t
}

// proxyOf asks the environment. Plain http stays on this machine, and an address
// of a proxy may have a password in it, which the error would show.
func proxyOf(req *http.Request) (*url.URL, error) {
	if req.URL.Scheme == "http" {
		return nil, nil //nolint:nilnil // nil is no proxy
	}
	proxy, err := http.ProxyFromEnvironment(req)
	if err != nil {
		return nil, NotSent(errors.New("the proxy address in HTTPS_PROXY is not a URL"))
	}
	return proxy, nil
}
