package provider_test

import (
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// settledCase is a type whose unchanged objects are answered for without the
// framework.
type settledCase struct {
	typ, id string
	config  values
	drift   func() error // changes the object outside of Terraform
	again   values       // the configuration that has no changes after it
	other   values       // a configuration that has some
	remove  func() error
}

func settledCases(t *testing.T, w *catalogued) map[string]settledCase {
	t.Helper()
	member, err := w.sim.AddPersonInConsole(acmeHost, bobEmail, "Bob", "Moss")
	if err != nil {
		t.Fatal(err)
	}
	bob := values{"private_label_id": w.label, "email": bobEmail, "first_name": "Bob", "last_name": "Moss"}
	colored := values{"domain": acmeHost, "color_primary": "#0A4"}
	bare := values{"private_label_id": w.label, "package_id": w.gold}
	with := func(seats int) values {
		return values{"private_label_id": w.label, "package_id": w.gold, "addons": values{"SEATS": seats}}
	}
	assign := func(addons map[string]float64) func() error {
		return func() error { return w.sim.AssignInConsole(acmeHost, w.gold, addons) }
	}
	removePackage := func() error { return w.sim.RemovePackageInConsole(acmeHost) }
	return map[string]settledCase{
		"member": {
			typ: "reseller_member", id: w.label + "/" + member, config: bob, again: bob,
			other:  values{"private_label_id": w.label, "email": bobEmail, "first_name": "Bob", "last_name": "Ross"},
			drift:  func() error { return w.sim.MakeAdmin(acmeHost, bobEmail) },
			remove: func() error { return w.sim.RemovePersonInConsole(acmeHost, bobEmail) },
		},
		"assignment": {
			typ: "reseller_assignment", id: w.label, config: bare, again: values{"private_label_id": w.label, "package_id": w.silver}, other: bare,
			drift:  func() error { return w.sim.AssignInConsole(acmeHost, w.silver, nil) },
			remove: removePackage,
		},
		"assignment with add-ons": {
			typ: "reseller_assignment", id: w.label, config: with(2), again: with(3), other: bare,
			drift:  assign(map[string]float64{w.seats: 3}),
			remove: removePackage,
		},
		"branding": {
			typ: "reseller_branding", id: acmeHost, config: colored, again: colored, other: values{"domain": acmeHost, "color_primary": "#0B4"},
			drift:  func() error { return nil }, // the API does not show colors
			remove: func() error { return w.sim.DeprovisionInConsole(acmeHost) },
		},
	}
}

// A member or an assignment that nobody touched is answered for without the
// framework, and every change goes through it. The server compares both answers.
func TestSettled_Types(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"member", "assignment", "assignment with add-ons", "branding"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCatalogued(t, simulator.Assumptions{})
			w.compares = true
			tc := settledCases(t, w)[name]
			addons := map[string]float64{}
			if tc.config["addons"] != nil {
				addons[w.seats] = 2
			}
			must := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			must(w.sim.AssignInConsole(acmeHost, w.gold, addons))
			one := w.protocol().walker(tc.typ)
			one.importBy(tc.id)
			one.apply(tc.config) // what an import does not know
			one.read()
			answers := func(want int64, what string, act func()) {
				t.Helper()
				before := w.answered.Load()
				act()
				if n := w.answered.Load() - before; n != want {
					t.Errorf("%s: %d answers without the framework, want %d", what, n, want)
				}
			}
			unchanged := func(config values) {
				t.Helper()
				told := one.read()
				steps, more := one.plan(config)
				if !one.unchanged(steps) || len(told)+len(more) > 0 {
					t.Errorf("the plan has changes: %v %v", told, more)
				}
			}
			want := int64(2)
			if addons[w.seats] > 0 {
				want = 1 // only the detail shows add-ons, which the resource reads
			}
			answers(want, "unchanged", func() { unchanged(tc.config) })
			must(tc.drift())
			if name != "branding" {
				answers(0, "read after a change", func() { one.read() })
			}
			answers(want, "unchanged again", func() { unchanged(tc.again) })
			answers(0, "configured otherwise", func() { _, _ = one.plan(tc.other) })
			must(tc.remove())
			answers(0, "removed", func() { one.read() })
			if !one.state.IsNull() {
				t.Error("what was removed is still in state")
			}
		})
	}
}

// The short path of a plan keeps every proposed value, so that a default would
// not come back.
func TestSettled_NoDefaults(t *testing.T) {
	t.Parallel()
	for _, name := range provider.DefaultsOfSettledTypes() {
		t.Errorf("%s has a default", name)
	}
}

// A read that fails is not made a second time by the framework's resource.
func TestSettled_FailedReadIsNotMadeTwice(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		route string
		calls int
	}{
		"member":     {routeMembers, 2}, // one tells whether the member is gone
		"assignment": {routeList, 1},
		"branding":   {routeList, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCatalogued(t, simulator.Assumptions{})
			w.compares = false
			settled := settledCases(t, w)[name]
			if err := w.sim.AssignInConsole(acmeHost, w.gold, nil); err != nil {
				t.Fatal(err)
			}
			one := w.protocol().walker(settled.typ)
			one.importBy(settled.id)
			one.apply(settled.config)
			one.read()
			w.sim.ResetJournal()
			w.sim.Inject(simulator.Fault{Route: tc.route, Kind: simulator.FaultForbidden, Times: -1})
			if told := one.read(); !anyErrors(told) {
				t.Errorf("no error: %v", told)
			}
			if n := w.calls(tc.route); n != tc.calls {
				t.Errorf("%d calls of %s, want %d", n, tc.route, tc.calls)
			}
		})
	}
}
