package assignment

import (
	"cmp"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// ValidateConfig rejects two spellings of one code, which a map accepts.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var addons types.Map
	at := path.Root("addons")
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, at, &addons)...)
	seen := map[string]string{}
	for _, code := range fwtype.SortedKeys(addons.Elements()) {
		normal := fwtype.CodeKind{}.Normal(code)
		if first, twice := seen[normal]; twice {
			resp.Diagnostics.AddAttributeError(at.AtMapKey(code), summaryAddonTwice,
				fmt.Sprintf("addons contains %q and %q, which are the same code, since codes are compared without case. Keep one of them.", first, code))
		}
		seen[normal] = code
	}
}

// ModifyPlan holds the rules that need the state, the private state or the API, and announces what the apply does.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
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

func (r *Resource) planCreate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	mem, diags := session.ReadPrivateState(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(announcement{Creates: true}.save(ctx, resp.Private)...)
	if resp.Diagnostics.HasError() {
		return
	}
	host := r.plannedHost(ctx, plan.PrivateLabelID)
	resp.Diagnostics.Append(r.planClaim(plan.PrivateLabelID, host)...)
	have, diags := r.beforeCreate(ctx, &plan, host, mem)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	wanted := plan
	wanted.AllowPackageChange = types.BoolValue(false) // a create adopts the package, or returns an error
	want, _, diags := r.announce(ctx, host, have, &wanted, false)
	resp.Diagnostics.Append(diags...)
	plan.promise(have, want)
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}

// planClaim records the create of an assignment, and warns of a second one for the same private label.
func (r *Resource) planClaim(labelID types.String, host string) diag.Diagnostics {
	id := labelID.ValueString()
	if r.Session == nil {
		return nil
	}
	if labelID.IsUnknown() {
		r.run().own.PlannedLater()
		return nil
	}
	if r.run().own.PlannedAgain(id) {
		r.run().own.Remove(id) // of another state
	}
	if !r.run().planned.Add(id) {
		return nil
	}
	return diag.Diagnostics{declaredTwice(host)}
}

// plannedHost names the private label of a plan.
func (r *Resource) plannedHost(ctx context.Context, id types.String) string {
	if id.IsUnknown() {
		return unknownHost
	}
	return r.HostOf(ctx, id.ValueString())
}

// beforeCreate returns what the private label of a create has. A private label that is known after apply has nothing.
func (r *Resource) beforeCreate(ctx context.Context, plan *model, host string, mem session.PrivateState) (holding, diag.Diagnostics) {
	var diags diag.Diagnostics
	if mem.ID != "" { // the second half of -replace still has the private state; the CLI would show none of its warnings
		diags.Append(cannotReplaceAssignment(cmp.Or(mem.Host, host)))
		return holding{}, diags
	}
	if !r.Ready() || plan.PrivateLabelID.IsUnknown() {
		return holding{}, diags
	}
	id := plan.PrivateLabelID.ValueString()
	if r.run().read.Contains(id) {
		diags.AddWarning(summaryInState, lead(host)+alreadyInState)
	}
	item, found, err := r.listed(ctx, id)
	switch {
	case err != nil:
		diags.Append(diagnostic.ReadFailure(summaryRead, "The assignment of "+host).Diagnostic(err))
		return holding{}, diags
	case !found:
		diags.Append(labelMissing(id))
		return holding{}, diags
	case item.AssignedPackage == nil:
		return holding{}, diags
	case plan.PackageID.IsUnknown():
		diags.Append(packageLater(host, item.AssignedPackage.Code, "creating this resource does not change it"))
	case item.AssignedPackage.PackageID != plan.PackageID.ValueString():
		diags.Append(otherPackage(host, item.AssignedPackage.Code, unchangedText))
		return holding{}, diags
	}
	a, err := r.assigned(ctx, id)
	if err != nil {
		diags.Append(diagnostic.ReadFailure(summaryRead, "The assignment of "+host).Diagnostic(err))
	}
	return holdingOf(a), diags
}

// listed finds a private label in the list of the run, or in a newer list if it may have been provisioned since.
func (r *Resource) listed(ctx context.Context, id string) (*client.PrivateLabelSummary, bool, error) {
	labels, err := r.Inventory.CachedLabels(ctx)
	if err != nil {
		return nil, false, err
	}
	if item, ok := labels.ByID(id); ok {
		return item, true, nil
	}
	labels, err = r.Inventory.Labels(ctx)
	if err != nil {
		return nil, false, err
	}
	item, ok := labels.ByID(id)
	return item, ok, nil
}

// announce computes the steps from what a private label has to what a plan wants, checks them against the catalog, and
// returns their warnings.
func (r *Resource) announce(ctx context.Context, host string, have holding, plan *model, inState bool) (target, []step, diag.Diagnostics) {
	none := func(string) string { return "" }
	want := plan.target("", none)
	if len(steps(have, want)) == 0 {
		return want, nil, nil
	}
	var catalog assignmentCatalog
	if r.Ready() {
		// The apply checks what cannot be read here.
		catalog, _ = r.catalog(ctx, want.given(have), knownItems)
	}
	want = plan.target(catalog.packageCode(plan.PackageID.ValueString()), catalog.addonID)
	todo := steps(have, want)
	diags := catalog.problems(host, have, want.given(have), plan.Addons, todo)
	if diags.HasError() {
		return want, todo, diags
	}
	announced := want.announced(have, todo, inState)
	return want, todo, append(diags, notices(host, have, want, announced, plan.allowed()).Diagnostics()...)
}

func (r *Resource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.Equal(req.State.Raw) {
		return
	}
	var plan, state model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	id := state.PrivateLabelID.ValueString()
	if plan.PrivateLabelID.IsUnknown() {
		resp.Diagnostics.Append(labelLater(r.HostOf(ctx, id)))
	}
	packageChanges := !plan.PackageID.Equal(state.PackageID)
	addonsChange := plan.managesAddons() && !sameAddons(plan.Addons, state.Addons)
	unmanages := state.managesAddons() && !plan.managesAddons()
	if !packageChanges && !addonsChange && !unmanages {
		return
	}
	host := r.HostOf(ctx, id)
	if packageChanges {
		resp.Diagnostics.Append(r.judgePackageChange(host, &plan, &state)...)
	}
	have, diags := r.beforeUpdate(ctx, &state, host, packageChanges || addonsChange)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if unmanages {
		resp.Diagnostics.Append(unmanagedNotices(host, have).Diagnostics()...)
	}
	want, todo, diags := r.announce(ctx, host, have, &plan, state.showsAddons())
	resp.Diagnostics.Append(diags...)
	if len(todo) > 0 {
		plan.makeUnknown(want.changesPackage(have))
	}
	switch {
	case state.showsAddons():
	case len(todo) > 0:
		plan.promise(have, want)
	case addonsChange: // configures what is attached
		plan.AttachedAddons = attachedAddons(have)
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}

// beforeUpdate returns what the private label of an update has: as the state shows it, which is also known at apply, or
// else as the API shows it now.
func (r *Resource) beforeUpdate(ctx context.Context, state *model, host string, matters bool) (holding, diag.Diagnostics) {
	var diags diag.Diagnostics
	if state.showsAddons() || !matters || !r.Ready() {
		return state.holding(), diags
	}
	a, err := r.inDetail(ctx, state.PrivateLabelID.ValueString())
	switch {
	case err != nil:
		diags.Append(diagnostic.ReadFailure(summaryRead, "The assignment of "+host).Diagnostic(err))
	case a == nil, a.PackageID != state.PackageID.ValueString():
		diags.AddError(summaryMoved, lead(host)+packageMoved(fwtype.Display(state.PackageCode)))
	}
	return holdingOf(a), diags
}

// judgePackageChange rejects another package without consent, because both packages are billed. A package that is known
// after apply may be the same one.
func (r *Resource) judgePackageChange(host string, plan, state *model) diag.Diagnostics {
	switch {
	case plan.AllowPackageChange.ValueBool(), plan.AllowPackageChange.IsUnknown(): // announced with the steps
		return nil
	case plan.PackageID.IsUnknown():
		return diag.Diagnostics{packageLater(host, fwtype.Display(state.PackageCode), "allow_package_change is not true")}
	default:
		return diag.Diagnostics{packageChangeRejected(host, state.PackageCode, plan.PackageID)}
	}
}

// planDestroy announces the removal, and passes the announcement to Delete.
func (r *Resource) planDestroy(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	id := state.PrivateLabelID.ValueString()
	host, have := r.plannedHost(ctx, state.PrivateLabelID), state.holding()
	if !state.showsAddons() && r.Ready() {
		// If this cannot be read, Delete returns the error.
		if a, err := r.inDetail(ctx, id); err == nil && a != nil && a.PackageID == have.packageID {
			have = holdingOf(a)
		}
	}
	if r.Session != nil {
		r.run().own.Remove(id) // it is in state by now
		r.run().read.Add(id)   // before the check of the other side, as in a create, so that one of the two finds the other
		if r.run().planned.Has(id) {
			resp.Diagnostics.Append(renamed(host))
		}
	}
	want := target{nothing: true}
	resp.Diagnostics.Append(notices(host, have, want, steps(have, want), allowedExcess{}).Diagnostics()...)
	resp.Diagnostics.Append(announcementOf(have).save(ctx, resp.Private)...)
}
