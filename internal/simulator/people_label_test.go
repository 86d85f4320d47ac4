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

func TestSection4_17_Members(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	c.sim.Clock().Advance(inviteInterval)
	id := c.addBob(path)
	c.post(path+"/users", person("carol@client.example")).data()
	require.NoError(t, c.sim.MakeAdmin(client, "carol@client.example"))
	data := c.get(path + "/members").data()
	require.Len(t, data, 1)
	members := list(t, data, "members")
	require.Len(t, members, 3)
	later := float64(start.Add(inviteInterval).UnixMilli())
	for i, want := range []object{
		{"id": id32, "firstName": "Ada", "lastName": "Lovelace", "email": ada, "role": "owner", "isOwner": true, "createdAt": float64(start.UnixMilli())},
		{"id": id, "firstName": "Bob", "lastName": "Byte", "email": bobEmail, "role": "member", "isOwner": false, "createdAt": later},
		{"id": id32, "firstName": "Bob", "lastName": "Byte", "email": "carol@client.example", "role": "admin", "isOwner": true, "createdAt": later},
	} {
		exactly(t, with(want, "status", "Active"), as[object](members[i]))
	}
}

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

func TestSection4_18_Removed(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	bob := path + "/users/" + c.addBob(path)
	c.seats(path, 2)
	for _, body := range []any{nil, object{}, nil} { // a retry has the same response
		require.Equal(t, object{"status": "removed"}, c.do(http.MethodDelete, bob, body).data())
		c.seats(path, 1)
	}
	require.Len(t, c.sim.Outbox(), 2)
}

func TestSection4_18_Errors(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	_, second := c.provision("sign.second.example")
	bob := c.addBob(path)
	users := path + "/users/"
	owner := as[string](c.member(path, "ada@client.example")["id"])
	require.NoError(t, c.sim.MakeAdmin(client, bobEmail))

	c.del(users+owner).rejected(http.StatusBadRequest, "CANNOT_REMOVE_OWNER")
	c.del(users+bob).rejected(http.StatusBadRequest, "CANNOT_REMOVE_OWNER")
	for _, id := range []string{nobodyID, "nonsense", bobEmail} {
		c.del(users+id).rejected(http.StatusBadRequest, "USER_NOT_FOUND")
	}
	c.del(second+"/users/"+bob).rejected(http.StatusBadRequest, "USER_NOT_FOUND")
	for _, body := range []any{object{"force": true}, "nonsense"} {
		c.do(http.MethodDelete, users+bob, body).rejected(http.StatusBadRequest, "INVALID_REQUEST")
	}
	require.Len(t, c.members(path), 2)

	require.NoError(t, c.sim.DemoteAdmin(client, bobEmail))
	require.Equal(t, "removed", c.del(users + bob).data()["status"])
	// Known to this private label only.
	c.del(second+"/users/"+bob).rejected(http.StatusBadRequest, "USER_NOT_FOUND")
}

// A removed member is known, also after a removal in the console.
func TestSection4_18_LeftInConsole(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	bob := c.addBob(path)
	owner := as[string](c.member(path, "ada@client.example")["id"])
	require.NoError(t, c.sim.MakeAdmin(client, bobEmail))
	require.NoError(t, c.sim.RemovePersonInConsole(client, bobEmail))
	require.NoError(t, c.sim.RemoveOwner(client))
	for _, id := range []string{bob, owner} {
		require.Equal(t, "removed", c.del(path + "/users/" + id).data()["status"])
	}
	require.Len(t, c.members(path), 0)
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

// A suspension does not affect adding and removing members (ASSUMPTIONS.md).
func TestPeople_OfASuspendedLabel(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	c.post(path+"/suspend", nil).data()
	bob := path + "/users/" + c.addBob(path)
	c.sim.Clock().Advance(inviteInterval)
	require.Equal(t, "sent", c.post(bob+"/invite", nil).data()["status"])
	c.seats(path, 2)
	require.Equal(t, "removed", c.del(bob).data()["status"])
	c.seats(path, 1)
}

func TestSection4_15_Templates(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	require.Equal(t, object{"templates": []any{}}, c.get(path+"/templates").data())
	c.made(c.sim.AddTemplateInConsole(client, "Terms", "terms", false))
	id := c.made(c.sim.AddTemplateInConsole(client, "Non-disclosure", "nda", true))
	data := c.get(path + "/templates").data()
	require.Len(t, data, 1)
	templates := list(t, data, "templates")
	require.Len(t, templates, 2)
	require.Equal(t, false, pick(t, templates[0], "isPrivate"))
	require.Equal(t, object{"id": id, "title": "Non-disclosure", "slug": "nda", "isPrivate": true, "createdAt": float64(start.UnixMilli())}, templates[1])
	item := c.items()[0]
	require.Equal(t, 2.0, pick(t, item, "metrics", "templates"))
	require.Equal(t, 2.0, pick(t, item, "templateQuota", "used"))
}
