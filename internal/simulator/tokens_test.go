package simulator_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const tokenPath = "/api/v1/auth/token"

func TestSection4_1_TokenExchange(t *testing.T) {
	t.Parallel()
	eachFront(t, "200", func(t *testing.T, c *caller) {
		got := c.exchange(c.sim.APIKey())
		require.Equal(t, http.StatusOK, got.status)
		exactly(t, object{
			"access_token": regexp.MustCompile(`^[^.]+\.[^.]+\.[^.]+$`), "token_type": "Bearer", "expires_in": 3600.0,
			"scope": "reseller:read reseller:provision reseller:packages",
		}, got.body)
		assert.NotEmpty(t, got.header.Get("X-Request-Id"), "no X-Request-Id")
	})
	withCaller(t, "401 invalid_client", func(t *testing.T, c *caller) {
		require.Equal(t, "invalid_client", c.exchange(c.sim.APIKey()+"x").bare(http.StatusUnauthorized))
		revoked := c.made(c.sim.MintKey(scopeRead))
		require.NoError(t, c.sim.RevokeKey(revoked))
		require.Equal(t, "invalid_client", c.exchange(revoked).bare(http.StatusUnauthorized))
	})
	withCaller(t, "the scope is the key's own", func(t *testing.T, c *caller) {
		key := c.made(c.sim.MintKey(scopeRead, scopePackages))
		require.Equal(t, "reseller:read reseller:packages", c.exchange(key).body["scope"])
	})
	withCaller(t, "a form is no JSON", func(_ *testing.T, c *caller) {
		c.call(tokenPath, "grant_type=client_credentials&api_key="+c.sim.APIKey(), "application/x-www-form-urlencoded").bare(http.StatusBadRequest)
	})
}

// Only responses of the token exchange have a request ID (§4.1, §7.1).
func TestSection7_1_RequestIDOnlyOnTheExchange(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	replies := map[string]*reply{
		"dashboard": c.get("/console/dashboard"),
		"list":      c.get(labelsPath),
		"provision": c.post(labelsPath, order("sign.client.example")),
		"rejection": c.post(labelsPath, object{}),
		"404":       c.get("/nowhere"),
		"401":       c.with("a.b.c").get(labelsPath),
	}
	for name, got := range replies {
		assert.Empty(t, got.header.Get("X-Request-Id"), "%s carries the request id", name)
	}
	first, second := c.exchange(c.sim.APIKey()), c.exchange("unknown")
	assert.NotEqual(t, second.header.Get("X-Request-Id"), first.header.Get("X-Request-Id"), "exchanges have request ids of their own")
	assert.NotEmpty(t, second.header.Get("X-Request-Id"), "exchanges have request ids of their own")
}

// §2.9: a fixed prefix, `live_`, the ID of 32 characters, `_` and the secret.
func TestSection2_9_KeyForm(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{})
	assert.Regexp(t, `^[a-z_]*live_[0-9a-f]{32}_.+$`, sim.APIKey())
}

func TestSection5_Tokens(t *testing.T) {
	t.Parallel()
	withCaller(t, "a token lasts an hour", func(_ *testing.T, c *caller) {
		c.sim.Clock().Advance(time.Hour - time.Second)
		c.get(labelsPath).data()
		c.sim.Clock().Advance(time.Second)
		c.get(labelsPath).rejected(http.StatusUnauthorized, "UNAUTHORIZED")
		c.as(c.sim.APIKey()).get(labelsPath).data()
	})
	withCaller(t, "revocation ends all tokens of the key at once and no other's", func(t *testing.T, c *caller) {
		key := c.made(c.sim.MintKey(scopeRead))
		first, second := c.as(key), c.as(key)
		require.NoError(t, c.sim.RevokeKey(key))
		first.get(labelsPath).rejected(http.StatusUnauthorized, "UNAUTHORIZED")
		second.get("/console/dashboard").rejected(http.StatusUnauthorized, "UNAUTHORIZED")
		c.get(labelsPath).data()
	})
	withCaller(t, "another scheme is no token", func(t *testing.T, c *caller) {
		req := c.request(http.MethodGet, labelsPath, nil)
		req.Header.Set("Authorization", "Basic "+c.token)
		got, err := c.send(req)
		require.NoError(t, err)
		got.rejected(http.StatusUnauthorized, "UNAUTHORIZED")
	})
}

// The slug changes only with the domain (§2.1).
func TestSection2_1_ChangedSlug(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	require.NoError(t, c.sim.ChangeSlug(c.sim.Slug(), "renamed.example"))
	c.get(labelsPath).rejected(http.StatusForbidden, "FORBIDDEN")
	require.Equal(t, "renamed.example", c.get("/console/dashboard").data()["slug"])
	require.Len(t, as[[]any](c.get("/console/renamed.example/reseller/private-labels").data()["privateLabels"]), 1)
}
