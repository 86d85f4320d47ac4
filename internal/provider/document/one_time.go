// Package document is what the Signing API has: documents to sign, signatures and minted documents. Each of its
// resources is one operation that cannot be undone (one_time.go).
package document

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// oneTimeResource is what the resources of the Signing API share: each is one
// operation that cannot be undone. It is done once and never again, reading it
// back would write to a log or is not possible, and a destroy only removes it
// from state.
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

// StoredFingerprint returns the fingerprint of a one-time operation in state; "" for another resource, and for a state
// that cannot be read, which the framework reports.
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

// Read makes no call: viewing a document writes a log entry in the user's name,
// and nothing minted can be read.
func (r *oneTimeResource) Read(ctx context.Context, req resource.ReadRequest, _ *resource.ReadResponse) {
	r.confirm(ctx, req.State, req.Private)
}

// Delete sends nothing: no call undoes the operation. The first half of a
// replacement is rejected: the second one would do it again.
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
	mem, _ := session.ReadPrivateState(ctx, private) // one that cannot be read is reported by the plan
	model.confirm(ctx, r.Signing, mem)
	return model
}

// ImportState refuses: nothing can be read that would fill the state.
func (r *oneTimeResource) ImportState(_ context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	resp.Diagnostics.AddError(summaryNoImport,
		fmt.Sprintf("%s was not imported. The state of reseller_%s is the request that was sent, with the file's hash, and the API returns neither. "+
			"Remove the import block. To read the fields of a document, use the data source reseller_document.", req.ID, r.typeName))
}

// operation is a one-time operation in messages.
type operation struct {
	name           string   // the document "Terms"
	verb           string   // uploaded
	summary        string   // of a failed call
	summaryUnknown string   // of a call whose outcome is unknown
	reason         string   // why it is not repeated, in sentences
	another        string   // how to send another one
	typeName       string   // "reseller_document"
	hidden         []string // attributes whose values are never shown
}

func (d operation) removalHint() string {
	return fmt.Sprintf("%s To remove this one from state only, use a removed block (from = %s.NAME) with destroy = false, or terraform state rm.", d.another, d.typeName)
}

// block returns an error for each attribute that the plan would change. Values known after apply are checked by the
// apply.
func (d operation) block(plan, state tftypes.Value) diag.Diagnostics {
	var diags diag.Diagnostics
	told := map[string]bool{}
	for _, c := range changes(path.Empty(), plan, state) {
		top := c.at.Steps()[0].String()
		if told[top] {
			continue // one error for an attribute
		}
		told[top] = true
		text := fmt.Sprintf("%s of %s cannot change from %s to %s.", c.at, d.name, shown(c.was), shown(c.planned))
		back := fmt.Sprintf("Restore %s to %s.", c.at, shown(c.was))
		if slices.Contains(d.hidden, top) {
			text, back = fmt.Sprintf("%s of %s cannot change.", c.at, d.name), fmt.Sprintf("Restore the former value of %s.", c.at)
		}
		diags.AddAttributeError(c.at, session.SummaryImmutable,
			fmt.Sprintf("%s %s\n\nNothing was changed. %s %s", text, d.reason, back, d.removalHint()))
	}
	return diags
}

// mayBecome warns of a value that is known after apply.
func (d operation) mayBecome(at path.Path, was string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(at, summaryChangeLater,
		fmt.Sprintf("%s of %s is known after apply. If it changes from %s, the apply returns an error for this resource and sends nothing. %s\n\nRestore %s to %s. %s %s", at, d.name, was, d.reason, at, was, d.another, session.DeferredHint))
}

// cannotReplace refuses the second half of a replacement.
func (d operation) cannotReplace() diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryNotReplaceable,
		fmt.Sprintf("%s cannot be replaced. %s Nothing was changed.\n\nIf the resource is tainted, run terraform untaint. Otherwise run the plan without -replace, and remove replace_triggered_by. %s", diagnostic.Capitalize(d.name), d.reason, d.removalHint()))
}

// duplicateInState warns of a second one that is the same. The two halves of a tainted object's replacement look like that, too;
// their apply is an error of Delete, which sends nothing.
func (d operation) duplicateInState() diag.Diagnostic {
	return diag.NewWarningDiagnostic(summaryInState,
		fmt.Sprintf("%s is already in state with the same value of every attribute. If the resource is tainted, run terraform untaint; otherwise the apply returns an error. If only the resource address changed, add a moved block; otherwise the apply sends it a second time. If two resources configure the same, keep one of them.", diagnostic.Capitalize(d.name)))
}

// keepFile plans the state's path for a file with the content that was sent, at any path. A file that no longer exists
// is not a change, since nothing is sent again.
func (d operation) keepFile(ctx context.Context, f file.SentFile, where *types.String, was, sum types.String) diag.Diagnostics {
	if where.IsUnknown() || where.IsNull() || was.IsNull() || sum.IsNull() {
		return nil // a change, if it is one, is blocked like any other
	}
	now, err := f.DigestNow(ctx, where.ValueString())
	switch {
	case errors.Is(err, fs.ErrNotExist) && where.Equal(was):
		return diag.Diagnostics{diag.NewAttributeWarningDiagnostic(f.At, summaryFileGone,
			fmt.Sprintf("%s: file %s no longer exists, so it cannot be compared with what was sent. It is treated as unchanged, because nothing is sent again.", diagnostic.Capitalize(d.name), was.ValueString()))}
	case err != nil:
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(f.At, summaryFileUnreadable,
			fmt.Sprintf("%s: the file cannot be compared with what was sent. %s. Nothing was changed. Restore %s to %s.", diagnostic.Capitalize(d.name), file.AboutFile(err, where.ValueString()), f.At, was.ValueString()))}
	case now == sum.ValueString():
		*where = was
		return nil
	}
	there := where.ValueString()
	*where = was // this error covers the path, too
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(f.At, summaryFileChanged,
		fmt.Sprintf("%s of %s has other content than the file that was sent (SHA-256 %s instead of %s). %s\n\nNothing was changed. Restore the old file. %s", there, d.name, now, sum.ValueString(), d.reason, d.removalHint()))}
}

// planOneTime validates a create: the signing configuration is complete, and it is not a replacement.
func planOneTime(ctx context.Context, s *session.Session, private session.PrivateReader, d operation, fingerprint string) diag.Diagnostics {
	mem, diags := session.ReadPrivateState(ctx, private)
	if mem != (session.PrivateState{}) {
		// The second half of -replace: a null state that still has its private
		// state.
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

// fingerprint reports whether two operations are the same; "" while a part is not
// known. Addresses and hosts are compared without case.
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

// change is one value that differs.
type change struct {
	at           path.Path
	planned, was tftypes.Value
}

// changes finds what differs between plan and state, as deep as it goes.
func changes(at path.Path, planned, was tftypes.Value) []change {
	if !planned.IsKnown() || planned.Equal(was) || isEmptyList(planned) && isEmptyList(was) {
		return nil
	}
	var fields, before map[string]tftypes.Value
	if planned.As(&fields) == nil && was.As(&before) == nil && sameKeys(fields, before) {
		var out []change
		_, isObject := planned.Type().(tftypes.Object)
		for _, name := range fwtype.SortedKeys(fields) {
			next := at.AtMapKey(name)
			if isObject {
				next = at.AtName(name)
			}
			out = append(out, changes(next, fields[name], before[name])...)
		}
		return out
	}
	var rows, rowsBefore []tftypes.Value
	if !planned.IsNull() && planned.As(&rows) == nil && was.As(&rowsBefore) == nil && len(rows) == len(rowsBefore) {
		var out []change
		for i := range rows {
			out = append(out, changes(at.AtListIndex(i), rows[i], rowsBefore[i])...)
		}
		return out
	}
	return []change{{at, planned, was}}
}

// isEmptyList: one left out and an empty one are sent alike, so that a change
// between them is none.
func isEmptyList(v tftypes.Value) bool {
	var rows []tftypes.Value
	return v.Type().Is(tftypes.List{}) && v.As(&rows) == nil && len(rows) == 0
}

func sameKeys(a, b map[string]tftypes.Value) bool {
	return len(a) > 0 && slices.Equal(slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)))
}

// shown renders a value for a message.
func shown(v tftypes.Value) string {
	var (
		text string
		flag bool
		rows []tftypes.Value
		keys map[string]tftypes.Value
	)
	switch {
	case v.IsNull():
		return "nothing"
	case v.As(&text) == nil:
		return fmt.Sprintf("%q", text)
	case v.As(&flag) == nil:
		return fmt.Sprintf("%t", flag)
	case v.As(&rows) == nil:
		return fmt.Sprintf("a list of %d", len(rows))
	case v.As(&keys) == nil:
		return fmt.Sprintf("a map of %d", len(keys))
	default:
		return shownNumber(v)
	}
}

func shownNumber(v tftypes.Value) string {
	var n big.Float
	if v.As(&n) != nil {
		return "something else"
	}
	return n.Text('g', 10)
}

// failed turns an error of the operation's call into a diagnostic.
func (d operation) failed(err error, undone string, remedies map[string]diagnostic.Remedy) diag.Diagnostic {
	if busy, ok := errors.AsType[*transport.InProgressError](err); ok {
		return d.inProgress(busy)
	}
	if marker, ok := errors.AsType[*transport.MarkerError](err); ok {
		return d.noMarker(marker)
	}
	f := diagnostic.APIFailure{Summary: d.summary, Failed: fmt.Sprintf("%s was not %s", diagnostic.Capitalize(d.name), d.verb), Unchanged: undone, Remedies: remedies}
	failure := f.Diagnostic(err)
	if !transport.IsUnknownOutcome(err) {
		return failure
	}
	return diag.NewErrorDiagnostic(d.summaryUnknown,
		diagnostic.JoinParagraphs(failure.Detail(), fmt.Sprintf("Nothing is in state. If %s was %s, remove the resource from the configuration; it cannot be imported. If not, apply again.", d.name, d.verb)))
}

func (d operation) inProgress(busy *transport.InProgressError) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryInProgress,
		fmt.Sprintf("%s was not %s by this resource: another run, or another resource of this run, started the same operation at %s and has locked its operation marker %s. Nothing was sent, and nothing is in state.\n\n"+
			"Wait until that run ends, then plan again. If two resources configure the same, keep one of them.",
			diagnostic.Capitalize(d.name), d.verb, busy.StartedAt.UTC().Format(time.RFC3339), busy.Path))
}

func (d operation) noMarker(marker *transport.MarkerError) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryNoMarker,
		fmt.Sprintf("%s was not %s: no operation marker can be created (%s). The marker shows another run that a call is in progress or was interrupted. Without it, the call could be sent twice. Nothing was sent, and nothing is in state.\n\n"+
			"Set operations_dir in the provider block, or RESELLER_OPERATIONS_DIR, to a directory that only the user who runs Terraform can write, on a disk with free space.",
			diagnostic.Capitalize(d.name), d.verb, strings.Join(strings.Fields(marker.Error()), " ")))
}

// adopted warns of a result that this run did not receive itself; nil where it
// did.
func (d operation) adopted(source signing.Source, id string) diag.Diagnostics {
	switch source {
	case signing.FromSentDocuments:
		return diag.Diagnostics{diag.NewWarningDiagnostic(summaryResponseLost,
			fmt.Sprintf("The response to uploading %s was lost. The list of sent documents shows it as %s, so it was uploaded once and is in state. Its recipients were emailed once.", d.name, id))}
	case signing.FromEarlierRun:
		return diag.Diagnostics{diag.NewWarningDiagnostic(summaryAdopted,
			fmt.Sprintf("An earlier run ended before Terraform saved its result: %s was %s once, as %s. It is in state now, and this run sent nothing.", d.name, d.verb, id))}
	default:
		return nil
	}
}

// signingRemedies are for the codes that mean the same in each call (§7).
func signingRemedies(more map[string]diagnostic.Remedy) map[string]diagnostic.Remedy {
	out := map[string]diagnostic.Remedy{
		signing.CodeInvalidUserAPIKey: {Advice: "The user API key matches no account. Check signing.user_api_key in the provider block, or RESELLER_SIGNING_API_KEY, against the user's profile page."},
		signing.CodeInvalidAPIKey:     {Advice: "Internal keys of the API do not match. The configuration is not the cause. Contact the API provider's support."},
		signing.CodeMissingBody:       {Advice: "The API received no request body. Check that no proxy removes it."},
		signing.CodeNoFileAttached:    {At: path.Root("file_path"), Advice: "The API received no file. Check that no proxy removes it."},
	}
	maps.Copy(out, more)
	return out
}

// quoted names a thing in messages, also before its name is known.
func quoted(what string, name attr.Value) string {
	if name.IsNull() || name.IsUnknown() {
		return "the " + what
	}
	return fmt.Sprintf("the %s %q", what, fwtype.Display(name))
}
