package simulator_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func seededWithHistory(t *testing.T, opts simulator.Options, labels int) *simulator.Simulator {
	t.Helper()
	sim := newSim(t, opts)
	must(t, sim.Seed(labels))
	must(t, sim.SeedHistory())
	return sim
}

func TestSeedHistory(t *testing.T) {
	t.Parallel()
	const labels = 24
	sim := seededWithHistory(t, simulator.Options{}, labels)
	known, calls := sim.RouteBuckets(), sim.Journal()
	count := map[string]int{}
	for i, call := range calls {
		if _, ok := known[call.Route]; !ok {
			t.Errorf("%s is no route", call.Route)
		}
		if i > 0 && call.Time.Before(calls[i-1].Time) || call.Time.After(start) {
			t.Errorf("call %d is of %s", i, call.Time)
		}
		if !strings.HasPrefix(call.Path, "/console/"+ownSlug+"/reseller/") || call.Status != 200 || call.KeyID == "" {
			t.Errorf("%+v", call)
		}
		count[call.Route]++
	}
	const label = labelsPathPattern + "/:tenantId"
	equal(t, count["POST "+labelsPathPattern], labels)
	equal(t, count["POST "+label+"/users"], 2*labels+4) // every fifth private label has a former member
	equal(t, count["DELETE "+label+"/users/:userId"], 4)
	equal(t, count["POST "+label+"/package"], labels-3) // except every seventh
	equal(t, count["POST /console/:slug/reseller/billing/packages"], 12)
	equal(t, count["POST /console/:slug/reseller/billing/addons"], 8)

	mails := sim.Outbox()
	equal(t, len(mails), 3*labels+4) // the owner, two members, and the former ones
	equal(t, mails[0].Kind, "set-password")
	kinds := map[simulator.EntryKind]int{}
	for _, e := range sim.Books() {
		equal(t, e.Console, false)
		kinds[e.Kind]++
	}
	equal(t, kinds[simulator.EntryHostBound], labels)
	equal(t, kinds[simulator.EntryEmailed], len(mails))
	equal(t, kinds[simulator.EntryCodeCreated], 20)
}

const labelsPathPattern = "/console/:slug/reseller/private-labels"

// What is the same for the same number: everything except the IDs, which the same text makes equal, too.
func TestSeedHistory_SameForSameNumber(t *testing.T) {
	t.Parallel()
	ids := regexp.MustCompile(`[0-9a-f]{32}`)
	text := func(opts simulator.Options, strip bool) string {
		sim := seededWithHistory(t, opts, 9)
		calls := sim.Journal()
		for i := range calls {
			calls[i].KeyID = ""
		}
		raw, err := json.Marshal([]any{calls, sim.Outbox(), sim.Books()})
		must(t, err)
		if strip {
			return ids.ReplaceAllString(string(raw), "ID")
		}
		return string(raw)
	}
	equal(t, text(simulator.Options{}, true), text(simulator.Options{}, true))
	equal(t, text(simulator.Options{IDs: "x"}, false), text(simulator.Options{IDs: "x"}, false))
	if one, other := text(simulator.Options{}, false), text(simulator.Options{}, false); one == other {
		t.Error("two services have the same IDs")
	}
}

// `simulate -seed` shows past calls and emails, and stores them with the data.
func TestMain_SeedHasHistory(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data.json")
	r := simulate(t, "-data", path, "-seed", "3")
	page := r.caller(t).with("").get("/").raw
	shows(t, page, "Set your password for Client 1", "POST "+labelsPathPattern)
	equal(t, r.stop(), 0)
	r = simulate(t, "-data", path, "-seed", "3")
	equal(t, r.stop(), 0)
	sim := openFile(t, path)
	equal(t, len(sim.Outbox()), 9)
	equal(t, len(slices.DeleteFunc(sim.Journal(), func(c simulator.Call) bool { return c.Route != "POST "+labelsPathPattern })), 3)
}

// Each simulator is a separate reseller, and the same file is the same reseller.
func TestSlug_OfItsOwn(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^reseller-[0-9a-f]{12}\.simulator\.invalid$`)
	slugs := map[string]bool{}
	open := func(opts simulator.Options) string {
		sim, err := simulator.New(opts)
		must(t, err)
		t.Cleanup(func() { must(t, sim.Close()) })
		if !form.MatchString(sim.Slug()) {
			t.Errorf("the slug is %s", sim.Slug())
		}
		return sim.Slug()
	}
	path := dataFile(t)
	for _, opts := range []simulator.Options{{}, {}, {File: path}, {File: dataFile(t)}} {
		slugs[open(opts)] = true
	}
	equal(t, len(slugs), 4)
	equal(t, slugs[open(simulator.Options{File: path})], true)
	equal(t, open(simulator.Options{IDs: "x"}), open(simulator.Options{IDs: "x"}))
}

// Data of a later version is not changed.
func TestStore_LaterVersion(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	must(t, openFile(t, path).Seed(1))
	read := func() string {
		raw, err := os.ReadFile(path)
		must(t, err)
		return string(raw)
	}
	written := read()
	later := strings.Replace(written, `"data":{"version":1,`, `"data":{"version":2,`, 1)
	if later == written {
		t.Fatal("the file has no version")
	}
	must(t, os.WriteFile(path, []byte(later), 0o600))
	_, err := simulator.New(simulator.Options{File: path})
	if err == nil || !strings.Contains(err.Error(), "data of version 2") || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
	equal(t, read(), later)
	// A file without a version has version 1.
	must(t, os.WriteFile(path, []byte(strings.Replace(written, `"data":{"version":1,`, `"data":{`, 1)), 0o600))
	equal(t, len(openFile(t, path).Labels()), 1)
}
