package simulator_test

import (
	"fmt"
	"image"
	"net/http"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// peopleCalls are the endpoints of a private label's members, each with a valid body.
var peopleCalls = []struct {
	section, method, suffix, scope string
	body                           any
}{
	{"4.16", http.MethodPost, "/users", scopeProvision, person("carol@client.example")},
	{"4.17", http.MethodGet, "/members", scopeRead, nil},
	{"4.18", http.MethodDelete, "/users/USER", scopeProvision, nil},
	{"4.19", http.MethodPost, "/users/USER/invite", scopeProvision, nil},
}

func TestPeople_Targets(t *testing.T) {
	t.Parallel()
	for _, call := range peopleCalls {
		t.Run(call.section, func(t *testing.T) {
			t.Parallel()
			c := newCaller(t)
			key, err := c.sim.AddReseller("other.example")
			must(t, err)
			foreign := as[string](c.as(key).post("/console/other.example/reseller/private-labels", order("sign.foreign.example")).data()["tenantId"])
			_, gone := c.provision("sign.gone.example")
			c.del(gone).data()
			suffix := strings.Replace(call.suffix, "USER", nobodyID, 1)
			c.do(call.method, labelsPath+"/"+foreign+suffix, call.body).rejected(http.StatusForbidden, "FORBIDDEN")
			c.do(call.method, gone+suffix, call.body).rejected(http.StatusForbidden, "FORBIDDEN")
			c.do(call.method, labelsPath+"/"+nobodyID+suffix, call.body).rejected(http.StatusBadRequest, "INVALID_TARGET")
			c.do(call.method, "/console/other.example/reseller/private-labels/"+foreign+suffix, call.body).rejected(http.StatusForbidden, "FORBIDDEN")
			c.with("").do(call.method, gone+suffix, call.body).rejected(http.StatusUnauthorized, "UNAUTHORIZED")
		})
	}
}

func TestPeople_Scopes(t *testing.T) {
	t.Parallel()
	for _, call := range peopleCalls {
		t.Run(call.section, func(t *testing.T) {
			t.Parallel()
			c := newCaller(t)
			_, path := c.provision(client)
			path += strings.Replace(call.suffix, "USER", c.addBob(path), 1)
			c.sim.Clock().Advance(inviteInterval)
			c.withScopes(otherScopes(call.scope)...).do(call.method, path, call.body).rejected(http.StatusForbidden, "INSUFFICIENT_SCOPE")
			c.withScopes(call.scope).do(call.method, path, call.body).data()
		})
	}
}

// otherScopes returns all scopes except one.
func otherScopes(scope string) []string {
	var out []string
	for _, other := range []string{scopeRead, scopeProvision, scopePackages} {
		if other != scope {
			out = append(out, other)
		}
	}
	return out
}

func TestSection4_17_Members(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	_, path := c.provision(client)
	c.sim.Clock().Advance(inviteInterval)
	id := c.addBob(path)
	c.post(path+"/users", person("carol@client.example")).data()
	must(t, c.sim.MakeAdmin(client, "carol@client.example"))
	data := c.get(path + "/members").data()
	keys(t, data, "members")
	want := []struct {
		email, role string
		isOwner     bool
	}{
		{"ada@client.example", "owner", true},
		{bobEmail, "member", false},
		{"carol@client.example", "admin", true},
	}
	equal(t, len(c.members(path)), len(want))
	for i, m := range c.members(path) {
		got := as[object](m)
		keys(t, got, "id", "firstName", "lastName", "email", "status", "role", "isOwner", "createdAt")
		equal(t, got["email"], any(want[i].email))
		equal(t, got["role"], any(want[i].role))
		equal(t, got["isOwner"], any(want[i].isOwner))
		equal(t, got["status"], any("Active"))
	}
	bob := c.member(path, bobEmail)
	equal(t, bob["id"], any(id))
	equal(t, bob["firstName"], any("Bob"))
	equal(t, bob["lastName"], any("Byte"))
	equal(t, bob["createdAt"], any(float64(start.Add(inviteInterval).UnixMilli())))
}

// In any order of the stored members (§4.17).
func TestSection4_17_OwnerFirst(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	_, path := c.provision(client)
	c.addBob(path)
	c.sim.ReverseMembers()
	equal(t, as[object](c.members(path)[0])["role"], any("owner"))
	equal(t, as[object](c.members(path)[1])["email"], any(bobEmail))
}

// All members in one response, for any number (§4.17).
func TestSection4_17_Whole(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	_, path := c.provision(client)
	for i := range 120 {
		_, err := c.sim.AddPersonInConsole(client, fmt.Sprintf("person-%d@client.example", i), "Per", "Son")
		must(t, err)
	}
	equal(t, len(c.members(path)), 121)
	must(t, c.sim.RemoveOwner(client))
	must(t, c.sim.RemovePersonInConsole(client, "person-0@client.example"))
	equal(t, len(c.members(path)), 119)
}

func TestSection4_18_Removed(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	_, path := c.provision(client)
	bob := path + "/users/" + c.addBob(path)
	c.seats(path, 2)
	for _, body := range []any{nil, object{}, nil} { // a retry has the same response
		data := c.do(http.MethodDelete, bob, body).data()
		keys(t, data, "status")
		equal(t, data["status"], any("removed"))
		c.seats(path, 1)
	}
	equal(t, len(c.sim.Outbox()), 2)
}

func TestSection4_18_Errors(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	_, path := c.provision(client)
	_, second := c.provision("sign.second.example")
	bob := c.addBob(path)
	users := path + "/users/"
	owner := as[string](c.member(path, "ada@client.example")["id"])
	must(t, c.sim.MakeAdmin(client, bobEmail))

	c.del(users+owner).rejected(http.StatusBadRequest, "CANNOT_REMOVE_OWNER")
	c.del(users+bob).rejected(http.StatusBadRequest, "CANNOT_REMOVE_OWNER")
	for _, id := range []string{nobodyID, "nonsense", bobEmail} {
		c.del(users+id).rejected(http.StatusBadRequest, "USER_NOT_FOUND")
	}
	c.del(second+"/users/"+bob).rejected(http.StatusBadRequest, "USER_NOT_FOUND")
	for _, body := range []any{object{"force": true}, "nonsense"} {
		c.do(http.MethodDelete, users+bob, body).rejected(http.StatusBadRequest, "INVALID_REQUEST")
	}
	equal(t, len(c.members(path)), 2)

	must(t, c.sim.DemoteAdmin(client, bobEmail))
	equal(t, c.del(users + bob).data()["status"], any("removed"))
	// Known to this private label only.
	c.del(second+"/users/"+bob).rejected(http.StatusBadRequest, "USER_NOT_FOUND")
}

// A removed member is known, also after a removal in the console.
func TestSection4_18_LeftInConsole(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	_, path := c.provision(client)
	bob := c.addBob(path)
	owner := as[string](c.member(path, "ada@client.example")["id"])
	must(t, c.sim.MakeAdmin(client, bobEmail))
	must(t, c.sim.RemovePersonInConsole(client, bobEmail))
	must(t, c.sim.RemoveOwner(client))
	for _, id := range []string{bob, owner} {
		equal(t, c.del(path + "/users/" + id).data()["status"], any("removed"))
	}
	equal(t, len(c.members(path)), 0)
}

// Added again: the same user, without the rights (§3.4).
func TestSection3_4_AddedAgain(t *testing.T) {
	t.Parallel()
	ways := map[string]func(c *caller, path string){
		"label": func(c *caller, path string) {
			data := c.post(path+"/users", with(person("Bob@Client.example"), "firstName", "Robert")).data()
			equal(c.t, data["status"], any("created"))
			equal(c.t, data["created"], any(true))
		},
		"host": func(c *caller, _ string) {
			c.post("/console/users/add", object{"email": "Bob@Client.example", "firstName": "Robert", "lastName": "Byte", "domain": client}).data()
		},
		"console": func(c *caller, _ string) {
			_, err := c.sim.AddPersonInConsole(client, "Bob@Client.example", "Robert", "Byte")
			must(c.t, err)
		},
	}
	for name, add := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCaller(t)
			_, path := c.provision(client)
			id := c.addBob(path)
			must(t, c.sim.MakeAdmin(client, bobEmail))
			must(t, c.sim.RemovePersonInConsole(client, bobEmail))
			c.sim.Clock().Advance(inviteInterval / 5)
			add(c, path)
			c.seats(path, 2)
			bob := c.member(path, "Bob@Client.example")
			equal(t, bob["id"], any(id))
			equal(t, bob["role"], any("member"))
			equal(t, bob["isOwner"], any(false))
			equal(t, bob["firstName"], any("Robert"))
			equal(t, bob["createdAt"], any(float64(start.Add(inviteInterval/5).UnixMilli())))
			equal(t, c.mails(bobEmail)+c.mails("Bob@Client.example"), 2)
			// The seat can be taken again, and again.
			c.del(path + "/users/" + id).data()
			c.seats(path, 1)
			equal(t, c.post(path+"/users", person(bobEmail)).data()["userID"], any(id))
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
		equal(t, data["status"], any("created"))
		after := as[string](data["userID"])
		if after == before {
			t.Errorf("the id is %s again", after)
		}
		c.seats(path, 2)
		equal(t, c.del(path + "/users/" + before).data()["status"], any("removed"))
		equal(t, c.member(path, bobEmail)["id"], any(after))
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
		equal(t, c.member(path, store(address))["id"], id)
		for _, again := range []string{address, store(address)} {
			data := c.post(path+"/users", person(again)).data()
			equal(t, data["status"], any("added"))
			equal(t, data["userID"], id)
		}
	}
}

// The books show the members, as the list does.
func TestLabels_People(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	_, path := c.provision(client)
	c.addBob(path)
	carol := as[string](c.post(path+"/users", person("carol@client.example")).data()["userID"])
	must(t, c.sim.MakeAdmin(client, bobEmail))
	c.del(path + "/users/" + carol).data()
	c.sim.ReverseMembers()
	people := c.sim.Labels()[0].People
	equal(t, len(people), 2)
	for i, m := range c.members(path) {
		got := as[object](m)
		equal(t, people[i], simulator.PersonView{
			ID: as[string](got["id"]), Email: as[string](got["email"]), FirstName: as[string](got["firstName"]), LastName: as[string](got["lastName"]),
			Role: as[string](got["role"]), Status: as[string](got["status"]),
		})
	}
	equal(t, people[0].Role, "owner")
	equal(t, people[1].Role, "admin")
}

// Some seeded private labels have a former member, and some a logo.
func TestSeed_PeopleAndLogos(t *testing.T) {
	t.Parallel()
	// The alternative distinguishes a former member from a user who never was one.
	sim := newSim(t, simulator.Options{Forms: simulator.Forms{"removed-again": "succeeds"}})
	c := inProcess(t, sim).as(sim.APIKey())
	must(t, c.sim.Seed(5))
	labels := c.sim.Labels()
	c.post(removePath, object{"email": "person-0@client-0005.example", "domain": labels[4].Host}).data()
	c.post(removePath, object{"email": "person-0@client-0004.example", "domain": labels[3].Host}).rejected(http.StatusBadRequest, "USER_NOT_FOUND")
	equal(t, len(labels[4].People), 3)
	equal(t, sizeOf(t, c.sim.Branding(labels[3].Host).Logo), image.Pt(90, 90))
	equal(t, len(c.sim.Branding(labels[2].Host).Logo), 0)
	equal(t, len(c.sim.Outbox()), 0)
}

// A suspension does not affect adding and removing members (ASSUMPTIONS.md).
func TestPeople_OfASuspendedLabel(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	_, path := c.provision(client)
	c.post(path+"/suspend", nil).data()
	bob := path + "/users/" + c.addBob(path)
	c.sim.Clock().Advance(inviteInterval)
	equal(t, c.post(bob+"/invite", nil).data()["status"], any("sent"))
	c.seats(path, 2)
	equal(t, c.del(bob).data()["status"], any("removed"))
	c.seats(path, 1)
}

func TestSection4_15_FromConsole(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	_, path := c.provision(client)
	must(t, c.sim.AddTemplates(client, 1))
	id, err := c.sim.AddTemplateInConsole(client, "Non-disclosure", "nda", true)
	must(t, err)
	data := c.get(path + "/templates").data()
	keys(t, data, "templates")
	templates := as[[]any](data["templates"])
	equal(t, len(templates), 2)
	equal(t, as[object](templates[0])["isPrivate"], any(false))
	nda := as[object](templates[1])
	keys(t, nda, "id", "title", "slug", "isPrivate", "createdAt")
	equal(t, nda["id"], any(id))
	equal(t, nda["title"], any("Non-disclosure"))
	equal(t, nda["slug"], any("nda"))
	equal(t, nda["isPrivate"], any(true))
	equal(t, nda["createdAt"], any(float64(start.UnixMilli())))
	item := as[object](c.items()[0])
	equal(t, as[object](item["metrics"])["templates"], any(2.0))
	equal(t, as[object](item["templateQuota"])["used"], any(2.0))
}
