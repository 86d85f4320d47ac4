package simulator_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func TestAssignmentRead_Shapes(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		read   simulator.Forms
		below  []string
		addons int // -1 for no field
	}{
		"below assignment": {simulator.Forms{}, []string{"assignment"}, 1},
		"bare":             {simulator.Forms{"assignment-read": "bare"}, nil, 1},
		"below package":    {simulator.Forms{"assignment-read": "package"}, []string{"package"}, 1},
		"add-ons omitted":  {simulator.Forms{"assignment-addons": "omitted"}, []string{"assignment"}, -1},
		"add-ons empty":    {simulator.Forms{"assignment-addons": "empty"}, []string{"assignment"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, tc.read)
			unassigned := s.get(s.label + "/package").body["data"]
			if tc.below != nil {
				unassigned = pick(t, unassigned, tc.below...)
			}
			require.Nil(t, unassigned)
			s.assign(s.label, s.free).outcome("Assigned")
			s.attach(s.extra, 1).outcome("Attached")
			shown := s.get(s.label + "/package").data()
			if tc.below != nil {
				shown = as[object](pick(t, shown, tc.below...))
			}
			require.Equal(t, "FREE", text(t, shown, "packageCode"))
			addons, hasAddons := shown["addons"].([]any)
			if hasAddons != (tc.addons >= 0) || hasAddons && len(addons) != tc.addons {
				t.Errorf("add-ons %v", shown["addons"])
			}
			require.Len(t, s.addonsOf(), 1) // the detail shows all
		})
	}
	s := newShop(t, simulator.Forms{"assignment-read": "missing"})
	s.get(s.label+"/package").rejected(404, "NOT_FOUND")
}

// The billing limit counts "every billing route, and a label's package and points routes"; the console limit "every
// other route a key can call" (§8).
func TestSection8_BucketOfEachRoute(t *testing.T) {
	t.Parallel()
	for _, removal := range []string{"delete", "post-path", "post-body"} {
		sim := newSim(t, simulator.Options{Forms: simulator.Forms{"removal": removal}})
		buckets, billed := sim.RouteBuckets(), 0
		for name, bucket := range buckets {
			_, pattern, _ := strings.Cut(name, " ")
			label, _ := strings.CutPrefix(pattern, ofLabel+"/")
			want := "console"
			switch {
			case pattern == "/api/v1/auth/token":
				want = "exchange"
			case !strings.HasPrefix(strings.TrimPrefix(pattern, "/upload"), "/console/"):
				want = "none" // the Signing API
			case strings.HasPrefix(pattern, ofReseller+"/billing/"), label == "points", label == "package", strings.HasPrefix(label, "package/"):
				want = "billing"
				billed++
			}
			assert.Equal(t, want, bucket, "%s counts as", name)
		}
		require.Equal(t, 16, billed)
	}
}
