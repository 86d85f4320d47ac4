package simulator_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func seededWithHistory(t *testing.T, opts simulator.Options, labels int) *simulator.Simulator {
	t.Helper()
	sim := newSim(t, opts)
	require.NoError(t, sim.Seed(labels))
	require.NoError(t, sim.SeedHistory())
	return sim
}

func TestASeedHasAHistory(t *testing.T) {
	t.Parallel()
	const labels = 24
	sim := seededWithHistory(t, simulator.Options{}, labels)
	known, calls := sim.RouteBuckets(), sim.Journal()
	count := map[string]int{}
	for i, call := range calls {
		assert.Contains(t, known, call.Route)
		if i > 0 && call.Time.Before(calls[i-1].Time) || call.Time.After(start) {
			t.Errorf("call %d is of %s", i, call.Time)
		}
		assert.True(t, strings.HasPrefix(call.Path, "/console/"+ownSlug+"/reseller/"), call)
		assert.Equal(t, 200, call.Status, call)
		assert.NotEmpty(t, call.KeyID, call)
		count[call.Route]++
	}
	require.Equal(t, labels, count[provisionRoute])
	require.Equal(t, 2*labels+4, count[provisionRoute+"/:tenantId/users"]) // every fifth private label has a former member
	require.Equal(t, 4, count["DELETE /console/:slug/reseller/private-labels/:tenantId/users/:userId"])
	require.Equal(t, labels-3, count[provisionRoute+"/:tenantId/package"]) // except every seventh
	require.Equal(t, 12, count["POST /console/:slug/reseller/billing/packages"])
	require.Equal(t, 8, count["POST /console/:slug/reseller/billing/addons"])

	mails := sim.Outbox()
	require.Len(t, mails, 3*labels+4) // the owner, two members, and the former ones
	require.Equal(t, "set-password", mails[0].Kind)
	kinds := map[simulator.EntryKind]int{}
	for _, e := range sim.Books() {
		require.Equal(t, false, e.Console)
		kinds[e.Kind]++
	}
	require.Equal(t, labels, kinds[simulator.EntryHostBound])
	require.Equal(t, len(mails), kinds[simulator.EntryEmailed])
	require.Equal(t, 20, kinds[simulator.EntryCodeCreated])
}

// What is the same for the same number: everything except the IDs, which the same text makes equal, too.
func TestASeededHistoryIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	ids := regexp.MustCompile(`[0-9a-f]{32}`)
	text := func(opts simulator.Options, strip bool) string {
		sim := seededWithHistory(t, opts, 9)
		calls := sim.Journal()
		for i := range calls {
			calls[i].KeyID = ""
		}
		raw, err := json.Marshal([]any{calls, sim.Outbox(), sim.Books()})
		require.NoError(t, err)
		if strip {
			return ids.ReplaceAllString(string(raw), "ID")
		}
		return string(raw)
	}
	require.Equal(t, text(simulator.Options{}, true), text(simulator.Options{}, true))
	require.Equal(t, text(simulator.Options{IDs: "x"}, false), text(simulator.Options{IDs: "x"}, false))
	first, other := text(simulator.Options{}, false), text(simulator.Options{}, false)
	assert.NotEqual(t, other, first, "two services have the same IDs")
}

// `simulate -seed` shows past calls and emails, and stores them with the data.
func TestSimulateSeedsAHistory(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data.json")
	r := simulate(t, "-data", path, "-seed", "3")
	page := r.caller(t).with("").get("/").raw
	assert.Contains(t, page, "Set your password for Client 1")
	assert.Contains(t, page, provisionRoute)
	require.Equal(t, 0, r.stop())
	r = simulate(t, "-data", path, "-seed", "3")
	require.Equal(t, 0, r.stop())
	sim := openFile(t, path)
	require.Len(t, sim.Outbox(), 9)
	require.Len(t, slices.DeleteFunc(sim.Journal(), func(c simulator.Call) bool { return c.Route != provisionRoute }), 3)
}

// Each simulator is a separate reseller, and the same file is the same reseller.
func TestEachSimulatorHasASlugOfItsOwn(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^reseller-[0-9a-f]{12}\.simulator\.invalid$`)
	slugs := map[string]bool{}
	open := func(opts simulator.Options) string {
		sim, err := simulator.New(opts)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, sim.Close()) })
		assert.True(t, form.MatchString(sim.Slug()), "the slug is %s", sim.Slug())
		return sim.Slug()
	}
	path := dataFile(t)
	for _, opts := range []simulator.Options{{}, {}, {File: path}, {File: dataFile(t)}} {
		slugs[open(opts)] = true
	}
	require.Len(t, slugs, 4)
	require.Contains(t, slugs, open(simulator.Options{File: path}))
	require.Equal(t, open(simulator.Options{IDs: "x"}), open(simulator.Options{IDs: "x"}))
}

// Data of a later version is not changed.
func TestDataOfALaterVersionIsNotChanged(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	require.NoError(t, openFile(t, path).Seed(1))
	written := fileText(t, path)
	later := strings.Replace(written, `"data":{"version":1,`, `"data":{"version":2,`, 1)
	require.NotEqual(t, written, later, "the file has no version")
	require.NoError(t, os.WriteFile(path, []byte(later), 0o600))
	_, err := simulator.New(simulator.Options{File: path})
	assert.ErrorContains(t, err, "data of version 2")
	assert.ErrorContains(t, err, path)
	require.Equal(t, later, fileText(t, path))
	// A file without a version has version 1.
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(written, `"data":{"version":1,`, `"data":{`, 1)), 0o600))
	require.Len(t, openFile(t, path).Labels(), 1)
}
