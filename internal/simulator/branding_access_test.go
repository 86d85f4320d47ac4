package simulator_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const colorsPath = "/console/tenant/update-colors"

// Both endpoints of §4.6 and §4.7 accept the same host names and reject the same tokens.
var brandingCalls = map[string]func(*testing.T, *caller, string) *reply{
	"colors": func(t *testing.T, c *caller, host string) *reply {
		t.Helper()
		return c.post(colorsPath, object{"domain": host, "colorPrimary": "#0a0"})
	},
	"logos": func(t *testing.T, c *caller, host string) *reply {
		t.Helper()
		return upload(c, logosOf(host, "logo", imageOf(t, "png", 4, 4)))
	},
}

// eachBrandingCall runs a test with a new simulator for each endpoint and front.
func eachBrandingCall(t *testing.T, test func(*testing.T, *caller, func(*caller, string) *reply)) {
	t.Helper()
	for name, call := range brandingCalls {
		eachFront(t, name, func(t *testing.T, c *caller) {
			test(t, c, func(c *caller, host string) *reply {
				t.Helper()
				return call(t, c, host)
			})
		})
	}
}

func TestBranding_Tokens(t *testing.T) {
	t.Parallel()
	eachBrandingCall(t, func(t *testing.T, c *caller, call func(*caller, string) *reply) {
		c.provision(client)
		for _, malformed := range []string{"", "abc", "a.b", "a.b.c.d"} {
			call(c.with(malformed), client).rejected(http.StatusBadRequest, "JSON_WEB_TOKEN_ERROR")
		}
		call(c.with("a.b.c"), client).rejected(http.StatusUnauthorized, "UNAUTHORIZED")
		call(c.withScopes(scopeRead), client).rejected(http.StatusForbidden, "INSUFFICIENT_SCOPE")
		books := c.sim.Branding(client)
		require.Empty(t, books.Colors, "a rejected call left and a logo of %d bytes", len(books.Logo))
		require.Nil(t, books.Logo, "a rejected call left %v and a logo of bytes", books.Colors)
		call(c.withScopes(scopeProvision), client).data()
	})
}

// A host name is administered as long as its private label is live and the reseller's.
func TestBranding_Hosts(t *testing.T) {
	t.Parallel()
	eachBrandingCall(t, func(t *testing.T, c *caller, call func(*caller, string) *reply) {
		const gone, moved = "sign.gone.example", "sign.moved.example"
		c.provision(client)
		_, path := c.provision(gone)
		c.provision(moved)
		c.del(path).data()
		require.NoError(t, c.sim.MoveAway(moved))
		for _, host := range []string{gone, moved, ownSlug, "sign.foreign.example"} {
			call(c, host).rejected(http.StatusBadRequest, "UNAUTHORIZED")
		}
		call(c.otherReseller(), client).rejected(http.StatusBadRequest, "UNAUTHORIZED")
		require.NoError(t, c.sim.SuspendByPlatform(client, "unpaid"))
		call(c, client).data()
	})
}

// Logos need no branding, and do not restore it.
func TestBranding_DroppedTakesLogos(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	require.NoError(t, c.sim.DropBranding(client))
	brandingCalls["logos"](t, c, client).data()
	brandingCalls["colors"](t, c, client).rejected(http.StatusBadRequest, "NOT_FOUND")
	assert.NotEmpty(t, c.sim.Branding(client).Logo, "the logo is not there")
	assert.Empty(t, c.sim.Branding("sign.foreign.example"))
}
