// Package member implements reseller_member, reseller_members and the members data source of a private label.
package member

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type Resource struct {
	session.ResourceBase
}

var (
	_ resource.ResourceWithConfigure   = (*Resource)(nil)
	_ resource.ResourceWithIdentity    = (*Resource)(nil)
	_ resource.ResourceWithImportState = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan  = (*Resource)(nil)
)

func NewResource() resource.Resource { return &Resource{} }

func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_member"
}

// Create sends one POST. Later failures are warnings: an error would taint the resource, and the next apply would
// remove the member and send another email.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	if !r.Begin(ctx, req.Plan, &plan, &resp.Diagnostics) {
		return
	}
	keep := func() {
		resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
		resp.Diagnostics.Append(resp.Identity.Set(ctx, plan.Identity())...)
	}
	resp.Diagnostics.Append(r.create(ctx, &plan, keep)...)
	if resp.Diagnostics.HasError() {
		return
	}
	keep()
	resp.Diagnostics.Append(r.memory(ctx, &plan, session.PrivateState{}).Save(ctx, resp.Private)...)
}

// create adds or adopts the member, unless another resource of this apply did. It calls keep immediately after the
// member is added, before anything else can fail.
func (r *Resource) create(ctx context.Context, plan *model, keep func()) diag.Diagnostics {
	label, email := plan.PrivateLabelID.ValueString(), plan.Email.ValueString()
	person := personKey(label, plan.Email.Normal())
	twice := func() diag.Diagnostics {
		return diag.Diagnostics{session.DeclaredTwice(path.Root("email"), fmt.Sprintf("the member %s of %s", email, r.HostOf(ctx, label)))}
	}
	if !r.Creating.Add(session.Claim(session.TypeMember, person)) {
		return twice()
	}
	defer r.Creating.Remove(session.Claim(session.TypeMember, person))
	if r.run().own.Contains(person) {
		return twice()
	}
	var diags diag.Diagnostics
	if plan.adopted(nil) {
		diags = r.adopt(ctx, plan)
	} else {
		diags = r.add(ctx, plan, keep)
	}
	if !diags.HasError() {
		r.run().own.Add(person)
		r.run().own.Add(personKey(label, plan.ID.ValueString()))
	}
	return diags
}

// add sends one POST. The plan announced its email.
func (r *Resource) add(ctx context.Context, plan *model, keep func()) diag.Diagnostics {
	label, email := plan.PrivateLabelID.ValueString(), plan.Email.ValueString()
	who := client.NewMember{Email: email, FirstName: plan.FirstName.ValueString(), LastName: plan.LastName.ValueString()}
	added, err := addPerson(ctx, r.Session, label, who)
	if err != nil {
		return diag.Diagnostics{addFailure(email, r.HostOf(ctx, label)).Diagnostic(err)}
	}
	plan.fromAdding(added)
	keep()
	diags := r.readBack(ctx, plan)
	return append(diags, r.reportAdded(ctx, plan, added)...)
}

// adopt stores the member that the plan names in state, and sends nothing: if the user is no longer a member, adding
// would send an email that the plan did not announce.
func (r *Resource) adopt(ctx context.Context, plan *model) diag.Diagnostics {
	label, email := plan.PrivateLabelID.ValueString(), plan.Email
	read := r.Inventory.MembersAfterWrites
	if r.ManyWalks {
		read = r.Inventory.RefreshMembers // the cached list may be from an earlier walk
	}
	members, err := read(ctx, label)
	if err != nil {
		return diag.Diagnostics{diagnostic.ReadFailure(diagnostic.SummaryListMembers, "The members list of "+r.HostOf(ctx, label)).Diagnostic(err)}
	}
	live, ok := members.ByID(plan.ID.ValueString())
	if !ok || !email.Means(live.Email) {
		return diag.Diagnostics{leftAfterPlan(path.Root("email"), email.ValueString(), r.HostOf(ctx, label))}
	}
	plan.fromAPI(live)
	plan.Email = email
	return nil
}

// memory returns the private state of a member. It keeps the earlier host name if the current one is unknown.
func (r *Resource) memory(ctx context.Context, m *model, before session.PrivateState) session.PrivateState {
	host, ok := r.Inventory.Host(m.PrivateLabelID.ValueString())
	if !ok {
		host = before.Host
	}
	return session.PrivateState{ID: m.ID.ValueString(), Slug: r.Slug(ctx), Host: host, Role: m.Role.ValueString()}
}

// readBack sets the attributes that the response to adding a member does not have.
func (r *Resource) readBack(ctx context.Context, m *model) diag.Diagnostics {
	var diags diag.Diagnostics
	members, err := r.Inventory.MembersAfterWrites(ctx, m.PrivateLabelID.ValueString())
	if err != nil {
		name := m.Email.ValueString()
		diags.AddWarning(summaryNotRead,
			diagnostic.JoinParagraphs(name+" is in state. The next plan reads the missing attributes.", diagnostic.Cause(err)))
		return diags
	}
	if live, ok := members.ByID(m.ID.ValueString()); ok {
		email := m.Email
		m.fromAPI(live)
		m.Email = email
		diags.Append(fwtype.TimeWarning("createdAt", email.ValueString(), live.CreatedAt)...)
	}
	return diags
}

// reportAdded returns warnings about what the plan could not know.
func (r *Resource) reportAdded(ctx context.Context, m *model, added *client.Added) diag.Diagnostics {
	var diags diag.Diagnostics
	email, host := m.Email.ValueString(), r.HostOf(ctx, m.PrivateLabelID.ValueString())
	switch {
	case added.Created:
	case added.ResponseLost:
		diags.Append(responseLost(path.Root("email"), email, host))
	default:
		diags.Append(adoptionWarning(email, host, m.Role.ValueString()))
	}
	return diags
}

func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, state.Identity())...)
	mem, diags := session.ReadPrivateState(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.Ready() {
		return // not ready: the state does not change
	}
	switch found, err := r.refresh(ctx, &state, mem); {
	case err != nil:
		r.readFailed(ctx, &state, mem, err, resp)
		return
	case !found:
		r.absent(ctx, &state, mem, memberGone(state.name(), r.HostOf(ctx, state.PrivateLabelID.ValueString())), resp)
		return
	}
	resp.Diagnostics.Append(r.memory(ctx, &state, mem).SaveChange(ctx, mem, resp.Private)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
}

// refresh reads a member, and reports whether the private label has it. An apply makes no reads, so that a read ends
// it.
func (r *Resource) refresh(ctx context.Context, m *model, mem session.PrivateState) (found bool, err error) {
	label, id := m.PrivateLabelID.ValueString(), m.ID.ValueString()
	r.run().own.Clear()
	r.recallHost(m.PrivateLabelID, mem)
	members, err := r.Members(ctx, label)
	if err != nil {
		return false, err
	}
	live, found := members.ByID(id)
	if found {
		r.run().read.Add(personKey(label, id))
		m.fromAPI(live)
	}
	return found, nil
}

// recallHost records the host name of a private label from the private state of its member or set, which saves an API
// call.
func (r *Resource) recallHost(label types.String, mem session.PrivateState) {
	if r.Ready() && mem.Host != "" {
		r.Inventory.SetHost(label.ValueString(), mem.Host)
	}
}

// name returns the name of the user for messages.
func (m *model) name() string {
	if m.Email.IsNull() {
		return "The user " + m.ID.ValueString()
	}
	return m.Email.ValueString()
}

// readFailed keeps the state, unless the API rejected the read and the private label is absent.
func (r *Resource) readFailed(ctx context.Context, state *model, mem session.PrivateState, err error, resp *resource.ReadResponse) {
	label := state.PrivateLabelID.ValueString()
	host := r.HostOf(ctx, label)
	if !client.MayBeGone(err) {
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryRead, state.name()+" of "+host).Diagnostic(err))
		return
	}
	r.absent(ctx, state, mem, diag.NewWarningDiagnostic(summaryLabelGone,
		fmt.Sprintf("%s was removed from state. %s", state.name(), session.GoneText(host, label))), resp)
}

func (r *Resource) absent(ctx context.Context, state *model, mem session.PrivateState, gone diag.Diagnostic, resp *resource.ReadResponse) {
	label := state.PrivateLabelID.ValueString()
	v := session.VerdictOf(r.Inventory.CheckMember(ctx, label, state.ID.ValueString(), mem.Slug))
	if r.RemoveAbsent(ctx, resp, session.Sought{Name: state.name() + " of " + r.HostOf(ctx, label), LastSlug: mem.Slug}, v, gone) {
		// Terraform keeps the private state of a resource that a read removed, and a create with it would be treated as
		// a replacement.
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, session.PrivateStateKey, nil)...)
	}
}

// Update sends nothing: no endpoint changes a name.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, plan.Identity())...)
}

func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	if !r.Begin(ctx, req.State, &state, &resp.Diagnostics) {
		return
	}
	label, id := state.PrivateLabelID.ValueString(), state.ID.ValueString()
	host := r.HostOf(ctx, label)
	key := session.Claim(session.TypeMember, personKey(label, state.Email.Normal()))
	if readAdoption(ctx, req.Private).UserID == id {
		resp.Diagnostics.Append(tainted(&state, host))
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, adoptionKey, nil)...) // the resource stays, its plan does not
		return
	}
	if r.run().own.Contains(personKey(label, id)) || !r.Creating.Add(key) {
		resp.Diagnostics.Append(managedTwice(&state, host))
		return
	}
	defer r.Creating.Remove(key)
	err := removePerson(ctx, r.Session, label, id)
	if err == nil {
		return
	}
	if transport.IsCode(err, client.CodeCannotRemoveOwner) {
		resp.Diagnostics.Append(cannotRemove(&state, host, "now owner or admin"))
		return
	}
	if client.MayBeGone(err) || transport.IsCode(err, client.CodeUserNotFound) {
		mem, diags := session.ReadPrivateState(ctx, req.Private)
		resp.Diagnostics.Append(diags...)
		v := session.VerdictOf(r.Inventory.CheckMember(ctx, label, id, mem.Slug))
		gone, problem := r.IsAbsent(ctx, session.Sought{Name: state.name() + " of " + host, LastSlug: mem.Slug}, v)
		if gone {
			return // already removed, or the private label no longer exists
		}
		if problem != nil && v.Err == nil {
			resp.Diagnostics.Append(problem)
			return
		}
	}
	resp.Diagnostics.Append(diagnostic.APIFailure{
		Summary:   summaryRemove,
		Object:    host,
		Failed:    state.name() + " was not removed from " + host,
		Unchanged: "The member keeps the seat and stays in state",
	}.Diagnostic(err))
}

// disown drops this process's record of a member that it created: the next plan has the member in state.
func (r *Resource) disown(m *model) {
	if r.Session == nil {
		return
	}
	label := m.PrivateLabelID.ValueString()
	r.run().own.Remove(personKey(label, m.ID.ValueString()))
	r.run().own.Remove(personKey(label, m.Email.Normal()))
}

// outgrow drops this process's record of a member that belongs to another state.
func (r *Resource) outgrow(planned *model) {
	if r.run().own.PlannedAgain(personKey(planned.PrivateLabelID.ValueString(), planned.Email.Normal())) {
		r.disown(planned)
	}
}

// ImportState imports "<private label ID or host name>/<user ID or email address>", or the identity.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	label, person, diags := r.importParts(ctx, req)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	id, diags := r.LookUp(ctx, label)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	members, err := r.Inventory.Members(ctx, id)
	if err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryRead, person+" of "+label).Diagnostic(err))
		return
	}
	live, ok := members.ByEmail(person)
	if !ok {
		live, ok = members.ByID(person)
	}
	if !ok {
		resp.Diagnostics.Append(notAMember(person, label))
		return
	}
	resp.Diagnostics.Append(resp.Identity.Set(ctx, identity{PrivateLabelID: fwtype.StringValue(id), ID: fwtype.StringValue(live.ID)})...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("private_label_id"), id)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), live.ID)...)
}

// SplitMemberID splits "<private label ID or host name>/<user ID or email address>" at the first slash: an email
// address may contain more. It does not check whether the private label and the user exist.
func SplitMemberID(id string) (label, person string, ok bool) {
	label, person, _ = strings.Cut(id, "/")
	return label, person, label != "" && !strings.Contains(label, ":") && (fwtype.IDForm.MatchString(person) || strings.Contains(person, "@"))
}

func (r *Resource) importParts(ctx context.Context, req resource.ImportStateRequest) (label, person string, diags diag.Diagnostics) {
	if req.ID == "" {
		var d diag.Diagnostics
		label, diags = session.ImportedBy(ctx, req, "private_label_id")
		person, d = session.ImportedBy(ctx, req, "id")
		diags.Append(d...)
		if diags.HasError() || label != "" && person != "" {
			return label, person, diags
		}
	}
	label, person, ok := SplitMemberID(req.ID)
	if !ok {
		diags.Append(invalidImportID(req.ID))
	}
	return label, person, diags
}
