package main

import (
	"fmt"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/bench/inprocess"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

var emptyPlanTypes = []string{"private_label", "member", "assignment", "package", "branding"}

// Each type that the benchmark measures has no changes in its plan.
func TestEmptyPlan_HasNoChanges(t *testing.T) {
	t.Parallel()
	for _, typ := range emptyPlanTypes {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			run, objects := emptyPlans(t, "reseller_"+typ, 3)
			if err := run.EmptyPlan(t.Context(), objects[0]); err != nil {
				t.Error(err)
			}
		})
	}
}

// BenchmarkEmptyPlan measures the provider's part of a plan without changes over one object among a thousand, without
// the protocol's encoding.
func BenchmarkEmptyPlan(b *testing.B) {
	for _, typ := range emptyPlanTypes {
		b.Run(typ, func(b *testing.B) {
			run, objects := emptyPlans(b, "reseller_"+typ, 1000)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := run.EmptyPlan(b.Context(), objects[i%len(objects)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// emptyPlans returns n objects of a type that are in state as they are configured.
func emptyPlans(tb testing.TB, typ string, n int) (*inprocess.Run, []*inprocess.Object) {
	tb.Helper()
	sim, err := simulator.New(simulator.Options{IDs: "bench"})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = sim.Close() })
	if err := sim.Seed(n); err != nil {
		tb.Fatal(err)
	}
	env := map[string]string{"RESELLER_TOKEN_CACHE_DIR": tb.TempDir()}
	server := provider.NewServer(ownVersion,
		provider.WithTransport(sim.Transport()), provider.WithClock(sim.Clock()), provider.WithEnv(func(name string) string { return env[name] }))()
	run, err := inprocess.Start(tb.Context(), server, inprocess.Values{"base_url": simulator.BaseURL, "api_key": sim.APIKey()})
	if err != nil {
		tb.Fatal(err)
	}
	objects, ids := make([]*inprocess.Object, n), make([]string, n)
	for i, label := range sim.Labels() {
		objects[i], ids[i] = benchObject(tb, sim, typ, label, i)
	}
	for i, o := range objects {
		if ids[i] == "" {
			err = run.Apply(tb.Context(), o)
		} else {
			err = run.Import(tb.Context(), o, ids[i])
		}
		if err == nil {
			err = run.EmptyPlan(tb.Context(), o)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	return run, objects
}

// benchObject returns the configuration of an object that the simulator has, and the ID that imports it; none if it is
// created.
func benchObject(tb testing.TB, sim *simulator.Simulator, typ string, label simulator.LabelView, i int) (*inprocess.Object, string) {
	tb.Helper()
	o := &inprocess.Object{Type: typ}
	switch typ {
	case "reseller_private_label":
		o.Config = inprocess.Values{"domain": label.Host}
		return o, label.ID
	case "reseller_member":
		label = sim.Labels()[0]
		email := fmt.Sprintf("member-%d@client.example", i)
		id, err := sim.AddPersonInConsole(label.Host, email, "Member", "Number")
		if err != nil {
			tb.Fatal(err)
		}
		o.Config = inprocess.Values{"private_label_id": label.ID, "email": email, "first_name": "Member", "last_name": "Number"}
		return o, label.ID + "/" + id
	case "reseller_assignment":
		item := sim.Packages()[0]
		if err := sim.AssignInConsole(label.Host, item.ID, nil); err != nil {
			tb.Fatal(err)
		}
		o.Config = inprocess.Values{"private_label_id": label.ID, "package_id": item.ID}
		return o, label.ID
	case "reseller_package":
		code := fmt.Sprintf("CODE-%04d", i)
		id, err := sim.AddPackage(code, map[string]float64{"documents": 10}, true)
		if err != nil {
			tb.Fatal(err)
		}
		o.Config = inprocess.Values{"code": code, "name": code, "currency": "EUR"}
		return o, id
	default:
		o.Config = inprocess.Values{"domain": label.Host, "color_primary": "#0a4"}
		return o, ""
	}
}
