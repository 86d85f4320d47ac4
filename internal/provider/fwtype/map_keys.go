package fwtype

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
)

// KeepKeySpelling plans the map in state if the configuration spells the same keys in another way and their elements are
// equal. Terraform accepts a planned map only whole: as the configuration or as the state has it.
func KeepKeySpelling[K Kind]() planmodifier.Map {
	return keepKeySpelling[K]{}
}

type keepKeySpelling[K Kind] struct{ keepSpellingModifier[K] }

func (keepKeySpelling[K]) PlanModifyMap(_ context.Context, req planmodifier.MapRequest, resp *planmodifier.MapResponse) {
	state := req.StateValue.Elements()
	plan := req.PlanValue.Elements()
	if req.StateValue.IsNull() || req.PlanValue.IsNull() || req.PlanValue.IsUnknown() || len(state) != len(plan) {
		return
	}
	var k K
	before := map[string]attr.Value{}
	for key, value := range state {
		before[k.Normal(key)] = value
	}
	for key, value := range plan {
		if was, ok := before[k.Normal(key)]; !ok || !was.Equal(value) {
			return
		}
	}
	resp.PlanValue = req.StateValue
}
