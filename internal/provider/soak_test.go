package provider_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// soak is a reseller that Terraform and the console change at random, and the expected books.
type soak struct {
	t    *testing.T
	w    *providertest.TestEnv
	c    *providertest.CLI
	rand *rand.Rand

	packages, addons []string // IDs
	clients          map[string]*soakClient
	most             int            // private labels that may be declared
	steps            map[string]int // what was done, for the report
	applies, failed  int            // failed: those that a fault ended
	calls, rejected  int            // rejected: with a 429 that was not set as a fault
}

// soakClient is the configuration of one private label.
type soakClient struct {
	host     string
	imported bool // the response to its provisioning was lost permanently, and it was imported
	packages int  // index of its package; -1 for none
	seats    int  // of the add-on
	color    int
	people   map[string]bool // configured, by email address
	admins   map[string]bool // of these; they cannot be removed
	added    map[string]int  // the maximum number of emails
}

const soakRound = 6 // steps between two applies

// TestSoak changes private labels, assignments and members at random, with Terraform and in the console at the same
// time, with random faults. Every round converges without a fault, and at the end the plan shows no changes and the
// books match. RESELLER_SOAK=3000 and RESELLER_SOAK_LABELS=500 make a long soak; RESELLER_SOAK_SEED repeats one.
func TestSoak(t *testing.T) {
	t.Parallel()
	seed := 1 // in the suite, the same changes each time
	if os.Getenv("RESELLER_SOAK") != "" {
		seed = int(rand.Uint32())
	}
	seed = providertest.Number(t, "RESELLER_SOAK_SEED", seed)
	steps, labels := providertest.Number(t, "RESELLER_SOAK", 24), providertest.Number(t, "RESELLER_SOAK_LABELS", 8)
	t.Logf("RESELLER_SOAK_SEED=%d RESELLER_SOAK=%d RESELLER_SOAK_LABELS=%d", seed, steps, labels)
	s := newSoak(t, uint64(seed), labels)
	s.converge()
	round := max(soakRound, labels/8)
	rounds := max(1, steps/round)
	for i := range rounds {
		for range round {
			s.step()
		}
		s.strike()
		s.Apply()
		s.w.Sim.ClearFaults()
		s.count()
		s.converge()
		s.count()
		if (i+1)%soakRound == 0 {
			t.Logf("round %d of %d: %d applies, %d of them ended by a fault; %d calls", i+1, rounds, s.applies, s.failed, s.calls)
		}
	}
	s.c.WantEmptyPlan()
	s.balance()
	for _, what := range slices.Sorted(maps.Keys(s.steps)) {
		t.Logf("%5d %s", s.steps[what], what)
	}
	t.Logf("%5d applies, %d of them ended by a fault; %d labels; %d calls, %d rejected by a rate limit", s.applies, s.failed, len(s.clients), s.calls, s.rejected)
}

func newSoak(t *testing.T, seed uint64, labels int) *soak {
	t.Helper()
	w := providertest.NewTestEnv(t)
	s := &soak{
		t: t, w: w, c: w.Cli(), rand: rand.New(rand.NewPCG(seed, seed)),
		clients: map[string]*soakClient{}, steps: map[string]int{}, most: labels + max(4, labels/10),
	}
	must := func(id string, err error) string {
		require.NoError(t, err)
		return id
	}
	for i := range 3 {
		s.packages = append(s.packages, must(w.Sim.AddPackage(fmt.Sprintf("PLAN-%d", i), map[string]float64{"documents": float64(10 + i)}, true)))
	}
	s.addons = append(s.addons, must(w.Sim.AddAddon("DOCS", map[string]float64{"documents": 1}, true)))
	require.NoError(t, w.Sim.SetAllowance(map[string]float64{"documents": 1e6, "seats": 1e6, "templates": 1e6, "notarizations": 1e6}))
	for range labels {
		s.addClient()
	}
	return s
}

func (s *soak) addClient() {
	name := fmt.Sprintf("client%d", len(s.clients))
	s.clients[name] = &soakClient{
		host: "sign." + name + ".example", packages: s.rand.IntN(len(s.packages)+1) - 1, seats: s.rand.IntN(3), color: s.rand.IntN(9),
		people: map[string]bool{}, admins: map[string]bool{}, added: map[string]int{},
	}
	for range s.rand.IntN(4) {
		s.clients[name].declare(soakPerson(s.rand))
	}
}

func soakPerson(r *rand.Rand) string { return fmt.Sprintf("person%d@acme.example", r.IntN(8)) }

func (l *soakClient) declare(address string) {
	if !l.people[address] {
		l.people[address] = true
		l.added[address]++
	}
}

// any returns a configured private label, in an order that the seed repeats.
func (s *soak) any() *soakClient {
	names := slices.Sorted(maps.Keys(s.clients))
	return s.clients[names[s.rand.IntN(len(names))]]
}

func (s *soak) anyOf(people map[string]bool) string {
	names := slices.Sorted(maps.Keys(people))
	if len(names) == 0 {
		return ""
	}
	return names[s.rand.IntN(len(names))]
}

// step changes the configuration, or something in the console.
func (s *soak) step() {
	l := s.any()
	who := s.anyOf(l.people)
	live := slices.ContainsFunc(s.w.Sim.Labels(), func(v simulator.LabelView) bool { return v.Host == l.host })
	moves := []struct {
		what string
		can  bool
		do   func() error
	}{
		{"label declared", len(s.clients) < s.most, func() error { s.addClient(); return nil }},
		{"package changed", true, func() error { l.packages = s.rand.IntN(len(s.packages)+1) - 1; return nil }},
		{"add-on changed", true, func() error { l.seats = s.rand.IntN(4); return nil }},
		{"color changed", true, func() error { l.color = s.rand.IntN(9); return nil }},
		{"person declared", true, func() error { l.declare(soakPerson(s.rand)); return nil }},
		{"person removed", who != "" && !l.admins[who], func() error { delete(l.people, who); return nil }},
		{"console: person added", live, func() error {
			address := soakPerson(s.rand)
			if _, err := s.w.Sim.AddPersonInConsole(l.host, address, "Con", "Sole"); err == nil {
				l.added[address]++
			}
			return nil // an existing member is an error
		}},
		{"console: person removed", live && who != "" && !l.admins[who], func() error {
			if s.w.Sim.RemovePersonInConsole(l.host, who) == nil {
				l.added[who]++ // Terraform adds them again
			}
			return nil
		}},
		{"console: admin made", live && who != "", func() error {
			if s.w.Sim.MakeAdmin(l.host, who) == nil {
				l.admins[who] = true
			}
			return nil
		}},
		{"console: package removed", live, func() error { _ = s.w.Sim.RemovePackageInConsole(l.host); return nil }},
		{"console: suspended", live, func() error { return s.w.Sim.SuspendInConsole(l.host, "unpaid") }},
		{"console: unsuspended", live, func() error { _ = s.w.Sim.UnsuspendInConsole(l.host); return nil }},
		{"console: DNS correct", live, func() error { return s.w.Sim.CorrectDNS(l.host) }},
	}
	for {
		move := moves[s.rand.IntN(len(moves))]
		if !move.can {
			continue
		}
		require.NoError(s.t, move.do(), "%s on %s", move.what, l.host)
		s.steps[move.what]++
		return
	}
}

// strike sets some faults, some of which are permanent.
func (s *soak) strike() {
	routes := []string{providertest.RouteList, providertest.RouteDetail, providertest.RouteProvision, providertest.RouteMembers, providertest.RouteAdd, providertest.RouteRemove, providertest.RouteColors, providertest.RouteAssign, providertest.RouteAttachAddon, providertest.RouteRemovePackage, providertest.RouteRemoveAddon}
	kinds := providertest.Faults()
	names := slices.Sorted(maps.Keys(kinds))
	for range s.rand.IntN(4) {
		fault := kinds[names[s.rand.IntN(len(names))]]
		fault.Route, fault.Times, fault.Skip = routes[s.rand.IntN(len(routes))], 1, s.rand.IntN(3)
		what := "fault set"
		if s.rand.IntN(4) == 0 {
			fault.Times, what = -1, "lasting fault set"
		}
		s.w.Sim.Inject(fault)
		s.steps[what]++
	}
}

// count adds up the calls since the last time.
func (s *soak) count() {
	for _, call := range s.w.Sim.Journal() {
		s.calls++
		switch {
		case call.Fault:
			s.steps["call that met a fault"]++
		case call.Status == http.StatusTooManyRequests:
			s.rejected++
		}
	}
	s.w.Sim.ResetJournal()
}

func (s *soak) config() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s.clients)) {
		l := s.clients[name]
		b.WriteString(providertest.Label(name, l.host, ""))
		if l.imported {
			fmt.Fprintf(&b, "import {\n  to = reseller_private_label.%s\n  id = %q\n}\n", name, l.host)
		}
		fmt.Fprintf(&b, "resource \"reseller_branding\" %q {\n  domain = reseller_private_label.%s.domain\n  color_primary = \"#%d%[3]d%[3]d\"\n}\n", name, name, l.color)
		if l.packages >= 0 {
			addons := "{}"
			if l.seats > 0 {
				addons = fmt.Sprintf("{ DOCS = %d }", l.seats)
			}
			fmt.Fprintf(&b, "resource \"reseller_assignment\" %q {\n  private_label_id = reseller_private_label.%s.id\n  package_id = %q\n  addons = %s\n  allow_package_change = true\n}\n", name, name, s.packages[l.packages], addons)
		}
		for _, address := range slices.Sorted(maps.Keys(l.people)) {
			person, _, _ := strings.Cut(address, "@")
			fmt.Fprintf(&b, "resource \"reseller_member\" \"%s_%s\" {\n  private_label_id = reseller_private_label.%[1]s.id\n  email = %[3]q\n  first_name = \"Some\"\n  last_name = \"Body\"\n}\n", name, person, address)
		}
	}
	return s.w.Config(b.String())
}

func (s *soak) Apply() {
	if s.tryApply().Code != 0 {
		s.failed++
	}
}

func (s *soak) tryApply() providertest.Result {
	s.c.Config(s.config())
	r := s.c.Apply()
	s.applies++
	s.untainted()
	return r
}

// converge applies without a fault. That must succeed, except for private labels whose provisioning response was lost:
// those are imported, as the error says.
func (s *soak) converge() {
	s.t.Helper()
	r := s.tryApply()
	if r.Code != 0 && s.adopt(r.Out) {
		r = s.tryApply()
	}
	require.Equal(s.t, 0, r.Code, "an apply without a fault failed:\n%s", r.Out)
}

// adopt adds import blocks for the private labels that an error names.
func (s *soak) adopt(out string) bool {
	some := false
	known := s.c.State()
	for name, l := range s.clients {
		if _, here := known["reseller_private_label."+name]; !here && strings.Contains(out, l.host+" is already provisioned") {
			l.imported, some = true, true
			s.steps["label adopted after a lost provision"]++
		}
	}
	return some
}

func (s *soak) untainted() {
	s.t.Helper()
	for address, i := range s.c.State() {
		assert.NotEqual(s.t, "tainted", i.Status, "%s is tainted", address)
	}
}

// balance compares the simulator's books with the configuration.
func (s *soak) balance() {
	s.t.Helper()
	books := map[string]simulator.LabelView{}
	for _, l := range s.w.Sim.Labels() {
		_, twice := books[l.Host]
		assert.False(s.t, twice, "%s is there twice", l.Host)
		books[l.Host] = l
	}
	assert.Len(s.t, books, len(s.clients), "labels, declared")
	mails := map[string]int{}
	for _, mail := range s.w.Sim.Outbox() {
		mails[mail.Host+" "+mail.To]++
	}
	known := s.c.State()
	for name, l := range s.clients {
		s.balanceClient(name, l, books[l.host], mails, known)
	}
}

func (s *soak) balanceClient(name string, l *soakClient, live simulator.LabelView, mails map[string]int, state map[string]providertest.Instance) {
	s.t.Helper()
	pkg, documents := "", 0.0
	if l.packages >= 0 {
		pkg, documents = fmt.Sprintf("PLAN-%d", l.packages), float64(10+l.packages+l.seats)
	}
	assert.Equal(s.t, pkg, live.Package, "%s has with %g documents, want with %g", name, live.Allocated["documents"], documents)
	assert.Equal(s.t, documents, live.Allocated["documents"], "%s has %q with documents, want %q", name, live.Package, pkg)
	assert.Equal(s.t, 1, mails[l.host+" ada@acme.example"], "%s: the owner got emails", name)
	for address, most := range l.added {
		assert.LessOrEqual(s.t, mails[l.host+" "+address], most, "%s: %s got emails, was added times", name, address)
	}
	for address := range l.people {
		person, _, _ := strings.Cut(address, "@")
		_, known := state["reseller_member."+name+"_"+person]
		assert.True(s.t, known, "%s: %s is not in state", name, address)
	}
	got, want := s.w.Sim.Branding(l.host).Colors["colorPrimary"], fmt.Sprintf("#%d%[1]d%[1]d", l.color)
	assert.Equal(s.t, want, got, "%s has the color", name)
}
