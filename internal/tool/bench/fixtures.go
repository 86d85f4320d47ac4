package main

import (
	"fmt"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// object is one resource instance.
type object struct {
	resource string
	id       string // that imports it; empty to create it
	config   map[string]any
}

// fixture is many objects of one resource type, which the bench compares with the floor.
type fixture struct {
	resource string
	budget   float64
	seed     func(sim *simulator.Simulator, n int) ([]object, error)
}

// The budgets are the plugin's CPU time in a plan without changes over 1,000 objects, as a multiple of the floor's: the
// present figures, rounded up. Over fewer objects the ratio is smaller, since the start counts for more. To tighten a
// budget, lower its figure.
var fixtures = []fixture{
	{"reseller_private_label", 1.2, seedLabels},
	{"reseller_member", 1.2, seedMembers},
	{"reseller_assignment", 1.3, seedAssignments}, // the design requires 2
	{"reseller_package", 1.3, seedPackages},       // and 2
	{"reseller_branding", 1.3, seedBrandings},     // and 2
}

func seedLabels(sim *simulator.Simulator, n int) (out []object, err error) {
	err = sim.Seed(n)
	for _, l := range sim.Labels() {
		owner := map[string]any{"email": l.People[0].Email, "first_name": l.People[0].FirstName, "last_name": l.People[0].LastName}
		out = append(out, object{"reseller_private_label", l.ID, map[string]any{"domain": l.Host, "app_name": l.AppName, "owner": owner}})
	}
	return out, err
}

// seedMembers adds all members to one private label.
func seedMembers(sim *simulator.Simulator, n int) (out []object, err error) {
	if err := sim.Seed(1); err != nil {
		return nil, err
	}
	label := sim.Labels()[0]
	for i := range n {
		email := fmt.Sprintf("member-%04d@client.example", i)
		last := fmt.Sprintf("Number %04d", i)
		id, err := sim.AddPersonInConsole(label.Host, email, "Member", last)
		if err != nil {
			return nil, err
		}
		out = append(out, object{"reseller_member", label.ID + "/" + id, map[string]any{
			"private_label_id": label.ID, "email": email, "first_name": "Member", "last_name": last,
		}})
	}
	return out, nil
}

// seedAssignments assigns one package to each of n private labels, without add-ons.
func seedAssignments(sim *simulator.Simulator, n int) (out []object, err error) {
	if err := sim.Seed(n); err != nil {
		return nil, err
	}
	item := sim.Packages()[0].ID
	for _, l := range sim.Labels() {
		if err := sim.AssignInConsole(l.Host, item, nil); err != nil {
			return nil, err
		}
		out = append(out, object{"reseller_assignment", l.ID, map[string]any{"private_label_id": l.ID, "package_id": item}})
	}
	return out, nil
}

// seedPackages adds more packages than the limit of 100, which the simulator does not apply to out-of-band changes.
func seedPackages(sim *simulator.Simulator, n int) (out []object, err error) {
	for i := range n {
		code := fmt.Sprintf("CODE-%04d", i)
		id, err := sim.AddPackage(code, map[string]float64{"documents": 10, "seats": 2}, true)
		if err != nil {
			return nil, err
		}
		out = append(out, object{"reseller_package", id, map[string]any{"code": code, "name": code, "currency": "EUR"}})
	}
	return out, nil
}

func seedBrandings(sim *simulator.Simulator, n int) (out []object, err error) {
	err = sim.Seed(n)
	for _, l := range sim.Labels() {
		out = append(out, object{"reseller_branding", "", map[string]any{"domain": l.Host, "color_primary": "#0a4"}})
	}
	return out, err
}
