// Package membertest has the conformance cases of members and of sets of members.
package membertest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const (
	bob = providertest.BobEmail
	eve = providertest.EveEmail
)

var shows = []string{providertest.RouteMembers}

// Member is the conformance case of a member.
var Member = providertest.Case{
	Type: "reseller_member",
	Make: func(w *providertest.World) {
		_, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, bob, "Bob", surname)
		require.NoError(w.T, err)
	},
	Block: func(w *providertest.World) string {
		return strings.Replace(person(w), `"Byte"`, `"$${each.key} \"Byte\""`, 1)
	},
	Named: bob + " of " + providertest.AcmeHost,
	IDs: func(w *providertest.World) []string {
		host := providertest.AcmeHost
		return []string{w.Label + "/" + idOf(w), host + "/" + idOf(w), w.Label + "/" + bob, host + "/BOB@acme.example", strings.ToUpper(host) + "/" + bob}
	},
	Identity: func(w *providertest.World) map[string]string {
		return map[string]string{"private_label_id": w.Label, "id": idOf(w)}
	},
	Wrong: func(w *providertest.World) map[string]string {
		wrong := w.NotLive("/" + bob)
		for _, id := range []string{"", providertest.AcmeHost, providertest.AcmeHost + "/", "/" + bob, providertest.AcmeHost + "/bob", "https://x/" + bob} {
			wrong[id] = fmt.Sprintf("%q does not name a member", id)
		}
		wrong[providertest.AcmeHost+"/"+eve] = eve + " is not a member of " + providertest.AcmeHost
		return wrong
	},
	Form: "sign.acme.example",
	Settled: []func(*providertest.World) providertest.Settled{func(w *providertest.World) providertest.Settled {
		config := providertest.Values{"private_label_id": w.Label, "email": bob, "first_name": "Bob", "last_name": surname}
		return providertest.Settled{
			Config: config, Again: config, Other: config.With(providertest.Values{"last_name": "Ross"}),
			Drift:  func() error { return w.Sim.MakeAdmin(providertest.AcmeHost, bob) },
			Remove: func() error { return w.Sim.RemovePersonInConsole(providertest.AcmeHost, bob) },
			Read:   providertest.RouteMembers, Reads: 2, // one of them shows whether the member still exists
		}
	}},
	Exported: true, Generated: "private_label_id email first_name last_name",
	Hostile: providertest.Hostile{
		Config: `{"private_label_id":"$label","email":"bob@@.example","first_name":"Bob","last_name":"B"}`,
		Change: `{"first_name":"Robert"}`, Import: "sign.acme.example/ada@acme.example",
	},
	Stored: providertest.StoredAs(`
resource "reseller_member" "bob" {
  private_label_id = reseller_private_label.acme.id
  email            = "bob@acme.example"
  first_name       = "Bob"
  last_name        = "Byte"
}
`),
	Calls: map[string]providertest.Call{
		"add":    {Route: providertest.RouteAdd, Reads: shows, After: person, Want: seats(2)},
		"remove": {Route: providertest.RouteRemove, Reads: shows, Before: person, Want: seats(1)},
	},
	Harmed: mailedOnce,
}

// Members is the conformance case of a set of members, whose destroy removes nobody.
var Members = providertest.Case{
	Type:  "reseller_members",
	Make:  func(w *providertest.World) { w.Join(bob) },
	Block: set(bob),
	Named: "the members of " + providertest.AcmeHost,
	IDs: func(w *providertest.World) []string {
		return []string{w.Label, providertest.AcmeHost, strings.ToUpper(providertest.AcmeHost)}
	},
	Identity: func(w *providertest.World) map[string]string { return map[string]string{"private_label_id": w.Label} },
	Wrong:    func(w *providertest.World) map[string]string { return w.NotLabels(providertest.AcmeHost + "/" + bob) },
	Form:     providertest.AcmeHost,
	Settled: []func(*providertest.World) providertest.Settled{func(w *providertest.World) providertest.Settled {
		config := func(emails ...string) providertest.Values {
			people := providertest.Values{}
			for _, email := range emails {
				people[email] = providertest.Values{"first_name": "Bob", "last_name": "Byte"}
			}
			return providertest.Values{"private_label_id": w.Label, "members": people}
		}
		return providertest.Settled{
			Config: config(bob), Other: config(eve),
			Drift:  func() error { w.Join(eve); return nil },
			Remove: func() error { return w.Sim.DeprovisionInConsole(providertest.AcmeHost) },
			Read:   providertest.RouteMembers, Reads: 2,
		}
	}},
	Exported: true, Generated: "private_label_id members",
	Hostile: providertest.Hostile{
		Config: `{"private_label_id":"$free@","members":{"bob@@.example":{"first_name":"Bob","last_name":"B"}}}`,
		Change: `{"members":{"fay@@.example":{"first_name":"Fay","last_name":"F"}}}`, Import: "sign.acme.example",
	},
	Stored: providertest.StoredAs(`
resource "reseller_members" "settled" {
  private_label_id = reseller_private_label.settled.id
  members          = { "eve@settled.example" = { first_name = "Eve", last_name = "Moss" } }
}
`),
	Calls: map[string]providertest.Call{
		"create":   {Route: providertest.RouteAdd, Reads: shows, After: set(eve, bob), Want: seats(3)},
		"read":     {Route: providertest.RouteMembers, Before: set(bob), After: set(eve), Want: seats(2), NoEffect: true},
		"remove":   {Route: providertest.RouteRemove, Reads: shows, Before: set(eve, bob), After: set(eve), Want: seats(2)},
		"exchange": {Route: providertest.RouteAdd, Reads: shows, Before: set(eve), After: set(bob), Want: seats(2)},
	},
	Harmed: mailedOnce,
}

// surname has to be escaped in a configuration.
const surname = `${each.key} "Byte"`

func idOf(w *providertest.World) string {
	people := w.Sim.Labels()[0].People
	return people[slices.IndexFunc(people, func(p simulator.PersonView) bool { return p.Email == bob })].ID
}

func person(w *providertest.World) string { return w.Person("it", bob, "Bob") }

func set(emails ...string) func(*providertest.World) string {
	return func(w *providertest.World) string { return providertest.As(w.Set(emails...), "it") }
}

func seats(want int) func(*providertest.World) error {
	return func(w *providertest.World) error {
		if got := w.LabelEnv.Seats(); got != want {
			return fmt.Errorf("%d seats, want %d", got, want)
		}
		return nil
	}
}

func mailedOnce(w *providertest.World, _ providertest.Workspace, _ providertest.Call) error {
	if n := w.Mails(bob); n > 1 {
		return fmt.Errorf("%d emails, want one at most", n)
	}
	return nil
}
