package document

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type documentResource struct {
	oneTimeResource
}

var (
	_ resource.ResourceWithConfigure   = (*documentResource)(nil)
	_ resource.ResourceWithImportState = (*documentResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*documentResource)(nil)
)

func NewDocumentResource() resource.Resource {
	return &documentResource{oneTimeResource{typeName: session.TypeDocument, newModel: func() oneTimeModel { return &documentModel{} }}}
}

// Create sends one upload. Later failures are warnings: an error would taint the document, and the next apply would
// plan a replacement.
func (r *documentResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan documentModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	d := plan.operation()
	sum, diags := file.UploadedPDF.Reopen(ctx, plan.FilePath, plan.FileSHA256, d.name)
	resp.Diagnostics.Append(diags...)
	order, diags := plan.upload(ctx)
	resp.Diagnostics.Append(diags...)
	if !r.CanSign() {
		resp.Diagnostics.Append(r.CannotSign())
	}
	if resp.Diagnostics.HasError() {
		return
	}
	id, source, err := r.Signing.Upload(ctx, order)
	if err != nil {
		resp.Diagnostics.Append(d.failed(err, "No document was created, and no email was sent", uploadRemedies))
		return
	}
	plan.ID, plan.FileSHA256 = types.StringValue(id), sum
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	resp.Diagnostics.Append(session.PrivateState{ID: id, Provisioned: true, Slug: r.Sandbox.Slug}.Save(ctx, resp.Private)...)
	r.EnteredState(plan.fingerprint(ctx))
	resp.Diagnostics.Append(d.adopted(source, id)...)
}

// Update is called if a value was unknown at plan time, or if a list is empty instead of omitted. It sends nothing, and
// rejects a change again.
func (r *documentResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state documentModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(state.operation().rejectChanges(req.Plan.Raw, req.State.Raw)...)
	if !resp.Diagnostics.HasError() {
		resp.State.Raw = req.Plan.Raw
	}
}
