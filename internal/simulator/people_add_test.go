package simulator_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

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
