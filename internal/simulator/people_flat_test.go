package simulator_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const (
	searchPath = "/console/users/search"
	addPath    = "/console/users/add"
	removePath = "/console/users/remove"
)

// A body that does not decode (§4.3 to §4.5).
func TestPeople_FlatBodies(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	for _, endpoint := range []string{searchPath, addPath, removePath} {
		for _, body := range []any{nil, "{", "[]", object{"domain": 5}, object{"Domain": client}, object{"domain": client, "page": 1}} {
			c.post(endpoint, body).rejected(http.StatusBadRequest, "INVALID_REQUEST", endpoint, body)
		}
		c.get(endpoint).rejected(http.StatusNotFound, "NOT_FOUND", endpoint)
	}
	c.seats(path, 1)
}

// Host names that are not one of the reseller's private labels: unknown, another reseller's, moved away, deprovisioned,
// and the own host names of resellers.
func foreignHosts(c *caller) map[string]string {
	c.t.Helper()
	const theirs = "/console/other.example/reseller/private-labels"
	other := c.otherReseller()
	other.post(theirs, order("sign.foreign.example")).data()
	other.del(theirs + "/" + as[string](other.post(theirs, order("sign.foreign-gone.example")).data()["tenantId"])).data()
	c.made(c.sim.AddReseller("deleted.example"))
	require.NoError(c.t, c.sim.DeleteReseller("deleted.example"))
	c.provision("sign.moved.example")
	require.NoError(c.t, c.sim.MoveAway("sign.moved.example"))
	_, gone := c.provision("sign.gone.example")
	c.del(gone).data()
	return map[string]string{
		"unknown": "sign.nobody.example", "blank": " ", "foreign": "sign.foreign.example", "moved": "sign.moved.example",
		"own": ownSlug, "other's own": "other.example", "deleted's own": "deleted.example",
		"gone": "sign.gone.example", "foreign gone": "sign.foreign-gone.example",
	}
}

func TestSection4_4_Hosts(t *testing.T) {
	t.Parallel()
	const unauthorized, notFound = "UNAUTHORIZED", "DOMAIN_NOT_FOUND"
	tests := map[string]struct {
		assume simulator.Forms
		codes  map[string]string
	}{
		"as chosen": {codes: map[string]string{
			"unknown": notFound, "blank": notFound, "gone": notFound, "foreign gone": notFound, "deleted's own": notFound,
			"foreign": unauthorized, "moved": unauthorized, "own": unauthorized, "other's own": unauthorized,
		}},
		"administered first": {simulator.Forms{"foreign-host": "unauthorized"}, map[string]string{
			"unknown": unauthorized, "blank": unauthorized, "gone": notFound, "foreign gone": unauthorized, "deleted's own": unauthorized,
			"foreign": unauthorized, "moved": unauthorized, "own": unauthorized, "other's own": unauthorized,
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := assumingPeople(t, test.assume)
			hosts := foreignHosts(c)
			mails := len(c.sim.Outbox())
			require.Len(t, hosts, len(test.codes))
			for which, host := range hosts {
				c.post(addPath, with(person(bobEmail), "domain", host)).rejected(http.StatusBadRequest, test.codes[which], which)
				// The host name is checked before the user.
				c.post(addPath, with(person("bob"), "domain", host)).rejected(http.StatusBadRequest, test.codes[which], which)
			}
			require.Len(t, c.sim.Outbox(), mails)
		})
	}
}

func TestSection4_4_Add(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	exactly(t, object{"message": sentence}, c.post(addPath, with(person(bobEmail), "domain", "Sign.CLIENT.example")).data())
	c.seats(path, 2)
	require.Equal(t, "member", c.member(path, bobEmail)["role"])
	require.Equal(t, setPassword(start, bobEmail), c.sim.Outbox()[1])

	// It is not safe to retry, unlike adding on the path of the private label (§7.4).
	for _, email := range []string{bobEmail, "BOB@client.example", "ada@client.example"} {
		c.post(addPath, with(person(email), "domain", client)).rejected(http.StatusBadRequest, "ALREADY_IN_DOMAIN")
	}
	c.post(addPath, with(with(person(bobEmail), "domain", client), "firstName", "")).rejected(http.StatusBadRequest, "INVALID_NAME")
	require.Len(t, c.sim.Outbox(), 2)
	// Its email counts for the five minutes.
	c.post(path+"/users/"+as[string](c.member(path, bobEmail)["id"])+"/invite", nil).tooFrequent(300)
}

func TestSection4_5_Remove(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	id := c.addBob(path)
	exactly(t, object{"message": sentence}, c.post(removePath, object{"email": "BOB@client.example", "domain": "SIGN.client.example"}).data())
	c.seats(path, 1)
	require.Len(t, c.sim.Outbox(), 2)
	// The account is kept: the path of the private label still has it.
	require.Equal(t, "removed", c.del(path + "/users/" + id).data()["status"])
	c.post(removePath, object{"email": bobEmail, "domain": client}).rejected(http.StatusBadRequest, "USER_NOT_FOUND")
	c.post(addPath, with(person(bobEmail), "domain", client)).data()
	require.Equal(t, id, c.member(path, bobEmail)["id"])
}

func TestSection4_5_Repeated(t *testing.T) {
	t.Parallel()
	c, path := assumingPeople(t, simulator.Forms{"removed-again": "succeeds"})
	c.addBob(path)
	for range 2 {
		c.post(removePath, object{"email": "Bob@client.example", "domain": client}).data()
		c.seats(path, 1)
	}
	c.post(removePath, object{"email": "nobody@client.example", "domain": client}).rejected(http.StatusBadRequest, "USER_NOT_FOUND")
}

func TestSection4_5_Errors(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	c.addBob(path)
	require.NoError(t, c.sim.MakeAdmin(client, bobEmail))
	for which, host := range foreignHosts(c) {
		c.post(removePath, object{"email": bobEmail, "domain": host}).rejected(http.StatusBadRequest, "UNAUTHORIZED", which)
	}
	for _, email := range []string{"ADA@client.example", bobEmail} {
		c.post(removePath, object{"email": email, "domain": client}).rejected(http.StatusBadRequest, "CANNOT_REMOVE_OWNER")
	}
	for _, email := range []string{"nobody@client.example", "bob", ""} {
		c.post(removePath, object{"email": email, "domain": client}).rejected(http.StatusBadRequest, "USER_NOT_FOUND")
	}
	for _, body := range []object{{"email": bobEmail}, {"domain": client}, {"email": nil, "domain": client}, {"email": bobEmail, "domain": nil}} {
		c.post(removePath, body).rejected(http.StatusBadRequest, "INVALID_REQUEST")
	}
	require.Len(t, c.members(path), 2)
	require.NoError(t, c.sim.DemoteAdmin(client, bobEmail))
	c.post(removePath, object{"email": bobEmail, "domain": client}).data()
	require.Len(t, c.members(path), 1)
}

// search returns the email addresses that were found.
func (c *caller) search(body object) string {
	c.t.Helper()
	data := c.post(searchPath, body).data()
	require.Len(c.t, data, 1)
	var found []string
	for _, u := range as[[]any](data["users"]) {
		found = append(found, as[string](as[object](u)["email"]))
	}
	return strings.Join(found, " ")
}

func TestSection4_3_Search(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	c.provision("sign.second.example")
	id := c.addBob(path)
	const ada, bob = "ada@client.example", bobEmail
	for _, test := range []struct {
		body object
		want string
	}{
		{object{}, ada + " " + bob + " " + ada},
		{object{"query": nil, "domain": nil}, ada + " " + bob + " " + ada},
		{object{"query": "", "domain": ""}, ada + " " + bob + " " + ada},
		{object{"domain": "Sign.Client.example"}, ada + " " + bob},
		{object{"query": "", "domain": client}, ada + " " + bob},
		{object{"query": "BOB@"}, bob},
		{object{"query": "byte"}, bob},
		{object{"query": "bob by"}, bob},
		{object{"query": "example bob"}, ""}, // not across address and name
		{object{"query": "lovelace", "domain": "sign.second.example"}, ada},
		{object{"query": "bob", "domain": "sign.second.example"}, ""},
	} {
		assert.Equal(t, test.want, c.search(test.body), test.body)
	}
	require.Equal(t, object{"users": []any{}}, c.post(searchPath, object{"query": "nobody"}).data())
	found := object{"id": id, "firstName": "Bob", "lastName": "Byte", "email": bob, "status": "Active", "domain": client}
	require.Equal(t, object{"users": []any{found}}, c.post(searchPath, object{"query": "bob"}).data())

	// Only members are found.
	c.del(path + "/users/" + id).data()
	require.Equal(t, "", c.search(object{"query": "bob"}))
}

// An API key searches only its reseller's private labels.
func TestSection4_3_Foreign(t *testing.T) {
	t.Parallel()
	for empty, assume := range map[bool]simulator.Forms{false: {}, true: {"foreign-search": "empty"}} {
		t.Run(fmt.Sprintf("empty is %t", empty), func(t *testing.T) {
			t.Parallel()
			c, _ := assumingPeople(t, assume)
			hosts := foreignHosts(c)
			require.Equal(t, "ada@client.example", c.search(object{}))
			delete(hosts, "blank") // all labels
			for which, host := range hosts {
				if empty {
					require.Equal(t, "", c.search(object{"domain": host}))
					continue
				}
				c.post(searchPath, object{"domain": host}).rejected(http.StatusBadRequest, "UNAUTHORIZED", which)
			}
		})
	}
}

func TestSection4_3_AtMost50(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	for i := range 60 {
		c.made(c.sim.AddPersonInConsole(client, fmt.Sprintf("person-%02d@client.example", i), "Per", "Son"))
	}
	for query, want := range map[string]int{"": 50, "person-": 50, "person-0": 10, "person-59": 1} {
		assert.Len(t, strings.Fields(c.search(object{"query": query, "domain": client})), want, query)
	}
}
