package provider

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
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

// Create takes over what is there already, so that a create that failed
// half-way is an error without state (an error with state would taint), and
// the next apply goes on where it stopped.
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
	live, err := r.assignedBefore(ctx, id)
	if err != nil {
		resp.Diagnostics.Append(r.failure(ctx, id, "was not given its package").diagnose(err))
		return
	}
	after, diags := r.reach(ctx, &plan, live)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	plan.fromAPI(id, after)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, plan.identity())...)
	resp.Diagnostics.Append(memory{ID: id, Host: r.hostOf(ctx, id), Slug: r.slug(ctx), Provisioned: true}.save(ctx, resp.Private)...)
}

// assignedBefore is the assignment that a label has, nil for none. A label that
// was made in this run, or has no package in the list, has none: no call.
func (r *assignmentResource) assignedBefore(ctx context.Context, id string) (*client.Assignment, error) {
	labels, err := r.inventory.KnownLabels(ctx)
	if err != nil {
		return nil, err
	}
	if item, ok := labels.ByID(id); !ok || item.AssignedPackage == nil {
		return nil, nil //nolint:nilnil // no assignment is an answer
	}
	return r.assigned(ctx, id)
}

// assigned reads a label's assignment.
func (r *assignmentResource) assigned(ctx context.Context, id string) (*client.Assignment, error) {
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
	labels, err := r.inventory.Labels(ctx)
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
		a, err := r.assigned(ctx, id)
		if err != nil || a == nil {
			resp.Diagnostics.Append(readFailure(name).diagnose(orMissing(err)))
			return
		}
		state.fromAPI(id, a)
		if importing {
			state.manageAddons(a)
		}
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
	if !plan.Allocated.IsUnknown() && !plan.AttachedAddons.IsUnknown() {
		resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...) // only what is allowed changed: no call
		return
	}
	if !r.ready() {
		resp.Diagnostics.Append(r.notReady())
		return
	}
	id := state.PrivateLabelID.ValueString()
	live, err := r.assigned(ctx, id)
	if err != nil {
		resp.Diagnostics.Append(r.failure(ctx, id, "was not changed").diagnose(err))
		return
	}
	after, diags := r.reach(ctx, &plan, live)
	resp.Diagnostics.Append(diags...)
	if !diags.HasError() {
		planned := plan
		plan.fromAPI(id, after)
		plan.keepPlanned(&planned)
		resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
		return
	}
	// What succeeded stays in state; the rest is a change of the next plan.
	if now, err := r.assigned(ctx, id); err == nil && now != nil {
		state.fromAPI(id, now)
		resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	}
}

// Delete takes add-ons and package away; the period stays billed.
func (r *assignmentResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state assignmentResourceModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !r.ready() {
		resp.Diagnostics.Append(r.notReady())
		return
	}
	id := state.PrivateLabelID.ValueString()
	live, err := r.assigned(ctx, id)
	if err == nil && live != nil {
		err = r.removeAll(ctx, id, live)
	}
	if err == nil {
		return
	}
	if client.MayBeGone(err) {
		mem, diags := readMemory(ctx, req.Private)
		resp.Diagnostics.Append(diags...)
		v := verdictOf(r.inventory.CheckRefusal(ctx, id, mem.Slug, err))
		gone, problem := r.isAbsent(ctx, sought{"The assignment of " + r.hostOf(ctx, id), mem.Slug}, v)
		if gone {
			return // the package went with the label
		}
		if problem != nil && v.err == nil {
			resp.Diagnostics.Append(problem)
			return
		}
	}
	resp.Diagnostics.Append(r.failure(ctx, id, "still has its package").diagnose(err))
}

func (r *assignmentResource) removeAll(ctx context.Context, id string, live *client.Assignment) error {
	for _, addon := range live.Addons {
		if err := r.detach(ctx, id, addon); err != nil {
			return err
		}
	}
	done := r.inventory.Writing(id)
	defer done()
	_, err := r.client.RemovePackage(ctx, id)
	return err
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
		resp.Diagnostics.AddError(given+" has no package", "There is no assignment to import. Declare the resource without an import block: an apply assigns the package.")
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
	return "the label " + id
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

func (r *assignmentResource) failure(ctx context.Context, id, what string) failure {
	return failure{
		summary: r.hostOf(ctx, id) + " " + what,
		undone:  "What was done before is kept; the refused step changed nothing.",
		remedies: map[string]remedy{
			client.CodeAlreadyAssigned:     {path.Root("package_id"), "The label has another package. Declare that one, or set allow_package_change once the assignment is in state."},
			client.CodePackageInactive:     {path.Root("package_id"), "The package is deactivated. Activate it, or give another one."},
			client.CodeNoSubscription:      {advice: "The reseller has no subscription that packages could be taken from. Ask the service's sales."},
			client.CodeAddonNotFound:       {path.Root("addons"), "The reseller has no such add-on. Check the addon_id."},
			client.CodeNotAssigned:         {path.Root("package_id"), "The label has no package, which add-ons need. Plan again to see what is there."},
			client.CodeConfirmationInvalid: {advice: "The service did not take the confirmation; the numbers are judged afresh by the next apply."},
			client.CodeInvalidTarget:       {path.Root("private_label_id"), "This is no live label of the reseller."},
		},
	}
}

// excess tells by how much the allowance would be exceeded.
func excess(host string, e *client.ExcessError) diag.Diagnostic {
	var lines []string
	needed := make([]string, 0, len(e.Warnings))
	for _, w := range e.Warnings {
		lines = append(lines, "  "+w.String())
		needed = append(needed, fmt.Sprintf("%s = %s", w.ItemCode, client.Amount(w.Excess)))
	}
	return diag.NewAttributeErrorDiagnostic(path.Root("allow_excess"), host+" would exceed the allowance",
		fmt.Sprintf("To %s would take more of the reseller's allowance than remains:\n\n%s\n\nNothing was written. To allow just that, set allow_excess = { %s }; or give less, or have the allowance raised.",
			e.Op, strings.Join(lines, "\n"), strings.Join(needed, ", ")))
}
