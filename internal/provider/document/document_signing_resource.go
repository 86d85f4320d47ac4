package document

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
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

func (r *documentSigningResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Signs annotations of a document as the API key's user: each annotation gets its content and is verified. With the last annotation of the last signer the document is complete, and its owner gets it by email.\n\n" +
			"**Signing is permanent.** The resource makes its API call on create, and nothing on read, update or delete. Changing an attribute returns an error at plan time; the resource is never replaced. A destroy only removes it from state, with a warning. It cannot be imported. If the response is lost, the apply fails with nothing in state; only viewing the document shows whether it was signed.\n\n" +
			"The data source `reseller_document` has the IDs of annotations, and `reseller_signatures` those of stored signatures. Each read of `reseller_document` adds a log entry, and every plan reads it: once the document is signed, write the IDs into the configuration and remove the data source. Do not select annotations by `is_verified`: signing changes it, and with it the plan.",
		Attributes: map[string]schema.Attribute{
			"doc_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "ID of the document. API: `docId`.",
				Validators:          []validator.String{fwtype.NotBlank},
			},
			"domain": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.HostKind]{},
				Optional:            true,
				MarkdownDescription: "Domain of the user, compared without case. If omitted, the domain of the personal account. API: `domain`.",
				Validators:          fwtype.TextRules[fwtype.HostKind](),
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.HostKind]()},
			},
			"annotations": schema.MapAttribute{
				ElementType:         types.StringType,
				Required:            true,
				MarkdownDescription: "Annotation ID to content, at least one: the ID of a stored signature for a `Signature`, the text for others. API: `annotations`.",
				Validators: []validator.Map{
					mapvalidator.SizeAtLeast(1),
					mapvalidator.KeysAre(fwtype.NotBlank),
					mapvalidator.ValueStringsAre(fwtype.NotBlank),
				},
			},
			"doc_password": schema.StringAttribute{
				Optional:            true,
				Sensitive:           true,
				MarkdownDescription: "Password of the document, if it has one: the passcode it was uploaded with. It is stored in the state. API: `docPassword`.",
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"id": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Same as `doc_id`.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
		},
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
		resp.Diagnostics.Append(d.block(req.Plan.Raw, req.State.Raw)...)
	}
}

// Create is one call. Once that succeeded nothing is an error any longer.
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

// Update is reached where a value was not known at plan, or where a list is
// empty now instead of left out. Nothing is sent, and what would be a change is
// refused again.
func (r *documentSigningResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var state documentSigningModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(state.operation().block(req.Plan.Raw, req.State.Raw)...)
	if !resp.Diagnostics.HasError() {
		resp.State.Raw = req.Plan.Raw
	}
}

var signRemedies = signingRemedies(map[string]diagnostic.Remedy{
	signing.CodeInvalidDocID: {At: path.Root("doc_id"), Advice: "No document has this ID. Set doc_id = reseller_document.NAME.id, or check the ID."},
	signing.CodeNoPermission: {At: path.Root("domain"), Advice: "The API key's user may not sign this document. Check domain, doc_password if the document has a passcode, and whether it is this signer's turn."},
	signing.CodeInvalidData:  {At: path.Root("annotations"), Advice: "Check that each ID is an annotation of this document that is not verified yet, and that each Signature has the ID of a stored signature."},
})
