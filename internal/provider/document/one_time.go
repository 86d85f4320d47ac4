// Package document has the resources and data sources of the Signing API: documents to sign, signatures and minted
// documents. Each resource is one operation that cannot be undone (one_time.go).
package document

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// oneTimeResource is what the resources of the Signing API share: one operation that cannot be undone. Create executes
// it once. Reading it back would add a log entry or is not possible, and a destroy only removes it from state.
type oneTimeResource struct {
	session.ResourceBase
	typeName string // after the provider's
	newModel func() oneTimeModel
}

// oneTimeModel is the model of such a resource.
type oneTimeModel interface {
	operation() operation
	// fingerprint is the same for the same operation; "" while a part is unknown.
	fingerprint(ctx context.Context) string
	// destroyEffects is what a destroy announces.
	destroyEffects(ctx context.Context) effect.Notices
	// confirm reports to the operation markers that the state has the result.
	confirm(ctx context.Context, c *signing.Client, mem session.PrivateState)
}

// oneTimeResources are the resources of one-time operations.
var oneTimeResources = map[string]func() resource.Resource{
	"reseller_document":         NewDocumentResource,
	"reseller_document_signing": NewDocumentSigningResource,
	"reseller_minted_document":  NewMintedDocumentResource,
}

// StoredFingerprint returns the fingerprint of a one-time operation in state. It returns "" for another resource, and
// for a state that cannot be read, which the framework reports.
func StoredFingerprint(ctx context.Context, typeName string, state *tfprotov6.DynamicValue) string {
	create, ok := oneTimeResources[typeName]
	if !ok {
		return ""
	}
	r := create()
	holder, ok := r.(interface{ stored() oneTimeModel })
	if !ok {
		return ""
	}
	var shape resource.SchemaResponse
	r.Schema(ctx, resource.SchemaRequest{}, &shape)
	raw, err := state.Unmarshal(shape.Schema.Type().TerraformType(ctx))
	if err != nil || raw.IsNull() {
		return ""
	}
	model := holder.stored()
	stored := tfsdk.State{Raw: raw, Schema: shape.Schema}
	if stored.Get(ctx, model).HasError() {
		return ""
	}
	return model.fingerprint(ctx)
}

// stored is an empty model, for what is in state.
func (r *oneTimeResource) stored() oneTimeModel { return r.newModel() }

func (r *oneTimeResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.typeName
}

// Read makes no API call: viewing a document adds a log entry in the user's name, and minted documents cannot be read.
func (r *oneTimeResource) Read(ctx context.Context, req resource.ReadRequest, _ *resource.ReadResponse) {
	r.confirm(ctx, req.State, req.Private)
}

// Delete makes no API call, because none undoes the operation. It rejects the first half of a replacement, because the
// second half would repeat the operation.
func (r *oneTimeResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	model := r.confirm(ctx, req.State, req.Private)
	planned, diags := req.Private.GetKey(ctx, destroyKey)
	resp.Diagnostics.Append(diags...)
	if len(planned) == 0 {
		resp.Diagnostics.Append(model.operation().cannotReplace())
	}
	if resp.Diagnostics.HasError() {
		return
	}
	r.LeftState(model.fingerprint(ctx))
}

// destroyKey is in the private state of a planned destroy. Terraform plans no
// destroy for the first half of a replacement.
const destroyKey = "destroy"

// planDestroy announces that the object is only removed from state.
func (r *oneTimeResource) planDestroy(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	model := r.newModel()
	resp.Diagnostics.Append(req.State.Get(ctx, model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(model.destroyEffects(ctx).Diagnostics()...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, destroyKey, []byte(`{"planned":true}`))...)
}

// confirm returns the model of what is in state.
func (r *oneTimeResource) confirm(ctx context.Context, state tfsdk.State, private session.PrivateReader) oneTimeModel {
	model := r.newModel()
	if state.Get(ctx, model).HasError() || !r.CanSign() {
		return model
	}
	mem, _ := session.ReadPrivateState(ctx, private) // the plan reports one that cannot be read
	model.confirm(ctx, r.Signing, mem)
	return model
}

// ImportState returns an error, because nothing can be read that would fill the state.
func (r *oneTimeResource) ImportState(_ context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	resp.Diagnostics.AddError(summaryNoImport,
		fmt.Sprintf("%s was not imported. The state of reseller_%s is the request that was sent, with the file's hash, and the API returns neither. "+
			"Remove the import block. To read the fields of a document, use the data source reseller_document.", req.ID, r.typeName))
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

// planOneTime validates a create: the signing configuration is complete, and it is not a replacement.
func planOneTime(ctx context.Context, s *session.Session, private session.PrivateReader, d operation, fingerprint string) diag.Diagnostics {
	mem, diags := session.ReadPrivateState(ctx, private)
	if mem != (session.PrivateState{}) {
		// The second half of -replace has a null state and still has private state.
		diags.Append(d.cannotReplace())
		return diags
	}
	diags.Append(s.JudgeSigning()...)
	if diags.HasError() || s == nil || fingerprint == "" {
		return diags
	}
	if s.InState.Contains(fingerprint) {
		diags.Append(d.duplicateInState())
	}
	return diags
}

// fingerprint identifies equal operations; "" while a part is unknown. Email addresses and host names are compared
// without case.
func fingerprint(ctx context.Context, typeName string, parts ...attr.Value) string {
	texts := []string{typeName}
	for _, part := range parts {
		if HasUnknown(ctx, part) {
			return ""
		}
		texts = append(texts, strings.ToLower(part.String()))
	}
	return strings.Join(texts, "\n")
}

func HasUnknown(ctx context.Context, v attr.Value) bool {
	raw, err := v.ToTerraformValue(ctx)
	return err != nil || !raw.IsFullyKnown()
}
