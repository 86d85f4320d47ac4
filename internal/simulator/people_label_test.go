package simulator_test

import (
	"fmt"
	"image"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// All members in one response, for any number (§4.17).
func TestSection4_17_Whole(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	for i := range 120 {
		c.made(c.sim.AddPersonInConsole(client, fmt.Sprintf("person-%d@client.example", i), "Per", "Son"))
	}
	require.Len(t, c.members(path), 121)
	require.NoError(t, c.sim.RemoveOwner(client))
	require.NoError(t, c.sim.RemovePersonInConsole(client, "person-0@client.example"))
	require.Len(t, c.members(path), 119)
}

// Added again: the same user, without the rights (§3.4).
func TestSection3_4_AddedAgain(t *testing.T) {
	t.Parallel()
	ways := map[string]func(c *caller, path string){
		"label": func(c *caller, path string) {
			data := c.post(path+"/users", with(person("Bob@Client.example"), "firstName", "Robert")).data()
			require.Subset(c.t, data, object{"status": "created", "created": true})
		},
		"host": func(c *caller, _ string) {
			c.post("/console/users/add", object{"email": "Bob@Client.example", "firstName": "Robert", "lastName": "Byte", "domain": client}).data()
		},
		"console": func(c *caller, _ string) {
			c.made(c.sim.AddPersonInConsole(client, "Bob@Client.example", "Robert", "Byte"))
		},
	}
	for name, add := range ways {
		withLabel(t, name, func(t *testing.T, c *caller, path string) {
			id := c.addBob(path)
			require.NoError(t, c.sim.MakeAdmin(client, bobEmail))
			require.NoError(t, c.sim.RemovePersonInConsole(client, bobEmail))
			c.sim.Clock().Advance(inviteInterval / 5)
			add(c, path)
			c.seats(path, 2)
			require.Equal(t, object{
				"id": id, "firstName": "Robert", "lastName": "Byte", "email": "Bob@Client.example", "status": "Active", "role": "member",
				"isOwner": false, "createdAt": float64(start.Add(inviteInterval / 5).UnixMilli()),
			}, c.member(path, "Bob@Client.example"))
			require.Equal(t, 2, c.mails(bobEmail)+c.mails("Bob@Client.example"))
			// The seat can be taken again, and again.
			c.del(path + "/users/" + id).data()
			c.seats(path, 1)
			require.Equal(t, id, c.post(path+"/users", person(bobEmail)).data()["userID"])
			c.seats(path, 2)
		})
	}
}

// The alternative: the old ID stays known as removed, the new one has a seat.
func TestSection3_4_AddedAgainIsNewID(t *testing.T) {
	t.Parallel()
	c, path := assumingPeople(t, simulator.Forms{"added-again": "new-id"})
	before := c.addBob(path)
	for range 2 {
		c.del(path + "/users/" + before).data()
		data := c.post(path+"/users", person(bobEmail)).data()
		require.Equal(t, "created", data["status"])
		after := as[string](data["userID"])
		assert.NotEqual(t, before, after, "the id is %s again", after)
		c.seats(path, 2)
		require.Equal(t, "removed", c.del(path + "/users/" + before).data()["status"])
		require.Equal(t, after, c.member(path, bobEmail)["id"])
		before = after
	}
}

// The alternative: an address is stored in other letters, and found in any.
func TestSection4_16_StoresEmail(t *testing.T) {
	t.Parallel()
	for form, store := range map[string]func(string) string{"lowercase": strings.ToLower, "uppercase": strings.ToUpper} {
		c, path := assumingPeople(t, simulator.Forms{"email-case": form})
		const address = "Οδυσσευς@client.example"
		id := c.post(path+"/users", person(address)).data()["userID"]
		require.Equal(t, id, c.member(path, store(address))["id"])
		for _, again := range []string{address, store(address)} {
			require.Subset(t, c.post(path+"/users", person(again)).data(), object{"status": "added", "userID": id})
		}
	}
}

// The books show the members as the list does: the owner first, in any order of the stored members (§4.17).
func TestLabels_People(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	c.addBob(path)
	carol := as[string](c.post(path+"/users", person("carol@client.example")).data()["userID"])
	require.NoError(t, c.sim.MakeAdmin(client, bobEmail))
	c.del(path + "/users/" + carol).data()
	c.sim.ReverseMembers()
	people := c.sim.Labels()[0].People
	require.Len(t, people, 2)
	for i, m := range c.members(path) {
		p := people[i]
		require.Subset(t, m, object{"id": p.ID, "email": p.Email, "firstName": p.FirstName, "lastName": p.LastName, "role": p.Role, "status": p.Status})
	}
	require.Equal(t, "owner", people[0].Role)
	require.Equal(t, "admin", people[1].Role)
}

// Some seeded private labels have a former member, and some a logo.
func TestSeed_PeopleAndLogos(t *testing.T) {
	t.Parallel()
	// The alternative distinguishes a former member from a user who never was one.
	c := assuming(t, simulator.Forms{"removed-again": "succeeds"})
	require.NoError(t, c.sim.Seed(5))
	labels := c.sim.Labels()
	c.post(removePath, object{"email": "person-0@client-0005.example", "domain": labels[4].Host}).data()
	c.post(removePath, object{"email": "person-0@client-0004.example", "domain": labels[3].Host}).rejected(http.StatusBadRequest, "USER_NOT_FOUND")
	require.Len(t, labels[4].People, 3)
	require.Equal(t, image.Pt(90, 90), sizeOf(t, c.sim.Branding(labels[3].Host).Logo))
	require.Len(t, c.sim.Branding(labels[2].Host).Logo, 0)
	require.Len(t, c.sim.Outbox(), 0)
}
