package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
)

// What a destroy does with the label (contract: deletion_policy).
const (
	policyPrevent     = "PREVENT"
	policySuspend     = "SUSPEND"
	policyAbandon     = "ABANDON"
	policyDeprovision = "DEPROVISION"
)

var deletionPolicies = []string{policyPrevent, policySuspend, policyAbandon, policyDeprovision}

type privateLabelResource struct {
	forResource
}

var (
	_ resource.ResourceWithConfigure        = (*privateLabelResource)(nil)
	_ resource.ResourceWithConfigValidators = (*privateLabelResource)(nil)
	_ resource.ResourceWithIdentity         = (*privateLabelResource)(nil)
	_ resource.ResourceWithImportState      = (*privateLabelResource)(nil)
	_ resource.ResourceWithModifyPlan       = (*privateLabelResource)(nil)
)

func newPrivateLabelResource() resource.Resource { return &privateLabelResource{} }

func (r *privateLabelResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_private_label"
}

// Create is one POST. Once that succeeded nothing is an error any more: an
// error would taint the label, and the next apply would want to replace it.
func (r *privateLabelResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan privateLabelModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	order, diags := plan.provisionRequest(ctx)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !r.ready() {
		resp.Diagnostics.Append(r.notReady())
		return
	}
	made, diags := r.provision(ctx, order)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	owner, _ := plan.owner(ctx)
	owner.UserID = types.StringValue(made.OwnerUserID)
	plan.Owner = owner.object()
	if !made.AnswerLost {
		r.inventory.Founded(made.TenantID, client.Member{ID: made.OwnerUserID, Email: order.Owner.Email, Role: client.RoleOwner})
	}
	plan.ID = types.StringValue(made.TenantID)
	plan.CreatedAt = timeValue(nil)
	plan.CustomDomain = types.StringNull()
	plan.domainSetupModel.fromAPI(made.DomainSetup)
	plan.suspensionModel.fromAPI(client.Suspension{Status: client.StatusActive})
	save := func() diag.Diagnostics {
		var d diag.Diagnostics
		d.Append(resp.State.Set(ctx, &plan)...)
		d.Append(resp.Identity.Set(ctx, plan.identity())...)
		return d
	}
	resp.Diagnostics.Append(save()...)
	slug := r.slug(ctx)
	resp.Diagnostics.Append(plan.memory(slug, true).save(ctx, resp.Private)...)

	resp.Diagnostics.Append(warnAfterProvision(&plan, made)...)
	resp.Diagnostics.Append(r.finish(ctx, &plan)...)
	resp.Diagnostics.Append(save()...)
	resp.Diagnostics.Append(plan.memory(slug, true).save(ctx, resp.Private)...)
}

// provision sends the POST, unless another resource of this process provisions or provisioned the host name.
func (r *privateLabelResource) provision(ctx context.Context, order client.ProvisionRequest) (*client.Provisioned, diag.Diagnostics) {
	key := claim(typeLabel, hostKind{}.normal(order.Domain))
	if !r.creating.note(key) {
		return nil, diag.Diagnostics{declaredTwice(path.Root("domain"), "the private label "+order.Domain)}
	}
	defer r.creating.forget(key)
	if _, made := r.inventory.Provisioned(order.Domain); made {
		return nil, diag.Diagnostics{declaredTwice(path.Root("domain"), "the private label "+order.Domain)}
	}
	done := r.inventory.Writing()
	made, err := r.client.ProvisionPrivateLabel(ctx, order)
	done()
	if err != nil {
		return nil, diag.Diagnostics{provisionFailure(order.Domain).diagnose(err)}
	}
	r.inventory.RecordProvisioned(made.TenantID, order.Domain)
	return made, nil
}

// claim is the key of an object that is being created.
func claim(typeName, name string) string { return typeName + "/" + name }

// warnAfterProvision reports what the response shows to be unfinished.
func warnAfterProvision(m *privateLabelModel, made *client.Provisioned) diag.Diagnostics {
	var diags diag.Diagnostics
	host := m.Domain.ValueString()
	if made.AnswerLost {
		diags.AddWarning("Response lost, private label found",
			fmt.Sprintf("The response to provisioning %s was lost. The list of private labels shows it with this owner, so it was provisioned once and is in state. The owner was emailed once.", host))
	}
	if !m.DomainAttached.ValueBool() {
		diags.AddWarning("Host name is not attached yet",
			fmt.Sprintf("%s was provisioned, but the API could not attach its host name. The next apply attaches it.", host))
	}
	return diags
}

// finish does what follows the POST. What fails is told and shown as a change
// by the next plan.
func (r *privateLabelResource) finish(ctx context.Context, m *privateLabelModel) diag.Diagnostics {
	var diags diag.Diagnostics
	host, id := m.Domain.ValueString(), m.ID.ValueString()
	if m.Suspended.ValueBool() {
		res, err := r.suspend(ctx, id, m.SuspendReason.ValueString())
		if err != nil {
			diags.AddWarning("Private label created, but not suspended",
				sentences(host+" was provisioned and is active.", failure{summary: host}.diagnose(err).Detail(), "The next plan shows the suspension as a change, and the next apply sends it."))
		} else {
			m.suspensionModel.fromAPI(res.Suspension)
		}
	}
	detail, err := r.inventory.Label(ctx, id)
	if err != nil {
		diags.AddWarning("Private label created, but not read",
			sentences(host+" is in state. The next plan reads the missing attributes.", failure{summary: host}.diagnose(err).Detail()))
		return diags
	}
	m.CreatedAt = timeValue(detail.CreatedAt)
	m.CustomDomain = types.StringPointerValue(detail.CustomDomain)
	m.domainSetupModel.fromAPI(detail.DomainSetup)
	m.suspensionModel.fromAPI(detail.Suspension)
	diags.Append(timeWarning("createdAt", host, detail.CreatedAt)...)
	diags.Append(timeWarning("suspendedAt", host, detail.SuspendedAt)...)
	return diags
}

func (r *privateLabelResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state privateLabelModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, state.identity())...)
	mem, diags := readMemory(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.ready() {
		return // not ready: what is in state stays as it is
	}
	importing := state.Domain.IsNull()
	host := state.Domain.ValueString()
	if importing {
		host = state.ID.ValueString()
	}

	found, err := state.fromInventory(ctx, r.inventory)
	if err != nil {
		r.readFailed(ctx, host, &state, mem, err, resp)
		return
	}
	slug := r.slug(ctx)
	if !found && importing {
		resp.Diagnostics.Append(notAmongLabels(host, slug))
		return
	}
	if !found {
		v := verdictOf(r.inventory.CheckPresence(ctx, state.ID.ValueString(), mem.Slug))
		r.absent(ctx, &state, mem, v, resp)
		return
	}
	if importing {
		resp.Diagnostics.Append(r.takeOwner(ctx, &state)...)
	}
	if now := state.memory(slug, mem.Provisioned); now != mem && slug != "" {
		resp.Diagnostics.Append(now.save(ctx, resp.Private)...)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
}

// takeOwner fills the owner after an import: afterwards it is not compared
// with the service any more.
func (r *privateLabelResource) takeOwner(ctx context.Context, m *privateLabelModel) diag.Diagnostics {
	var diags diag.Diagnostics
	detail, err := r.inventory.Label(ctx, m.ID.ValueString())
	if err != nil {
		diags.Append(readFailure(m.Domain.ValueString()).diagnose(err))
		return diags
	}
	m.Owner = ownerObject(detail.Owner)
	return diags
}

// readFailed keeps the state, unless the refusal came with the label's absence.
func (r *privateLabelResource) readFailed(ctx context.Context, host string, state *privateLabelModel, mem memory, err error, resp *resource.ReadResponse) {
	v := verdictOf(r.inventory.CheckRefusal(ctx, state.ID.ValueString(), mem.Slug, err))
	if !client.MayBeGone(err) || v.err == nil && v.presence == inventory.Present {
		resp.Diagnostics.Append(readFailure(host).diagnose(err))
		return
	}
	r.absent(ctx, state, mem, v, resp)
}

// absent removes a label from state when its absence is proven.
func (r *privateLabelResource) absent(ctx context.Context, state *privateLabelModel, mem memory, v verdict, resp *resource.ReadResponse) {
	host, id := state.Domain.ValueString(), state.ID.ValueString()
	gone := diag.NewWarningDiagnostic("Private label not found, removed from state", goneText(host, id)+
		"\n\nRemove the resource from the configuration, or set another host name. If the platform moved the private label by mistake, contact support, and import it when it is back.")
	if r.removeAbsent(ctx, resp, sought{"The private label " + host, mem.Slug}, v, gone) {
		r.inventory.Retire(host)
	}
}

func (r *privateLabelResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state privateLabelModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, state.identity())...)
	if resp.Diagnostics.HasError() {
		return
	}
	attach := plan.DomainAttached.IsUnknown()
	lift, suspend := plan.suspensionChange(&state)
	next := plan
	next.takeComputed(&state)
	if (attach || lift || suspend) && !r.ready() {
		resp.Diagnostics.Append(r.notReady())
		return
	}
	if attach {
		resp.Diagnostics.Append(r.attach(ctx, &next)...)
	}
	if (lift || suspend) && !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(r.changeSuspension(ctx, &next, suspend)...)
	}
	if resp.Diagnostics.HasError() {
		// What is not done stays a change of the next plan.
		next.Suspended, next.SuspendReason = state.Suspended, state.SuspendReason
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &next)...)
	mem, diags := readMemory(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(next.memory(mem.Slug, mem.Provisioned).save(ctx, resp.Private)...)
}

// suspensionChange tells which call the plan needs. A suspension by the
// platform is never fought.
func (m *privateLabelModel) suspensionChange(state *privateLabelModel) (lift, suspend bool) {
	if m.Suspended.IsNull() || state.suspendedByPlatform() {
		return false, false
	}
	want, is := m.Suspended.ValueBool(), state.suspended()
	return is && !want, want && !is
}

// takeComputed resolves what the plan left open with what state holds.
func (m *privateLabelModel) takeComputed(state *privateLabelModel) {
	m.suspensionModel = state.suspensionModel
	m.domainSetupModel = state.domainSetupModel
	m.ID, m.CreatedAt, m.CustomDomain = state.ID, state.CreatedAt, state.CustomDomain
	if m.Owner.IsUnknown() {
		m.Owner = state.Owner
	}
}

func (r *privateLabelResource) attach(ctx context.Context, m *privateLabelModel) diag.Diagnostics {
	var diags diag.Diagnostics
	host, id := m.Domain.ValueString(), m.ID.ValueString()
	done := r.inventory.Writing(id)
	setup, err := r.client.AttachDomain(ctx, id)
	done()
	if err != nil {
		diags.Append(failure{summary: host + " was not attached", undone: "The label stays as it is; the next apply tries again."}.diagnose(err))
		return diags
	}
	m.domainSetupModel.fromAPI(*setup)
	if !setup.Attached {
		diags.AddWarning("Host name is not attached yet",
			fmt.Sprintf("The API accepted the call, but shows %s as not attached. The next apply retries.", host))
	}
	return diags
}

func (r *privateLabelResource) changeSuspension(ctx context.Context, m *privateLabelModel, suspend bool) diag.Diagnostics {
	var diags diag.Diagnostics
	host, id := m.Domain.ValueString(), m.ID.ValueString()
	if suspend {
		res, err := r.suspend(ctx, id, m.SuspendReason.ValueString())
		if err != nil {
			diags.Append(failure{summary: host + " was not suspended", undone: "The portal stays live.", remedies: suspendRemedies}.diagnose(err))
			return diags
		}
		m.suspensionModel.fromAPI(res.Suspension)
		return diags
	}
	done := r.inventory.Writing(id)
	res, err := r.client.UnsuspendPrivateLabel(ctx, id)
	done()
	if err != nil {
		diags.Append(failure{summary: host + " is still suspended", undone: "The suspension stays as it is.", remedies: suspendRemedies}.diagnose(err))
		return diags
	}
	m.suspensionModel.fromAPI(res.Suspension)
	return diags
}

func (r *privateLabelResource) suspend(ctx context.Context, id, reason string) (*client.SuspendResult, error) {
	done := r.inventory.Writing(id)
	defer done()
	return r.client.SuspendPrivateLabel(ctx, id, reason)
}

// Delete refuses again what ModifyPlan refused: a tainted label or `-replace`
// reaches it without a destroy plan.
func (r *privateLabelResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state privateLabelModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	host, id := state.Domain.ValueString(), state.ID.ValueString()
	policy := state.DeletionPolicy.ValueString()
	if (policy == policySuspend || policy == policyDeprovision) && !r.ready() {
		resp.Diagnostics.Append(r.notReady())
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
		return // forgotten: nothing is sent
	case policySuspend:
		resp.Diagnostics.Append(r.suspendAndForget(ctx, &state)...)
	case policyDeprovision:
		done := r.inventory.Writing(id)
		lost, err := r.client.DeprovisionPrivateLabel(ctx, id)
		done()
		if err != nil {
			resp.Diagnostics.Append(r.deprovisionFailed(ctx, &state, req.Private, err)...)
			return
		}
		r.inventory.Retire(host)
		if lost {
			resp.Diagnostics.AddWarning("Response lost, private label deprovisioned",
				fmt.Sprintf("The response to deprovisioning %s was lost. The list of private labels no longer shows it, so it was deprovisioned and removed from state.", host))
		}
	default:
		resp.Diagnostics.Append(destroyPrevented(&state))
	}
}

// deprovisionFailed settles the refusal of a label that somebody else deleted meanwhile: that is what was asked for.
func (r *privateLabelResource) deprovisionFailed(ctx context.Context, state *privateLabelModel, private privateReader, refusal error) diag.Diagnostics {
	host := state.Domain.ValueString()
	mem, diags := readMemory(ctx, private)
	v := verdictOf(r.inventory.CheckRefusal(ctx, state.ID.ValueString(), mem.Slug, refusal))
	if client.MayBeGone(refusal) && v.err == nil && v.presence != inventory.Present {
		gone, problem := r.isAbsent(ctx, sought{"The private label " + host, mem.Slug}, v)
		if problem != nil {
			diags.Append(problem)
		}
		if gone {
			r.inventory.Retire(host)
		}
		return diags
	}
	diags.Append(failure{summary: host + " was not deprovisioned", undone: "The label is still in state."}.diagnose(refusal))
	return diags
}

func (r *privateLabelResource) suspendAndForget(ctx context.Context, state *privateLabelModel) diag.Diagnostics {
	var diags diag.Diagnostics
	if state.suspended() {
		return diags
	}
	host := state.Domain.ValueString()
	if _, err := r.suspend(ctx, state.ID.ValueString(), state.SuspendReason.ValueString()); err != nil {
		diags.Append(failure{summary: host + " was not suspended", undone: "The portal stays live, and the label is still in state.", remedies: suspendRemedies}.diagnose(err))
	}
	return diags
}

// ImportState takes a tenant id, a host name, or the identity.
func (r *privateLabelResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	given, diags := importedBy(ctx, req, "id")
	resp.Diagnostics.Append(diags...)
	id, diags := r.lookUp(ctx, given)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.Identity.Set(ctx, privateLabelIdentity{ID: types.StringValue(id)})...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), id)...)
	// What was imported is not lost by a slip: deletion has to be allowed first.
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("deletion_policy"), policyPrevent)...)
}

// slug of the reseller, or "" when it cannot be had: it is only a memory aid.
func (s *session) slug(ctx context.Context) string {
	slug, err := s.inventory.Slug(ctx)
	if err != nil {
		return ""
	}
	return slug
}
