// Package document has the resources and data sources of the Signing API: documents to sign, signatures and minted
// documents. Each resource is one operation that cannot be undone (one_time.go).
package document

import (
	"context"
	"errors"
	"io/fs"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// oneTimeResource is one operation that cannot be undone. Create executes it once. Reading it back would add a log entry
// or is not possible, an update only records values in state, and a destroy only removes it from state. So there is
// nothing to look at and no step to compute, and the resources have this runtime instead of that of the other resources.
type oneTimeResource struct {
	session.ResourceBase
	oneTime
}

// oneTimeModel is a plan or a state of such a resource.
type oneTimeModel interface {
	common() *commonModel
	operation() operation
	// plannedID is the ID in the plan of a create.
	plannedID() types.String
	// importAs returns the attributes that an import of an ID sets besides the ID.
	importAs(id string) map[string]attr.Value
	// isImported reports whether the state has only what an import sets, and not what was sent.
	isImported() bool
	// content is what is sent, except for files and secrets.
	content() []attr.Value
	files() []sentFile
	// created and left are what a create and a destroy announce.
	created(ctx context.Context) effect.Notice
	left() effect.Notice
	// send makes the API call and takes its result into the model.
	send(ctx context.Context, c *signing.Client) (signing.Source, diag.Diagnostics, error)
	// confirm reports to the operation markers that the result is in state.
	confirm(ctx context.Context, c *signing.Client, imported bool)
}

// commonModel has the attributes of all models.
type commonModel struct {
	ID       types.String `tfsdk:"id"`
	Reseller types.String `tfsdk:"reseller"`
}

func (c *commonModel) common() *commonModel { return c }

// sentFile is a file of an operation.
type sentFile struct {
	file.SentFile
	path    *types.String
	sum     *types.String // of the content that is sent, SHA-256 in hex
	private bool          // sum is in private state
}

var (
	_ resource.ResourceWithConfigure   = (*oneTimeResource)(nil)
	_ resource.ResourceWithImportState = (*oneTimeResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*oneTimeResource)(nil)
)

func (r *oneTimeResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.typeName
}

func (r *oneTimeResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.schema()
	resp.Schema.Attributes["reseller"] = session.ResellerAttribute()
}

// ModifyPlan holds the rules that need the files, the state or the private state.
func (r *oneTimeResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
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

func (r *oneTimeResource) planCreate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	plan := r.empty()
	resp.Diagnostics.Append(req.Plan.Get(ctx, plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(hashFiles(ctx, plan)...)
	resp.Diagnostics.Append(r.checkCreate(ctx, req.Private, plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	plan.common().ID, plan.common().Reseller = plan.plannedID(), r.SigningReseller()
	resp.Diagnostics.Append(effect.Notices{plan.created(ctx)}.Diagnostics()...)
	resp.Diagnostics.Append(resp.Plan.Set(ctx, plan)...)
}

// checkCreate rejects a replacement, incomplete settings and a rename.
func (r *oneTimeResource) checkCreate(ctx context.Context, private session.PrivateReader, plan oneTimeModel) diag.Diagnostics {
	stored, diags := session.ReadPrivateState[memory](ctx, private)
	if stored != (memory{}) {
		// The second half of -replace has a null state and still has private state.
		diags.Append(plan.operation().cannotReplace())
		return diags
	}
	diags.Append(r.JudgeSigning()...)
	if key := fingerprint(ctx, plan); !diags.HasError() && key != "" && r.Session != nil && r.Planned.Create(r.typeName, key) {
		diags.Append(session.Renamed(plan.operation().typeName, plan.operation().name))
	}
	return diags
}

// planUpdate accepts differences that are not changes, and rejects all others.
func (r *oneTimeResource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	plan := r.empty()
	state, diags := r.stored(ctx, req.State, req.Private)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	d := state.operation()
	if state.isImported() {
		resp.Diagnostics.Append(hashFiles(ctx, plan)...)
		resp.Diagnostics.Append(d.recorded())
	} else {
		sent := state.files()
		for i, f := range plan.files() {
			resp.Diagnostics.Append(d.keepFile(ctx, f.SentFile, f.path, *sent[i].path, *sent[i].sum)...)
		}
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, plan)...)
	resp.Diagnostics.Append(d.rejectChanges(resp.Plan.Raw, req.State.Raw, state.isImported())...)
}

// destroyKey is in the private state of a planned destroy. Terraform plans no destroy for the first half of a
// replacement.
const destroyKey = "destroy"

// planDestroy announces that the object is only removed from state.
func (r *oneTimeResource) planDestroy(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	state, diags := r.stored(ctx, req.State, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if key := fingerprint(ctx, state); key != "" && r.Session != nil && r.Planned.Destroy(r.typeName, key) {
		resp.Diagnostics.Append(session.Renamed(state.operation().typeName, state.operation().name))
	}
	resp.Diagnostics.Append(effect.Notices{state.left()}.Diagnostics()...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, destroyKey, []byte(`{"planned":true}`))...)
}

// Create makes one API call. Later failures are warnings: an error would taint the resource, and the next apply would
// plan a replacement.
func (r *oneTimeResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	session.Applied{Created: true, State: &resp.State, Identity: resp.Identity, Private: resp.Private}.Keep(ctx)
	plan := r.empty()
	resp.Diagnostics.Append(req.Plan.Get(ctx, plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(reopenFiles(ctx, plan)...)
	if !r.CanSign() {
		resp.Diagnostics.Append(r.CannotSign())
	}
	if resp.Diagnostics.HasError() {
		return
	}
	source, warnings, err := plan.send(ctx, r.Signing)
	d := plan.operation()
	if err != nil {
		resp.Diagnostics.Append(d.failed(err))
		return
	}
	plan.common().Reseller = r.SigningReseller()
	resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
	resp.Diagnostics.Append(session.SavePrivateState(ctx, resp.Private, memoryOf(plan))...)
	resp.Diagnostics.Append(warnings...)
	if source == signing.FromEarlierRun {
		resp.Diagnostics.Append(d.adopted(plan.common().ID.ValueString()))
	}
}

// Read makes no API call: viewing a document adds a log entry in the user's name, and minted documents cannot be read.
func (r *oneTimeResource) Read(ctx context.Context, req resource.ReadRequest, _ *resource.ReadResponse) {
	state, diags := r.stored(ctx, req.State, req.Private)
	if !diags.HasError() && !state.isImported() && r.CanSign() {
		state.confirm(ctx, r.Signing, false)
	}
}

// Update is called after an import, if a value was unknown at plan time, or if a list is empty instead of omitted. It
// sends nothing, and rejects a change again.
func (r *oneTimeResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	session.Applied{State: &resp.State, Identity: resp.Identity, Private: resp.Private}.Keep(ctx)
	plan := r.empty()
	state, diags := r.stored(ctx, req.State, req.Private)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(state.operation().rejectChanges(req.Plan.Raw, req.State.Raw, state.isImported())...)
	if state.isImported() {
		resp.Diagnostics.Append(reopenFiles(ctx, plan)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
	if !state.isImported() {
		return
	}
	resp.Diagnostics.Append(session.SavePrivateState(ctx, resp.Private, memoryOf(plan))...)
	if r.CanSign() {
		plan.confirm(ctx, r.Signing, true) // the import settles an operation that was interrupted
	}
}

// Delete makes no API call, because none undoes the operation. It rejects the first half of a replacement, because the
// second half would repeat the operation.
func (r *oneTimeResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	state, diags := r.stored(ctx, req.State, req.Private)
	resp.Diagnostics.Append(diags...)
	planned, diags := req.Private.GetKey(ctx, destroyKey)
	resp.Diagnostics.Append(diags...)
	switch {
	case resp.Diagnostics.HasError():
	case len(planned) == 0:
		resp.Diagnostics.Append(state.operation().cannotReplace())
	case !state.isImported() && r.CanSign():
		state.confirm(ctx, r.Signing, false)
	}
}

// ImportState makes no API call: that the ID is right is the user's word. The next plan records the configured values.
func (r *oneTimeResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if !signing.ValidID(req.ID) {
		resp.Diagnostics.Append(invalidImportID(req.ID))
		return
	}
	reseller := r.SigningReseller()
	if reseller.IsUnknown() {
		resp.Diagnostics.Append(r.NotReady())
		return
	}
	attributes := r.empty().importAs(req.ID)
	attributes["id"], attributes["reseller"] = types.StringValue(req.ID), reseller
	for name, value := range attributes {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(name), value)...)
	}
	resp.Diagnostics.Append(session.SavePrivateState(ctx, resp.Private, memory{ID: req.ID})...)
}

// stored returns what is in state and private state.
func (r *oneTimeResource) stored(ctx context.Context, state tfsdk.State, private session.PrivateReader) (oneTimeModel, diag.Diagnostics) {
	model := r.empty()
	diags := state.Get(ctx, model)
	mem, unreadable := session.ReadPrivateState[memory](ctx, private)
	diags.Append(unreadable...)
	for _, f := range model.files() {
		if f.private {
			*f.sum = fwtype.TextOrNull(mem.ImageSHA256)
		}
	}
	return model, diags
}

// memory is the private state of an operation that is in state. It is never empty, which distinguishes a replacement from
// a create.
type memory struct {
	ID          string `json:"id,omitempty"`
	ImageSHA256 string `json:"image_sha256,omitempty"` // of a minted document's thumbnail, in hex
}

func memoryOf(model oneTimeModel) memory {
	mem := memory{ID: model.common().ID.ValueString()}
	for _, f := range model.files() {
		if f.private {
			mem.ImageSHA256 = f.sum.ValueString()
		}
	}
	return mem
}

// hashFiles checks the files of a plan.
func hashFiles(ctx context.Context, plan oneTimeModel) (diags diag.Diagnostics) {
	for _, f := range plan.files() {
		sum, problems := f.Plan(ctx, *f.path, plan.operation().name)
		diags.Append(problems...)
		*f.sum = sum
	}
	return diags
}

// reopenFiles checks the files again at apply: they must equal the planned files.
func reopenFiles(ctx context.Context, plan oneTimeModel) (diags diag.Diagnostics) {
	for _, f := range plan.files() {
		planned := *f.sum
		if f.private {
			planned = types.StringUnknown() // the plan does not have it
		}
		sum, problems := f.Reopen(ctx, *f.path, planned, plan.operation().name)
		diags.Append(problems...)
		*f.sum = sum
	}
	return diags
}

// keepFile plans the path in state for a file with the content that was sent, at any path. A file that no longer exists
// is not a change, since nothing is sent again.
func (d operation) keepFile(ctx context.Context, f file.SentFile, where *types.String, was, sum types.String) diag.Diagnostics {
	if where.IsUnknown() || where.IsNull() || was.IsNull() || sum.IsNull() {
		return nil // a change of the file is rejected like any other
	}
	now, err := f.DigestNow(ctx, where.ValueString())
	switch {
	case errors.Is(err, fs.ErrNotExist) && where.Equal(was):
		return diag.Diagnostics{d.fileGone(f.At, was.ValueString())}
	case err != nil:
		return diag.Diagnostics{d.fileUnreadable(f.At, was.ValueString(), file.AboutFile(err, where.ValueString()))}
	case now == sum.ValueString():
		*where = was
		return nil
	}
	there := where.ValueString()
	*where = was // this error covers the path, too
	return diag.Diagnostics{d.fileChanged(f.At, there, now, sum.ValueString())}
}
