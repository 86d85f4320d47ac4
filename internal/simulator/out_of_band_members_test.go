package simulator_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func TestMoves_ConsoleLabel(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	id, err := c.sim.AddConsoleLabel("Sign.Client.example", "ada@client.example")
	must(t, err)
	item := as[object](c.items()[0])
	equal(t, item["tenantId"], any(id))
	equal(t, item["primaryHost"], any("sign.client.example"))
	equal(t, item["adminEmail"], any("ada@client.example"))
	equal(t, len(c.sim.Outbox()), 1)
	c.post(labelsPath, order("sign.client.example")).rejected(http.StatusBadRequest, "HOST_TAKEN")

	for code, try := range map[string][2]string{
		"HOST_TAKEN":          {"SIGN.client.example", "ada@client.example"},
		"HOST_RESERVED":       {"console.portals.example", "ada@client.example"},
		"DOMAIN_INVALID":      {"https://client.example", "ada@client.example"},
		"OWNER_INVALID_EMAIL": {"sign.other.example", "ada"},
	} {
		if _, err := c.sim.AddConsoleLabel(try[0], try[1]); err == nil || !strings.Contains(err.Error(), code) {
			t.Errorf("want %s, got %v", code, err)
		}
	}
	equal(t, len(c.items()), 1)
}

func TestMoves_People(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	_, path := c.provision(client)
	id, err := c.sim.AddPersonInConsole(client, "bob@client.example", "Bob", "Byte")
	must(t, err)
	if !id32.MatchString(id) {
		t.Errorf("the id is %q", id)
	}
	equal(t, c.get(path).data()["memberCount"], any(2.0))
	equal(t, as[object](as[object](c.items()[0])["metrics"])["members"], any(2.0))
	mails := c.sim.Outbox()
	equal(t, mails[len(mails)-1].To, "bob@client.example")

	must(t, c.sim.MakeAdmin(client, "Bob@client.example"))
	must(t, c.sim.RenamePerson(client, "ada@client.example", "Augusta", "King"))
	owner := as[object](c.get(path).data()["owner"])
	equal(t, owner["firstName"], any("Augusta"))
	equal(t, owner["lastName"], any("King"))

	// An admin is shown for a private label without an owner (§2.3).
	must(t, c.sim.RemoveOwner(client))
	equal(t, as[object](c.items()[0])["adminEmail"], any("bob@client.example"))
	equal(t, c.get(path).data()["owner"], nil)
}

func TestMoves_PeopleUnknown(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{})
	_, err := sim.AddConsoleLabel(client, "ada@client.example")
	must(t, err)
	const nobody = "nobody@client.example"
	moves := map[string]error{
		"RenamePerson, nobody": sim.RenamePerson(client, nobody, "No", "Body"),
		"RenamePerson, host":   sim.RenamePerson("nobody.example", nobody, "No", "Body"),
		"MakeAdmin, nobody":    sim.MakeAdmin(client, nobody),
		"MakeAdmin, the owner": sim.MakeAdmin(client, "ada@client.example"),

		"DemoteAdmin, the owner":        sim.DemoteAdmin(client, "ada@client.example"),
		"DemoteAdmin, nobody":           sim.DemoteAdmin(client, nobody),
		"RemovePersonInConsole, nobody": sim.RemovePersonInConsole(client, nobody),
		"RemovePersonInConsole, host":   sim.RemovePersonInConsole("nobody.example", "ada@client.example"),
	}
	_, moves["AddTemplateInConsole, host"] = sim.AddTemplateInConsole("nobody.example", "Terms", "terms", false)
	_, moves["AddPersonInConsole, seated"] = sim.AddPersonInConsole(client, "ADA@client.example", "Ada", "Lovelace")
	_, moves["AddPersonInConsole, no address"] = sim.AddPersonInConsole(client, " ", "Ada", "Lovelace")
	for name, err := range moves {
		if err == nil {
			t.Errorf("%s succeeded", name)
		}
	}
}
