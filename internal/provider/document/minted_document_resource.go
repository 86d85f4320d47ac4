package document

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type mintedDocumentResource struct {
	oneTimeResource
}

var (
	_ resource.ResourceWithConfigure   = (*mintedDocumentResource)(nil)
	_ resource.ResourceWithImportState = (*mintedDocumentResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*mintedDocumentResource)(nil)
)

func NewMintedDocumentResource() resource.Resource {
	return &mintedDocumentResource{oneTimeResource{typeName: "minted_document", newModel: func() oneTimeModel { return &mintedDocumentModel{} }}}
}

// ModifyPlan holds the rules that need the files, the state or the private
// state.
func (r *mintedDocumentResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
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

func (r *mintedDocumentResource) planCreate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan mintedDocumentModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	d := plan.operation()
	sum, diags := file.MintedPDF.Plan(ctx, plan.FilePath, d.name)
	resp.Diagnostics.Append(diags...)
	_, diags = file.MintedImage.Plan(ctx, plan.ImagePath, d.name)
	resp.Diagnostics.Append(diags...)
	plan.FileSHA256 = sum
	resp.Diagnostics.Append(planOneTime(ctx, r.Session, req.Private, d, plan.fingerprint(ctx))...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(mintedDocumentEffects(nil, &plan).Diagnostics()...)
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}

// planUpdate accepts differences that are not changes, and rejects all others.
func (r *mintedDocumentResource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan, state mintedDocumentModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	mem, diags := session.ReadPrivateState(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	d := state.operation()
	resp.Diagnostics.Append(d.keepFile(ctx, file.MintedPDF, &plan.FilePath, state.FilePath, state.FileSHA256)...)
	resp.Diagnostics.Append(d.keepFile(ctx, file.MintedImage, &plan.ImagePath, state.ImagePath, fwtype.TextOrNull(mem.ImageSHA256))...)
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
	resp.Diagnostics.Append(d.rejectChanges(resp.Plan.Raw, req.State.Raw)...)
}

// Create makes one API call. Later failures are warnings.
func (r *mintedDocumentResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan mintedDocumentModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	d := plan.operation()
	sum, diags := file.MintedPDF.Reopen(ctx, plan.FilePath, plan.FileSHA256, d.name)
	resp.Diagnostics.Append(diags...)
	image, diags := file.MintedImage.Plan(ctx, plan.ImagePath, d.name)
	resp.Diagnostics.Append(diags...)
	if !r.CanSign() {
		resp.Diagnostics.Append(r.CannotSign())
	}
	if resp.Diagnostics.HasError() {
		return
	}
	minted, err := r.Signing.Mint(ctx, plan.mint())
	if err != nil {
		resp.Diagnostics.Append(d.failed(err, "Nothing was minted", mintRemedies))
		return
	}
	plan.FileSHA256 = sum
	plan.fromAPI(minted)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	mem := session.PrivateState{ID: plan.ID.ValueString(), Provisioned: true, Slug: r.Sandbox.Slug, ImageSHA256: image.ValueString()}
	resp.Diagnostics.Append(mem.Save(ctx, resp.Private)...)
	r.EnteredState(plan.fingerprint(ctx))
	resp.Diagnostics.Append(d.adopted(minted.Source, plan.ID.ValueString())...)
	if minted.AssetID == "" && minted.TransactionID == "" {
		resp.Diagnostics.AddWarning(summaryUnnamedAsset, unnamedAsset(d.name, minted.Raw))
	}
}

// Update is called if a value was unknown at plan time, or if a list is empty instead of omitted. It sends nothing, and
// rejects a change again.
func (r *mintedDocumentResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state mintedDocumentModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(state.operation().rejectChanges(req.Plan.Raw, req.State.Raw)...)
	if !resp.Diagnostics.HasError() {
		resp.State.Raw = req.Plan.Raw
	}
}
