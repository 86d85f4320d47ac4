package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// ModifyPlan holds the rules that need the state, the private state or the
// service.
func (r *memberResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	switch {
	case req.Plan.Raw.IsNull() && req.State.Raw.IsNull():
	case req.Plan.Raw.IsNull():
		resp.Diagnostics.Append(r.planDestroy(ctx, req)...)
	case req.State.Raw.IsNull():
		resp.Diagnostics.Append(r.planCreate(ctx, req)...)
	default:
		resp.Diagnostics.Append(r.planUpdate(ctx, req)...)
	}
}

func (r *memberResource) planCreate(ctx context.Context, req resource.ModifyPlanRequest) diag.Diagnostics {
	var plan memberModel
	diags := req.Plan.Get(ctx, &plan)
	mem, d := readMemory(ctx, req.Private)
	diags.Append(d...)
	if diags.HasError() || !r.ready() {
		return diags // judged again at apply
	}
	email, label := nameOrLater(plan.Email), plan.PrivateLabelID.ValueString()
	if plan.PrivateLabelID.IsUnknown() { // the label is made in this run
		return append(diags, mailed(email, "the new label"))
	}
	host := r.hostOf(ctx, label)
	if plan.Email.IsUnknown() {
		return append(diags, mailed(email, host)) // judged again at apply
	}
	if !r.plannedPeople.note(personKey(label, emailKind{}.normal(email))) {
		diags.AddAttributeError(path.Root("email"), email+" is declared twice on "+host,
			"Two resources of this configuration name this person (addresses are compared without case). Destroying one of them would remove the person for both. Keep one of them.")
		return diags
	}
	live, err := r.memberBefore(ctx, label, email)
	switch {
	case err != nil:
		return append(diags, r.notOfLabel(ctx, label, "The members of "+host, err))
	case live == nil:
		return append(diags, mailed(email, host))
	case mem.ID == live.ID && live.Administers():
		return append(diags, cannotReplace(email, host, live.Role))
	case mem.ID == live.ID: // the second half of -replace
		return append(diags, mailed(email, host))
	default:
		return append(diags, r.takeOver(label, host, email, live))
	}
}

// takeOver is noted before the others are looked at, and they note themselves
// before they look here: whichever is planned first, one of them sees the other.
func (r *memberResource) takeOver(label, host, email string, live *client.Member) diag.Diagnostic {
	key := personKey(label, live.ID)
	r.toldOf.note(key)
	if r.readPeople.has(key) || r.leavingPeople.has(key) {
		return inStateAlready(email, host)
	}
	return takenOver(email, host, live.Role)
}

func inStateAlready(email, host string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("email"), fmt.Sprintf("%s of %s is in state already, under another address", email, host),
		"Two resources would manage one person, and destroying one of them would remove the person for both. Nothing was planned.\n\nIf the block was renamed, add a moved block or run `terraform state mv`; if the same person is declared twice, keep one; if the object is tainted, run `terraform untaint` on it.")
}

// memberBefore is the person as they are on the label, nil for nobody.
func (r *memberResource) memberBefore(ctx context.Context, label, email string) (*client.Member, error) {
	members, err := r.inventory.KnownMembers(ctx, label)
	if err != nil {
		return nil, err
	}
	live, ok := members.ByEmail(email)
	if !ok {
		return nil, nil //nolint:nilnil // nobody is an answer
	}
	return live, nil
}

// mailed has one summary a label, so that the CLI folds many people into one.
func mailed(email, host string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Adding people to "+host+" e-mails them",
		fmt.Sprintf("%s gets a set-password link in the label's branding, and takes a seat.", email))
}

func (r *memberResource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest) diag.Diagnostics {
	var plan, state memberModel
	diags := req.Plan.Get(ctx, &plan)
	diags.Append(req.State.Get(ctx, &state)...)
	if diags.HasError() {
		return diags
	}
	was := func() string { return r.hostOf(ctx, state.PrivateLabelID.ValueString()) } // may be a call
	replaced := !plan.Email.sameAs(state.Email) || !plan.PrivateLabelID.Equal(state.PrivateLabelID)
	switch {
	case r.session != nil && r.toldOf.has(personKey(state.PrivateLabelID.ValueString(), state.ID.ValueString())):
		// A create of this plan takes the person over; it was planned before this
		// one was read.
		diags.Append(inStateAlready(state.Email.ValueString(), was()))
	case replaced && state.administers():
		diags.Append(cannotReplace(state.Email.ValueString(), was(), state.Role.ValueString()))
	case plan.Email.IsUnknown():
		diags.Append(addedAgain(path.Root("email"), &state, was()))
	case plan.PrivateLabelID.IsUnknown() && !r.madeAnew(plan.PrivateLabelID, typeLabel):
		// No label is made in this run, so it is most likely the same one.
		diags.Append(addedAgain(path.Root("private_label_id"), &state, was()))
	case replaced: // the CLI drops the warnings of a replacement's second half
		host := "the new label"
		if !plan.PrivateLabelID.IsUnknown() {
			host = r.hostOf(ctx, plan.PrivateLabelID.ValueString())
		}
		diags.Append(mailed(plan.Email.ValueString(), host))
	case !plan.FirstName.Equal(state.FirstName) || !plan.LastName.Equal(state.LastName):
		diags.AddWarning("The name of "+state.Email.ValueString()+" stays as it is on the service",
			"No endpoint changes a name: it is used when a person is added. Only the state takes the new one over; the person can change theirs in the portal.")
	}
	return diags
}

// addedAgain tells of a replacement that may be for nothing: Terraform has to
// plan it where a value is not known.
func addedAgain(at path.Path, state *memberModel, host string) diag.Diagnostic {
	who := state.Email.ValueString()
	return diag.NewAttributeWarningDiagnostic(at, fmt.Sprintf("%s will be removed from %s and added again", who, host),
		fmt.Sprintf("%s is known only at apply, so Terraform plans a replacement, even if it turns out to be the same: %s is signed out at once, and e-mailed a set-password link when added.\n\n"+
			"To keep the person untouched, let the value be known at plan: write it down, or take depends_on off the data source it comes from; or apply first, with -target, what it comes from.", at, who))
}

func (r *memberResource) planDestroy(ctx context.Context, req resource.ModifyPlanRequest) diag.Diagnostics {
	var state memberModel
	diags := req.State.Get(ctx, &state)
	if diags.HasError() {
		return diags
	}
	label := state.PrivateLabelID.ValueString()
	key := personKey(label, state.ID.ValueString())
	switch {
	case state.administers():
		diags.Append(cannotRemove(&state, r.hostOf(ctx, label)))
		return diags
	case r.session == nil:
		return diags
	}
	r.leavingPeople.note(key)
	if r.toldOf.has(key) { // a create of this plan takes the person over
		diags.Append(inStateAlready(state.Email.ValueString(), r.hostOf(ctx, label)))
	}
	return diags
}

func cannotRemove(m *memberModel, host string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("%s is %s of %s and cannot be removed", m.name(), m.Role.ValueString(), host),
		fmt.Sprintf("The service lets no key remove an owner or admin (CANNOT_REMOVE_OWNER). Nothing was sent: %s keeps the seat.\n\nTo keep the person and forget the resource, use a removed block with destroy = false; to remove an admin, make them a member in the console first.", m.name()))
}

func cannotReplace(email, host, role string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("%s is %s of %s and cannot be replaced", email, role, host),
		"A replacement would have to remove the person first, and the service lets no key remove an owner or admin (CANNOT_REMOVE_OWNER). Nothing was planned.\n\nSet `email` and `private_label_id` back and leave -replace away; declare another person in another block.")
}

// addFailure maps the codes of §4.16 to what the user wrote.
func addFailure(email, host string) failure {
	at := path.Root
	return failure{
		summary: email + " was not added to " + host,
		undone:  "No seat was taken; applying again is safe: somebody who was added all the same is taken over without a second e-mail.",
		remedies: map[string]remedy{
			client.CodeSeatQuotaReached: {at("private_label_id"), "Every seat of the label's package is used. Attach an add-on with seats or assign a larger package (`reseller_assignment`), or remove somebody."},
			client.CodeInvalidEmail:     {at("email"), "Write one plain e-mail address, such as ada@acme.example."},
			client.CodeInvalidName:      {at("first_name"), "Give `first_name` and `last_name`; neither may be blank."},
			client.CodeInvalidRequest:   {at("first_name"), "A value is longer than its field allows; the service's documents give no lengths."},
			client.CodeInvalidTarget:    {at("private_label_id"), "This is no live label of the reseller."},
		},
	}
}
