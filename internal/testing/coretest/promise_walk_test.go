package coretest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/catalog"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// walk is one run of the steps of a seed.
type walk struct {
	side            // of the current step
	sides   [2]side // two states of one reseller
	log     []string
	records []*applied
	broken  []violation // that no record shows
	told    map[string]int

	coverage []string // rows of the two states

	configuration                    string // of the latest plan
	plans, rejected, applies, failed int    // rejected: plans with an error; failed: applies with one
}

// side is a state with its configuration.
type side struct {
	e *estate
	d driver
}

// newDriver creates a driver for a new simulator.
type newDriver func(*providertest.TestEnv) (driver, error)

func inProcess(w *providertest.TestEnv) (driver, error) {
	return newCore(w, rand.New(rand.NewPCG(7, 7)))
}

func throughCLI(w *providertest.TestEnv) (driver, error) { return newRealCLI(w), nil }

// run executes the steps with a new simulator, and then lets it converge.
func run(t *testing.T, steps []promiseStep, with newDriver) *walk {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "") //nolint:usetesting // a long run has thousands of walks, and each removes its own directory
	require.NoError(t, err)
	defer func() { _ = os.RemoveAll(dir) }()
	options := simulator.Options{Clock: simulator.NewFrozenClock(time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)), IDs: "promise"}
	if len(steps) > 0 {
		options.Forms = steps[0].forms
	}
	sim, err := simulator.New(options)
	require.NoError(t, err)
	w := &providertest.TestEnv{T: t, Sim: sim}
	w.Env.Set("RESELLER_TOKEN_CACHE_DIR", filepath.Join(dir, "cache"))
	r := &walk{told: map[string]int{}, sides: [2]side{newSide(t, w, dir, with, false), newSide(t, w, dir, with, true)}}
	defer r.end()
	require.NoError(t, r.sides[0].e.found())
	r.note("forms %s", options.Forms)
	for i, s := range steps {
		r.note("step %d %s", i, s)
		r.step(s)
	}
	for _, r.side = range r.sides {
		r.converge(len(steps) > 0 && steps[0].options.stale)
	}
	sim.Clock().Advance(betweenRuns)
	r.covered(w, options.Forms, dir)
	return r
}

// end lets the killed processes go.
func (r *walk) end() {
	for _, s := range r.sides {
		close(s.e.kill.over)
	}
}

func newSide(t *testing.T, w *providertest.TestEnv, dir string, with newDriver, second bool) side {
	t.Helper()
	e, err := newEstate(w, dir)
	require.NoError(t, err)
	d, err := with(w)
	require.NoError(t, err)
	e.second, e.kill = second, newKill()
	if c, ok := d.(*core); ok {
		c.kill, e.stop = e.kill, c.interrupt
	}
	return side{e, d}
}

func (r *walk) note(format string, values ...any) {
	r.log = append(r.log, fmt.Sprintf(format, values...))
}

// A run follows the one before, and what was done outside of it, after a time in which every read shows it.
const (
	betweenRuns = 15 * time.Minute
	afterMoves  = 3 * time.Minute
)

func (r *walk) act(acts []act) {
	for _, a := range acts {
		if what := r.e.do(a); what != "" {
			r.note("  %s", what)
		}
	}
	if len(acts) > 0 {
		r.e.w.Sim.Clock().Advance(afterMoves)
	}
}

// step changes the configuration, plans and applies. A change that the plan rejects is reverted, as users do.
func (r *walk) step(s promiseStep) {
	r.side = r.sides[0]
	if s.other {
		r.side = r.sides[1]
	}
	before, first := r.e.wants(), len(r.records)
	r.act(s.edits)
	r.act(s.before)
	o := s.options
	known := slices.Sorted(maps.Keys(r.d.instances()))
	for _, n := range s.replace {
		if len(known) > 0 {
			o.replace = append(o.replace, pick(known, n))
			r.note("  -replace=%s", pick(known, n))
		}
	}
	_, ok := r.planAndApply(o, s.between)
	for range s.again {
		if !ok || len(r.records) == first || !r.hasFailed() {
			break
		}
		r.note("  again")
		var pending bool
		if pending, ok = r.planAndApply(planOptions{stale: o.stale}, nil); pending {
			last := len(r.records) - 1
			r.records[last].repeats = r.records[last-1]
		}
	}
	if !ok {
		r.e.want(before)
		r.e.giveUp(r.d.instances())
	}
	clear(r.e.removed)
}

// hasFailed reports whether the latest apply failed.
func (r *walk) hasFailed() bool {
	return len(r.records) > 0 && providertest.AnyErrors(r.records[len(r.records)-1].said)
}

// planAndApply reports whether there was something to apply, and whether the plan was made.
func (r *walk) planAndApply(o planOptions, between []act) (pending, planned bool) {
	// One process makes several walks only for `terraform test`, which begins without a state.
	if c, ok := r.d.(*core); ok && !c.hasApplied && len(c.state) > 0 {
		o.sameProcess = false
	}
	r.e.w.Sim.Clock().Advance(betweenRuns)
	t := r.e.target()
	r.plans++
	at := len(r.e.w.Sim.Books())
	r.configuration = t.hcl()
	inState := slices.Collect(maps.Keys(r.d.instances()))
	p, found, err := r.d.Plan(t, o)
	for _, e := range r.e.w.Sim.Books()[at:] {
		r.violate(rulePlanWrites, entryText(e))
	}
	r.noteFindings("plan", found)
	if err != nil {
		r.bug(err)
		return false, false
	}
	r.renames(t, inState, p, found)
	r.twoAddresses(p, found)
	if p == nil {
		r.rejected++
		return false, false
	}
	if !o.noRefresh && !o.minimalRefresh && !o.stale { // else the plan knows more than the state, of which a review is made
		r.reviewed(p, found)
	}
	if len(p.pending()) == 0 {
		return false, true
	}
	r.note("  plan: %s", strings.Join(p.pending(), ", "))
	seen := r.e.w.Sim.Labels()
	at = len(r.e.w.Sim.Books())
	r.e.pending = map[string]bool{}
	for _, address := range p.pending() {
		r.e.pending[address] = slices.Contains(inState, address)
	}
	r.act(between)
	rec := &applied{atPlan: seen, moves: r.e.w.Sim.Books()[at:], replacing: map[string]bool{}}
	if plan, ok := p.(*corePlan); ok {
		rec.testRun = plan.testRun
		for address, ch := range plan.changes {
			rec.replacing[address] = ch.replaced
		}
	}
	r.Apply(t, p, found, o, rec)
	r.e.w.Sim.ClearFaults()
	return true, true
}

func (r *walk) Apply(t *target, p savedPlan, announced providertest.Diagnostics, o planOptions, rec *applied) {
	rec.movedTo, rec.forgot, rec.replaced = t.movedTo, t.removed, o.replace
	rec.announced = slices.DeleteFunc(slices.Clone(announced), func(f providertest.Diagnostic) bool { return f.IsError() })
	r.e.describe(rec, t)
	at := len(r.e.w.Sim.Books())
	rec.before, rec.stateBefore = r.e.w.Sim.Labels(), r.d.instances()
	said, err := r.d.Apply(p, o)
	rec.after, rec.stateAfter = r.e.w.Sim.Labels(), r.d.instances()
	rec.entries, rec.said = r.e.w.Sim.Books()[at:], said
	rec.titles = map[string]string{}
	for _, doc := range r.e.w.Sim.Documents() {
		rec.titles[doc.ID] = doc.Title
	}
	r.records = append(r.records, rec)
	r.applies++
	if providertest.AnyErrors(said) {
		r.failed++
	}
	r.noteFindings("apply", slices.DeleteFunc(slices.Clone(said), func(f providertest.Diagnostic) bool { return slices.Contains(announced, f) }))
	for _, e := range rec.entries {
		r.note("  happened: %s", entryText(e))
	}
	switch b, ok := errors.AsType[broken](err); {
	case ok && rec.stale(b.final):
		r.failed++
		r.note("  the CLI stops: %s", b.what)
	case err != nil:
		r.bug(err)
	}
}

// stale reports whether the objects that a plan is based on changed in the console. Terraform stops an apply whose
// final plan differs, and reports it as a bug of the provider; a provider cannot distinguish a final plan from a first
// one.
func (a *applied) stale(address string) bool {
	return address != "" && slices.ContainsFunc(a.moves, func(e simulator.Entry) bool { return e.Console && e.Host == a.hosts[address] })
}

func (r *walk) noteFindings(when string, found providertest.Diagnostics) {
	for _, f := range found {
		r.told[f.Summary]++
		level := "warning"
		if f.IsError() {
			level = "error"
		}
		r.note("  %s %s: %s: %s: %s", when, level, f.Address, f.Summary, strings.ReplaceAll(f.Detail, "\n", " "))
		if what := r.isDenied(f); what != "" {
			r.violate(ruleGone, fmt.Sprintf("%s: %s: %s", f.Address, f.Summary, what))
		}
	}
}

// isDenied returns what a finding says is gone although the API has it, "" for nothing.
func (r *walk) isDenied(f providertest.Diagnostic) string {
	if f.Summary == catalog.SummaryNotFoundRemoved {
		return f.Detail // the API deletes no item
	}
	for _, l := range r.e.w.Sim.Labels() {
		if !strings.Contains(f.Detail, l.Host) {
			continue
		}
		user := text(r.d.instances()[f.Address], "id") // the person may have come back with another ID
		isMember := slices.ContainsFunc(l.People, func(p simulator.PersonView) bool {
			return p.ID == user && strings.Contains(strings.ToLower(f.Detail), strings.ToLower(p.Email)) // not of a deposed object
		})
		if f.Summary == privatelabel.SummaryNotFound || f.Summary == assignment.SummaryNotFound && l.Package != "" || f.Summary == member.SummaryRemoved && isMember {
			return l.Host
		}
	}
	return ""
}

func (r *walk) violate(rule, text string) {
	r.broken = append(r.broken, violation{rule, text})
	r.note("  VIOLATION %s: %s", rule, text)
}

func (r *walk) bug(err error) {
	if _, ok := errors.AsType[broken](err); ok {
		r.violate(ruleBug, err.Error())
		return
	}
	r.violate(ruleBug, "the driver: "+err.Error())
}

// rounds in which a configuration without out-of-band changes must converge.
const rounds = 4

// converge plans and applies without out-of-band changes and faults, until nothing is left or the provider says what is
// wrong.
func (r *walk) converge(stale bool) {
	r.note("converge")
	for range rounds {
		before := r.applies
		pending, planned := r.planAndApply(planOptions{stale: stale}, nil)
		if !pending || !planned {
			return
		}
		if r.applies > before && r.hasFailed() {
			return
		}
	}
	if slices.ContainsFunc(r.records[len(r.records)-1].announced, func(f providertest.Diagnostic) bool { return f.Summary == session.SummaryHeldTwice }) {
		return // the plan said that each apply may change it again
	}
	r.violate(ruleConverge, fmt.Sprintf("%d applies that succeeded, and still changes", rounds))
}

// summary of what was planned and what happened, for a comparison: the warnings and entries of each apply, sorted,
// because independent resources have no order.
func (r *walk) summary() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d plans, %d of them rejected\n", r.plans, r.rejected)
	for i, rec := range r.records {
		var lines []string
		for _, f := range rec.announced {
			lines = append(lines, "  announced: "+f.Summary)
		}
		hosts := map[string]bool{}
		for _, e := range rec.entries {
			hosts[e.Host] = true
		}
		for _, e := range rec.entries {
			// Which of two assignments exceeds the allowance hangs on their order.
			if e.Kind != simulator.EntryExcessConfirmed || len(hosts) == 1 {
				lines = append(lines, "  happened: "+entryText(e))
			}
		}
		for address, attributes := range rec.stateAfter {
			lines = append(lines, fmt.Sprintf("  in state: %s %v", address, text(attributes, "domain")))
		}
		slices.Sort(lines)
		fmt.Fprintf(&out, "apply %d, with an error: %t\n%s\n", i, providertest.AnyErrors(rec.said), strings.Join(lines, "\n"))
	}
	return out.String()
}

// violations of the whole walk.
func (r *walk) violations(says announces) []violation {
	out := slices.Clone(r.broken)
	for _, rec := range r.records {
		out = append(out, rec.violations(says)...)
	}
	return out
}

// describe records what the oracle needs of a configuration.
func (e *estate) describe(rec *applied, t *target) {
	rec.hosts, rec.consent, rec.wanted = map[string]string{}, map[string]map[string]float64{}, map[string]wantedAddons{}
	for _, l := range e.labels {
		host := l.host()
		for _, address := range []string{l.address(), l.assignmentAddress(), l.teamAddress(), "reseller_branding." + l.name(), "reseller_domain_verification." + l.name()} {
			rec.hosts[address] = host
		}
		for i := range l.people {
			rec.hosts[l.memberAddress(i)] = host
			rec.hosts["reseller_member."+l.secondMember(i)] = host
		}
		for _, typ := range []string{"reseller_assignment", "reseller_members", "reseller_branding"} {
			rec.hosts[typ+"."+l.secondName()] = host
		}
		rec.hosts["reseller_private_label."+l.secondName()] = l.hostOf(l.second.variant)
		first := t.block(l.assignmentAddress()) != nil
		if !first && t.block("reseller_assignment."+l.secondName()) == nil {
			continue
		}
		rec.consent[host] = promiseConsents[l.consent]
		want := wantedAddons{managed: l.manages && first, codes: map[string]bool{}}
		for i := range l.addons {
			want.codes[e.items[i].code] = true
		}
		rec.wanted[host] = want
	}
	for i, d := range e.docs {
		if d.label >= 0 {
			rec.hosts[fmt.Sprintf("reseller_document.d%d", i)] = e.labels[d.label].host()
			rec.hosts[fmt.Sprintf("reseller_document_signing.s%d", i)] = e.labels[d.label].host()
		}
	}
}

// giveUp follows the advice of a rejected plan: existing objects are imported, and objects of a private label that no
// longer exists are removed from the configuration.
func (e *estate) giveUp(known map[string]map[string]any) {
	for _, l := range e.labels {
		view, live := e.live(l.host())
		if !live && e.bound(l.host()) {
			l.declared, l.assigned, l.team = false, false, false
			for i := range l.people {
				l.people[i].declared = false
			}
		}
		l.teamImported = live && known[l.teamAddress()] == nil
		l.assignmentImported = live && view.Package != "" && known[l.assignmentAddress()] == nil
		l.imported = l.imported && known[l.address()] != nil || live && known[l.address()] == nil
		for address, s := range l.seconds() {
			s.declared = s.declared && known[address] != nil
		}
	}
	for _, it := range e.items {
		it.second.declared = it.second.declared && known[it.typ+"."+it.secondName()] != nil
		it.imported = e.itemID(it) != "" && known[it.address()] == nil
	}
}

// seconds are the second addresses about a private label.
func (l *wantedLabel) seconds() map[string]*wantedSecond {
	out := map[string]*wantedSecond{
		"reseller_private_label." + l.secondName(): &l.second, "reseller_branding." + l.secondName(): &l.secondBrand,
		"reseller_assignment." + l.secondName(): &l.secondAssignment, "reseller_members." + l.secondName(): &l.secondTeam,
	}
	for i := range l.people {
		out["reseller_member."+l.secondMember(i)] = &l.people[i].second
	}
	return out
}

// wishes are the contents of a configuration.
type wishes struct {
	labels []wantedLabel
	items  []wantedItem
	docs   []wantedDocument
	moved  map[string]string

	importing, removed map[string]bool // stay when a plan is rejected
}

// wants copies them.
func (e *estate) wants() wishes {
	w := wishes{moved: maps.Clone(e.moved), importing: maps.Clone(e.importing), removed: maps.Clone(e.removed)}
	for _, l := range e.labels {
		w.labels = append(w.labels, *l)
		w.labels[len(w.labels)-1].addons = maps.Clone(l.addons)
	}
	for _, it := range e.items {
		w.items = append(w.items, *it)
	}
	for _, d := range e.docs {
		w.docs = append(w.docs, *d)
	}
	return w
}

// want restores a copy.
func (e *estate) want(w wishes) {
	e.moved = w.moved
	for i := range w.labels {
		*e.labels[i] = w.labels[i]
	}
	for i := range w.items {
		*e.items[i] = w.items[i]
	}
	for i := range w.docs {
		*e.docs[i] = w.docs[i]
	}
}
