package member

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// SetResource is reseller_members: the complete set of the plain members of a private label. The plan announces the
// steps (setSteps), and an apply executes no others.
type SetResource struct {
	Resource
}

var (
	_ resource.ResourceWithConfigure      = (*SetResource)(nil)
	_ resource.ResourceWithIdentity       = (*SetResource)(nil)
	_ resource.ResourceWithImportState    = (*SetResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*SetResource)(nil)
	_ resource.ResourceWithValidateConfig = (*SetResource)(nil)
)

func NewSetResource() resource.Resource { return &SetResource{} }

func (r *SetResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_members"
}

// Create adopts existing members. A create that fails in a later step returns an error and no state, since an error
// with state would taint the resource; the next apply continues with the members that exist.
func (r *SetResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan setModel
	if !r.Begin(ctx, req.Plan, &plan, &resp.Diagnostics) {
		return
	}
	label := plan.PrivateLabelID.ValueString()
	claim := session.Claim(session.TypeMembers, label)
	if !r.Creating.Add(claim) {
		resp.Diagnostics.Append(r.createdTwice(ctx, label))
		return
	}
	defer r.Creating.Remove(claim)
	if r.run().ownSets.Contains(label) {
		resp.Diagnostics.Append(r.createdTwice(ctx, label))
		return
	}
	after, diags := r.apply(ctx, nil, &plan)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	r.run().ownSets.Add(label)
	resp.Diagnostics.Append(resp.State.Set(ctx, after)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, after.Identity())...)
	resp.Diagnostics.Append(r.memory(ctx, after, session.PrivateState{}).Save(ctx, resp.Private)...)
}

func (r *SetResource) createdTwice(ctx context.Context, label string) diag.Diagnostic {
	return session.DeclaredTwice(path.Root("private_label_id"), "the members of "+r.HostOf(ctx, label))
}

func (r *SetResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state setModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, state.Identity())...)
	mem, diags := session.ReadPrivateState(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.Ready() {
		return // not ready: the state does not change
	}
	label := state.PrivateLabelID.ValueString()
	r.run().own.Clear() // an apply makes no reads, so that a read ends it
	r.run().ownSets.Clear()
	r.recallHost(state.PrivateLabelID, mem)
	live, err := r.Members(ctx, label)
	if err != nil {
		r.readFailed(ctx, &state, mem, err, resp)
		return
	}
	state.fromAPI(label, live)
	resp.Diagnostics.Append(r.memory(ctx, &state, mem).SaveChange(ctx, mem, resp.Private)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
}

// memory returns the private state of a set.
func (r *SetResource) memory(ctx context.Context, m *setModel, before session.PrivateState) session.PrivateState {
	host, ok := r.Inventory.Host(m.PrivateLabelID.ValueString())
	if !ok {
		host = before.Host
	}
	return session.PrivateState{ID: m.PrivateLabelID.ValueString(), Slug: r.Slug(ctx), Host: host}
}

// readFailed keeps the state, unless the API rejected the read and the private label is absent.
func (r *SetResource) readFailed(ctx context.Context, state *setModel, mem session.PrivateState, err error, resp *resource.ReadResponse) {
	label := state.PrivateLabelID.ValueString()
	name := "The members of " + r.HostOf(ctx, label)
	if !client.MayBeGone(err) {
		resp.Diagnostics.Append(diagnostic.ReadFailure(diagnostic.SummaryListMembers, name).Diagnostic(err))
		return
	}
	v := session.VerdictOf(r.Inventory.CheckMembers(ctx, label, mem.Slug))
	gone := diag.NewWarningDiagnostic(summarySetLabelGone, session.GoneText(r.HostOf(ctx, label), label))
	if r.RemoveAbsent(ctx, resp, session.Sought{Name: name, LastSlug: mem.Slug}, v, gone) {
		// Terraform keeps the private state of a resource that a read removed, and a create with it would be treated as
		// a replacement.
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, session.PrivateStateKey, nil)...)
	}
}

// Update stores the executed steps in state, also if a later step fails.
func (r *SetResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state setModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, state.Identity())...)
	if resp.Diagnostics.HasError() {
		return
	}
	if len(setSteps(&state, &plan)) == 0 {
		resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...) // other names or another spelling: no API call
		return
	}
	if !r.Ready() {
		resp.Diagnostics.Append(r.NotReady())
		return
	}
	label := plan.PrivateLabelID.ValueString()
	claim := session.Claim(session.TypeMembers, label)
	if !r.Creating.Add(claim) {
		resp.Diagnostics.Append(r.createdTwice(ctx, label))
		return
	}
	defer r.Creating.Remove(claim)
	after, diags := r.apply(ctx, &state, &plan)
	resp.Diagnostics.Append(diags...)
	if after != nil {
		resp.Diagnostics.Append(resp.State.Set(ctx, after)...)
	}
}

// Delete removes nobody, as the plan announced.
func (r *SetResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state setModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
}

// ImportState imports a private label ID, a host name, or the identity.
func (r *SetResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	given, id, diags := r.ImportedLabel(ctx, req)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if _, err := r.Inventory.Members(ctx, id); err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(diagnostic.SummaryListMembers, "The members list of "+given).Diagnostic(err))
		return
	}
	resp.Diagnostics.Append(resp.Identity.Set(ctx, session.LabelIdentity{PrivateLabelID: fwtype.StringValue(id)})...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("private_label_id"), id)...)
}
