package client

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// route is an endpoint with the rate limits and the retries of its calls.
type route struct {
	method string
	// path below the base URL. `:slug` is the reseller's slug; the call replaces every other element that begins with a
	// colon.
	path string
	// May be retried (§7.4).
	retryable  bool
	billing    bool // counts toward the billing limit instead of the console limit (§8)
	allocation bool // counts toward the allocation limit, too
	upload     bool // uses the upload URL (§4.7)
}

const reseller = "/console/:slug/reseller"

var (
	routeDashboard = route{method: http.MethodGet, path: "/console/dashboard", retryable: true}

	routeListLabels  = route{method: http.MethodGet, path: reseller + "/private-labels", retryable: true}
	routeProvision   = route{method: http.MethodPost, path: reseller + "/private-labels"}
	routeGetLabel    = route{method: http.MethodGet, path: reseller + "/private-labels/:tenantId", retryable: true}
	routeDeprovision = route{method: http.MethodDelete, path: reseller + "/private-labels/:tenantId"}
	routeAttach      = route{method: http.MethodPost, path: reseller + "/private-labels/:tenantId/domain/attach", retryable: true}
	routeSuspend     = route{method: http.MethodPost, path: reseller + "/private-labels/:tenantId/suspend", retryable: true}
	routeUnsuspend   = route{method: http.MethodPost, path: reseller + "/private-labels/:tenantId/unsuspend", retryable: true}
	routeTemplates   = route{method: http.MethodGet, path: reseller + "/private-labels/:tenantId/templates", retryable: true}
)

// needsSlug reports whether the path contains the slug.
func (r route) needsSlug() bool { return strings.Contains(r.path, "/:slug/") }

// limits returns the limits toward which the route counts, narrowest first (§8).
func (r route) limits() []transport.Limit {
	var out []transport.Limit
	if r.allocation {
		out = append(out, transport.LimitAllocation)
	}
	if r.billing {
		return append(out, transport.LimitBilling, transport.LimitTotal)
	}
	return append(out, transport.LimitConsole, transport.LimitTotal)
}

// idForm is the form of every ID (§2.1).
var idForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// maxSlug is the maximum length of a host name in bytes.
const maxSlug = 253

// fill returns the path with every element escaped.
func (r route) fill(slug string, ids map[string]string) (string, error) {
	elements := strings.Split(r.path, "/")
	for i, element := range elements {
		name, isParam := strings.CutPrefix(element, ":")
		switch {
		case !isParam:
		case name == "slug":
			if strings.Trim(slug, ".") == "" || len(slug) > maxSlug { // escaping does not change "." and ".."
				return "", fmt.Errorf("%q is not a slug", transport.CutText(slug, maxSlug))
			}
			elements[i] = url.PathEscape(slug)
		case !idForm.MatchString(ids[name]):
			return "", fmt.Errorf("%q is not a %s, which has 32 lowercase hex characters", ids[name], name)
		default:
			elements[i] = ids[name]
		}
	}
	return strings.Join(elements, "/"), nil
}
