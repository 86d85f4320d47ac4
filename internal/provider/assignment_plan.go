package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// ValidateConfig rejects two spellings of one code, which a map lets pass.
func (r *assignmentResource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var addons types.Map
	at := path.Root("addons")
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, at, &addons)...)
	seen := map[string]string{}
	for _, code := range sortedKeys(addons.Elements()) {
		normal := codeKind{}.normal(code)
		if first, twice := seen[normal]; twice {
			resp.Diagnostics.AddAttributeError(at.AtMapKey(code), "Duplicate add-on code",
				fmt.Sprintf("addons contains %q and %q, which are the same code: codes compare without case. Keep one of them.", first, code))
		}
		seen[normal] = code
	}
}

// ModifyPlan holds the rules that need the state, the private state or the
// service.
func (r *assignmentResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	switch {
	case req.Plan.Raw.IsNull() && req.State.Raw.IsNull():
	case req.Plan.Raw.IsNull():
		resp.Diagnostics.Append(r.planDestroy(ctx, req)...)
	case req.State.Raw.IsNull():
		resp.Diagnostics.Append(r.planCreate(ctx, req)...)
	default:
		r.planUpdate(ctx, req, resp)
	}
}

func (r *assignmentResource) planCreate(ctx context.Context, req resource.ModifyPlanRequest) diag.Diagnostics {
	var plan assignmentResourceModel
	diags := req.Plan.Get(ctx, &plan)
	if diags.HasError() || !r.ready() || plan.PrivateLabelID.IsUnknown() {
		return diags // judged again at apply
	}
	id := plan.PrivateLabelID.ValueString()
	host := r.hostOf(ctx, id)
	if r.readAssignments.has(id) {
		diags.AddError("The assignment of "+host+" cannot be replaced",
			"Its package would be removed and assigned again, which bills it anew. Nothing was planned.\n\nLeave -replace away; run `terraform untaint` on a tainted one; and use a moved block for one that only changes its address.")
		return diags
	}
	diags.Append(r.sameCurrency(ctx, &plan)...)
	labels, err := r.inventory.KnownLabels(ctx)
	if err != nil {
		diags.Append(readFailure(host).diagnose(err))
		return diags
	}
	item, ok := labels.ByID(id)
	switch {
	case !ok && !r.made(ctx, id):
		diags.AddAttributeError(path.Root("private_label_id"), id+" is no live label of the reseller",
			"The reseller's list of labels does not show it: it was deprovisioned, belongs to another reseller, or is mistyped. Nothing was planned. Check the id, and that the key is the right one.")
	case ok && item.AssignedPackage != nil && plan.PackageID.IsUnknown():
	case ok && item.AssignedPackage != nil && item.AssignedPackage.PackageID != plan.PackageID.ValueString():
		diags.Append(otherPackage(host, item.AssignedPackage.Code))
	case ok && item.AssignedPackage != nil: // taken over without a call
	default:
		diags.AddWarning("The package of "+host+" counts for the whole period",
			"Assigning it takes the reseller's allowance at once, and counts for the whole billing period at the greater of what was allocated and used, even if it is removed the same day.")
	}
	return diags
}

// made tells whether a label that the known list lacks was made meanwhile: at
// apply, labels of this run are not in the list of its beginning.
func (r *assignmentResource) made(ctx context.Context, id string) bool {
	labels, err := r.inventory.Labels(ctx)
	if err != nil {
		return true // the assignment itself will tell
	}
	_, ok := labels.ByID(id)
	return ok
}

// sameCurrency: an add-on in another currency than its package, where both are
// known.
func (r *assignmentResource) sameCurrency(ctx context.Context, plan *assignmentResourceModel) diag.Diagnostics {
	var diags diag.Diagnostics
	wanted := plan.wanted()
	if plan.PackageID.IsUnknown() || len(wanted) == 0 {
		return diags
	}
	packages, err := r.inventory.KnownItems(ctx, client.KindPackage)
	if err != nil {
		return diags // a rule of kindness: the service has the last word
	}
	addons, err := r.inventory.KnownItems(ctx, client.KindAddon)
	if err != nil {
		return diags
	}
	pkg, ok := packages.ByID(plan.PackageID.ValueString())
	if !ok {
		return diags
	}
	for _, code := range sortedKeys(wanted) {
		addon, ok := addons.ByCode(code)
		if ok && addon.Currency != "" && pkg.Currency != "" && !newText[currencyKind](addon.Currency).means(pkg.Currency) {
			diags.AddAttributeError(path.Root("addons").AtMapKey(wanted[code].code), "Add-on and package have different currencies",
				fmt.Sprintf("The add-on %s is in %s, the package %s in %s. Give an add-on in the package's currency.", addon.Code, addon.Currency, pkg.Code, pkg.Currency))
		}
	}
	return diags
}

func (r *assignmentResource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan, state assignmentResourceModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	id := state.PrivateLabelID.ValueString()
	if r.madeAnew(plan.PrivateLabelID, typeLabel) {
		resp.Diagnostics.Append(permanentTarget.another(path.Root("private_label_id"), state.PrivateLabelID, types.StringValue(r.hostOf(ctx, id)), "a label that this run makes", deferredHint))
		return
	}
	packageChanges := !plan.PackageID.Equal(state.PackageID)
	addonsChange := plan.managesAddons() && !sameAddons(plan.Addons, state.Addons)
	if !packageChanges && !addonsChange {
		return
	}
	host := r.hostOf(ctx, id)
	if packageChanges {
		diags := r.judgePackageChange(host, &plan, &state)
		resp.Diagnostics.Append(diags...)
		if diags.HasError() {
			return
		}
	}
	resp.Diagnostics.Append(r.sameCurrency(ctx, &plan)...)
	if addonsChange {
		resp.Diagnostics.Append(warnAddons(ctx, host, &plan, &state)...)
	}
	plan.makeUnknown(packageChanges)
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}

// judgePackageChange: another package bills both, so that it needs a word of
// consent. One that is not known yet may be the same, but for one that this run
// makes.
func (r *assignmentResource) judgePackageChange(host string, plan, state *assignmentResourceModel) diag.Diagnostics {
	var diags diag.Diagnostics
	at, allowed := path.Root("package_id"), plan.AllowPackageChange.ValueBool()
	to, hint := display(plan.PackageID), ""
	switch {
	case r.madeAnew(plan.PackageID, typePackage):
		to, hint = "one that this run makes", " "+deferredHint
	case plan.PackageID.IsUnknown():
		then := "a change bills both for the period."
		if !allowed {
			then = "a change would be refused then, since allow_package_change is not true."
		}
		diags.AddAttributeWarning(at, "The package of "+host+" is known only at apply",
			fmt.Sprintf("It is %s now; %s", display(state.PackageCode), then))
		return diags
	}
	if !allowed {
		diags.AddAttributeError(at, "package_id of "+host+" changes",
			fmt.Sprintf("The plan would change the package from %s (%s) to %s. Both count for the whole billing period then. Nothing was planned.\n\nSet package_id back, or set allow_package_change = true to have it.%s",
				display(state.PackageCode), display(state.PackageID), to, hint))
		return diags
	}
	diags.AddWarning("A change of the package of "+host+" bills both",
		fmt.Sprintf("The package %s is removed and the new one assigned; both count for the whole billing period. If the new one is refused, the old one is assigned again.", display(state.PackageCode)))
	return diags
}

func warnAddons(ctx context.Context, host string, plan, state *assignmentResourceModel) diag.Diagnostics {
	var diags diag.Diagnostics
	wanted, had := plan.wanted(), state.wanted()
	for _, code := range sortedKeys(wanted) {
		before, there := had[code]
		switch {
		case wanted[code].quantity.IsUnknown():
		case !there:
			diags.AddWarning(fmt.Sprintf("The add-on %s of %s counts for the whole period", code, host),
				"Attaching it takes the reseller's allowance at once, and counts for the whole billing period, even if it is removed the same day.")
		case !before.quantity.Equal(wanted[code].quantity):
			diags.AddWarning(fmt.Sprintf("A change of the quantity of the add-on %s of %s bills twice", code, host),
				fmt.Sprintf("The service cannot change a quantity: %v are detached and %v attached, and both count for the whole billing period.", before.quantity, wanted[code].quantity))
		}
	}
	for _, code := range sortedKeys(had) {
		if _, keeps := wanted[code]; !keeps && !plan.Addons.IsUnknown() {
			diags.AddWarning(fmt.Sprintf("The add-on %s of %s stays billed for this period", code, host),
				"It is detached; what was allocated counts until the end of the billing period.")
		}
	}
	if holdsUnknown(ctx, plan.Addons) {
		diags.AddWarning("Some of the add-ons of "+host+" are known only at apply",
			"Where a quantity is another then, both are billed for the period; so is an add-on that is new then, and one that goes stays billed.")
	}
	return diags
}

func (r *assignmentResource) planDestroy(ctx context.Context, req resource.ModifyPlanRequest) diag.Diagnostics {
	var state assignmentResourceModel
	diags := req.State.Get(ctx, &state)
	if diags.HasError() {
		return diags
	}
	host := r.hostOf(ctx, state.PrivateLabelID.ValueString())
	diags.AddWarning("The package of "+host+" will be removed; this period stays billed",
		fmt.Sprintf("The add-ons and the package %s are taken away. What was allocated counts until the end of the billing period.", display(state.PackageCode)))
	return diags
}
