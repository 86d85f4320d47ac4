package simulator_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func TestSection4_16_Created(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	c.seats(path, 1)
	exactly(t, object{"status": "created", "userID": id32, "created": true}, c.post(path+"/users", person(bobEmail)).data())
	c.seats(path, 2)
	require.Equal(t, []simulator.Email{setPassword(start, ada), setPassword(start, bobEmail)}, c.sim.Outbox())
}

// An email address is compared without case; the response changes nothing.
func TestSection4_16_Added(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	id := c.addBob(path)
	for _, email := range []string{bobEmail, "BOB@Client.Example"} {
		data := c.post(path+"/users", with(person(email), "firstName", "Robert")).data()
		require.Equal(t, object{"status": "added", "created": false, "userID": id}, data)
	}
	require.Equal(t, "added", c.post(path+"/users", person("ADA@client.example")).data()["status"])
	c.seats(path, 2)
	require.Len(t, c.sim.Outbox(), 2)
	require.Equal(t, "Bob", c.member(path, bobEmail)["firstName"])
	require.Equal(t, "owner", c.member(path, "ada@client.example")["role"])
}

// addErrors are those of both ways of adding a member.
var addErrors = map[string]struct {
	body object
	code string
}{
	"no email":           {without(person(bobEmail), "email"), "INVALID_REQUEST"},
	"no first name":      {without(person(bobEmail), "firstName"), "INVALID_REQUEST"},
	"null last name":     {with(person(bobEmail), "lastName", nil), "INVALID_REQUEST"},
	"number":             {with(person(bobEmail), "lastName", 5), "INVALID_REQUEST"},
	"other case":         {with(without(person(bobEmail), "firstName"), "firstname", "Bob"), "INVALID_REQUEST"},
	"unknown field":      {with(person(bobEmail), "role", "admin"), "INVALID_REQUEST"},
	"blank email":        {person(""), "INVALID_EMAIL"},
	"no address":         {person("bob"), "INVALID_EMAIL"},
	"named address":      {person("Bob <bob@client.example>"), "INVALID_EMAIL"},
	"two addresses":      {person("bob@client.example, ann@client.example"), "INVALID_EMAIL"},
	"space around":       {person(" bob@client.example"), "INVALID_EMAIL"},
	"blank first name":   {with(person(bobEmail), "firstName", " "), "INVALID_NAME"},
	"blank last name":    {with(person(bobEmail), "lastName", ""), "INVALID_NAME"},
	"long name":          {with(person(bobEmail), "lastName", strings.Repeat("ü", 256)), "INVALID_REQUEST"},
	"email before name":  {with(person("bob"), "firstName", ""), "INVALID_EMAIL"},
	"name before length": {with(with(person(bobEmail), "firstName", ""), "lastName", strings.Repeat("x", 256)), "INVALID_NAME"},
}

// Errors of §4.16 and of §4.4.
func TestSection4_16_Errors(t *testing.T) {
	t.Parallel()
	for name, test := range addErrors {
		withLabel(t, name, func(t *testing.T, c *caller, path string) {
			c.post(path+"/users", test.body).rejected(http.StatusBadRequest, test.code, path)
			c.post(addPath, with(test.body, "domain", client)).rejected(http.StatusBadRequest, test.code, addPath)
			c.seats(path, 1)
			require.Len(t, c.sim.Outbox(), 1)
		})
	}
	c, path := newLabel(t)
	for _, body := range []any{nil, "{", "[]", `"bob"`} {
		c.post(path+"/users", body).rejected(http.StatusBadRequest, "INVALID_REQUEST", body)
	}
	c.post(addPath, person(bobEmail)).rejected(http.StatusBadRequest, "INVALID_REQUEST", "no domain")
	c.post(path+"/users", with(person(bobEmail), "lastName", strings.Repeat("ü", 255))).data() // the longest name
}

// The cap is what package and add-ons include; an existing member is added at the cap, too.
func TestSection3_4_SeatCap(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	id, path := c.provision(client)
	pkg := c.made(c.sim.AddPackage("GOLD", map[string]float64{"seats": 2}, true))
	extra := c.made(c.sim.AddAddon("SEAT", map[string]float64{"seats": 1}, true))
	require.Equal(t, "Assigned", c.post(path+"/package", object{"packageId": pkg}).data()["outcome"])

	add := func(n int) *reply {
		c.t.Helper()
		return c.post(path+"/users", person(fmt.Sprintf("person-%d@client.example", n)))
	}
	add(1).data()
	add(2).rejected(http.StatusBadRequest, "SEAT_QUOTA_REACHED")
	c.post("/console/users/add", with(person(bobEmail), "domain", client)).rejected(http.StatusBadRequest, "SEAT_QUOTA_REACHED")
	require.Equal(t, "added", add(1).data()["status"])
	c.post("/console/users/add", with(person("PERSON-1@client.example"), "domain", client)).rejected(http.StatusBadRequest, "ALREADY_IN_DOMAIN")
	require.Len(t, c.sim.Outbox(), 2)

	require.Equal(t, "Attached", c.post(labelsPath+"/"+id+"/package/addons", object{"addonId": extra, "quantity": 2}).data()["outcome"])
	two := as[string](add(2).data()["userID"])
	add(3).data()
	add(4).rejected(http.StatusBadRequest, "SEAT_QUOTA_REACHED")

	// A seat of a removed member is free, also for the same user.
	c.del(path + "/users/" + two).data()
	add(4).data()
	require.Equal(t, http.StatusBadRequest, add(2).status)
	c.seats(path, 4)

	// The cap does not apply to a user in the console, and members stay if more seats are used than are left.
	c.made(c.sim.AddPersonInConsole(client, bobEmail, "Bob", "Byte"))
	c.seats(path, 5)
	require.NoError(t, c.sim.AssignInConsole(client, pkg, nil))
	c.seats(path, 5)
	add(5).rejected(http.StatusBadRequest, "SEAT_QUOTA_REACHED")
}

func TestSection3_4_SeatCapOpen(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		assume   simulator.Forms
		assigned bool
		full     bool
	}{
		"no package":                     {},
		"no package, no seats":           {assume: simulator.Forms{"seats-no-package": "none"}, full: true},
		"no package, zero caps":          {assume: simulator.Forms{"seats-of-zero": "none"}},
		"package of none":                {assigned: true},
		"package of none, zero caps":     {assume: simulator.Forms{"seats-of-zero": "none"}, assigned: true, full: true},
		"package of none, the other one": {assume: simulator.Forms{"seats-no-package": "none"}, assigned: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, path := assumingPeople(t, test.assume)
			if test.assigned {
				pkg := c.made(c.sim.AddPackage("NONE", map[string]float64{"documents": 5}, true))
				require.NoError(t, c.sim.AssignInConsole(client, pkg, nil))
			}
			got := c.post(path+"/users", person(bobEmail))
			if test.full {
				got.rejected(http.StatusBadRequest, "SEAT_QUOTA_REACHED")
				return
			}
			require.Equal(t, "created", got.data()["status"])
		})
	}
}
