package simulator_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const keysPath = resellerPath + "/keys"

func TestSection4_20_Keys(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	_, err := c.sim.AddReseller("other.example")
	require.NoError(t, err)
	c.sim.Clock().Advance(time.Second)
	unused, err := c.sim.MintKey(scopeRead, scopePackages)
	require.NoError(t, err)
	c.sim.Clock().Advance(time.Second)
	revoked, err := c.sim.MintKey(scopeProvision)
	require.NoError(t, err)
	require.NoError(t, c.sim.RevokeKey(revoked))
	bare, err := c.sim.MintKey()
	require.NoError(t, err)
	c.sim.Clock().Advance(time.Second)

	got := c.get(keysPath)
	keys(t, got.data(), "keys")
	list := as[[]any](got.data()["keys"])
	at := func(seconds int) any { return float64(start.Add(time.Duration(seconds) * time.Second).UnixMilli()) }
	want := []struct {
		secret                       string
		scopes                       string
		createdAt, lastUsed, revoked any
	}{
		{bare, "", at(2), nil, nil},
		{revoked, scopeProvision, at(2), nil, at(2)},
		{unused, scopeRead + " " + scopePackages, at(1), nil, nil},
		{c.sim.APIKey(), scopeRead + " " + scopeProvision + " " + scopePackages, at(0), at(3), nil},
	}
	require.Len(t, list, len(want)) // none of the other reseller's
	for i, w := range want {
		key := as[object](list[i])
		keys(t, key, "id", "lastFour", "scopes", "createdAt", "lastUsedAt", "revokedAt")
		require.Equal(t, strings.Split(w.secret, "_")[2], key["id"])
		require.Equal(t, w.secret[len(w.secret)-4:], key["lastFour"])
		require.Equal(t, w.createdAt, key["createdAt"])
		require.Equal(t, w.lastUsed, key["lastUsedAt"])
		require.Equal(t, w.revoked, key["revokedAt"])
		scopes, isList := key["scopes"].([]any)
		require.True(t, isList, "scopes are no list: %v", key)
		var joined []string
		for _, scope := range scopes {
			joined = append(joined, as[string](scope))
		}
		require.Equal(t, w.scopes, strings.Join(joined, " "))
		assert.NotContains(t, got.raw, w.secret[strings.LastIndex(w.secret, "_")+1:], "key %d shows its secret", i)
	}
}

func TestSection4_20_Errors(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	c.with("").get(keysPath).rejected(http.StatusUnauthorized, "UNAUTHORIZED")
	c.withScopes(otherScopes(scopeRead)...).get(keysPath).rejected(http.StatusForbidden, "INSUFFICIENT_SCOPE")
	c.withScopes(scopeRead).get(keysPath).data()
	c.get("/console/other.example/reseller/keys").rejected(http.StatusForbidden, "FORBIDDEN")
}

// No API key creates or revokes one, with any scopes (§5.1).
func TestSection5_1_SessionRequired(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	id := strings.Split(c.sim.APIKey(), "_")[2]
	for _, scopes := range [][]string{nil, {scopeRead, scopeProvision, scopePackages}} {
		k := c.withScopes(scopes...)
		k.post(keysPath, object{"scopes": []string{scopeRead}}).rejected(http.StatusForbidden, "SESSION_REQUIRED")
		k.del(keysPath+"/"+id).rejected(http.StatusForbidden, "SESSION_REQUIRED")
	}
	c.with("").post(keysPath, nil).rejected(http.StatusUnauthorized, "UNAUTHORIZED")
	c.post("/console/other.example/reseller/keys", nil).rejected(http.StatusForbidden, "FORBIDDEN")
	require.Len(t, as[[]any](c.get(keysPath).data()["keys"]), 3)
	c.as(c.sim.APIKey())
	require.Equal(t, ownSlug, c.sim.Slug())
}
