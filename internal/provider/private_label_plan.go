package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// ConfigValidators holds what one attribute's validator cannot see. (What one
// attribute tells alone is judged by its type and validators in the schema.)
func (r *privateLabelResource) ConfigValidators(context.Context) []resource.ConfigValidator {
	return []resource.ConfigValidator{reasonNeedsSuspension{}}
}

// reasonNeedsSuspension: a reason says why `suspended` is true. AlsoRequires
// would also let `suspended = false` pass.
type reasonNeedsSuspension struct{}

func (reasonNeedsSuspension) Description(context.Context) string {
	return "suspend_reason needs suspended = true"
}

func (v reasonNeedsSuspension) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}

func (reasonNeedsSuspension) ValidateResource(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var suspended types.Bool
	var reason types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("suspended"), &suspended)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("suspend_reason"), &reason)...)
	if reason.IsNull() || reason.IsUnknown() || suspended.IsUnknown() || suspended.ValueBool() {
		return
	}
	resp.Diagnostics.AddAttributeError(path.Root("suspend_reason"), "A reason without a suspension",
		"suspend_reason is sent with a suspension only. Set suspended = true, or take suspend_reason out.")
}

// ModifyPlan holds the rules that need the state, the private state or the
// service: attribute plan modifiers see none of a destroy, a replacement or
// another label.
func (r *privateLabelResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	switch {
	case req.Plan.Raw.IsNull() && req.State.Raw.IsNull():
		return
	case req.Plan.Raw.IsNull():
		resp.Diagnostics.Append(r.planDestroy(ctx, req)...)
	case req.State.Raw.IsNull():
		resp.Diagnostics.Append(r.planCreate(ctx, req)...)
	default:
		r.planUpdate(ctx, req, resp)
	}
}

func (r *privateLabelResource) planCreate(ctx context.Context, req resource.ModifyPlanRequest) diag.Diagnostics {
	var plan privateLabelModel
	diags := req.Plan.Get(ctx, &plan)
	mem, d := readMemory(ctx, req.Private)
	diags.Append(d...)
	if diags.HasError() {
		return diags
	}
	if mem != (memory{}) && !r.isRetired(mem.Host) {
		// The second half of -replace: a null state that still has its private
		// state. A label that Read found gone in this run looks alike.
		diags.Append(replaceRefused(mem.Host))
		return diags
	}
	r.willMake(typeLabel)
	diags.Append(neededToProvision(ctx, req.Config)...)
	if plan.Domain.IsUnknown() {
		return append(diags, warnProvision(ctx, &plan)...) // judged again at apply, when it is known
	}
	diags.Append(r.hostIsFree(ctx, plan.Domain)...)
	if diags.HasError() {
		return diags
	}
	diags.Append(warnProvision(ctx, &plan)...)
	return diags
}

// neededToProvision: optional in the schema, since an import has none of it.
// The configuration tells: in the plan an owner left out is not known yet.
func neededToProvision(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	var m privateLabelModel
	diags := config.Get(ctx, &m)
	if diags.HasError() {
		return diags
	}
	if m.AppName.IsNull() {
		diags.AddAttributeError(path.Root("app_name"), "A new label needs app_name",
			fmt.Sprintf("Provisioning %s needs a name for the portal, such as \"Acme Sign\". Only an imported label can do without.", display(m.Domain)))
	}
	if m.Owner.IsNull() {
		diags.AddAttributeError(path.Root("owner"), "A new label needs an owner",
			fmt.Sprintf("Provisioning %s needs an owner with email, first_name and last_name; the service e-mails that person a set-password link. Only an imported label can do without.", display(m.Domain)))
	}
	return diags
}

func (r *privateLabelResource) isRetired(host string) bool {
	return r.ready() && r.inventory.Retired(host)
}

func (r *privateLabelResource) hostIsFree(ctx context.Context, host hostName) diag.Diagnostics {
	var diags diag.Diagnostics
	if !r.ready() {
		return diags // judged again at apply, when the provider's settings are known
	}
	if !r.plannedHosts.note(hostKind{}.normal(host.ValueString())) {
		diags.AddAttributeError(path.Root("domain"), host.ValueString()+" is declared twice",
			"Two resources of this configuration would provision the same host; the second would fail with HOST_TAKEN half-way through the apply. Keep one of them.")
		return diags
	}
	if r.isRetired(host.ValueString()) {
		diags.AddAttributeError(path.Root("domain"), host.ValueString()+" is retired",
			"The label with this host is gone from the reseller, and the host of a deprovisioned label can never be provisioned again. Nothing was planned.\n\nTake the resource out of the configuration, or declare another host. For a destroy, run `terraform destroy -refresh=false`: it only takes what is gone out of the state.")
		return diags
	}
	labels, err := r.inventory.KnownLabels(ctx)
	if err != nil {
		diags.Append(failure{
			summary: host.ValueString() + " cannot be planned",
			undone:  "Whether the host is free could not be read, and a host that is provisioned by mistake is lost. Nothing was planned.",
		}.diagnose(err))
		return diags
	}
	if live, ok := labels.ByHost(host.ValueString()); ok {
		diags.Append(alreadyLive(live))
	}
	return diags
}

func warnProvision(ctx context.Context, m *privateLabelModel) diag.Diagnostics {
	owner, diags := m.owner(ctx)
	who := "its owner"
	if !owner.Email.IsNull() && !owner.Email.IsUnknown() {
		who = owner.Email.ValueString()
	}
	subject, host := m.Domain.ValueString(), "the host "+m.Domain.ValueString()
	if m.Domain.IsUnknown() {
		subject, host = "A host that is known only at apply", "it"
	}
	diags.AddWarning(subject+" will be a live portal",
		fmt.Sprintf("Provisioning e-mails %s a set-password link, counts against the reseller's allowance until the label is deprovisioned, and binds %s for good.", who, host))
	return diags
}

func (r *privateLabelResource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan, state privateLabelModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	before := plan
	if state.suspendedByPlatform() {
		resp.Diagnostics.Append(plan.yieldToPlatform(&state))
	} else {
		resp.Diagnostics.Append(r.planSuspension(ctx, &plan, &state)...)
	}
	if !state.DomainAttached.IsNull() && !state.DomainAttached.ValueBool() {
		plan.domainSetupModel.makeUnknown()
	}
	if plan.sameAs(&before) {
		return
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}

// sameAs compares what planUpdate may touch.
func (m *privateLabelModel) sameAs(o *privateLabelModel) bool {
	return m.Suspended.Equal(o.Suspended) && m.SuspendReason.Equal(o.SuspendReason) &&
		m.Status.Equal(o.Status) && m.DomainAttached.Equal(o.DomainAttached)
}

// yieldToPlatform shows no change of a suspension that only the platform can lift.
func (m *privateLabelModel) yieldToPlatform(state *privateLabelModel) diag.Diagnostic {
	if !m.Suspended.IsNull() && !state.Suspended.IsNull() {
		m.Suspended = state.Suspended
	}
	if !m.SuspendReason.IsNull() && !state.SuspendReason.IsNull() {
		m.SuspendReason = state.SuspendReason
	}
	host := state.Domain.ValueString()
	return diag.NewWarningDiagnostic(host+" is suspended by the platform",
		fmt.Sprintf("The platform suspended %s (since %s), and only the platform can lift that. The provider leaves it alone: no change is planned and nothing will be sent. Ask the service's support for the reason.", host, display(state.SuspendedAt)))
}

func (r *privateLabelResource) planSuspension(ctx context.Context, plan, state *privateLabelModel) diag.Diagnostics {
	var diags diag.Diagnostics
	if plan.Suspended.IsNull() {
		return diags
	}
	if plan.Suspended.IsUnknown() || plan.Suspended.ValueBool() != state.suspended() {
		plan.suspensionModel.makeUnknown()
		return diags
	}
	if !state.suspended() || plan.SuspendReason.IsUnknown() {
		return diags
	}
	return r.planReason(ctx, plan, state)
}

// planReason blocks another reason for a suspension that lasts: a second
// suspend keeps the first (§3.1).
func (r *privateLabelResource) planReason(ctx context.Context, plan, state *privateLabelModel) diag.Diagnostics {
	var diags diag.Diagnostics
	changed := !plan.SuspendReason.Equal(state.SuspendReason)
	if !changed && plan.SuspendReason.IsNull() {
		return diags
	}
	live := r.liveReason(ctx, state)
	if plan.SuspendReason.Equal(live) {
		return diags
	}
	host := state.Domain.ValueString()
	if changed {
		diags.AddAttributeError(path.Root("suspend_reason"), "The reason for the suspension of "+host+" cannot change",
			fmt.Sprintf("%s is suspended with the reason %q, and the service keeps it while the suspension lasts. Nothing was planned.\n\nSet suspend_reason to that, or apply suspended = false first (people can sign in again meanwhile) and suspend it with the new reason then.", host, live.ValueString()))
		return diags
	}
	diags.AddWarning(host+" is suspended with another reason",
		fmt.Sprintf("The configuration says %q, the service %q: somebody suspended it anew. The service keeps a reason while the suspension lasts, so no change is planned.", plan.SuspendReason.ValueString(), live.ValueString()))
	return diags
}

// liveReason is what the service tells, or what is in state where it cannot be asked.
func (r *privateLabelResource) liveReason(ctx context.Context, state *privateLabelModel) types.String {
	if !r.ready() {
		return state.SuspendReason
	}
	labels, err := r.inventory.KnownLabels(ctx)
	if err != nil {
		return state.SuspendReason
	}
	item, ok := labels.ByID(state.ID.ValueString())
	if !ok || item.Status != client.StatusSuspended {
		return state.SuspendReason
	}
	return types.StringPointerValue(item.SuspendReason)
}

// planDestroy is asked on destroy, on a removed block and on `removed` with
// destroy. A removed block is planned without a Read before it, so that a label
// which is gone already is seen here.
func (r *privateLabelResource) planDestroy(ctx context.Context, req resource.ModifyPlanRequest) diag.Diagnostics {
	var state privateLabelModel
	diags := req.State.Get(ctx, &state)
	if diags.HasError() {
		return diags
	}
	host := state.Domain.ValueString()
	gone, problem := r.isGone(ctx, &state, req.Private)
	if policy := state.DeletionPolicy.ValueString(); problem != nil && (policy == policySuspend || policy == policyDeprovision) {
		diags.Append(problem)
		return diags
	}
	if gone {
		diags.AddWarning(host+" is gone already", goneText(host, state.ID.ValueString())+"\n\nNothing will be sent; it is only removed from state.")
		return diags
	}
	switch state.DeletionPolicy.ValueString() {
	case policySuspend:
		diags.AddWarning(host+" will be suspended and forgotten",
			fmt.Sprintf("deletion_policy is SUSPEND: everybody on %s is signed out and cannot sign in, its data stays, it is still billed, and Terraform no longer knows it. To get it back, lift the suspension in the console and import it.", host))
	case policyAbandon:
		diags.AddWarning(host+" will be forgotten, not deleted",
			fmt.Sprintf("deletion_policy is ABANDON: nothing is sent, the portal stays live and billed, and Terraform no longer knows it. To get it back, import it by its host name %s.", host))
	case policyDeprovision:
		diags.AddWarning(host+" will be deprovisioned for good", r.lostWith(ctx, &state))
	default:
		diags.Append(destroyPrevented(&state))
	}
	return diags
}

// isGone reports whether the absence of the label is proven. The error keeps a wrong API key from destroying what it
// does not see.
func (r *privateLabelResource) isGone(ctx context.Context, state *privateLabelModel, private privateReader) (bool, diag.Diagnostic) {
	if !r.ready() {
		return false, nil
	}
	mem, diags := readMemory(ctx, private)
	if diags.HasError() {
		return false, diags[0]
	}
	v := verdictOf(r.inventory.CheckPresence(ctx, state.ID.ValueString(), mem.Slug))
	return r.isAbsent(ctx, sought{"The private label " + state.Domain.ValueString(), mem.Slug}, v)
}

// lostWith says what goes with the label.
func (r *privateLabelResource) lostWith(ctx context.Context, state *privateLabelModel) string {
	members, pkg := "its members", "its package, if it has one"
	if r.ready() {
		if labels, err := r.inventory.KnownLabels(ctx); err == nil {
			if item, ok := labels.ByID(state.ID.ValueString()); ok {
				members = client.Amount(item.Metrics.Members) + " members"
				pkg = "no package"
				if item.AssignedPackage != nil {
					pkg = "the package " + item.AssignedPackage.Code
				}
			}
		}
	}
	host := state.Domain.ValueString()
	return fmt.Sprintf("deletion_policy is DEPROVISION: the portal %s (%s) goes with %s, their documents and %s. This cannot be undone, and %s can never be provisioned again, by anybody.", host, state.ID.ValueString(), members, pkg, host)
}
