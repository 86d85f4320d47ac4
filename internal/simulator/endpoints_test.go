package simulator_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const (
	ofReseller = "/console/:slug/reseller"
	ofLabels   = ofReseller + "/private-labels"
	ofLabel    = ofLabels + "/:tenantId"
)

// endpoints are those that need a token, each with its scope (§4, §5.1).
var endpoints = map[string]string{
	"GET /console/dashboard":             scopeRead,
	"POST /console/users/search":         scopeRead,
	"POST /console/users/add":            scopeProvision,
	"POST /console/users/remove":         scopeProvision,
	"POST /console/tenant/update-colors": scopeProvision,

	"GET " + ofLabels:                                   scopeRead,
	"POST " + ofLabels:                                  scopeProvision,
	"GET " + ofLabel:                                    scopeRead,
	"DELETE " + ofLabel:                                 scopeProvision,
	"POST " + ofLabel + "/domain/attach":                scopeProvision,
	"POST " + ofLabel + "/suspend":                      scopeProvision,
	"POST " + ofLabel + "/unsuspend":                    scopeProvision,
	"GET " + ofLabel + "/templates":                     scopeRead,
	"GET " + ofLabel + "/members":                       scopeRead,
	"POST " + ofLabel + "/users":                        scopeProvision,
	"DELETE " + ofLabel + "/users/:userId":              scopeProvision,
	"POST " + ofLabel + "/users/:userId/invite":         scopeProvision,
	"GET " + ofLabel + "/package":                       scopeRead,
	"POST " + ofLabel + "/package":                      scopePackages,
	"DELETE " + ofLabel + "/package":                    scopePackages,
	"POST " + ofLabel + "/package/addons":               scopePackages,
	"DELETE " + ofLabel + "/package/addons/:attachedId": scopePackages,
	"GET " + ofLabel + "/points":                        scopeRead,

	"GET " + ofReseller + "/keys":                     scopeRead,
	"GET " + ofReseller + "/usage":                    scopeRead,
	"GET " + ofReseller + "/billing/quota":            scopeRead,
	"GET " + ofReseller + "/billing/points":           scopeRead,
	"POST " + ofReseller + "/billing/packages":        scopePackages,
	"POST " + ofReseller + "/billing/packages/search": scopeRead,
	"POST " + ofReseller + "/billing/packages/get":    scopeRead,
	"POST " + ofReseller + "/billing/packages/update": scopePackages,
	"POST " + ofReseller + "/billing/addons":          scopePackages,
	"POST " + ofReseller + "/billing/addons/search":   scopeRead,
	"POST " + ofReseller + "/billing/addons/get":      scopeRead,
	"POST " + ofReseller + "/billing/addons/update":   scopePackages,
}

// eachEndpoint runs a test with a new simulator for each endpoint whose pattern has a part. Its call goes to a private
// label of a reseller.
func eachEndpoint(t *testing.T, part string, test func(t *testing.T, c *caller, route string, call func(c *caller, slug, label string) *reply)) {
	t.Helper()
	for route := range endpoints {
		if !strings.Contains(route, part) {
			continue
		}
		t.Run(route, func(t *testing.T) {
			t.Parallel()
			method, pattern, _ := strings.Cut(route, " ")
			test(t, newCaller(t), route, func(c *caller, slug, label string) *reply {
				t.Helper()
				return c.do(method, strings.NewReplacer(":slug", slug, ":tenantId", label, ":userId", nobodyID, ":attachedId", nobodyID).Replace(pattern), nil)
			})
		})
	}
}

func isFlat(route string) bool { return !strings.Contains(route, ":slug") }

// Every endpoint requires a token of a live reseller that has its scope, and no other scope (§4, §5).
func TestEachEndpointRequiresATokenWithItsScope(t *testing.T) {
	t.Parallel()
	eachEndpoint(t, "", func(t *testing.T, c *caller, route string, call func(*caller, string, string) *reply) {
		id, _ := c.provision(client)
		for _, malformed := range []string{"", "nonsense"} {
			got := call(c.with(malformed), ownSlug, id)
			if isFlat(route) {
				got.rejected(http.StatusBadRequest, "JSON_WEB_TOKEN_ERROR")
			} else {
				got.rejected(http.StatusUnauthorized, "UNAUTHORIZED")
			}
		}
		call(c.with("a.b.c"), ownSlug, id).rejected(http.StatusUnauthorized, "UNAUTHORIZED")
		call(c.withScopes(otherScopes(endpoints[route])...), ownSlug, id).rejected(http.StatusForbidden, "INSUFFICIENT_SCOPE")
		if !isFlat(route) {
			call(c, "nobody.example", id).rejected(http.StatusForbidden, "FORBIDDEN")
		}
		assert.Contains(t, []int{http.StatusOK, http.StatusBadRequest}, call(c.withScopes(endpoints[route]), ownSlug, id).status)
		require.NoError(t, c.sim.DeleteReseller(c.sim.Slug()))
		call(c, ownSlug, id).rejected(http.StatusForbidden, "FORBIDDEN")
		c.sim.Clock().Advance(time.Hour)
		call(c, ownSlug, id).rejected(http.StatusUnauthorized, "UNAUTHORIZED")
	})
	routes := newSim(t, simulator.Options{}).RouteBuckets()
	maps.DeleteFunc(routes, func(_, bucket string) bool { return bucket == "none" || bucket == "exchange" })
	for _, other := range []string{"POST " + ofReseller + "/keys", "DELETE " + ofReseller + "/keys/:keyId", "POST " + logosPath, "POST /upload" + logosPath} {
		assert.Contains(t, routes, other)
		delete(routes, other) // §5.1 and §4.7 of TestResellerAPISpecification
	}
	require.Equal(t, slices.Sorted(maps.Keys(endpoints)), slices.Sorted(maps.Keys(routes)))
}

// §4: INVALID_TARGET for an ID without a live private label, FORBIDDEN for a private label outside of the reseller's
// subtree, including a deprovisioned one; deprovision responds with FORBIDDEN in each case.
func TestEachEndpointRequiresALivePrivateLabel(t *testing.T) {
	t.Parallel()
	const theirs = "other.example"
	eachEndpoint(t, ":tenantId", func(t *testing.T, c *caller, route string, call func(*caller, string, string) *reply) {
		other := c.otherReseller()
		foreign := as[string](other.post("/console/other.example/reseller/private-labels", order("sign.foreign.example")).data()["tenantId"])
		gone, path := c.provision("sign.gone.example")
		c.del(path).data()
		moved, _ := c.provision("sign.moved.example")
		require.NoError(t, c.sim.MoveAway("sign.moved.example"))
		for _, id := range []string{foreign, gone, moved} {
			call(c, ownSlug, id).rejected(http.StatusForbidden, "FORBIDDEN")
		}
		call(c, theirs, foreign).rejected(http.StatusForbidden, "FORBIDDEN")
		for _, unknown := range []string{nobodyID, "nonsense"} {
			if got := call(c, ownSlug, unknown); route == "DELETE "+ofLabel {
				got.rejected(http.StatusForbidden, "FORBIDDEN")
			} else {
				got.rejected(http.StatusBadRequest, "INVALID_TARGET")
			}
		}
		assert.NotEqual(t, http.StatusForbidden, call(other, theirs, foreign).status)
	})
}

// otherScopes returns all scopes except one.
func otherScopes(scope string) []string {
	scopes := []string{scopeRead, scopeProvision, scopePackages}
	return slices.DeleteFunc(scopes, func(other string) bool { return other == scope })
}
