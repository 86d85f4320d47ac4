package privatelabel

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

var _ resource.ResourceWithModifyPlan = (*domainVerificationResource)(nil)

// ModifyPlan announces that a destroy leaves the host name unchanged.
func (r *domainVerificationResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.State.Raw.IsNull() || !req.Plan.Raw.IsNull() {
		return
	}
	var state domainVerificationModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(verificationEffects(&state, nil).Diagnostics()...)
}

// verificationEffects returns what a change of a domain verification announces: only its destroy has an effect. It
// makes no API call: `review` uses it on a saved plan.
func verificationEffects(prior, planned *domainVerificationModel) effect.Notices {
	if prior == nil || planned != nil {
		return nil
	}
	host := prior.Domain.ValueString()
	return effect.Notices{{
		Topic:   effect.KeptVerification,
		Detail:  fmt.Sprintf("%s stays attached and verified; no API call is made. Later applies no longer wait for its verification.", host),
		Effects: []effect.Effect{{Kind: effect.Forgotten, What: "domain verification removed from state only", Subject: host}},
	}}
}
