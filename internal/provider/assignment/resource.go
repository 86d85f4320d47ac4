// Package assignment is reseller_assignment: the package and add-ons of a private label. The plan announces the steps
// that the apply executes (steps.go), and the apply executes no others (promise.go).
package assignment

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type Resource struct {
	session.ResourceBase
}

var (
	_ resource.ResourceWithConfigure      = (*Resource)(nil)
	_ resource.ResourceWithIdentity       = (*Resource)(nil)
	_ resource.ResourceWithImportState    = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan     = (*Resource)(nil)
	_ resource.ResourceWithValidateConfig = (*Resource)(nil)
)

func NewResource() resource.Resource { return &Resource{} }

func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_assignment"
}

// Create adopts what exists. A partial create returns an error without state, because an error with state would taint
// the resource. The next apply continues from what exists.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	if !r.Begin(ctx, req.Plan, &plan, &resp.Diagnostics) {
		return
	}
	id := plan.PrivateLabelID.ValueString()
	claim := session.Claim(session.TypeAssignment, id)
	if !r.Creating.Add(claim) {
		resp.Diagnostics.Append(r.createdTwice(ctx, id))
		return
	}
	defer r.Creating.Remove(claim)
	if r.run().own.Contains(id) {
		resp.Diagnostics.Append(r.createdTwice(ctx, id))
		return
	}
	apply := r.newApply(&plan)
	apply.creates = true
	basis := holding{}
	if !plan.PackageCode.IsUnknown() {
		basis = plan.promised(plan.PackageID.ValueString())
	}
	apply.announced = steps(basis, apply.want)
	have, err := r.assignedBefore(ctx, id, apply.want)
	if err != nil {
		resp.Diagnostics.Append(applyFailure(summaryCreate, r.HostOf(ctx, id), "the package was not assigned.", err, unchangedText, apply.remedies(step{})))
		return
	}
	after, diags := apply.finish(ctx, have)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	r.run().own.Add(id)
	planned := plan
	plan.fromAPI(id, after)
	plan.keepPromise(&planned)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, plan.Identity())...)
	resp.Diagnostics.Append(session.PrivateState{ID: id, Host: r.HostOf(ctx, id), Slug: r.Slug(ctx), Provisioned: true}.Save(ctx, resp.Private)...)
}

func (r *Resource) createdTwice(ctx context.Context, id string) diag.Diagnostic {
	return session.DeclaredTwice(path.Root("private_label_id"), "the assignment of "+r.HostOf(ctx, id))
}

// newApply returns the apply of a plan. It reports only what the plan did not announce.
func (r *Resource) newApply(plan *model) *assignmentApply {
	allowed := plan.allowed()
	return &assignmentApply{
		r: r, labelID: plan.PrivateLabelID.ValueString(), addons: plan.Addons,
		want:    plan.target(plan.PackageCode.ValueString(), func(string) string { return "" }),
		consent: allowed.consent(), excessAllowed: allowed.byItem,
	}
}

// assignedBefore returns what the private label of a create has. A private label that was provisioned in this run, or
// has no package in the list, has nothing. That needs no API call, since the API rejects a second package. What would
// be changed is read now.
func (r *Resource) assignedBefore(ctx context.Context, id string, want target) (holding, error) {
	labels, err := r.Inventory.CachedLabels(ctx)
	if err != nil {
		return holding{}, err
	}
	if item, ok := labels.ByID(id); !ok || item.AssignedPackage == nil {
		return holding{}, nil
	}
	a, err := r.assigned(ctx, id)
	if err != nil || len(steps(holdingOf(a), want)) == 0 {
		return holdingOf(a), err
	}
	return r.fresh(ctx, id)
}

// assigned reads the assignment of a private label, nil for none.
func (r *Resource) assigned(ctx context.Context, id string) (*client.Assignment, error) {
	return r.Inventory.Assignment(ctx, id, inventory.Known{})
}

// inDetail reads the assignment of a private label from its detail, for an error or a removal.
func (r *Resource) inDetail(ctx context.Context, id string) (*client.Assignment, error) {
	label, err := r.Inventory.Label(ctx, id)
	if err != nil {
		return nil, err
	}
	return label.Assignment, nil
}

func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, state.Identity())...)
	mem, diags := session.ReadPrivateState(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.Ready() {
		return
	}
	id := state.PrivateLabelID.ValueString()
	r.noteRead(id)
	name := "The assignment of " + r.HostOf(ctx, id)
	labels, err := r.Labels(ctx)
	if err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryRead, name).Diagnostic(err))
		return
	}
	slug := r.Slug(ctx)
	item, ok := labels.ByID(id)
	switch {
	case !ok:
		r.vanished(ctx, id, session.Sought{Name: name, LastSlug: mem.Slug}, labelGone, resp)
		return
	case item.AssignedPackage == nil:
		r.vanished(ctx, id, session.Sought{Name: name, LastSlug: mem.Slug}, packageGone, resp)
		return
	}
	importing := state.PackageID.IsNull()
	if state.needsDetail(item.AssignedPackage) {
		a, err := r.Inventory.Assignment(ctx, id, state.known())
		if err != nil || a == nil {
			resp.Diagnostics.Append(diagnostic.ReadFailure(summaryRead, name).Diagnostic(orMissing(err)))
			return
		}
		state.fromAPI(id, a)
		if importing {
			state.manageAddons(a)
		}
	} else {
		state.fromList(item.AssignedPackage)
	}
	resp.Diagnostics.Append(memory(mem, id, item.PrimaryHost, slug).SaveChange(ctx, mem, resp.Private)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
}

// memory is what a read of an assignment remembers.
func memory(before session.PrivateState, id, host, slug string) session.PrivateState {
	return session.PrivateState{ID: id, Host: host, Slug: slug, Provisioned: before.Provisioned}
}

// noteRead records an assignment in state. An apply reads nothing, so a read ends the apply of this process.
func (r *Resource) noteRead(id string) {
	r.run().read.Add(id)
	r.run().own.Clear()
}

var errNoAssignment = errors.New("the list of private labels shows a package, the detail shows none. Run again")

func orMissing(err error) error {
	if err != nil {
		return err
	}
	return errNoAssignment
}

func (r *Resource) vanished(ctx context.Context, id string, o session.Sought, why string, resp *resource.ReadResponse) {
	v := session.VerdictOf(r.Inventory.CheckAssignment(ctx, id, o.LastSlug))
	if r.RemoveAbsent(ctx, resp, o, v, diag.NewWarningDiagnostic(summaryNotFound, o.Name+" no longer exists. "+why)) {
		r.run().read.Remove(id)
		// Terraform keeps the private state of a resource that a read removed. A create with it would look like a
		// replacement.
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, session.PrivateStateKey, nil)...)
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
	if !plan.Allocated.IsUnknown() {
		resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...) // the plan has no steps: no call
		return
	}
	if !r.Ready() {
		resp.Diagnostics.Append(r.NotReady())
		return
	}
	id := state.PrivateLabelID.ValueString()
	apply := r.newApply(&plan)
	apply.assignmentID = state.AssignmentID.ValueString()
	basis := state.holding()
	if !state.showsAddons() {
		basis = plan.promised(state.PackageID.ValueString())
	}
	apply.announced = steps(basis, apply.want)
	have, err := r.fresh(ctx, id)
	if err != nil {
		resp.Diagnostics.Append(applyFailure(summaryUpdate, r.HostOf(ctx, id), "the assignment could not be read.", err, unchangedText, apply.remedies(step{})))
		return
	}
	after, diags := apply.finish(ctx, have)
	resp.Diagnostics.Append(diags...)
	if !diags.HasError() {
		planned := plan
		plan.fromAPI(id, after)
		plan.keepPromise(&planned)
		resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
		return
	}
	// Completed steps stay in state; the next plan shows the others as a change.
	own, cancel := transport.DetachedContext(ctx)
	defer cancel()
	if now, err := r.inDetail(own, id); err == nil && now != nil {
		state.fromAPI(id, now)
		resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	}
}

// Delete removes add-ons and package, as a destroy plan announced; the billing period is still billed. In a
// replacement, Delete gets what the plan of the create left, and changes nothing.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	announced, ok := readAnnouncement(ctx, req.Private)
	mem, diags := session.ReadPrivateState(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, announcementKey, nil)...) // for one apply only
	id := state.PrivateLabelID.ValueString()
	if announced.Creates {
		resp.Diagnostics.Append(cannotReplaceAssignment(r.plannedHost(ctx, state.PrivateLabelID)))
		return
	}
	if !r.Ready() {
		resp.Diagnostics.Append(r.NotReady())
		return
	}
	claim := session.Claim(session.TypeAssignment, id)
	if r.run().own.Contains(id) || !r.Creating.Add(claim) {
		resp.Diagnostics.Append(managedTwice(r.HostOf(ctx, id)))
		return
	}
	defer r.Creating.Remove(claim)
	basis := state.holding()
	if ok {
		basis = announced.holding()
	}
	apply := &assignmentApply{r: r, labelID: id, want: target{nothing: true}, announced: steps(basis, target{nothing: true})}
	resp.Diagnostics.Append(apply.remove(ctx, mem.Slug)...)
	if !resp.Diagnostics.HasError() {
		r.run().read.Remove(id)
	}
}

// remove removes add-ons and package from a private label. A private label that no longer exists has no assignment.
func (a *assignmentApply) remove(ctx context.Context, lastSlug string) diag.Diagnostics {
	have, err := a.r.fresh(ctx, a.labelID)
	if err != nil {
		err = &stepError{step{kind: stepRemove}, err}
	} else {
		err = a.run(ctx, have)
	}
	if err == nil {
		return nil
	}
	if client.MayBeGone(err) {
		v := session.VerdictOf(a.r.Inventory.CheckRefusal(ctx, a.labelID, lastSlug, err))
		gone, problem := a.r.IsAbsent(ctx, session.Sought{Name: "The assignment of " + a.r.HostOf(ctx, a.labelID), LastSlug: lastSlug}, v)
		switch {
		case gone:
			return nil // deleted with the private label
		case problem != nil && v.Err == nil:
			return diag.Diagnostics{problem}
		}
	}
	return a.explain(ctx, err)
}

// ImportState takes a private label ID, a host name, or the identity.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	given, id, diags := r.ImportedLabel(ctx, req)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	a, err := r.assigned(ctx, id)
	switch {
	case err != nil:
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryRead, "The assignment of "+given).Diagnostic(err))
		return
	case a == nil:
		resp.Diagnostics.AddError(summaryNoImport, notAssigned(given))
		return
	}
	resp.Diagnostics.Append(resp.Identity.Set(ctx, session.LabelIdentity{PrivateLabelID: fwtype.StringValue(id)})...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("private_label_id"), id)...)
}
