package document

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type documentSigningResource struct {
	oneTimeResource
}

var (
	_ resource.ResourceWithConfigure   = (*documentSigningResource)(nil)
	_ resource.ResourceWithImportState = (*documentSigningResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*documentSigningResource)(nil)
)

func NewDocumentSigningResource() resource.Resource {
	return &documentSigningResource{oneTimeResource{typeName: "document_signing", newModel: func() oneTimeModel { return &documentSigningModel{} }}}
}

// documentSigningModel is what was sent (§4.3).
type documentSigningModel struct {
	DocID       types.String    `tfsdk:"doc_id"`
	Domain      fwtype.HostName `tfsdk:"domain"`
	Annotations types.Map       `tfsdk:"annotations"`
	DocPassword types.String    `tfsdk:"doc_password"`
	ID          types.String    `tfsdk:"id"`
}

func (m *documentSigningModel) operation() operation {
	name := "the signing of a document"
	if id := m.DocID.ValueString(); id != "" {
		name = "the signing of " + id
	}
	return operation{
		name:           name,
		verb:           "done",
		summary:        summarySign,
		summaryUnknown: summarySignUnknown,
		reason:         "A signature cannot be withdrawn, and a signed annotation cannot be changed.",
		another:        "To sign further annotations, add another resource.",
		typeName:       "reseller_document_signing",
		hidden:         []string{"doc_password"},
	}
}

func (m *documentSigningModel) fingerprint(ctx context.Context) string {
	return fingerprint(ctx, "signing", m.DocID, m.Annotations)
}

func (m *documentSigningModel) confirm(ctx context.Context, c *signing.Client, _ session.PrivateState) {
	contents := map[string]string{}
	if !m.Annotations.ElementsAs(ctx, &contents, false).HasError() {
		c.SigningSaved(ctx, m.DocID.ValueString(), contents)
	}
}

// ModifyPlan holds the rules that need the state or the private state.
func (r *documentSigningResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan, state documentSigningModel
	switch {
	case req.Plan.Raw.IsNull() && req.State.Raw.IsNull():
	case req.Plan.Raw.IsNull():
		r.planDestroy(ctx, req, resp)
	case req.State.Raw.IsNull():
		resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
		resp.Diagnostics.Append(planOneTime(ctx, r.Session, req.Private, plan.operation(), plan.fingerprint(ctx))...)
		if resp.Diagnostics.HasError() {
			return
		}
		resp.Diagnostics.Append(documentSigningEffects(nil, &plan).Diagnostics()...)
		plan.ID = plan.DocID
		resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
	default:
		resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
		if resp.Diagnostics.HasError() {
			return
		}
		d := state.operation()
		if plan.DocID.IsUnknown() {
			resp.Diagnostics.Append(d.mayBecome(path.Root("doc_id"), state.DocID.ValueString()))
		}
		resp.Diagnostics.Append(d.rejectChanges(req.Plan.Raw, req.State.Raw)...)
	}
}

// Create makes one API call. Later failures are warnings.
func (r *documentSigningResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan documentSigningModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	contents := map[string]string{}
	resp.Diagnostics.Append(plan.Annotations.ElementsAs(ctx, &contents, false)...)
	if !r.CanSign() {
		resp.Diagnostics.Append(r.CannotSign())
	}
	if resp.Diagnostics.HasError() {
		return
	}
	source, err := r.Signing.Sign(ctx, plan.DocID.ValueString(), plan.Domain.ValueString(), contents, plan.DocPassword.ValueStringPointer())
	if err != nil {
		resp.Diagnostics.Append(plan.operation().failed(err, "Nothing was signed", signRemedies))
		return
	}
	plan.ID = plan.DocID
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	resp.Diagnostics.Append(session.PrivateState{ID: plan.DocID.ValueString(), Provisioned: true, Slug: r.Sandbox.Slug}.Save(ctx, resp.Private)...)
	r.EnteredState(plan.fingerprint(ctx))
	resp.Diagnostics.Append(plan.operation().adopted(source, plan.DocID.ValueString())...)
}

// Update is called if a value was unknown at plan time, or if a list is empty instead of omitted. It sends nothing, and
// rejects a change again.
func (r *documentSigningResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state documentSigningModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(state.operation().rejectChanges(req.Plan.Raw, req.State.Raw)...)
	if !resp.Diagnostics.HasError() {
		resp.State.Raw = req.Plan.Raw
	}
}
