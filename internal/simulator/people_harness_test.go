package simulator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
	require.Equal(c.t, want, float64(len(c.members(path))))
	require.Equal(c.t, want, c.get(path).data()["memberCount"])
	require.Equal(c.t, want, as[object](as[object](c.items()[0])["metrics"])["members"])
	dashboard := c.get("/console/dashboard").data()
	require.Equal(c.t, want, dashboard["totalUsers"])
	require.Equal(c.t, want, as[object](as[[]any](dashboard["domains"])[0])["userCount"])
	require.Equal(c.t, want, as[object](c.get(usagePath).data()["totals"])["seats"])
	seats := as[object](as[[]any](c.get(quotaPath).data()["items"])[1])
	require.Equal(c.t, "seats", seats["itemCode"])
	require.Equal(c.t, want, seats["used"])
	require.Equal(c.t, want, float64(len(as[[]any](c.post("/console/users/search", object{}).data()["users"]))))
	require.Equal(c.t, want, float64(c.sim.Labels()[0].Members))
}

// setPassword is the email to who was added to the client's private label.
func setPassword(at time.Time, to string) simulator.Email {
	return simulator.Email{Time: at, To: to, Kind: "set-password", Host: client, Subject: "Set your password for Client Sign"}
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
	c = assuming(t, assume)
	_, path = c.provision(client)
	return c, path
}
