package simulator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const keysPath = resellerPath + "/keys"

func TestSection4_20_Keys(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	c.otherReseller()
	c.sim.Clock().Advance(time.Second)
	unused := c.made(c.sim.MintKey(scopeRead, scopePackages))
	c.sim.Clock().Advance(time.Second)
	revoked := c.made(c.sim.MintKey(scopeProvision))
	require.NoError(t, c.sim.RevokeKey(revoked))
	bare := c.made(c.sim.MintKey())
	c.sim.Clock().Advance(time.Second)

	at := func(seconds int) any { return float64(start.Add(time.Duration(seconds) * time.Second).UnixMilli()) }
	key := func(secret string, createdAt, lastUsed, revoked any, scopes ...any) object {
		return object{
			"id": strings.Split(secret, "_")[2], "lastFour": secret[len(secret)-4:], "scopes": append([]any{}, scopes...),
			"createdAt": createdAt, "lastUsedAt": lastUsed, "revokedAt": revoked,
		}
	}
	require.Equal(t, object{"keys": []any{ // none of the other reseller's, and no secret
		key(bare, at(2), nil, nil),
		key(revoked, at(2), nil, at(2), scopeProvision),
		key(unused, at(1), nil, nil, scopeRead, scopePackages),
		key(c.sim.APIKey(), at(0), at(3), nil, scopeRead, scopeProvision, scopePackages),
	}}, c.get(keysPath).data())
}
