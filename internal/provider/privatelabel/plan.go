package privatelabel

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// ConfigValidators returns the rules that concern several attributes. The type and the validators of an attribute check
// its own value.
func (r *Resource) ConfigValidators(context.Context) []resource.ConfigValidator {
	return []resource.ConfigValidator{reasonNeedsSuspension{}}
}

// reasonNeedsSuspension: a reason explains why `suspended` is true. AlsoRequires would also accept `suspended = false`.
type reasonNeedsSuspension struct{}

func (reasonNeedsSuspension) Description(context.Context) string {
	return "suspend_reason requires suspended = true"
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
	resp.Diagnostics.AddAttributeError(path.Root("suspend_reason"), diagnostic.SummaryInvalidCombination,
		"suspend_reason requires suspended = true. Set it, or remove suspend_reason.")
}

// ModifyPlan has the rules that need the state, the private state or the API. Attribute plan modifiers do not see a
// destroy, a replacement or other private labels.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
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

func (r *Resource) planCreate(ctx context.Context, req resource.ModifyPlanRequest) diag.Diagnostics {
	var plan model
	diags := req.Plan.Get(ctx, &plan)
	mem, d := session.ReadPrivateState(ctx, req.Private)
	diags.Append(d...)
	if diags.HasError() {
		return diags
	}
	if mem != (session.PrivateState{}) {
		diags.Append(r.planReplace(ctx, &plan, mem)...)
	}
	if diags.HasError() {
		return diags
	}
	diags.Append(validateCreate(ctx, req.Config)...)
	if !plan.Domain.IsUnknown() { // the apply validates it when it is known
		diags.Append(r.validateHostAvailable(ctx, plan.Domain)...)
	}
	if diags.HasError() {
		return diags
	}
	if !plan.Domain.IsUnknown() && r.Session != nil && r.run().hosts.Add(plan.Domain.Normal()) {
		diags.AddAttributeWarning(path.Root("domain"), summaryDeclaredTwice, declaredTwice(plan.Domain.ValueString()))
	}
	return append(diags, notices(ctx, nil, &plan, facts{}).Diagnostics()...)
}

// planReplace validates a create whose private state names a private label: the second half of a replacement, or a
// private label that Read has just found absent. The list distinguishes them.
func (r *Resource) planReplace(ctx context.Context, plan *model, mem session.PrivateState) diag.Diagnostics {
	if !r.Ready() {
		return diag.Diagnostics{replaceRefused(mem.Host)}
	}
	labels, err := r.Inventory.Labels(ctx)
	if err != nil {
		return diag.Diagnostics{cannotPlanHost(mem.Host).Diagnostic(err)}
	}
	if _, live := labels.ByID(mem.ID); live {
		return diag.Diagnostics{replaceRefused(mem.Host)}
	}
	if !plan.Domain.IsUnknown() && plan.Domain.Means(mem.Host) {
		return diag.Diagnostics{hostRetired(mem.Host)}
	}
	return nil
}

// validateCreate requires attributes that are optional in the schema because an import does not have them. It validates
// the configuration, because an omitted owner is unknown in the plan.
func validateCreate(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	var m model
	diags := config.Get(ctx, &m)
	if diags.HasError() {
		return diags
	}
	host := effect.NameOf(m.Domain, "the private label")
	if m.AppName.IsNull() {
		diags.AddAttributeError(path.Root("app_name"), summaryMissingAppName, appNameMissing(host))
	}
	if m.Owner.IsNull() {
		diags.AddAttributeError(path.Root("owner"), summaryMissingOwner, ownerMissing(host))
	}
	return diags
}

// validateHostAvailable checks the list, and what this process provisioned or deprovisioned itself.
func (r *Resource) validateHostAvailable(ctx context.Context, host fwtype.HostName) diag.Diagnostics {
	if !r.Ready() {
		return nil // the apply validates it when the provider is configured
	}
	name := host.ValueString()
	read := r.Inventory.CachedLabels
	if _, made := r.Inventory.Provisioned(name); made || r.Inventory.IsDeprovisioned(name) {
		read = r.Inventory.Labels // the cached list may be older than the writes of this process
	}
	labels, err := read(ctx)
	if err != nil {
		return diag.Diagnostics{cannotPlanHost(name).Diagnostic(err)}
	}
	if live, ok := labels.ByHost(name); ok {
		return diag.Diagnostics{alreadyLive(live)}
	}
	if r.Inventory.IsDeprovisioned(name) {
		return diag.Diagnostics{hostRetired(name)}
	}
	return nil
}

func cannotPlanHost(host string) diagnostic.APIFailure {
	return diagnostic.APIFailure{
		Summary:   summaryPlan,
		Failed:    "Whether " + host + " is available could not be checked",
		Unchanged: "Provisioning is permanent, so nothing was planned",
	}
}

func (r *Resource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan, state model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	before := plan
	if state.suspendedByPlatform() {
		resp.Diagnostics.Append(plan.keepPlatformSuspension(&state))
	} else {
		resp.Diagnostics.Append(r.planSuspension(ctx, &plan, &state)...)
	}
	if !state.DomainAttached.IsNull() && !state.DomainAttached.ValueBool() {
		plan.domainSetupModel.makeUnknown()
	}
	if added := plan.recordedOnly(&state); len(added) > 0 {
		resp.Diagnostics.AddWarning(summaryRecordedOnly, recordedOnly(state.Domain.ValueString(), added))
	}
	resp.Diagnostics.Append(notices(ctx, &state, &plan, facts{}).Diagnostics()...)
	if plan.sameAs(&before) {
		return
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}

// sameAs compares what planUpdate may change.
func (m *model) sameAs(o *model) bool {
	return m.Suspended.Equal(o.Suspended) && m.SuspendReason.Equal(o.SuspendReason) &&
		m.Status.Equal(o.Status) && m.DomainAttached.Equal(o.DomainAttached)
}

// keepPlatformSuspension plans no change of a suspension that only the platform can lift.
func (m *model) keepPlatformSuspension(state *model) diag.Diagnostic {
	if !m.Suspended.IsNull() && !state.Suspended.IsNull() {
		m.Suspended = state.Suspended
	}
	if !m.SuspendReason.IsNull() && !state.SuspendReason.IsNull() {
		m.SuspendReason = state.SuspendReason
	}
	since := ""
	if at, d := state.SuspendedAt.ValueRFC3339Time(); !d.HasError() {
		since = " on " + at.UTC().Format(time.DateOnly)
	}
	return diag.NewWarningDiagnostic(summaryPlatform,
		fmt.Sprintf("The platform suspended %s%s. Only the platform can lift this suspension, so the provider plans no change.", state.Domain.ValueString(), since))
}

func (r *Resource) planSuspension(ctx context.Context, plan, state *model) diag.Diagnostics {
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

// planReason rejects another reason during a suspension: a second suspend call keeps the first reason (§3.1).
func (r *Resource) planReason(ctx context.Context, plan, state *model) diag.Diagnostics {
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
		diags.AddAttributeError(path.Root("suspend_reason"), summaryReasonFixed, reasonFixed(host, live.ValueString()))
		return diags
	}
	diags.AddWarning(summaryOtherReason, otherReason(host, live.ValueString(), plan.SuspendReason.ValueString()))
	return diags
}

// liveReason is the reason from the API, or from state if the API cannot be read.
func (r *Resource) liveReason(ctx context.Context, state *model) types.String {
	if !r.Ready() {
		return state.SuspendReason
	}
	labels, err := r.Inventory.CachedLabels(ctx)
	if err != nil {
		return state.SuspendReason
	}
	item, ok := labels.ByID(state.ID.ValueString())
	if !ok || item.Status != client.StatusSuspended {
		return state.SuspendReason
	}
	return types.StringPointerValue(item.SuspendReason)
}

// planDestroy is called for a destroy, a removed block, and `removed` with destroy. Terraform plans a removed block
// without a Read, so a private label that no longer exists is detected here.
func (r *Resource) planDestroy(ctx context.Context, req resource.ModifyPlanRequest) diag.Diagnostics {
	var state model
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
		diags.AddWarning(summaryGone, session.GoneText(host, state.ID.ValueString())+" It is only removed from state; no API call is made.")
		return diags
	}
	if state.prevented() {
		diags.Append(destroyPrevented(&state))
		return diags
	}
	return append(diags, notices(ctx, &state, nil, r.labelFacts(ctx, state.ID.ValueString())).Diagnostics()...)
}

// prevented reports whether deletion_policy protects the private label.
func (m *model) prevented() bool {
	policy := m.DeletionPolicy.ValueString()
	return policy != policySuspend && policy != policyAbandon && policy != policyDeprovision
}

// isGone reports whether the absence of the private label is proven. The error prevents a wrong API key from destroying
// what it does not see.
func (r *Resource) isGone(ctx context.Context, state *model, private session.PrivateReader) (bool, diag.Diagnostic) {
	if !r.Ready() {
		return false, nil
	}
	mem, diags := session.ReadPrivateState(ctx, private)
	if diags.HasError() {
		return false, diags[0]
	}
	v := session.VerdictOf(r.Inventory.CheckPresence(ctx, state.ID.ValueString(), mem.Slug))
	return r.IsAbsent(ctx, session.Sought{Name: "The private label " + state.Domain.ValueString(), LastSlug: mem.Slug}, v)
}

// labelFacts reads what the list shows of a private label.
func (r *Resource) labelFacts(ctx context.Context, id string) facts {
	if !r.Ready() {
		return facts{}
	}
	labels, err := r.Inventory.Labels(ctx)
	if err != nil {
		return facts{} // the warning then omits it
	}
	item, ok := labels.ByID(id)
	if !ok {
		return facts{}
	}
	facts := facts{known: true, members: item.Metrics.Members}
	if item.AssignedPackage != nil {
		facts.pkg = item.AssignedPackage.Code
	}
	return facts
}
