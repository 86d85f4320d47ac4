// Package document has the resources and data sources of the Signing API: documents to sign, signatures and minted
// documents. Each resource is one operation that cannot be undone.
package document

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Entry is what the provider has of the Signing API.
var Entry = registration.Entry{
	Resources: []registration.Type{
		oneTime{session.TypeDocument, "title", documentSchema, func() oneTimeModel { return &documentModel{} }},
		oneTime{session.TypeDocumentSigning, "doc_id", documentSigningSchema, func() oneTimeModel { return &documentSigningModel{} }},
		oneTime{session.TypeMintedDocument, "asset_name", mintedDocumentSchema, func() oneTimeModel { return &mintedDocumentModel{} }},
	},
	DataSources: []func() datasource.DataSource{viewed.New, sentDocuments.New, signatures.New},
}

// oneTime describes a resource that is one operation.
type oneTime struct {
	typeName string // without the provider's prefix
	subject  string // attribute that names an object in a review
	schema   func() schema.Schema
	empty    func() oneTimeModel
}

// oneTimeModel is a plan or a state of such a resource.
type oneTimeModel interface {
	common() *commonModel
	// operation describes what is sent and how it is said.
	operation() operation
	// execute makes the API call with the configured secret, and takes its result into the model.
	execute(ctx context.Context, c *signing.Client, secret *string) (signing.Source, diag.Diagnostics, error)
	// sent identifies what a plan sends or a state has sent, for the operation markers.
	sent(ctx context.Context) (signing.Operation, error)
}

// commonModel has the attributes of all models.
type commonModel struct {
	ID       types.String `tfsdk:"id"`
	Reseller types.String `tfsdk:"reseller"`
	Attempt  types.Int64  `tfsdk:"attempt"`

	imageSHA256 types.String // of a minted document's thumbnail, in private state
	instance    string       // distinguishes the resource instance from others, in private state
}

func (c *commonModel) common() *commonModel {
	return c
}

// named returns what names an object: an imported one has only an ID.
func (c *commonModel) named(title types.String) types.String {
	if title.IsNull() {
		return c.ID
	}
	return title
}

// privateState is the private state of an operation that is in state. It is never empty, which distinguishes a replacement from
// a create.
type privateState struct {
	ID          string `json:"id,omitempty"`
	ImageSHA256 string `json:"image_sha256,omitempty"` // in hex
	Instance    string `json:"instance,omitempty"`     // distinguishes the resource instance from others
}

func (c *commonModel) private() privateState {
	return privateState{c.ID.ValueString(), c.imageSHA256.ValueString(), c.instance}
}

// sentFile is a file of an operation.
type sentFile struct {
	file.SentFile
	path *types.String
	name *types.String // that is sent; nil for that of the path
	sum  *types.String // of the content that is sent, SHA-256 in hex
}

// nameOrDefault plans the name of the file, which an omitted one is unknown for.
func (f sentFile) nameOrDefault() {
	switch {
	case f.name == nil || !f.name.IsUnknown():
	case f.path.IsUnknown():
	default:
		*f.name = types.StringValue(filepath.Base(f.path.ValueString()))
	}
}

// sentName is the name of the file that is sent, null or unknown if the path is.
func (f sentFile) sentName() types.String {
	switch {
	case f.name != nil:
		return *f.name
	case f.path.IsNull() || f.path.IsUnknown():
		return *f.path
	default:
		return types.StringValue(filepath.Base(f.path.ValueString()))
	}
}

func (d oneTime) TypeName() string {
	return effect.ProviderType + "_" + d.typeName
}

func (d oneTime) New() resource.Resource {
	return &oneTimeResource{oneTime: d}
}

// Reviewer makes no call: it has the announcements of a saved plan. An update announces nothing, because it sends nothing.
func (d oneTime) Reviewer() effect.Reviewer {
	reviewer := effect.NewReviewer(d.New(), d.subject, d.empty, announced, nil, d.claims)
	reviewer.NeverReplaced = true
	return reviewer
}

func announced(was, want oneTimeModel, _ effect.Names) effect.Warnings {
	switch {
	case was == nil && want != nil:
		return effect.Warnings{want.operation().created}
	case was != nil && want == nil:
		return effect.Warnings{was.operation().left}
	default:
		return nil
	}
}

// oneTimeResource is one operation that cannot be undone. Create executes it once. Reading it back would add a log entry
// or is not possible, an update only records values in state, and a destroy only removes it from state. So there is
// nothing to look at and no step to compute, and the resources have this runtime instead of that of the other resources.
type oneTimeResource struct {
	session.ResourceBase
	oneTime
}

var _ interface {
	resource.ResourceWithImportState
	resource.ResourceWithModifyPlan
} = (*oneTimeResource)(nil)

func (r *oneTimeResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.typeName
}

func (r *oneTimeResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.schema()
	resp.Schema.Attributes["reseller"] = session.SigningResellerAttribute()
	resp.Schema.Attributes["attempt"] = attemptAttribute()
}

// stored returns what is in state and private state.
func (r *oneTimeResource) stored(ctx context.Context, state tfsdk.State, p session.PrivateReader, diags *diag.Diagnostics) oneTimeModel {
	model := r.empty()
	diags.Append(state.Get(ctx, model)...)
	kept, problems := session.ReadPrivateState[privateState](ctx, p)
	diags.Append(problems...)
	model.common().imageSHA256 = fwtype.TextOrNull(kept.ImageSHA256)
	model.common().instance = kept.Instance
	return model
}

// planned returns a plan, or a configuration.
func (r *oneTimeResource) planned(ctx context.Context, plan tfsdk.Plan, diags *diag.Diagnostics) oneTimeModel {
	model := r.empty()
	diags.Append(plan.Get(ctx, model)...)
	return model
}

// ModifyPlan holds the rules that need the files, the state or the private state.
func (r *oneTimeResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var state, plan oneTimeModel
	if !req.State.Raw.IsNull() {
		state = r.stored(ctx, req.State, req.Private, &resp.Diagnostics)
	}
	if !req.Plan.Raw.IsNull() {
		plan = r.planned(ctx, req.Plan, &resp.Diagnostics)
	}
	switch {
	case resp.Diagnostics.HasError(), plan == nil && state == nil:
	case plan == nil:
		r.planDestroy(ctx, state, resp)
	case state == nil:
		r.planCreate(ctx, plan, req.Private, resp)
	default:
		r.planUpdate(ctx, state, plan, req, resp)
	}
}

// planCreate rejects a replacement, missing settings and a rename, and announces the operation.
func (r *oneTimeResource) planCreate(ctx context.Context, plan oneTimeModel, p session.PrivateReader, resp *resource.ModifyPlanResponse) {
	resp.Diagnostics.Append(checkFiles(ctx, plan)...)
	replaced, diags := session.ReadPrivateState[privateState](ctx, p)
	resp.Diagnostics.Append(diags...)
	if replaced != (privateState{}) {
		// The second half of -replace has a null state and still has private state.
		resp.Diagnostics.Append(plan.operation().cannotReplace())
		return
	}
	resp.Diagnostics.Append(r.JudgeSigning()...)
	o := r.object(ctx, plan)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(r.claim(register.Creates, o, plan)...)
	}
	if !resp.Diagnostics.HasError() && o.Name != "" && r.CanSign() {
		resp.Diagnostics.Append(r.inDoubt(ctx, plan)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	for _, f := range plan.operation().files {
		resp.Diagnostics.Append(f.Announce(*f.path, f.sentName())...)
	}
	resp.Diagnostics.Append(plan.operation().overdue(r.Clock().Now())...)
	plan.common().ID = plan.operation().plannedID
	plan.common().Reseller = r.SigningReseller(r.TypeName())
	resp.Diagnostics.Append(effect.Warnings{plan.operation().created}.Diagnostics()...)
	resp.Diagnostics.Append(resp.Plan.Set(ctx, plan)...)
}

// inDoubt is the error of an operation that an earlier run began, and whose outcome is unknown.
func (r *oneTimeResource) inDoubt(ctx context.Context, plan oneTimeModel) diag.Diagnostics {
	sent, err := plan.sent(ctx)
	if err == nil {
		err = r.Signing.InDoubt(ctx, sent)
	}
	if err == nil {
		return nil
	}
	return diag.Diagnostics{plan.operation().failed(err)}
}

// confirm reports to the operation markers that a result is in state.
func (r *oneTimeResource) confirm(ctx context.Context, state oneTimeModel, imported bool) {
	if sent, err := state.sent(ctx); err == nil && r.CanSign() {
		r.Signing.Confirm(ctx, sent, state.common().ID.ValueString(), imported)
	}
}

// object is a live object in a plan: its ID, and the content by which a create finds it. A document may have several
// signings, so that only its content distinguishes one.
func (d oneTime) object(ctx context.Context, model oneTimeModel) register.Object {
	o := register.Object{Type: d.typeName, ID: model.common().ID.ValueString(), Name: fingerprint(ctx, model)}
	if d.typeName == session.TypeDocumentSigning && o.ID != "" {
		o.ID = o.Name
	}
	return o
}

// claims are what a saved plan does with an object.
func (d oneTime) claims(was, want oneTimeModel) []register.Claim {
	role := register.Keeps
	model := want
	switch {
	case was == nil:
		role = register.Creates
	case want == nil:
		role = register.Releases
		model = was
	}
	return []register.Claim{{Role: role, Object: d.object(context.Background(), model), By: d.TypeName(), Repeatable: true}}
}

// claim records what a plan does with an object. A create or an import and a destroy of one object are an error.
func (r *oneTimeResource) claim(role register.Role, o register.Object, model oneTimeModel) diag.Diagnostics {
	if r.Session == nil {
		return nil
	}
	conflict, _ := r.Register.Record(register.Claim{
		Role: role, Object: o, By: r.TypeName(), Instance: model.common().instance, Repeatable: true,
	})
	if conflict == register.None {
		return nil
	}
	return diag.Diagnostics{session.Renamed(r.TypeName(), model.operation().name)}
}

// planUpdate accepts differences that are not changes, and rejects all others.
func (r *oneTimeResource) planUpdate(ctx context.Context, state, plan oneTimeModel, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	d := state.operation()
	config := r.planned(ctx, tfsdk.Plan(req.Config), &resp.Diagnostics)
	if d.imported {
		resp.Diagnostics.Append(checkFiles(ctx, plan)...)
		resp.Diagnostics.Append(d.recorded())
		o := r.object(ctx, plan)
		o.Name = "" // another object may have the same content
		plan.common().instance = state.common().instance
		resp.Diagnostics.Append(r.claim(register.Keeps, o, plan)...)
	} else {
		plan.common().Attempt = state.common().Attempt // nothing is sent
		for i, f := range plan.operation().files {
			resp.Diagnostics.Append(d.keepFile(ctx, f, d.files[i])...)
		}
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, plan)...)
	resp.Diagnostics.Append(d.rejectChanges(resp.Plan.Raw, req.State.Raw, config.operation())...)
}

// destroyKey is in the private state of a planned destroy. Terraform plans no destroy for the first half of a
// replacement.
const destroyKey = "destroy"

// planDestroy announces that the object is only removed from state.
func (r *oneTimeResource) planDestroy(ctx context.Context, state oneTimeModel, resp *resource.ModifyPlanResponse) {
	resp.Diagnostics.Append(r.claim(register.Releases, r.object(ctx, state), state)...)
	resp.Diagnostics.Append(effect.Warnings{state.operation().left}.Diagnostics()...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, destroyKey, []byte(`{"planned":true}`))...)
}

// Create makes one API call. Later failures are warnings: an error would taint the resource, and the next apply would
// plan a replacement.
func (r *oneTimeResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	defer func() { session.Recovered(ctx, recover(), true, &resp.State, &resp.Diagnostics) }()
	plan := r.planned(ctx, req.Plan, &resp.Diagnostics)
	config := r.planned(ctx, tfsdk.Plan(req.Config), &resp.Diagnostics)
	resp.Diagnostics.Append(checkFiles(ctx, plan)...)
	if !r.CanSign() {
		resp.Diagnostics.Append(r.CannotSign())
	}
	if resp.Diagnostics.HasError() {
		return
	}
	source, warnings, err := plan.execute(ctx, r.Signing, config.operation().configuredSecret().ValueStringPointer())
	d := plan.operation()
	if err != nil {
		resp.Diagnostics.Append(d.failed(err))
		return
	}
	plan.common().Reseller = r.SigningReseller(r.TypeName())
	resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
	resp.Diagnostics.Append(session.SavePrivateState(ctx, resp.Private, plan.common().private())...)
	resp.Diagnostics.Append(warnings...)
	if source == signing.FromEarlierRun {
		resp.Diagnostics.Append(d.adopted(plan.common().ID.ValueString()))
	}
}

// Read makes no API call: viewing a document adds a log entry in the user's name, and minted documents cannot be read.
func (r *oneTimeResource) Read(ctx context.Context, req resource.ReadRequest, _ *resource.ReadResponse) {
	var diags diag.Diagnostics
	state := r.stored(ctx, req.State, req.Private, &diags)
	if !diags.HasError() && !state.operation().imported {
		r.confirm(ctx, state, false)
	}
}

// Update is called after an import, if a value was unknown at plan time, or if a list is empty instead of omitted. It
// sends nothing, and rejects a change again.
func (r *oneTimeResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	defer func() { session.Recovered(ctx, recover(), false, &resp.State, &resp.Diagnostics) }()
	state := r.stored(ctx, req.State, req.Private, &resp.Diagnostics)
	plan := r.planned(ctx, req.Plan, &resp.Diagnostics)
	config := r.planned(ctx, tfsdk.Plan(req.Config), &resp.Diagnostics)
	d := state.operation()
	resp.Diagnostics.Append(d.rejectChanges(req.Plan.Raw, req.State.Raw, config.operation())...)
	if d.imported {
		resp.Diagnostics.Append(checkFiles(ctx, plan)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
	if d.imported {
		plan.common().instance = state.common().instance
		resp.Diagnostics.Append(session.SavePrivateState(ctx, resp.Private, plan.common().private())...)
	}
	if d.imported {
		r.confirm(ctx, plan, true) // the import settles an operation with an unknown outcome
	}
}

// Delete makes no API call, because none undoes the operation. It rejects the first half of a replacement, because the
// second half would repeat the operation.
func (r *oneTimeResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	state := r.stored(ctx, req.State, req.Private, &resp.Diagnostics)
	planned, diags := req.Private.GetKey(ctx, destroyKey)
	resp.Diagnostics.Append(diags...)
	switch {
	case resp.Diagnostics.HasError():
	case len(planned) == 0:
		resp.Diagnostics.Append(state.operation().cannotReplace())
	case !state.operation().imported:
		r.confirm(ctx, state, false)
	}
}

// ImportState makes no API call: that the ID is right is the user's word. The next plan records the configured values.
func (r *oneTimeResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	reseller := r.SigningReseller(r.TypeName())
	switch {
	case !signing.ValidID(req.ID):
		resp.Diagnostics.Append(invalidImportID(req.ID))
		return
	case reseller.IsUnknown():
		resp.Diagnostics.Append(r.NotReady())
		return
	}
	model := r.empty()
	model.common().ID = types.StringValue(req.ID)
	attributes := map[string]attr.Value{"id": model.common().ID, "reseller": reseller}
	maps.Copy(attributes, model.operation().importAs)
	for name, value := range attributes {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(name), value)...)
	}
	model.common().instance = rand.Text()
	resp.Diagnostics.Append(session.SavePrivateState(ctx, resp.Private, model.common().private())...)
	resp.Diagnostics.Append(r.claim(register.Imports, register.Object{Type: r.typeName, ID: req.ID}, model)...)
}

// checkFiles checks and hashes the files of a plan. At apply they must equal the planned files, except for a thumbnail,
// whose hash a plan does not have.
func checkFiles(ctx context.Context, plan oneTimeModel) (diags diag.Diagnostics) {
	d := plan.operation()
	for _, f := range d.files {
		f.nameOrDefault()
		planned := f.sum.ValueString()
		where := f.path.ValueString()
		*f.sum = types.StringUnknown()
		if f.path.IsNull() || f.path.IsUnknown() { // known at apply, and checked then
			*f.sum = *f.path
			continue
		}
		sum, err := f.Digest(ctx, where)
		switch {
		case err != nil:
			diags.AddAttributeError(f.At, file.SummaryInvalid, file.AboutFile(err, where)+". "+diagnostic.Capitalize(d.name)+" was not planned or sent.")
			continue
		case planned != "" && planned != sum:
			diags.AddAttributeError(f.At, file.SummaryChanged,
				fmt.Sprintf("%s of %s has other content than at plan time. Nothing was sent. Plan again.", where, d.name))
		}
		*f.sum = types.StringValue(sum)
	}
	return diags
}

// keepFile plans the path in state for a file with the content that was sent, at any path. A file that no longer exists
// is not a change, since nothing is sent again.
func (d operation) keepFile(ctx context.Context, planned, sent sentFile) diag.Diagnostics {
	if planned.path.IsUnknown() || planned.path.IsNull() || sent.path.IsNull() || sent.sum.IsNull() {
		return nil // a change of the file is rejected like any other
	}
	given := planned.path.ValueString()
	now, err := planned.DigestNow(ctx, given)
	switch {
	case errors.Is(err, fs.ErrNotExist) && planned.path.Equal(*sent.path):
		return diag.Diagnostics{d.fileGone(planned.At, given)}
	case err != nil:
		return diag.Diagnostics{d.fileUnreadable(planned.At, sent.path.ValueString(), file.AboutFile(err, given))}
	}
	*planned.path = *sent.path // an error about the content covers the path, too
	if now != sent.sum.ValueString() {
		return diag.Diagnostics{d.fileChanged(planned.At, given, now)}
	}
	return nil
}
