package simulator_test

import (
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const (
	bobEmail = "bob@client.example"
	nobodyID = "00000000000000000000000000000000"
)

func person(email string) object {
	return object{"email": email, "firstName": "Bob", "lastName": "Byte"}
}

func without(body object, name string) object {
	delete(body, name)
	return body
}

// addBob adds Bob to the private label of a path.
func (c *caller) addBob(path string) string {
	c.t.Helper()
	return as[string](c.post(path+"/users", person(bobEmail)).data()["userID"])
}

func (c *caller) members(path string) []any {
	c.t.Helper()
	return as[[]any](c.get(path + "/members").data()["members"])
}

// member returns a member of a private label by email address; nil for none.
func (c *caller) member(path, email string) object {
	c.t.Helper()
	for _, m := range c.members(path) {
		if as[object](m)["email"] == email {
			return as[object](m)
		}
	}
	return nil
}

// seats checks every figure that counts the members of the only private label.
func (c *caller) seats(path string, want float64) {
	c.t.Helper()
	equal(c.t, float64(len(c.members(path))), want)
	equal(c.t, c.get(path).data()["memberCount"], any(want))
	equal(c.t, as[object](as[object](c.items()[0])["metrics"])["members"], any(want))
	dashboard := c.get("/console/dashboard").data()
	equal(c.t, dashboard["totalUsers"], any(want))
	equal(c.t, as[object](as[[]any](dashboard["domains"])[0])["userCount"], any(want))
	equal(c.t, as[object](c.get(usagePath).data()["totals"])["seats"], any(want))
	seats := as[object](as[[]any](c.get(quotaPath).data()["items"])[1])
	equal(c.t, seats["itemCode"], any("seats"))
	equal(c.t, seats["used"], any(want))
	equal(c.t, float64(len(as[[]any](c.post("/console/users/search", object{}).data()["users"]))), want)
	equal(c.t, float64(c.sim.Labels()[0].Members), want)
}

// mails counts the set-password emails to an address.
func (c *caller) mails(to string) int {
	n := 0
	for _, mail := range c.sim.Outbox() {
		if mail.To == to && mail.Kind == "set-password" {
			n++
		}
	}
	return n
}

// assumingPeople is a caller of a simulator with these assumptions, and the path of a private label.
func assumingPeople(t *testing.T, assume simulator.Forms) (c *caller, path string) {
	t.Helper()
	sim := newSim(t, simulator.Options{Forms: assume})
	c = inProcess(t, sim).as(sim.APIKey())
	_, path = c.provision(client)
	return c, path
}
