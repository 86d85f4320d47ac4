package coretest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	provided "github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// A plan is a promise: the applied plan announced everything in its apply that costs money, reaches people or cannot be
// undone. These tests change configurations at random, make random out-of-band changes between plan and apply, and
// compare the plans' warnings with the simulator's books.
//
// RESELLER_PROMISES=5000 tries that many walks instead of the suite's few; RESELLER_PROMISE_SEED begins at a seed. With
// both, RESELLER_PROMISES=1 prints one walk.

// Walks of the suite.
const (
	suiteWalks    = 28
	suiteCLIWalks = 3
	cliShare      = 50 // of as many walks of a long run one is through the CLI
)

// keptRecords are enough to find every mutation.
const keptRecords = 1000

// reductionTries bounds how long a failure is reduced.
const reductionTries = 400

// campaign is a number of walks with one driver.
type campaign struct {
	t     *testing.T
	with  newDriver
	tries int          // runs that a failure may be reduced with
	walk  func(uint64) // of a seed
	alone bool         // the only walk is printed
	few   bool         // fewer walks than the suite's, which need not meet each kind of trouble

	mu                               sync.Mutex
	walks                            int
	plans, rejected, applies, failed int
	happened                         map[string]int // entries by kind, of the provider
	announced                        map[string]int // by summary
	uncovered                        map[string]int // rows of coverage, by kind
	struck                           map[string]int // troubles, by kind
	told                             map[string]int // conflicts and waits of plans and applies, by summary
	deposed                          int
	records                          []*applied
	seen                             map[string]bool // rules that a failure was reported for
}

func newCampaign(t *testing.T, with newDriver, tries int) *campaign {
	c := &campaign{t: t, with: with, tries: tries, happened: map[string]int{}, announced: map[string]int{}, uncovered: map[string]int{}, struck: map[string]int{}, told: map[string]int{}, seen: map[string]bool{}}
	c.walk = c.judged
	return c
}

// seeds of a campaign: the same ones in the suite, others each time where more are asked for.
func seeds(t *testing.T, inSuite, share int) []uint64 {
	t.Helper()
	n, first := inSuite, 0
	if os.Getenv("RESELLER_PROMISES") != "" {
		n = max(1, providertest.Number(t, "RESELLER_PROMISES", 0)/share)
		first = int(rand.Uint32())
	}
	first = providertest.Number(t, "RESELLER_PROMISE_SEED", first)
	t.Logf("RESELLER_PROMISE_SEED=%d: %d walks", first, n)
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(first + i)
	}
	return out
}

// run walks all seeds, two at a time.
func (c *campaign) run(seeds []uint64) {
	c.alone, c.few = len(seeds) == 1, len(seeds) < suiteWalks
	next := make(chan uint64)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for seed := range next {
				c.walk(seed)
			}
		})
	}
	for _, seed := range seeds {
		next <- seed
	}
	close(next)
	workers.Wait()
}

func (c *campaign) judged(seed uint64) {
	steps := walkOf(seed)
	c.note(fmt.Sprintf("seed %d", seed), steps, run(c.t, steps, c.with))
}

// note judges a walk and adds it to the figures.
func (c *campaign) note(name string, steps []promiseStep, r *walk) {
	for _, rule := range rulesOf(r.violations(asDeclared)) {
		c.report(name, steps, rule)
	}
	if c.alone {
		c.t.Log(strings.Join(r.log, "\n"))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.walks++
	c.plans, c.rejected, c.applies, c.failed = c.plans+r.plans, c.rejected+r.rejected, c.applies+r.applies, c.failed+r.failed
	if len(c.records) < keptRecords {
		c.records = append(c.records, r.records...)
	}
	for _, s := range r.sides {
		for kind, n := range s.e.struck.byKind {
			c.struck[kind] += n
		}
	}
	for summary, n := range r.told {
		c.told[summary] += n
	}
	for _, s := range r.sides {
		if driven, ok := s.d.(*core); ok {
			c.deposed += driven.deposed
		}
	}
	for _, row := range r.coverage {
		kind, _, _ := strings.Cut(row, " ")
		c.uncovered[kind]++
	}
	for _, rec := range r.records {
		for _, e := range rec.entries {
			if !e.Console {
				c.happened[string(e.Kind)]++
			}
		}
		for _, f := range rec.announced {
			c.announced[rec.topicOf(f)]++
		}
	}
}

// report reduces the first walk that breaks a rule.
func (c *campaign) report(name string, steps []promiseStep, rule string) {
	c.mu.Lock()
	again := c.seen[rule]
	c.seen[rule] = true
	c.mu.Unlock()
	if again {
		c.t.Errorf("%s breaks the same rule: %s", name, rule)
		return
	}
	breaks := func(with newDriver) func([]promiseStep) bool {
		return func(steps []promiseStep) bool {
			return slices.Contains(rulesOf(run(c.t, steps, with).violations(asDeclared)), rule)
		}
	}
	with, tries := c.with, c.tries
	if breaks(inProcess)(steps) { // it takes milliseconds there
		with, tries = inProcess, reductionTries
	}
	smallest := shrink(steps, tries, breaks(with))
	r := run(c.t, smallest, with)
	var out strings.Builder
	for _, v := range r.violations(asDeclared) {
		fmt.Fprintf(&out, "%s: %s\n", v.rule, v.text)
	}
	c.t.Errorf("%s: %s\n%s\n%s\n%s", name, rule, out.String(), strings.Join(r.log, "\n"), r.configuration)
}

// agree checks the driver of the volume against the real CLI: both plan and do the same with a walk whose outcome does
// not hang on the order of independent resources.
func (c *campaign) agree(seed uint64) {
	steps := walkOf(seed)
	for i := range steps {
		steps[i].between = slices.DeleteFunc(steps[i].between, act.isTrouble)
		steps[i].other = false
		steps[i].options.stale, steps[i].options.sameProcess = providertest.OlderCLI(c.t, "1.12.0"), false
		steps[i].options.minimalRefresh = false // no released CLI has it
	}
	slow, fast := run(c.t, steps, c.with), run(c.t, steps, inProcess)
	a, b := slow.summary(), fast.summary()
	assert.Equal(c.t, b, a, "seed %d: the CLI does\nand the driver in process\n\n%s", seed, strings.Join(slow.log, "\n"))
	c.note(fmt.Sprintf("seed %d", seed), steps, slow)
}

func (c *campaign) figures() {
	c.t.Logf("%d walks: %d plans, %d of them rejected; %d applies, %d of them with an error", c.walks, c.plans, c.rejected, c.applies, c.failed)
	for _, kind := range slices.Sorted(maps.Keys(c.happened)) {
		c.t.Logf("%6d %s", c.happened[kind], kind)
	}
	c.t.Logf("coverage: %v, troubles: %v, deposed objects: %d", c.uncovered, c.struck, c.deposed)
	for _, summary := range toldSummaries {
		c.t.Logf("%6d times said: %s", c.told[summary], summary)
	}
	for _, topic := range effect.Topics() {
		c.t.Logf("%6d times announced: %s", c.announced[topic.Summary], topic.Summary)
	}
}

// toldSummaries are of objects that two addresses have, or that wait for a value.
var toldSummaries = []string{
	session.SummaryRenamed, session.SummaryHeldTwice, session.SummaryKeptElsewhere, session.SummaryDisputed, session.SummaryStoredElsewhere,
	provided.SummaryAwaits, provided.SummaryOtherObject,
}

// caught reports whether the records break a rule without one announcement.
func (c *campaign) caught(says announces) bool {
	return slices.ContainsFunc(c.records, func(rec *applied) bool { return len(rec.violations(says)) > 0 })
}

// TestPromise drives the provider by its protocol.
func TestPromise(t *testing.T) {
	t.Parallel()
	c := newCampaign(t, inProcess, reductionTries)
	all := lives(t)
	for i, name := range slices.Sorted(maps.Keys(all)) { // in the default forms, and in two that are drawn
		for _, forms := range []simulator.Forms{nil, simulator.RandomForms(uint64(2 * i)), simulator.RandomForms(uint64(2*i + 1))} {
			steps := inForms(all[name], forms)
			c.note(name+" "+forms.String(), steps, run(t, steps, c.with))
		}
	}
	c.run(seeds(t, suiteWalks, 1))
	c.figures()
	if t.Failed() {
		return
	}
	c.mutate()
}

// unbooked are the kinds that the simulator's books do not have: no plan announces drift and conflicts, and no walk brands.
var unbooked = []effect.Kind{effect.Drift, effect.Conflict, effect.Overwritten}

// mutate takes each kind of effect and each topic out of what the plans announced: a walk has to notice.
func (c *campaign) mutate() {
	assert.NotEqual(c.t, 0, c.uncovered["unmanaged"], "the walks leave nothing to coverage: %v", c.uncovered)
	for _, summary := range toldSummaries {
		if c.told[summary] == 0 && summary != session.SummaryStoredElsewhere {
			c.t.Errorf("no walk makes the provider say %q", summary)
		}
	}
	assert.Positive(c.t, c.deposed, "no walk creates before it destroys")
	if !c.few && len(c.struck) < 3 {
		c.t.Errorf("the walks prepare troubles that strike nothing: %v", c.struck)
	}
	for _, kind := range effect.Kinds() {
		if slices.Contains(unbooked, kind) {
			continue
		}
		if !c.caught(func(topic effect.Topic, k effect.Kind) bool { return k != kind && topic.Announces(k) }) {
			c.t.Errorf("nothing fails when no effect %q is announced", kind)
		}
	}
	for _, silent := range effect.Topics() {
		if !slices.ContainsFunc(silent.Kinds, func(k effect.Kind) bool { return !slices.Contains(unbooked, k) }) {
			continue
		}
		if !c.caught(func(topic effect.Topic, k effect.Kind) bool {
			return topic.Summary != silent.Summary && topic.Announces(k)
		}) {
			c.t.Errorf("nothing fails when %q is not announced", silent.Summary)
		}
	}
	c.t.Logf("%d kinds and %d topics were removed, one at a time", len(effect.Kinds()), len(effect.Topics()))
}

// TestPromise_CLI walks with the real CLI: what it shows of a plan is the promise.
func TestPromise_CLI(t *testing.T) {
	t.Parallel()
	providertest.NeedsRemovedBlocks(t)
	c := newCampaign(t, throughCLI, 40)
	c.walk = c.agree
	c.run(seeds(t, suiteCLIWalks, cliShare))
	c.figures()
}
