package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/bench/inprocess"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// mix is work that needs more API calls than a window has.
type mix struct {
	name   string
	labels int
	budget int // windows waited for
	act    func(context.Context, *minutes) error
	// prepare creates what the work starts from.
	prepare func(context.Context, *minutes) error
}

func mixes() []mix {
	return []mix{
		{name: "a plan without changes over 100 private labels with add-ons", labels: 100, budget: budgetWindowsAddons, prepare: importLabels(false), act: planAll},
		{name: "the same with 3 members each", labels: 100, budget: budgetWindowsMembers, prepare: importLabels(true), act: planAll},
		{name: "300 private labels imported with packages, add-ons and 3 members each", labels: 300, budget: budgetWindowsImport, act: importLabels(true)},
		{name: "35 private labels created with package, add-on and 2 members each", labels: 1, budget: budgetWindowsCreate, act: createLabels(35)},
	}
}

// minutes is a service with the API's limits, on a clock that passes only while everything waits, and Terraform's
// state.
type minutes struct {
	sim     *simulator.Simulator
	clock   *waitingClock
	cache   string
	objects [][]*inprocess.Object // of a private label: itself, then what refers to it
}

// start begins a process of the provider.
func (m *minutes) start(ctx context.Context) (*inprocess.Run, error) {
	env := map[string]string{"RESELLER_TOKEN_CACHE_DIR": m.cache}
	server := provider.NewServer(ownVersion,
		provider.WithTransport(m.sim.Transport()), provider.WithClock(m.clock), provider.WithEnv(func(name string) string { return env[name] }))()
	return inprocess.Start(ctx, server, inprocess.Values{"base_url": simulator.BaseURL, "api_key": m.sim.APIKey()})
}

// measureWindows measures how many windows of the rate limits a mix waits for.
func measureWindows(ctx context.Context, h *harness, t *table, _ options) error {
	t.head("Waiting for the rate limits of 60 console and 60 billing calls a minute, ten objects at a time",
		"work", "console calls", "billing calls", "HTTP 429", "windows waited for", "time waited", "budget")
	for i, one := range mixes() {
		if err := measureMix(ctx, filepath.Join(h.dir, fmt.Sprintf("windows-%d", i)), t, one); err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
	}
	return nil
}

func measureMix(ctx context.Context, cache string, t *table, one mix) error {
	sim, err := simulator.New(simulator.Options{Clock: simulator.NewFrozenClock(time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)), IDs: "bench"})
	if err != nil {
		return err
	}
	defer func() { _ = sim.Close() }()
	m := &minutes{sim: sim, clock: newWaitingClock(sim.Clock()), cache: cache}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return err
	}
	if err := m.seed(one.labels); err != nil {
		return err
	}
	if one.prepare != nil {
		if _, err := m.clock.during(func() error { return one.prepare(ctx, m) }); err != nil {
			return err
		}
		sim.Clock().Advance(2 * time.Minute) // no window includes a call of the preparation
	}
	sim.ResetJournal()
	waited, err := m.clock.during(func() error { return one.act(ctx, m) })
	if err != nil {
		return err
	}
	console, billing, limited := callsByBucket(sim.Journal())
	n := windows(waited)
	t.row(one.name, fmt.Sprint(console), fmt.Sprint(billing), fmt.Sprint(limited), fmt.Sprint(n), seconds(waited),
		t.budget(fmt.Sprintf("at most %d, no HTTP 429", one.budget), n <= one.budget && limited == 0))
	return nil
}

// windows is the number of windows in a wait; a wait may be a little shorter or longer than a window.
func windows(waited time.Duration) int { return int(math.Round(waited.Minutes())) }

// callsByBucket counts by the limits of §8.
func callsByBucket(journal []simulator.Call) (console, billing, limited int) {
	for _, call := range journal {
		switch {
		case call.Status == 429:
			limited++
		case call.Route == routeExchange:
		case strings.Contains(call.Route, "/billing/"), strings.Contains(call.Route, "/package"), strings.HasSuffix(call.Route, "/points"):
			billing++
		default:
			console++
		}
	}
	return console, billing, limited
}

// seed creates private labels with a package, an add-on and three members each.
func (m *minutes) seed(labels int) error {
	if err := m.sim.Seed(labels); err != nil {
		return err
	}
	item, addon := m.sim.Packages()[0].ID, m.sim.Addons()[0].ID
	for _, l := range m.sim.Labels() {
		if err := m.sim.AssignInConsole(l.Host, item, map[string]float64{addon: 1}); err != nil {
			return err
		}
	}
	return nil
}

// importLabels imports all private labels and their assignments, and their members if requested, in one process.
func importLabels(withMembers bool) func(context.Context, *minutes) error {
	return func(ctx context.Context, m *minutes) error {
		run, err := m.start(ctx)
		if err != nil {
			return err
		}
		var nodes []*inprocess.Node
		item, addon := m.sim.Packages()[0], m.sim.Addons()[0]
		for i, l := range m.sim.Labels() {
			own := []*inprocess.Object{
				{Type: "reseller_private_label", Config: inprocess.Values{"domain": l.Host}},
				{Type: "reseller_assignment", Config: inprocess.Values{"private_label_id": l.ID, "package_id": item.ID, "addons": inprocess.Values{addon.Code: 1}}},
			}
			ids := []string{l.ID, l.ID}
			if withMembers {
				for person := 1; person <= 3; person++ {
					email := fmt.Sprintf("person-%d@%s", person, clientOf(i))
					own = append(own, &inprocess.Object{Type: "reseller_member", Config: inprocess.Values{
						"private_label_id": l.ID, "email": email, "first_name": fmt.Sprintf("Person %d", person), "last_name": fmt.Sprintf("of Client %d", i+1),
					}})
					ids = append(ids, l.ID+"/"+email)
				}
			}
			m.objects = append(m.objects, own)
			nodes = append(nodes, chain(own, func(i int, o *inprocess.Object) error { return run.Import(ctx, o, ids[i]) })...)
		}
		return inprocess.Walk(nodes)
	}
}

// chain returns nodes of objects; all except the first depend on the first.
func chain(objects []*inprocess.Object, act func(i int, o *inprocess.Object) error) []*inprocess.Node {
	var nodes []*inprocess.Node
	for i, o := range objects {
		node := inprocess.NewNode(func() error { return act(i, o) })
		if i > 0 {
			node.After = nodes[:1]
		}
		nodes = append(nodes, node)
	}
	return nodes
}

// planAll plans everything in state in a new process, without changes.
func planAll(ctx context.Context, m *minutes) error {
	run, err := m.start(ctx)
	if err != nil {
		return err
	}
	var nodes []*inprocess.Node
	for _, own := range m.objects {
		nodes = append(nodes, chain(own, func(_ int, o *inprocess.Object) error { return run.EmptyPlan(ctx, o) })...)
	}
	return inprocess.Walk(nodes)
}

// createLabels plans n private labels with a package, an add-on and two members
// in one process, and creates them in another.
func createLabels(n int) func(context.Context, *minutes) error {
	return func(ctx context.Context, m *minutes) error {
		plan, errPlan := m.start(ctx)
		apply, errApply := m.start(ctx)
		if err := errors.Join(errPlan, errApply); err != nil {
			return err
		}
		var plans, applies []*inprocess.Node
		for i := range n {
			own := m.newLabel(i, tftypes.UnknownValue)
			plans = append(plans, chain(own, func(_ int, o *inprocess.Object) error { return plan.PlanCreate(ctx, o) })...)
		}
		if err := inprocess.Walk(plans); err != nil {
			return err
		}
		for i := range n {
			own := m.newLabel(i, nil)
			label := own[0]
			applies = append(applies, chain(own, func(i int, o *inprocess.Object) error {
				if i > 0 {
					id, err := label.Attribute("id")
					if err != nil {
						return err
					}
					o.Config["private_label_id"] = id
				}
				return apply.Apply(ctx, o)
			})...)
		}
		return inprocess.Walk(applies)
	}
}

// newLabel is the configuration of a private label and of what refers to its ID.
func (m *minutes) newLabel(i int, id any) []*inprocess.Object {
	host := fmt.Sprintf("sign.new-%d.example", i)
	own := []*inprocess.Object{
		{Type: "reseller_private_label", Config: inprocess.Values{"domain": host, "app_name": "New", "owner": inprocess.Values{
			"email": "owner@" + host, "first_name": "Olga", "last_name": "Owner",
		}}},
		{Type: "reseller_assignment", Config: inprocess.Values{
			"private_label_id": id, "package_id": m.sim.Packages()[4].ID, "addons": inprocess.Values{m.sim.Addons()[0].Code: 1},
			"allow_excess": inprocess.Values{"documents": 1e6, "seats": 1e6, "templates": 1e6, "notarizations": 1e6},
		}},
	}
	for person := range 2 {
		own = append(own, &inprocess.Object{Type: "reseller_member", Config: inprocess.Values{
			"private_label_id": id, "email": fmt.Sprintf("member-%d@%s", person, host), "first_name": "Max", "last_name": "Member",
		}})
	}
	return own
}
