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
	quantities := func(values map[string]attr.Value) types.Map { return types.MapValueMust(types.Float64Type, values) }
	first, two, later := types.Float64Value(1), types.Float64Value(2), types.Float64Unknown()
	state := quantities(map[string]attr.Value{"SEATS": first, "DOCS": two})
	for name, tc := range map[string]struct {
		state, plan types.Map
		keeps       bool
	}{
		"another case":     {state, quantities(map[string]attr.Value{"seats": first, "Docs": two}), true},
		"another element":  {state, quantities(map[string]attr.Value{"seats": two, "docs": two}), false},
		"an unknown one":   {state, quantities(map[string]attr.Value{"seats": later, "docs": two}), false},
		"another key":      {state, quantities(map[string]attr.Value{"seats": first, "pages": two}), false},
		"a key less":       {state, quantities(map[string]attr.Value{"seats": first}), false},
		"two of one key":   {quantities(map[string]attr.Value{"SEATS": first}), quantities(map[string]attr.Value{"seats": first, "Seats": first}), false},
		"no state":         {types.MapNull(types.Float64Type), quantities(map[string]attr.Value{}), false},
		"no plan":          {quantities(map[string]attr.Value{}), types.MapNull(types.Float64Type), false},
		"an unknown plan":  {quantities(map[string]attr.Value{}), types.MapUnknown(types.Float64Type), false},
		"both are without": {quantities(map[string]attr.Value{}), quantities(map[string]attr.Value{}), true},
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
