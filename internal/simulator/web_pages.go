package simulator

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

// refusePages tells why a request is refused that a web page in a browser of this
// machine may have made; "" is none. Such a page needs no leave to send what
// changes something, and by a name that it lets point to this machine it could
// also read.
func refusePages(req *http.Request) string {
	switch {
	case overLoopback(req) && !isLocalName(hostOf(req.Host)):
		return "Call this simulator by localhost or a loopback address instead of " + shortened(req.Host, maxJournalHost) + "."
	case !ownOrigin(req):
		return "This simulator rejects requests from web pages of other origins."
	default:
		return ""
	}
}

const maxJournalHost = 100 // bytes

// overLoopback reports whether the connection came in on a loopback address. Who
// listens on others is called by whatever name the network has.
func overLoopback(req *http.Request) bool {
	addr, ok := req.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return ok && addr.IP.IsLoopback()
}

// hostOf a Host header, without its port.
func hostOf(header string) string {
	host, _, err := net.SplitHostPort(header)
	if err != nil {
		host = header
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

func isLocalName(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// ownOrigin: browsers send Origin with what a page sends, and Sec-Fetch-Site with
// everything. A link from elsewhere to the page that is shown is no call.
func ownOrigin(req *http.Request) bool {
	if origin := req.Header.Get("Origin"); origin != "" {
		from, err := url.Parse(origin)
		return err == nil && strings.EqualFold(from.Host, req.Host)
	}
	switch req.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	default:
		return asksForPage(req) && req.Header.Get("Sec-Fetch-Mode") == "navigate"
	}
}
