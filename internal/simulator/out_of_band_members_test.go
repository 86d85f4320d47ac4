package simulator_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMoves_ConsoleLabel(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	id := c.made(c.sim.AddConsoleLabel("Sign.Client.example", "ada@client.example"))
	require.Subset(t, c.items()[0], object{"tenantId": id, "primaryHost": client, "adminEmail": ada})
	require.Len(t, c.sim.Outbox(), 1)
	c.post(labelsPath, order("sign.client.example")).rejected(http.StatusBadRequest, "HOST_TAKEN")

	for code, try := range map[string][2]string{
		"HOST_TAKEN":          {"SIGN.client.example", "ada@client.example"},
		"HOST_RESERVED":       {"console.portals.example", "ada@client.example"},
		"DOMAIN_INVALID":      {"https://client.example", "ada@client.example"},
		"OWNER_INVALID_EMAIL": {"sign.other.example", "ada"},
	} {
		_, err := c.sim.AddConsoleLabel(try[0], try[1])
		assert.ErrorContains(t, err, code)
	}
	require.Len(t, c.items(), 1)
}

func TestMoves_People(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	id := c.made(c.sim.AddPersonInConsole(client, "bob@client.example", "Bob", "Byte"))
	assert.True(t, id32.MatchString(id), "the id is %q", id)
	require.Equal(t, 2.0, c.get(path).data()["memberCount"])
	require.Equal(t, 2.0, as[object](as[object](c.items()[0])["metrics"])["members"])
	mails := c.sim.Outbox()
	require.Equal(t, "bob@client.example", mails[len(mails)-1].To)

	require.NoError(t, c.sim.MakeAdmin(client, "Bob@client.example"))
	require.NoError(t, c.sim.RenamePerson(client, "ada@client.example", "Augusta", "King"))
	require.Subset(t, c.get(path).data()["owner"], object{"firstName": "Augusta", "lastName": "King"})

	// An admin is shown for a private label without an owner (§2.3).
	require.NoError(t, c.sim.RemoveOwner(client))
	require.Equal(t, "bob@client.example", as[object](c.items()[0])["adminEmail"])
	require.Nil(t, c.get(path).data()["owner"])
}
