package simulator

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

// rejectPages returns why a request is rejected that a web page in a browser of this machine may have made; "" if it is
// not rejected. Such a page can send changes without permission, and with a host name that points to this machine it
// could also read.
func rejectPages(req *http.Request) string {
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

// overLoopback reports whether the connection arrived on a loopback address. Other addresses can be called by any host
// name of the network.
func overLoopback(req *http.Request) bool {
	addr, ok := req.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return ok && addr.IP.IsLoopback()
}

// hostOf returns a Host header without its port.
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

// ownOrigin reports whether a request does not come from a page of another origin: browsers send Origin with requests
// of pages, and Sec-Fetch-Site with all requests. A link from elsewhere to the simulator's page is not a call.
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
