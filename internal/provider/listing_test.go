package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// newAgency is a test environment with ten private labels, their packages, add-ons and members.
func newAgency(t *testing.T) (*providertest.TestEnv, []simulator.LabelView) {
	t.Helper()
	w := providertest.NewTestEnv(t)
	require.NoError(t, w.Sim.Seed(10))
	labels := w.Sim.Labels()
	require.NoError(t, w.Sim.SuspendInConsole(labels[3].Host, "unpaid"))
	w.Sim.ResetJournal()
	return w, labels
}

// Every type is listed completely, with as few calls as possible; included resources equal those of an import.
func TestListing(t *testing.T) {
	t.Parallel()
	w, labels := newAgency(t)
	packaged := 0
	for _, l := range labels {
		if l.Package != "" {
			packaged++
		}
	}
	const start = 2 // the exchange and the dashboard
	for typeName, tc := range map[string]struct {
		want         int
		calls, whole map[string]int // without and with the resources
		name         string         // of one of them
	}{
		"reseller_private_label": {10, map[string]int{providertest.RouteList: 1}, map[string]int{providertest.RouteList: 1, providertest.RouteDetail: 10}, labels[0].Host},
		"reseller_assignment":    {packaged, map[string]int{providertest.RouteList: 1}, map[string]int{providertest.RouteList: 1, providertest.RouteDetail: packaged}, labels[0].Host + " has " + labels[0].Package},
		"reseller_members":       {10, map[string]int{providertest.RouteList: 1}, map[string]int{providertest.RouteList: 1, providertest.RouteMembers: 10}, "members of " + labels[0].Host},
		"reseller_package":       {12, map[string]int{providertest.RoutePackageSearch: 1}, map[string]int{providertest.RoutePackageSearch: 1}, "PLAN-01 (Plan 1)"},
		"reseller_addon":         {8, map[string]int{providertest.RouteAddonSearch: 1}, map[string]int{providertest.RouteAddonSearch: 1}, "EXTRA-01 (Extra 1)"},
	} {
		for _, include := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%t", typeName, include), func(t *testing.T) {
				want := tc.calls
				if include {
					want = tc.whole
				}
				p := w.Protocol()
				w.Sim.ResetJournal()
				results, told := p.List(typeName, nil, include, 0)
				told.WantNone(t)
				require.Len(t, results, tc.want)
				total := 0
				for route, n := range want {
					total += n
					assert.Equal(t, n, w.Calls(route), "%s: calls", route)
				}
				assert.LessOrEqual(t, len(w.Sim.Journal()), total+start, "calls in all, want %d", total)
				named := false
				for _, r := range results {
					named = named || r.Name == tc.name
				}
				if !named {
					t.Errorf("none is called %q: %v", tc.name, results[0].Name)
				}
				for _, r := range results[:2] {
					imported := coretest.NewWalker(t, p, typeName)
					imported.ImportByIdentity(r.Identity).WantNone(t)
					assert.True(t, !include || r.Resource.Equal(imported.State()), "%s is %s, after an import %s", r.Name, r.Resource, imported.State())
				}
			})
		}
	}
}

func TestListing_Limit(t *testing.T) {
	t.Parallel()
	w, _ := newAgency(t)
	p := w.Protocol()
	results, told := p.List("reseller_private_label", nil, true, 3)
	told.WantNone(t)
	require.Len(t, results, 3, "results with %d details", w.Calls(providertest.RouteDetail))
	assert.Equal(t, 3, w.Calls(providertest.RouteDetail), "%d results with details", len(results))
}

func TestListing_Status(t *testing.T) {
	t.Parallel()
	w, labels := newAgency(t)
	p := w.Protocol()
	results, told := p.List("reseller_private_label", map[string]string{"status": "Suspended"}, true, 0)
	told.WantNone(t)
	require.Len(t, results, 1, "results with %d details", w.Calls(providertest.RouteDetail))
	assert.Equal(t, labels[3].Host, results[0].Name, "results %v with %d details", results, w.Calls(providertest.RouteDetail))
	assert.Equal(t, 1, w.Calls(providertest.RouteDetail), "results %v with details", results)
	_, told = p.List("reseller_private_label", map[string]string{"status": "suspended"}, false, 0)
	told.WantError(t, diagnostic.SummaryInvalidValue, "value must be one of")
}

// A failed read is reported with the first result, and no other result follows.
func TestListing_Refused(t *testing.T) {
	t.Parallel()
	for _, typeName := range []string{"reseller_private_label", "reseller_assignment", "reseller_package", "reseller_addon", "reseller_member", "reseller_members"} {
		t.Run(typeName, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			key, err := w.Sim.MintKey("reseller:provision")
			require.NoError(t, err)
			w.Key = key
			p := w.Protocol()
			results, told := p.List(typeName, nil, false, 0)
			require.Len(t, told, 1)
			assert.Regexp(t, "^Error: Error listing .* API error INSUFFICIENT_SCOPE.* reseller:read", told[0])
			assert.Empty(t, results)
		})
	}
}

func TestListing_Members(t *testing.T) {
	t.Parallel()
	w, labels := newAgency(t)
	require.NoError(t, w.Sim.MakeAdmin(labels[0].Host, "person-2@"+strings.TrimPrefix(labels[0].Host, "sign.")))
	t.Run("of one label", func(t *testing.T) {
		p := w.Protocol()
		w.Sim.ResetJournal()
		results, told := p.List("reseller_member", map[string]string{"private_label_id": labels[0].ID}, true, 0)
		told.WantNone(t)
		require.Len(t, results, 3, "results with %d lists of members and %d of labels", w.Calls(providertest.RouteMembers), w.Calls(providertest.RouteList))
		assert.Equal(t, 1, w.Calls(providertest.RouteMembers), "%d results with lists of members and %d of labels", len(results), w.Calls(providertest.RouteList))
		assert.Equal(t, 0, w.Calls(providertest.RouteList), "%d results with %d lists of members and of labels", len(results), w.Calls(providertest.RouteMembers))
		roles := ""
		for _, r := range results {
			roles += fmt.Sprint(providertest.Plain(providertest.Members(r.Resource)["role"]), " ")
			imported := coretest.NewWalker(t, p, "reseller_member")
			imported.ImportByIdentity(r.Identity).WantNone(t)
			assert.True(t, r.Resource.Equal(imported.State()), "%s is %s, after an import %s", r.Name, r.Resource, imported.State())
		}
		assert.Equal(t, "owner admin member ", roles)
	})
	t.Run("of all, as far as they are wanted", func(t *testing.T) {
		p := w.Protocol()
		w.Sim.ResetJournal()
		results, told := p.List("reseller_member", nil, false, 7)
		told.WantNone(t)
		require.Len(t, results, 7)
		assert.Equal(t, 3, w.Calls(providertest.RouteMembers), "%d results with lists of members and %d of labels", len(results), w.Calls(providertest.RouteList))
		assert.Equal(t, 1, w.Calls(providertest.RouteList), "%d results with %d lists of members and of labels", len(results), w.Calls(providertest.RouteMembers))
		assert.Equal(t, "person-1@client-0001.example on "+labels[0].Host, results[0].Name)
	})
	t.Run("of no label", func(t *testing.T) {
		p := w.Protocol()
		_, told := p.List("reseller_member", map[string]string{"private_label_id": strings.Repeat("0", 32)}, false, 0)
		told.WantError(t, session.SummaryLabelNotFound)
	})
}
