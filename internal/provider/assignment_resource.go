package provider

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
)

type assignmentResource struct {
	forResource
}

var (
	_ resource.ResourceWithConfigure      = (*assignmentResource)(nil)
	_ resource.ResourceWithIdentity       = (*assignmentResource)(nil)
	_ resource.ResourceWithImportState    = (*assignmentResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*assignmentResource)(nil)
	_ resource.ResourceWithValidateConfig = (*assignmentResource)(nil)
)

func newAssignmentResource() resource.Resource { return &assignmentResource{} }

func (r *assignmentResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_assignment"
}

// Create adopts what is there already. A create that fails half-way is an error without state, since an error with state
// would taint the resource; the next apply goes on from what is there.
func (r *assignmentResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan assignmentResourceModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !r.ready() {
		resp.Diagnostics.Append(r.notReady())
		return
	}
	id := plan.PrivateLabelID.ValueString()
	apply := r.newApply(&plan)
	apply.creates = true
	basis := holding{}
	if !plan.PackageCode.IsUnknown() {
		basis = plan.promised(plan.PackageID.ValueString())
	}
	apply.announced = steps(basis, apply.want)
	have, err := r.assignedBefore(ctx, id, apply.want)
	if err != nil {
		resp.Diagnostics.Append(assignmentError(summaryCreate, lead(r.hostOf(ctx, id))+"the package was not assigned.", err, unchangedText, apply.remedies(step{})))
		return
	}
	after, diags := apply.finish(ctx, have)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	planned := plan
	plan.fromAPI(id, after)
	plan.keepPromise(&planned)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, plan.identity())...)
	resp.Diagnostics.Append(memory{ID: id, Host: r.hostOf(ctx, id), Slug: r.slug(ctx), Provisioned: true}.save(ctx, resp.Private)...)
}

// newApply is an apply of a plan, of which only what was announced is left to be said.
func (r *assignmentResource) newApply(plan *assignmentResourceModel) *assignmentApply {
	allowed := plan.allowed()
	return &assignmentApply{
		r: r, labelID: plan.PrivateLabelID.ValueString(), addons: plan.Addons,
		want:    plan.target(plan.PackageCode.ValueString(), func(string) string { return "" }),
		consent: allowed.consent(), excessAllowed: allowed.byItem,
	}
}

// assignedBefore is what the private label of a create has. One that was provisioned in this run, or has no package in the
// list, has nothing: no call, since the API rejects a second package. What would be changed is read now.
func (r *assignmentResource) assignedBefore(ctx context.Context, id string, want target) (holding, error) {
	labels, err := r.inventory.KnownLabels(ctx)
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

// assigned reads a label's assignment, nil for none.
func (r *assignmentResource) assigned(ctx context.Context, id string) (*client.Assignment, error) {
	return r.inventory.Assignment(ctx, id, inventory.Known{})
}

// inDetail reads a label's assignment where an error or a removal rests on it.
func (r *assignmentResource) inDetail(ctx context.Context, id string) (*client.Assignment, error) {
	label, err := r.inventory.Label(ctx, id)
	if err != nil {
		return nil, err
	}
	return label.Assignment, nil
}

func (r *assignmentResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state assignmentResourceModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, state.identity())...)
	mem, diags := readMemory(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.ready() {
		return
	}
	id := state.PrivateLabelID.ValueString()
	r.readAssignments.note(id)
	name := "The assignment of " + r.hostOf(ctx, id)
	labels, err := failedOnce(ctx, readLabels, r.inventory.Labels)
	if err != nil {
		resp.Diagnostics.Append(readFailure(name).diagnose(err))
		return
	}
	slug := r.slug(ctx)
	item, ok := labels.ByID(id)
	switch {
	case !ok:
		r.vanished(ctx, id, sought{name, mem.Slug}, "The private label is not in the reseller's list: it was deprovisioned, or the platform moved it.", resp)
		return
	case item.AssignedPackage == nil:
		r.vanished(ctx, id, sought{name, mem.Slug}, "The package was removed outside of Terraform. An apply assigns it again, which is billed for the entire billing period.", resp)
		return
	}
	importing := state.PackageID.IsNull()
	if state.needsDetail(item.AssignedPackage) {
		a, err := r.inventory.Assignment(ctx, id, state.known())
		if err != nil || a == nil {
			resp.Diagnostics.Append(readFailure(name).diagnose(orMissing(err)))
			return
		}
		state.fromAPI(id, a)
		if importing {
			state.manageAddons(a)
		}
	} else {
		state.fromList(item.AssignedPackage)
	}
	if now := (memory{ID: id, Host: item.PrimaryHost, Slug: slug, Provisioned: mem.Provisioned}); now != mem && slug != "" {
		resp.Diagnostics.Append(now.save(ctx, resp.Private)...)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
}

var errNoAssignment = errors.New("the list shows a package, the detail none; the service is between two states, run again")

func orMissing(err error) error {
	if err != nil {
		return err
	}
	return errNoAssignment
}

func (r *assignmentResource) vanished(ctx context.Context, id string, o sought, why string, resp *resource.ReadResponse) {
	v := verdictOf(r.inventory.CheckAssignment(ctx, id, o.lastSlug))
	if r.removeAbsent(ctx, resp, o, v, diag.NewWarningDiagnostic("Assignment not found, removed from state", o.name+" does not exist. "+why)) {
		r.readAssignments.forget(id)
		// Terraform keeps the private state of what a read removed, and a create with it would be taken for a replacement.
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, memoryKey, nil)...)
	}
}

func (r *assignmentResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state assignmentResourceModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, state.identity())...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !plan.Allocated.IsUnknown() {
		resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...) // the plan has no steps: no call
		return
	}
	if !r.ready() {
		resp.Diagnostics.Append(r.notReady())
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
		resp.Diagnostics.Append(assignmentError(summaryUpdate, lead(r.hostOf(ctx, id))+"the assignment could not be read.", err, unchangedText, apply.remedies(step{})))
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
	// What succeeded stays in state; the rest is a change of the next plan.
	own, cancel := client.Settling(ctx)
	defer cancel()
	if now, err := r.inDetail(own, id); err == nil && now != nil {
		state.fromAPI(id, now)
		resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	}
}

// Delete removes add-ons and package, as a destroy plan announced; the period stays billed. In a replacement it is called
// with what the plan of the create left, and changes nothing.
func (r *assignmentResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state assignmentResourceModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	announced, ok := readAnnouncement(ctx, req.Private)
	mem, diags := readMemory(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, announcementKey, nil)...) // it is for one apply
	id := state.PrivateLabelID.ValueString()
	if announced.Creates {
		resp.Diagnostics.Append(cannotReplaceAssignment(r.plannedHost(ctx, state.PrivateLabelID)))
		return
	}
	if !r.ready() {
		resp.Diagnostics.Append(r.notReady())
		return
	}
	basis := state.holding()
	if ok {
		basis = announced.holding()
	}
	apply := &assignmentApply{r: r, labelID: id, want: target{nothing: true}, announced: steps(basis, target{nothing: true})}
	resp.Diagnostics.Append(apply.remove(ctx, mem.Slug)...)
	if !resp.Diagnostics.HasError() {
		r.readAssignments.forget(id)
	}
}

// remove takes everything from a private label. One that is gone has no assignment.
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
		v := verdictOf(a.r.inventory.CheckRefusal(ctx, a.labelID, lastSlug, err))
		gone, problem := a.r.isAbsent(ctx, sought{"The assignment of " + a.r.hostOf(ctx, a.labelID), lastSlug}, v)
		switch {
		case gone:
			return nil // the package went with the private label
		case problem != nil && v.err == nil:
			return diag.Diagnostics{problem}
		}
	}
	return a.explain(ctx, err)
}

// ImportState takes a tenant id, a host name, or the identity.
func (r *assignmentResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	given, id, diags := r.importedLabel(ctx, req)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	a, err := r.assigned(ctx, id)
	switch {
	case err != nil:
		resp.Diagnostics.Append(readFailure("The assignment of " + given).diagnose(err))
		return
	case a == nil:
		resp.Diagnostics.AddError("No assignment to import", given+" has no package. Nothing was imported. Remove the import block: an apply of the resource assigns the package.")
		return
	}
	resp.Diagnostics.Append(resp.Identity.Set(ctx, ofLabelIdentity{PrivateLabelID: stringValue(id)})...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("private_label_id"), id)...)
}

// knownHost names a label in messages by its host, where that is known without
// a call.
func (s *session) knownHost(id string) string {
	if s.ready() {
		if host, ok := s.inventory.Host(id); ok {
			return host
		}
	}
	return "private label " + id
}

// hostOf names a label in messages: by its host, for which the labels may have
// to be listed.
func (s *session) hostOf(ctx context.Context, id string) string {
	if s.ready() {
		if _, ok := s.inventory.Host(id); !ok {
			_, _ = s.inventory.KnownLabels(ctx) // only a name hangs on it
		}
	}
	return s.knownHost(id)
}
