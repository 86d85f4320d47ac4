package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
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
	r.willMake(typeDocument)
	var diags diag.Diagnostics
	plan.FileSHA256, diags = uploadedPDF.plan(plan.FilePath, plan.deed().name)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(r.planDeed(ctx, req.Private, plan.deed(), plan.fingerprint(ctx))...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(plan.warnUpload(ctx))
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}

// planUpdate finds what is no change, and blocks the rest.
func (r *documentResource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan, state documentModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	r.plannedFromState(state.fingerprint(ctx))
	d := state.deed()
	resp.Diagnostics.Append(uploadedPDF.keep(&plan.FilePath, state.FilePath, state.FileSHA256, d)...)
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
	resp.Diagnostics.Append(d.block(resp.Plan.Raw, req.State.Raw)...)
}

// warnUpload says who will be e-mailed.
func (m *documentModel) warnUpload(ctx context.Context) diag.Diagnostic {
	return diag.NewWarningDiagnostic(fmt.Sprintf("Uploading %s cannot be undone", m.deed().name),
		m.mailed(ctx)+" No call changes or withdraws a document: whatever is wrong with it stays, and another one is another resource.")
}

func (m *documentModel) mailed(ctx context.Context) string {
	var signers []signerModel
	if m.Signers.IsUnknown() || m.Signers.ElementsAs(ctx, &signers, false).HasError() {
		return "Its signers are known only at apply; each with something left to sign is e-mailed a link then."
	}
	var people []string
	orders := map[int64]bool{}
	for i := range signers {
		if s := &signers[i]; s.hasToSign(ctx) {
			people = append(people, nameOrLater(s.Email))
			orders[s.SignOrder.ValueInt64()] = true
		}
	}
	switch {
	case len(people) == 0:
		return fmt.Sprintf("Nothing is left to sign, so the document is complete at once, and %s is e-mailed the completed document.", nameOrLater(m.OwnerEmail))
	case len(orders) > 1:
		return fmt.Sprintf("A link to sign it is e-mailed to these, one after the other by sign_order: %s.", strings.Join(people, ", "))
	default:
		return fmt.Sprintf("A link to sign it is e-mailed to %s.", strings.Join(people, ", "))
	}
}

func nameOrLater(e email) string {
	if e.IsUnknown() {
		return "(an address known at apply)"
	}
	return e.ValueString()
}

// hasToSign: an annotation is not verified, or not known yet.
func (s *signerModel) hasToSign(ctx context.Context) bool {
	var annotations []annotationModel
	if s.Annotations.IsUnknown() || s.Annotations.ElementsAs(ctx, &annotations, false).HasError() {
		return true
	}
	for _, a := range annotations {
		if a.IsVerified.IsUnknown() || !a.IsVerified.Equal(types.BoolValue(true)) {
			return true
		}
	}
	return false
}
