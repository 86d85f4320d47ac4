package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

type memberResource struct {
	forResource
}

var (
	_ resource.ResourceWithConfigure   = (*memberResource)(nil)
	_ resource.ResourceWithIdentity    = (*memberResource)(nil)
	_ resource.ResourceWithImportState = (*memberResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*memberResource)(nil)
)

func newMemberResource() resource.Resource { return &memberResource{} }

func (r *memberResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_member"
}

// Create is one POST. Once it succeeded nothing is an error any more: an error
// would taint, and the next apply would remove the person and e-mail them again.
func (r *memberResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan memberModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !r.ready() {
		resp.Diagnostics.Append(r.notReady())
		return
	}
	label, email := plan.PrivateLabelID.ValueString(), plan.Email.ValueString()
	who := client.NewMember{Email: email, FirstName: plan.FirstName.ValueString(), LastName: plan.LastName.ValueString()}
	done := r.inventory.WritingMembers(label)
	added, err := r.client.AddMember(ctx, label, who)
	done()
	if err != nil {
		resp.Diagnostics.Append(addFailure(email, r.hostOf(ctx, label)).diagnose(err))
		return
	}
	plan.fromAdding(added)
	resp.Diagnostics.Append(r.readBack(ctx, &plan)...)
	resp.Diagnostics.Append(r.tellAdded(ctx, &plan, added)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, plan.identity())...)
	resp.Diagnostics.Append(r.memory(ctx, &plan, memory{}).save(ctx, resp.Private)...)
}

// memory keeps the host that was known before where none is known now.
func (r *memberResource) memory(ctx context.Context, m *memberModel, before memory) memory {
	host, ok := r.inventory.Host(m.PrivateLabelID.ValueString())
	if !ok {
		host = before.Host
	}
	return memory{ID: m.ID.ValueString(), Slug: r.slug(ctx), Host: host, Role: m.Role.ValueString()}
}

// readBack fills what the answer to adding does not tell.
func (r *memberResource) readBack(ctx context.Context, m *memberModel) diag.Diagnostics {
	var diags diag.Diagnostics
	members, err := r.inventory.SettledMembers(ctx, m.PrivateLabelID.ValueString())
	if err != nil {
		name := m.Email.ValueString()
		diags.AddWarning(name+" was added, but not read back",
			sentences(failure{summary: name}.diagnose(err).Detail(), "The person is in state; the next plan reads what is missing."))
		return diags
	}
	if live, ok := members.ByID(m.ID.ValueString()); ok {
		email := m.Email
		m.fromAPI(live)
		m.Email = email
	}
	return diags
}

func (r *memberResource) tellAdded(ctx context.Context, m *memberModel, added *client.Added) diag.Diagnostics {
	var diags diag.Diagnostics
	email, host := m.Email.ValueString(), r.hostOf(ctx, m.PrivateLabelID.ValueString())
	switch {
	case added.Created || r.toldOf.has(personKey(m.PrivateLabelID.ValueString(), added.UserID)):
	case added.AnswerLost:
		diags.AddWarning("The answer to adding "+email+" was lost",
			fmt.Sprintf("The call was repeated, and %s holds a seat on %s now. The set-password e-mail went out once at most; if it did not arrive, send another with the action reseller_resend_invite.", email, host))
	default:
		diags.Append(takenOver(email, host, m.Role.ValueString()))
	}
	return diags
}

func takenOver(email, host, role string) diag.Diagnostic {
	detail := "The person keeps the seat and the name they have, and no e-mail is sent. From now on destroying this resource removes them."
	if role == client.RoleOwner || role == client.RoleAdmin {
		detail = fmt.Sprintf("The person is %s there and keeps that, and no e-mail is sent. No key can remove an owner or admin: destroying this resource will be an error until they are a member.", role)
	}
	return diag.NewWarningDiagnostic(fmt.Sprintf("%s holds a seat on %s already and is taken over", email, host), detail)
}

func (r *memberResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state memberModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, state.identity())...)
	mem, diags := readMemory(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.ready() {
		return // not ready: what is in state stays as it is
	}
	label, id := state.PrivateLabelID.ValueString(), state.ID.ValueString()
	if mem.Host != "" {
		r.inventory.Name(label, mem.Host)
	}
	members, err := r.inventory.Members(ctx, label)
	if err != nil {
		r.readFailed(ctx, &state, mem, err, resp)
		return
	}
	live, ok := members.ByID(id)
	if !ok {
		r.absent(ctx, &state, mem, memberGone(state.name(), r.hostOf(ctx, label)), resp)
		return
	}
	r.readPeople.note(personKey(label, id))
	state.fromAPI(live)
	if now := r.memory(ctx, &state, mem); now != mem && now.Slug != "" {
		resp.Diagnostics.Append(now.save(ctx, resp.Private)...)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
}

// name of the person in messages.
func (m *memberModel) name() string {
	if m.Email.IsNull() {
		return "The user " + m.ID.ValueString()
	}
	return m.Email.ValueString()
}

func memberGone(name, host string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Member not found, removed from state",
		fmt.Sprintf("%s was removed from %s outside of Terraform. The next apply adds and emails the member again while the resource is configured.", name, host))
}

// readFailed keeps the state, unless the refusal came with the label's absence.
func (r *memberResource) readFailed(ctx context.Context, state *memberModel, mem memory, err error, resp *resource.ReadResponse) {
	label := state.PrivateLabelID.ValueString()
	host := r.hostOf(ctx, label)
	if !client.MayBeGone(err) {
		resp.Diagnostics.Append(readFailure(state.name() + " of " + host).diagnose(err))
		return
	}
	r.absent(ctx, state, mem, diag.NewWarningDiagnostic("Member removed from state with its label",
		fmt.Sprintf("%s: %s", state.name(), goneText(host, label))), resp)
}

func (r *memberResource) absent(ctx context.Context, state *memberModel, mem memory, gone diag.Diagnostic, resp *resource.ReadResponse) {
	label := state.PrivateLabelID.ValueString()
	v := verdictOf(r.inventory.CheckMember(ctx, label, state.ID.ValueString(), mem.Slug))
	r.removeAbsent(ctx, resp, sought{state.name() + " of " + r.hostOf(ctx, label), mem.Slug}, v, gone)
}

// Update sends nothing: no endpoint changes a name.
func (r *memberResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan memberModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, plan.identity())...)
}

func (r *memberResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state memberModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !r.ready() {
		resp.Diagnostics.Append(r.notReady())
		return
	}
	label, id := state.PrivateLabelID.ValueString(), state.ID.ValueString()
	host := r.hostOf(ctx, label)
	if state.administers() {
		resp.Diagnostics.Append(cannotRemove(&state, host))
		return
	}
	done := r.inventory.WritingMembers(label)
	err := r.client.RemoveMember(ctx, label, id)
	done()
	if err == nil {
		return
	}
	if client.MayBeGone(err) || client.IsCode(err, client.CodeUserNotFound) {
		mem, diags := readMemory(ctx, req.Private)
		resp.Diagnostics.Append(diags...)
		v := verdictOf(r.inventory.CheckMember(ctx, label, id, mem.Slug))
		gone, problem := r.isAbsent(ctx, sought{state.name() + " of " + host, mem.Slug}, v)
		if gone {
			return // removed already, or with the label
		}
		if problem != nil && v.err == nil {
			resp.Diagnostics.Append(problem)
			return
		}
	}
	resp.Diagnostics.Append(failure{
		summary: state.name() + " was not removed from " + host,
		undone:  "The person keeps the seat, and stays in state.",
		remedies: map[string]remedy{
			client.CodeCannotRemoveOwner: {advice: "They became owner or admin meanwhile, whom no key can remove. Make them a member in the console, or forget them with a removed block (destroy = false)."},
		},
	}.diagnose(err))
}

// ImportState takes "<tenant id or host>/<user id or email>", or the identity.
func (r *memberResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	label, person, diags := r.importParts(ctx, req)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	id, diags := r.lookUp(ctx, label)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	members, err := r.inventory.Members(ctx, id)
	if err != nil {
		resp.Diagnostics.Append(readFailure(person + " of " + label).diagnose(err))
		return
	}
	live, ok := members.ByEmail(person)
	if !ok {
		live, ok = members.ByID(person)
	}
	if !ok {
		resp.Diagnostics.AddError(fmt.Sprintf("%s holds no seat on %s", person, label),
			"The label's list of members does not show them; people who were merely sent a document hold none. Declare the resource without an import block to add them. Nothing was imported.")
		return
	}
	resp.Diagnostics.Append(resp.Identity.Set(ctx, memberIdentity{PrivateLabelID: stringValue(id), ID: stringValue(live.ID)})...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("private_label_id"), id)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), live.ID)...)
}

// splitMemberID splits "<tenant id or host>/<user id or email>" at the first
// slash: an email address may have more. Which labels and members there are is
// the API's to say.
func splitMemberID(id string) (label, person string, ok bool) {
	label, person, _ = strings.Cut(id, "/")
	return label, person, label != "" && !strings.Contains(label, ":") && (tenantID.MatchString(person) || strings.Contains(person, "@"))
}

func (r *memberResource) importParts(ctx context.Context, req resource.ImportStateRequest) (label, person string, diags diag.Diagnostics) {
	if req.ID == "" {
		var d diag.Diagnostics
		label, diags = importedBy(ctx, req, "private_label_id")
		person, d = importedBy(ctx, req, "id")
		diags.Append(d...)
		if diags.HasError() || label != "" && person != "" {
			return label, person, diags
		}
	}
	label, person, ok := splitMemberID(req.ID)
	if !ok {
		diags.AddError(fmt.Sprintf("%q does not name a member", req.ID),
			"Import a member by label and person with a slash between: the label's tenant id or host name, then the person's user id or e-mail address, such as sign.acme.example/bob@acme.example. Nothing was imported.")
	}
	return label, person, diags
}
