package simulator

import (
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Scopes of §5.
const (
	scopeRead      = "reseller:read"
	scopeProvision = "reseller:provision"
	scopePackages  = "reseller:packages"
)

type bucket int

const (
	bucketNone bucket = iota
	bucketExchange
	bucketConsole
	bucketBilling
)

// route is one endpoint of §4.
type route struct {
	method  string
	pattern string
	scope   string
	bucket  bucket
	flat    bool // outside of the reseller's path: other errors (§5.5)
	serve   func(*Simulator, *request) (any, *apiError)
	raw     func(*Simulator, *request) *response // no token, no envelope

	signing func(*Simulator, *request) (any, *apiError) // of the Signing API: its own API key, no limits
	reads   bool                                        // changes nothing, although it is a POST

	read    readKind // of a read that may be late
	removes bool     // its response may have no body

	// allocates reports whether the request counts against the allocation limit.
	allocates func(*request) bool
}

func (r *route) name() string {
	return r.method + " " + r.pattern
}

const (
	ofReseller = "/console/:slug/reseller"
	ofLabel    = ofReseller + "/private-labels/:tenantId"
)

func routes() []*route {
	const get, post, del = http.MethodGet, http.MethodPost, http.MethodDelete
	return []*route{
		{method: post, pattern: "/api/v1/auth/token", bucket: bucketExchange, raw: (*Simulator).exchangeToken},
		{method: get, pattern: "/console/dashboard", scope: scopeRead, bucket: bucketConsole, flat: true, serve: (*Simulator).dashboard},

		{method: get, pattern: ofReseller + "/private-labels", scope: scopeRead, bucket: bucketConsole, serve: (*Simulator).listLabels, read: readList},
		{
			method: post, pattern: ofReseller + "/private-labels", scope: scopeProvision, bucket: bucketConsole,
			serve: (*Simulator).provision, allocates: provisionsPackage,
		},
		{method: get, pattern: ofLabel, scope: scopeRead, bucket: bucketConsole, serve: forLabel((*Simulator).getLabel), read: readDetail},
		{method: del, pattern: ofLabel, scope: scopeProvision, bucket: bucketConsole, serve: (*Simulator).deprovision, removes: true},
		{method: post, pattern: ofLabel + "/domain/attach", scope: scopeProvision, bucket: bucketConsole, serve: withoutBody((*Simulator).attachDomain)},
		{method: post, pattern: ofLabel + "/suspend", scope: scopeProvision, bucket: bucketConsole, serve: forLabel((*Simulator).suspend)},
		{method: post, pattern: ofLabel + "/unsuspend", scope: scopeProvision, bucket: bucketConsole, serve: withoutBody((*Simulator).unsuspend)},
		{method: get, pattern: ofLabel + "/templates", scope: scopeRead, bucket: bucketConsole, serve: forLabel((*Simulator).listTemplates)},
	}
}

// request is one call that the simulator handles.
type request struct {
	method string
	path   string
	query  url.Values
	header http.Header
	body   []byte
	addr   string
	now    time.Time

	form *requestForm // once it was read

	retryAfter string // header of a rejection

	route    *route
	params   map[string]string
	key      *apiKey
	reseller *reseller
}

// match finds the endpoint with a method and path.
func (s *Simulator) match(method, path string) (*route, map[string]string) {
	elements := strings.Split(path, "/")
	for _, r := range s.routes {
		if r.method != method {
			continue
		}
		if params, ok := matchPattern(r.pattern, elements); ok {
			return r, params
		}
	}
	return nil, nil
}

func matchPattern(pattern string, elements []string) (map[string]string, bool) {
	want := strings.Split(pattern, "/")
	if len(want) != len(elements) {
		return nil, false
	}
	params := map[string]string{}
	for i, w := range want {
		name, isParam := strings.CutPrefix(w, ":")
		switch {
		case isParam && elements[i] != "":
			value, err := url.PathUnescape(elements[i])
			if err != nil {
				return nil, false
			}
			params[name] = value
		case isParam || w != elements[i]:
			return nil, false
		}
	}
	return params, true
}
