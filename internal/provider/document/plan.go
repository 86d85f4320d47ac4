package document

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
)

// ModifyPlan holds the rules that need the file, the state or the private
// state: attribute plan modifiers see none of a destroy or a replacement.
func (r *documentResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	switch {
	case req.Plan.Raw.IsNull() && req.State.Raw.IsNull():
	case req.Plan.Raw.IsNull():
		r.planDestroy(ctx, req, resp)
	case req.State.Raw.IsNull():
		r.planCreate(ctx, req, resp)
	default:
		r.planUpdate(ctx, req, resp)
	}
}

func (r *documentResource) planCreate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan documentModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	var diags diag.Diagnostics
	plan.FileSHA256, diags = file.UploadedPDF.Plan(ctx, plan.FilePath, plan.operation().name)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(planOneTime(ctx, r.Session, req.Private, plan.operation(), plan.fingerprint(ctx))...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(documentEffects(ctx, nil, &plan).Diagnostics()...)
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}

// planUpdate accepts differences that are not changes, and rejects all others.
func (r *documentResource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan, state documentModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	d := state.operation()
	resp.Diagnostics.Append(d.keepFile(ctx, file.UploadedPDF, &plan.FilePath, state.FilePath, state.FileSHA256)...)
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
	resp.Diagnostics.Append(d.rejectChanges(resp.Plan.Raw, req.State.Raw)...)
}
