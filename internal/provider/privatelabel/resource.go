// Package privatelabel is reseller_private_label, its domain verification and the dashboard.
package privatelabel

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// What a destroy does with the private label (deletion_policy).
const (
	policyPrevent     = "PREVENT"
	policySuspend     = "SUSPEND"
	policyAbandon     = "ABANDON"
	policyDeprovision = "DEPROVISION"
)

var deletionPolicies = []string{policyPrevent, policySuspend, policyAbandon, policyDeprovision}

type Resource struct {
	session.ResourceBase
}

var (
	_ resource.ResourceWithConfigure        = (*Resource)(nil)
	_ resource.ResourceWithConfigValidators = (*Resource)(nil)
	_ resource.ResourceWithIdentity         = (*Resource)(nil)
	_ resource.ResourceWithImportState      = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan       = (*Resource)(nil)
)

func NewResource() resource.Resource { return &Resource{} }

func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_private_label"
}

// Create sends one POST. Later failures are warnings: an error would taint the private label, and the next apply would
// plan a replacement.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	order, diags := plan.provisionRequest(ctx)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !r.Ready() {
		resp.Diagnostics.Append(r.NotReady())
		return
	}
	made, diags := r.provision(ctx, order)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	owner, _ := plan.owner(ctx)
	plan.fromProvisioned(made, owner)
	if !made.ResponseLost {
		r.Inventory.RecordOwner(made.TenantID, client.Member{ID: made.OwnerUserID, Email: order.Owner.Email, Role: client.RoleOwner})
	}
	save := func() diag.Diagnostics {
		var d diag.Diagnostics
		d.Append(resp.State.Set(ctx, &plan)...)
		d.Append(resp.Identity.Set(ctx, plan.Identity())...)
		return d
	}
	resp.Diagnostics.Append(save()...)
	slug := r.Slug(ctx)
	resp.Diagnostics.Append(plan.memory(slug, true).Save(ctx, resp.Private)...)

	resp.Diagnostics.Append(warnAfterProvision(&plan, made)...)
	resp.Diagnostics.Append(r.completeCreate(ctx, &plan)...)
	resp.Diagnostics.Append(save()...)
	resp.Diagnostics.Append(plan.memory(slug, true).Save(ctx, resp.Private)...)
}

// provision sends the POST, unless another resource of this process provisions or provisioned the host name.
func (r *Resource) provision(ctx context.Context, order client.ProvisionRequest) (*client.Provisioned, diag.Diagnostics) {
	key := session.Claim(session.TypeLabel, fwtype.HostKind{}.Normal(order.Domain))
	if !r.Creating.Add(key) {
		return nil, diag.Diagnostics{session.DeclaredTwice(path.Root("domain"), "the private label "+order.Domain)}
	}
	defer r.Creating.Remove(key)
	if _, made := r.Inventory.Provisioned(order.Domain); made {
		return nil, diag.Diagnostics{session.DeclaredTwice(path.Root("domain"), "the private label "+order.Domain)}
	}
	done := r.Inventory.BeginWrite()
	made, err := r.Client.ProvisionPrivateLabel(ctx, order)
	done()
	if err != nil {
		return nil, diag.Diagnostics{provisionFailure(order.Domain).Diagnostic(err)}
	}
	r.Inventory.RecordProvisioned(made.TenantID, order.Domain)
	return made, nil
}

// warnAfterProvision reports what is incomplete according to the response.
func warnAfterProvision(m *model, made *client.Provisioned) diag.Diagnostics {
	var diags diag.Diagnostics
	host := m.Domain.ValueString()
	if made.ResponseLost {
		diags.AddWarning(summaryResponseLost, foundProvisioned(host))
	}
	if !m.DomainAttached.ValueBool() {
		diags.AddWarning(summaryNotAttached,
			fmt.Sprintf("%s was provisioned, but the API could not attach its host name. The next apply attaches it.", host))
	}
	return diags
}

// completeCreate does what follows the POST. A failure is a warning, and the next plan shows it as a change.
func (r *Resource) completeCreate(ctx context.Context, m *model) diag.Diagnostics {
	var diags diag.Diagnostics
	host, id := m.Domain.ValueString(), m.ID.ValueString()
	if m.Suspended.ValueBool() {
		res, err := r.suspend(ctx, id, m.SuspendReason.ValueString())
		if err != nil {
			diags.AddWarning(summaryNotSuspended, notSuspendedAfterCreate(host, err))
		} else {
			m.suspensionModel.fromAPI(res.Suspension)
		}
	}
	detail, err := r.Inventory.Label(ctx, id)
	if err != nil {
		diags.AddWarning(summaryNotRead,
			diagnostic.JoinParagraphs(host+" is in state. The next plan reads the missing attributes.", diagnostic.Cause(err)))
		return diags
	}
	m.fromAPI(detail)
	diags.Append(fwtype.TimeWarning("createdAt", host, detail.CreatedAt)...)
	diags.Append(fwtype.TimeWarning("suspendedAt", host, detail.SuspendedAt)...)
	return diags
}

func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, state.Identity())...)
	mem, diags := session.ReadPrivateState(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.Ready() {
		return // not configured: state stays unchanged
	}
	importing := state.Domain.IsNull()
	host := state.Domain.ValueString()
	if importing {
		host = state.ID.ValueString()
	}

	found, err := state.fromInventory(ctx, r.Session)
	if err != nil {
		r.readFailed(ctx, host, &state, mem, err, resp)
		return
	}
	slug := r.Slug(ctx)
	if !found && importing {
		resp.Diagnostics.Append(session.NotAmongLabels(host, slug))
		return
	}
	if !found {
		v := session.VerdictOf(r.Inventory.CheckPresence(ctx, state.ID.ValueString(), mem.Slug))
		r.absent(ctx, &state, mem, v, resp)
		return
	}
	if importing {
		resp.Diagnostics.Append(r.takeOwner(ctx, &state)...)
	}
	resp.Diagnostics.Append(state.memory(slug, mem.Provisioned).SaveChange(ctx, mem, resp.Private)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
}

// takeOwner fills the owner after an import. Later the owner is not compared with the API.
func (r *Resource) takeOwner(ctx context.Context, m *model) diag.Diagnostics {
	var diags diag.Diagnostics
	detail, err := r.Inventory.Label(ctx, m.ID.ValueString())
	if err != nil {
		diags.Append(diagnostic.ReadFailure(diagnostic.SummaryReadLabel, "The private label "+m.Domain.ValueString()).Diagnostic(err))
		return diags
	}
	m.Owner = ownerObject(detail.Owner)
	return diags
}

// readFailed keeps the state, unless the private label is proven absent.
func (r *Resource) readFailed(ctx context.Context, host string, state *model, mem session.PrivateState, err error, resp *resource.ReadResponse) {
	v := session.VerdictOf(r.Inventory.CheckRefusal(ctx, state.ID.ValueString(), mem.Slug, err))
	if !client.MayBeGone(err) || v.Err == nil && v.Presence == inventory.Present {
		resp.Diagnostics.Append(diagnostic.ReadFailure(diagnostic.SummaryReadLabel, "The private label "+host).Diagnostic(err))
		return
	}
	r.absent(ctx, state, mem, v, resp)
}

// absent removes a private label from state if its absence is proven.
func (r *Resource) absent(ctx context.Context, state *model, mem session.PrivateState, v session.Verdict, resp *resource.ReadResponse) {
	host, id := state.Domain.ValueString(), state.ID.ValueString()
	gone := diag.NewWarningDiagnostic(summaryNotFound, noLongerListed(host, id))
	if r.RemoveAbsent(ctx, resp, session.Sought{Name: "The private label " + host, LastSlug: mem.Slug}, v, gone) {
		r.Inventory.MarkDeprovisioned(host)
	}
}

func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, state.Identity())...)
	if resp.Diagnostics.HasError() {
		return
	}
	attach := plan.DomainAttached.IsUnknown()
	lift, suspend := plan.suspensionChange(&state)
	next := plan
	next.copyComputed(&state)
	if (attach || lift || suspend) && !r.Ready() {
		resp.Diagnostics.Append(r.NotReady())
		return
	}
	if attach {
		resp.Diagnostics.Append(r.attach(ctx, &next)...)
	}
	if (lift || suspend) && !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(r.changeSuspension(ctx, &next, suspend)...)
	}
	if resp.Diagnostics.HasError() {
		// A step that failed stays a change of the next plan.
		next.Suspended, next.SuspendReason = state.Suspended, state.SuspendReason
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &next)...)
	mem, diags := session.ReadPrivateState(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(next.memory(mem.Slug, mem.Provisioned).Save(ctx, resp.Private)...)
}

// suspensionChange returns which API call the plan needs. A suspension by the platform is never changed.
func (m *model) suspensionChange(state *model) (lift, suspend bool) {
	if m.Suspended.IsNull() || state.suspendedByPlatform() {
		return false, false
	}
	want, is := m.Suspended.ValueBool(), state.suspended()
	return is && !want, want && !is
}

// copyComputed replaces the unknown values of the plan with those in state.
func (m *model) copyComputed(state *model) {
	m.detailModel = state.detailModel
	if m.Owner.IsUnknown() {
		m.Owner = state.Owner
	}
}

func (r *Resource) attach(ctx context.Context, m *model) diag.Diagnostics {
	var diags diag.Diagnostics
	host, id := m.Domain.ValueString(), m.ID.ValueString()
	done := r.Inventory.BeginWrite(id)
	setup, err := r.Client.AttachDomain(ctx, id)
	done()
	if err != nil {
		diags.Append(attachFailure(host, "The next apply retries").Diagnostic(err))
		return diags
	}
	m.domainSetupModel.fromAPI(*setup)
	if !setup.Attached {
		diags.AddWarning(summaryNotAttached,
			fmt.Sprintf("The API accepted the call, but shows %s as not attached. The next apply retries.", host))
	}
	return diags
}

func (r *Resource) changeSuspension(ctx context.Context, m *model, suspend bool) diag.Diagnostics {
	var diags diag.Diagnostics
	host, id := m.Domain.ValueString(), m.ID.ValueString()
	if suspend {
		res, err := r.suspend(ctx, id, m.SuspendReason.ValueString())
		if err != nil {
			diags.Append(suspendFailure(host, "It stays live").Diagnostic(err))
			return diags
		}
		m.suspensionModel.fromAPI(res.Suspension)
		return diags
	}
	done := r.Inventory.BeginWrite(id)
	res, err := r.Client.UnsuspendPrivateLabel(ctx, id)
	done()
	if err != nil {
		diags.Append(unsuspendFailure(host).Diagnostic(err))
		return diags
	}
	m.suspensionModel.fromAPI(res.Suspension)
	return diags
}

func (r *Resource) suspend(ctx context.Context, id, reason string) (*client.SuspendResult, error) {
	done := r.Inventory.BeginWrite(id)
	defer done()
	return r.Client.SuspendPrivateLabel(ctx, id, reason)
}

// Delete repeats the checks of ModifyPlan: a tainted private label or `-replace` reaches it without a destroy plan.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	host, id := state.Domain.ValueString(), state.ID.ValueString()
	policy := state.DeletionPolicy.ValueString()
	if (policy == policySuspend || policy == policyDeprovision) && !r.Ready() {
		resp.Diagnostics.Append(r.NotReady())
		return
	}
	if policy != policyAbandon {
		gone, problem := r.isGone(ctx, &state, req.Private)
		if problem != nil {
			resp.Diagnostics.Append(problem)
			return
		}
		if gone {
			return // there is nothing left to destroy
		}
	}
	switch policy {
	case policyAbandon:
		return // only removed from state, without an API call
	case policySuspend:
		resp.Diagnostics.Append(r.suspendAndForget(ctx, &state)...)
	case policyDeprovision:
		done := r.Inventory.BeginWrite(id)
		lost, err := r.Client.DeprovisionPrivateLabel(ctx, id)
		done()
		if err != nil {
			resp.Diagnostics.Append(r.deprovisionFailed(ctx, &state, req.Private, err)...)
			return
		}
		r.Inventory.MarkDeprovisioned(host)
		if lost {
			resp.Diagnostics.AddWarning(summaryResponseLostGone, foundDeprovisioned(host))
		}
	default:
		resp.Diagnostics.Append(destroyPrevented(&state))
	}
}

// deprovisionFailed accepts the error for a private label that another user has deleted meanwhile, which is the
// requested result.
func (r *Resource) deprovisionFailed(ctx context.Context, state *model, private session.PrivateReader, refusal error) diag.Diagnostics {
	host := state.Domain.ValueString()
	mem, diags := session.ReadPrivateState(ctx, private)
	v := session.VerdictOf(r.Inventory.CheckRefusal(ctx, state.ID.ValueString(), mem.Slug, refusal))
	if client.MayBeGone(refusal) && v.Err == nil && v.Presence != inventory.Present {
		gone, problem := r.IsAbsent(ctx, session.Sought{Name: "The private label " + host, LastSlug: mem.Slug}, v)
		if problem != nil {
			diags.Append(problem)
		}
		if gone {
			r.Inventory.MarkDeprovisioned(host)
		}
		return diags
	}
	diags.Append(deprovisionFailure(host).Diagnostic(refusal))
	return diags
}

func (r *Resource) suspendAndForget(ctx context.Context, state *model) diag.Diagnostics {
	var diags diag.Diagnostics
	if state.suspended() {
		return diags
	}
	host := state.Domain.ValueString()
	if _, err := r.suspend(ctx, state.ID.ValueString(), state.SuspendReason.ValueString()); err != nil {
		diags.Append(suspendFailure(host, "It stays live and is still in state").Diagnostic(err))
	}
	return diags
}

// ImportState takes a private label ID, a host name, or the identity.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	given, diags := session.ImportedBy(ctx, req, "id")
	resp.Diagnostics.Append(diags...)
	id, diags := r.LookUp(ctx, given)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.Identity.Set(ctx, identity{ID: types.StringValue(id)})...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), id)...)
	// An imported private label must not be deleted by mistake: deletion has to be allowed first.
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("deletion_policy"), policyPrevent)...)
}
