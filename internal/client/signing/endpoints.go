package signing

import (
	"net/http"
)

// endpoint is a method and a path below the base URL.
type endpoint struct{ method, path string }

func (e endpoint) String() string { return e.method + " " + e.path }

// family is one of the two families of paths (Signing API §4).
type family struct {
	upload, sign, view, signatures endpoint
	// sent is tried in order: the API documentation (§4.2) shows neither the method nor family B's path.
	sent []endpoint
}

var families = map[string]family{
	FamilySigning: {
		upload:     endpoint{http.MethodPost, "/signing/upload"},
		sign:       endpoint{http.MethodPost, "/signing/sign"},
		view:       endpoint{http.MethodPost, "/signing/view-document"},
		signatures: endpoint{http.MethodGet, "/signing/signature-list"},
		sent:       postThenGet("/signing/view/sent-documents"),
	},
	FamilySigningAPI: {
		upload:     endpoint{http.MethodPost, "/signing-api/documents"},
		sign:       endpoint{http.MethodPost, "/signing-api/documents/update"},
		view:       endpoint{http.MethodPost, "/signing-api/documents/view"},
		signatures: endpoint{http.MethodGet, "/signing-api/signatures/list"},
		// The family's own paths first, the one documented path last.
		sent: postThenGet("/signing-api/documents/sent", "/signing-api/view/sent-documents", "/signing/view/sent-documents"),
	},
}

// routeMint is the same for both families (§4.6).
var routeMint = endpoint{http.MethodPost, "/signing-api/mintDocument"}

func postThenGet(paths ...string) []endpoint {
	var out []endpoint
	for _, path := range paths {
		out = append(out, endpoint{http.MethodPost, path}, endpoint{http.MethodGet, path})
	}
	return out
}

// jsonDomain returns the field `domain` of a JSON body: null for "", the personal account. The field is required, so
// that it is always sent (§2.1, §4.3, §4.4).
func jsonDomain(domain string) *string {
	if domain == "" {
		return nil
	}
	return &domain
}

// formDomain returns the field `domain` of a form or a query, which cannot express null.
func formDomain(domain string) string {
	if domain == "" {
		return "null"
	}
	return domain
}
