package provider_test

import (
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// settledCase is a type with a short path for unchanged objects.
type settledCase struct {
	typ, id string
	config  providertest.Values
	drift   func() error        // changes the object outside of Terraform
	again   providertest.Values // the configuration that has no changes after it
	other   providertest.Values // a configuration that has some
	remove  func() error
}

func settledCases(t *testing.T, w *providertest.AssignmentEnv) map[string]settledCase {
	t.Helper()
	member, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, providertest.BobEmail, "Bob", "Moss")
	if err != nil {
		t.Fatal(err)
	}
	bob := providertest.Values{"private_label_id": w.Label, "email": providertest.BobEmail, "first_name": "Bob", "last_name": "Moss"}
	colored := providertest.Values{"domain": providertest.AcmeHost, "color_primary": "#0A4"}
	bare := providertest.Values{"private_label_id": w.Label, "package_id": w.Gold}
	with := func(seats int) providertest.Values {
		return providertest.Values{"private_label_id": w.Label, "package_id": w.Gold, "addons": providertest.Values{"SEATS": seats}}
	}
	assign := func(addons map[string]float64) func() error {
		return func() error { return w.Sim.AssignInConsole(providertest.AcmeHost, w.Gold, addons) }
	}
	removePackage := func() error { return w.Sim.RemovePackageInConsole(providertest.AcmeHost) }
	return map[string]settledCase{
		"member": {
			typ: "reseller_member", id: w.Label + "/" + member, config: bob, again: bob,
			other:  providertest.Values{"private_label_id": w.Label, "email": providertest.BobEmail, "first_name": "Bob", "last_name": "Ross"},
			drift:  func() error { return w.Sim.MakeAdmin(providertest.AcmeHost, providertest.BobEmail) },
			remove: func() error { return w.Sim.RemovePersonInConsole(providertest.AcmeHost, providertest.BobEmail) },
		},
		"assignment": {
			typ: "reseller_assignment", id: w.Label, config: bare, again: providertest.Values{"private_label_id": w.Label, "package_id": w.Silver}, other: bare,
			drift:  func() error { return w.Sim.AssignInConsole(providertest.AcmeHost, w.Silver, nil) },
			remove: removePackage,
		},
		"assignment with add-ons": {
			typ: "reseller_assignment", id: w.Label, config: with(2), again: with(3), other: bare,
			drift:  assign(map[string]float64{w.Seats: 3}),
			remove: removePackage,
		},
		"branding": {
			typ: "reseller_branding", id: providertest.AcmeHost, config: colored, again: colored, other: providertest.Values{"domain": providertest.AcmeHost, "color_primary": "#0B4"},
			drift:  func() error { return nil }, // the API does not return colors
			remove: func() error { return w.Sim.DeprovisionInConsole(providertest.AcmeHost) },
		},
		"package": {typ: "reseller_package", id: "GOLD", config: providertest.Values{"code": "GOLD", "name": "GOLD", "currency": "EUR"}},
	}
}

// The short path handles an unchanged member or assignment, and every change reaches the framework. The server compares
// both responses.
func TestSettled_Types(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"member", "assignment", "assignment with add-ons", "branding"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			w.Compares = true
			tc := settledCases(t, w)[name]
			addons := map[string]float64{}
			if tc.config["addons"] != nil {
				addons[w.Seats] = 2
			}
			must := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			must(w.Sim.AssignInConsole(providertest.AcmeHost, w.Gold, addons))
			one := w.Protocol().Walker(tc.typ)
			one.ImportBy(tc.id)
			one.Apply(tc.config) // what an import cannot read
			one.Read()
			answers := func(want int64, what string, act func()) {
				t.Helper()
				before := w.Answered.Load()
				act()
				if n := w.Answered.Load() - before; n != want {
					t.Errorf("%s: %d answers without the framework, want %d", what, n, want)
				}
			}
			unchanged := func(config providertest.Values) {
				t.Helper()
				told := one.Read()
				steps, more := one.Plan(config)
				if !one.Unchanged(steps) || len(told)+len(more) > 0 {
					t.Errorf("the plan has changes: %v %v", told, more)
				}
			}
			answers(2, "unchanged", func() { unchanged(tc.config) })
			must(tc.drift())
			if name != "branding" {
				answers(0, "read after a change", func() { one.Read() })
			}
			answers(2, "unchanged again", func() { unchanged(tc.again) })
			answers(0, "configured otherwise", func() { _, _ = one.Plan(tc.other) })
			must(tc.remove())
			answers(0, "removed", func() { one.Read() })
			if !one.State.IsNull() {
				t.Error("what was removed is still in state")
			}
		})
	}
}

// The short path of a plan keeps every proposed value, so it leaves an attribute that is not at its default to the
// framework: the configuration may no longer set it.
func TestSettled_Package(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	w.Compares = true
	one := w.Protocol().Walker("reseller_package")
	config := providertest.Values{"code": "GOLD", "name": "Gold", "currency": "EUR"}
	one.Apply(config)
	answered := func(config providertest.Values) int64 {
		t.Helper()
		before := w.Answered.Load()
		told := one.Read()
		if steps, more := one.Plan(config); !one.Unchanged(steps) || len(told)+len(more) > 0 {
			t.Errorf("the plan has changes: %v %v", told, more)
		}
		return w.Answered.Load() - before
	}
	if n := answered(config); n != 2 {
		t.Errorf("%d answers without the framework, want 2", n)
	}
	for name, value := range map[string]any{"deletion_policy": "ABANDON", "active": false} {
		other := config.With(providertest.Values{name: value})
		one.Apply(other)
		if n := answered(other); n != 1 {
			t.Errorf("%s: %d answers without the framework, want that of the read", name, n)
		}
		if steps, _ := one.Plan(config); one.Unchanged(steps) {
			t.Errorf("the default of %s is not planned", name)
		}
		one.Apply(config)
	}
	w.UpdatePackage(w.PackageID("GOLD"), `"name":"Golden"`)
	before := w.Answered.Load()
	one.Read()
	if n := w.Answered.Load() - before; n != 0 {
		t.Errorf("%d answers without the framework for a read that changes the state", n)
	}
}

// A failed read is not repeated by the framework's resource.
func TestSettled_FailedReadIsNotMadeTwice(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		route string
		calls int
	}{
		"member":     {providertest.RouteMembers, 2}, // one of them shows whether the member still exists
		"assignment": {providertest.RouteList, 2},    // one of them shows whether the private label still exists
		"branding":   {providertest.RouteList, 1},
		"package":    {providertest.RoutePackageSearch, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewAssignmentEnv(t, simulator.Forms{})
			w.Compares = false
			settled := settledCases(t, w)[name]
			if err := w.Sim.AssignInConsole(providertest.AcmeHost, w.Gold, nil); err != nil {
				t.Fatal(err)
			}
			one := w.Protocol().Walker(settled.typ)
			one.ImportBy(settled.id)
			one.Apply(settled.config)
			one.Read()
			w.Sim.ResetJournal()
			w.Sim.Inject(simulator.Fault{Route: tc.route, Kind: simulator.FaultForbidden, Times: -1})
			if told := one.Read(); !providertest.AnyErrors(told) {
				t.Errorf("no error: %v", told)
			}
			if n := w.Calls(tc.route); n != tc.calls {
				t.Errorf("%d calls of %s, want %d", n, tc.route, tc.calls)
			}
		})
	}
}
