package object_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// A panic in an apply becomes one diagnostic. A create keeps the object that its first step made, unless the next create
// does the rest.
func TestApply_Panics(t *testing.T) {
	t.Parallel()
	const lookAfterwards = ""
	for name, tc := range map[string]struct {
		at        string // the step
		resumes   bool
		was, want *config
		severity  string
		kept      bool // the object is in state afterwards
	}{
		"create, first step":      {at: "make bear", want: bear("arm"), severity: "error"},
		"create, second step":     {at: "add arm", want: bear("arm"), severity: "warning", kept: true},
		"create that resumes":     {at: "add arm", resumes: true, want: bear("arm"), severity: "error"},
		"create, look afterwards": {at: lookAfterwards, want: bear("arm"), severity: "warning", kept: true},
		"update, second step":     {at: "add leg", was: bear(), want: bear("arm", "leg"), severity: "error", kept: true},
		"update, look afterwards": {at: lookAfterwards, was: bear(), want: bear("arm"), severity: "error", kept: true},
		"delete, second step":     {at: "break bear", was: bear("arm"), severity: "error", kept: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, func(k *toyResource) { k.Resumes = tc.resumes })
			if tc.was != nil {
				require.False(t, r.runs(tc.was).failed())
			}
			plan, told := r.plan(tc.want)
			require.False(t, told.failed(), told)
			r.calls = nil
			r.meanwhile[tc.at] = func() { panic("thrown") }
			if tc.at == lookAfterwards {
				r.kind.lookFor = func(m *model, age inventory.Freshness) (*toy, error) {
					if len(r.calls) > 0 {
						panic("thrown")
					}
					return r.look(m, age)
				}
			}
			saying(r.ApplyPlan(plan)).want(t, []string{tc.severity, diagnostic.SummaryFault})
			assert.NotEqual(t, tc.kept, r.State().IsNull(), "the state is %s", r.State())
			assert.True(t, r.State().IsFullyKnown(), "the state is %s", r.State())
		})
	}
}
