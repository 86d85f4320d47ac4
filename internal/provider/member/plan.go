package member

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// ModifyPlan applies the rules that need the state, the private state or the API.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	switch {
	case req.Plan.Raw.IsNull() && req.State.Raw.IsNull():
	case req.Plan.Raw.IsNull():
		resp.Diagnostics.Append(r.planDestroy(ctx, req)...)
	case req.State.Raw.IsNull():
		r.planCreate(ctx, req, resp)
	default:
		resp.Diagnostics.Append(r.planUpdate(ctx, req, resp)...)
	}
}

func (r *Resource) planCreate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	mem, diags := session.ReadPrivateState(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	label, email := plan.PrivateLabelID.ValueString(), plan.Email.ValueString()
	facts := facts{newHost: r.hostIfKnown(ctx, plan.PrivateLabelID)}
	resp.Diagnostics.Append(r.planSecondHalf(ctx, &plan, mem, facts.newHost, req, resp)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(r.besideSet(ctx, plan.PrivateLabelID)...)
	if !r.Ready() || plan.PrivateLabelID.IsUnknown() || plan.Email.IsUnknown() {
		if r.Session != nil {
			r.run().own.PlannedLater()
		}
		resp.Diagnostics.Append(notices(nil, &plan, facts).Diagnostics()...) // the apply decides this again
		return
	}
	r.outgrow(&plan)
	live, err := r.liveMember(ctx, label, email)
	switch {
	case err != nil:
		resp.Diagnostics.Append(r.NotOfLabel(ctx, diagnostic.SummaryListMembers, label, "The members list of "+facts.newHost, err))
		return
	case live != nil:
		resp.Diagnostics.Append(r.planAdoption(ctx, &plan, live, facts.newHost, resp)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if r.run().planned.Add(personKey(label, plan.Email.Normal())) {
		resp.Diagnostics.Append(declaredTwice(email, facts.newHost))
	}
	resp.Diagnostics.Append(notices(nil, &plan, facts).Diagnostics()...)
}

// replacementKey is the key of the marker that the first half of a replacement stores in the planned private state.
const replacementKey = "replacement"

// planSecondHalf validates a create whose private state is that of a member, which only the second half of a
// replacement has. The CLI drops its warnings, so that it is an error unless the first half announced the effects.
func (r *Resource) planSecondHalf(
	ctx context.Context, plan *model, mem session.PrivateState, host string, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) diag.Diagnostics {
	mark, diags := req.Private.GetKey(ctx, replacementKey)
	if mem.ID == "" || len(mark) > 0 || diags.HasError() {
		return append(diags, resp.Private.SetKey(ctx, replacementKey, nil)...)
	}
	email := plan.Email.ValueString()
	if r.Ready() && !plan.PrivateLabelID.IsUnknown() {
		live, err := r.liveMember(ctx, plan.PrivateLabelID.ValueString(), email)
		if err == nil && live != nil && r.administers(ctx, plan.PrivateLabelID.ValueString(), live) {
			return append(diags, cannotReplace(email, host, live.Role))
		}
	}
	return append(diags, replaceRejected(email, host))
}

// planAdoption plans the ID of a user who already is a member. So a saved plan shows that no email is sent, and the
// create must keep to it.
func (r *Resource) planAdoption(ctx context.Context, plan *model, live *client.Member, host string, resp *resource.ModifyPlanResponse) diag.Diagnostics {
	plan.ID = types.StringValue(live.ID)
	diags := resp.Plan.SetAttribute(ctx, path.Root("id"), plan.ID)
	diags.Append(adoption{UserID: live.ID}.save(ctx, resp.Private)...)
	diags.Append(adoptionWarning(plan.Email.ValueString(), host, live.Role))
	person := personKey(plan.PrivateLabelID.ValueString(), live.ID)
	r.run().adopted.Add(person) // record before the check below, as the other side does, so that one of both sees the other
	if r.run().read.Has(person) {
		diags.Append(managedByTwo(live.Email, host))
	}
	return diags
}

// warnAdopted warns about a member in state whom a create of this walk adopts.
func (r *Resource) warnAdopted(ctx context.Context, state *model) diag.Diagnostics {
	if r.Session == nil || !r.run().adopted.Has(personKey(state.PrivateLabelID.ValueString(), state.ID.ValueString())) {
		return nil
	}
	return diag.Diagnostics{managedByTwo(state.name(), r.hostIfKnown(ctx, state.PrivateLabelID))}
}

// adoptionKey is the key of adoption in the planned private state.
const adoptionKey = "adopts"

// adoption marks the plan of a create that adopts a member. The delete of a tainted resource has the private state of
// the create that replaces it: the marker shows that it would remove the member whom the create adopts.
type adoption struct {
	UserID string `json:"user_id"`
}

func (a adoption) save(ctx context.Context, to session.PrivateWriter) diag.Diagnostics {
	raw, err := json.Marshal(a)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic(session.SummaryPrivateState, err.Error())}
	}
	return to.SetKey(ctx, adoptionKey, raw)
}

func readAdoption(ctx context.Context, from session.PrivateReader) adoption {
	var a adoption
	if raw, diags := from.GetKey(ctx, adoptionKey); !diags.HasError() && len(raw) > 0 {
		_ = json.Unmarshal(raw, &a) // unreadable data is no marker
	}
	return a
}

// liveMember returns the member with an email address, nil if there is none.
func (r *Resource) liveMember(ctx context.Context, label, email string) (*client.Member, error) {
	members, err := r.Inventory.CachedMembers(ctx, label)
	if err != nil {
		return nil, err
	}
	live, ok := members.ByEmail(email)
	if !ok {
		return nil, nil //nolint:nilnil // absence is a result here
	}
	return live, nil
}

// administers reports whether a member is owner or admin. The cached list may be old, so that true is read again.
func (r *Resource) administers(ctx context.Context, label string, live *client.Member) bool {
	if !administers(live.Role) {
		return false
	}
	members, err := r.Inventory.RefreshMembers(ctx, label)
	if err != nil {
		return true
	}
	now, ok := members.ByID(live.ID)
	return ok && administers(now.Role)
}

// hostIfKnown names a private label in messages, "" if this run creates it.
func (r *Resource) hostIfKnown(ctx context.Context, label types.String) string {
	if label.IsUnknown() || label.IsNull() || !r.Ready() {
		return ""
	}
	return r.HostOf(ctx, label.ValueString())
}

func (r *Resource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) diag.Diagnostics {
	var plan, state model
	diags := req.Plan.Get(ctx, &plan)
	diags.Append(req.State.Get(ctx, &state)...)
	if diags.HasError() {
		return diags
	}
	mem, more := session.ReadPrivateState(ctx, req.Private)
	diags.Append(more...)
	r.recallHost(state.PrivateLabelID, mem)
	diags.Append(r.besideSet(ctx, state.PrivateLabelID)...)
	diags.Append(r.warnAdopted(ctx, &state)...)
	if !plan.replaces(&state) {
		if !plan.FirstName.Equal(state.FirstName) || !plan.LastName.Equal(state.LastName) {
			diags.Append(nameOnlyInState(state.name()))
		}
		return diags
	}
	host, role := r.hostIfKnown(ctx, state.PrivateLabelID), r.roleNow(ctx, &state)
	if administers(role) {
		diags.Append(cannotReplace(state.name(), host, role))
		return diags
	}
	r.disown(&state)
	// The CLI drops the warnings of a replacement's second half, so that this half announces both.
	diags.Append(resp.Private.SetKey(ctx, replacementKey, []byte(`{"announced":true}`))...)
	facts := facts{host: host, newHost: r.hostIfKnown(ctx, plan.PrivateLabelID)}
	if live := r.adoptee(ctx, &plan); live != nil {
		facts.adopts = true
		diags.Append(adoptionWarning(plan.Email.ValueString(), facts.newHost, live.Role))
	}
	return append(diags, notices(&state, &plan, facts).Diagnostics()...)
}

// adoptee returns the member whom the second half of a replacement will adopt, nil for none.
func (r *Resource) adoptee(ctx context.Context, plan *model) *client.Member {
	if !r.Ready() || plan.Email.IsUnknown() || plan.PrivateLabelID.IsUnknown() {
		return nil
	}
	live, err := r.liveMember(ctx, plan.PrivateLabelID.ValueString(), plan.Email.ValueString())
	if err != nil {
		return nil // the second half reports the error
	}
	return live
}

// roleNow returns the role that the API shows, which may differ from the state: some CLIs plan a removed block from the
// stored state. If the API cannot be called, it returns the role in state.
func (r *Resource) roleNow(ctx context.Context, state *model) string {
	if !r.Ready() {
		return state.Role.ValueString()
	}
	label := state.PrivateLabelID.ValueString()
	members, err := r.Inventory.Members(ctx, label)
	if err != nil {
		return state.Role.ValueString()
	}
	live, ok := members.ByID(state.ID.ValueString())
	if !ok || !r.administers(ctx, label, live) {
		return ""
	}
	return live.Role
}

func (r *Resource) planDestroy(ctx context.Context, req resource.ModifyPlanRequest) diag.Diagnostics {
	var state model
	diags := req.State.Get(ctx, &state)
	if diags.HasError() {
		return diags
	}
	mem, more := session.ReadPrivateState(ctx, req.Private)
	diags.Append(more...)
	r.recallHost(state.PrivateLabelID, mem)
	diags.Append(r.besideSet(ctx, state.PrivateLabelID)...)
	host := r.hostIfKnown(ctx, state.PrivateLabelID)
	if role := r.roleNow(ctx, &state); administers(role) {
		diags.Append(cannotRemove(&state, host, role))
		return diags
	}
	r.disown(&state)
	diags.Append(r.warnAdopted(ctx, &state)...)
	return append(diags, notices(&state, nil, facts{host: host}).Diagnostics()...)
}
