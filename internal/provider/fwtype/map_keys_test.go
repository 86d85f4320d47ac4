package fwtype

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
)

func TestKeepKeySpelling(t *testing.T) {
	t.Parallel()
	of := func(values map[string]attr.Value) types.Map { return types.MapValueMust(types.Float64Type, values) }
	one, two, later := types.Float64Value(1), types.Float64Value(2), types.Float64Unknown()
	state := of(map[string]attr.Value{"SEATS": one, "DOCS": two})
	for name, tc := range map[string]struct {
		state, plan types.Map
		keeps       bool
	}{
		"another case":     {state, of(map[string]attr.Value{"seats": one, "Docs": two}), true},
		"another element":  {state, of(map[string]attr.Value{"seats": two, "docs": two}), false},
		"an unknown one":   {state, of(map[string]attr.Value{"seats": later, "docs": two}), false},
		"another key":      {state, of(map[string]attr.Value{"seats": one, "pages": two}), false},
		"a key less":       {state, of(map[string]attr.Value{"seats": one}), false},
		"two of one key":   {of(map[string]attr.Value{"SEATS": one}), of(map[string]attr.Value{"seats": one, "Seats": one}), false},
		"no state":         {types.MapNull(types.Float64Type), of(map[string]attr.Value{}), false},
		"no plan":          {of(map[string]attr.Value{}), types.MapNull(types.Float64Type), false},
		"an unknown plan":  {of(map[string]attr.Value{}), types.MapUnknown(types.Float64Type), false},
		"both are without": {of(map[string]attr.Value{}), of(map[string]attr.Value{}), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			resp := planmodifier.MapResponse{PlanValue: tc.plan}
			KeepKeySpelling[CodeKind]().PlanModifyMap(t.Context(), planmodifier.MapRequest{StateValue: tc.state, PlanValue: tc.plan}, &resp)
			want := tc.plan
			if tc.keeps {
				want = tc.state
			}
			assert.True(t, resp.PlanValue.Equal(want), "planned %s, want %s", resp.PlanValue, want)
		})
	}
}
