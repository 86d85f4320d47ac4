package member

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// ModifyPlan applies the rules that need the state, the private state or the API, and announces the effects of the
// apply.
func (r *SetResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan, state setModel
	if !req.Plan.Raw.IsNull() {
		resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	}
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	mem, diags := session.ReadPrivateState(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	r.recallHost(state.PrivateLabelID, mem)
	switch {
	case req.Plan.Raw.IsNull() && req.State.Raw.IsNull():
		return
	case req.Plan.Raw.IsNull():
		resp.Diagnostics.Append(r.planDestroy(ctx, &state)...)
		return
	case req.State.Raw.IsNull():
		resp.Diagnostics.Append(r.planCreate(ctx, &plan, mem, req, resp)...)
	case plan.moves(&state):
		resp.Diagnostics.Append(r.planMove(ctx, &plan, &state, resp)...)
	default:
		resp.Diagnostics.Append(r.planUpdate(ctx, &plan, &state)...)
	}
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
	}
}

func (r *SetResource) planCreate(
	ctx context.Context, plan *setModel, mem session.PrivateState, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) diag.Diagnostics {
	host := r.hostIfKnown(ctx, plan.PrivateLabelID)
	mark, diags := req.Private.GetKey(ctx, replacementKey)
	diags.Append(resp.Private.SetKey(ctx, replacementKey, nil)...)
	if mem.ID != "" && len(mark) == 0 { // second half of -replace, whose warnings the CLI drops
		diags.Append(setReplaceRejected(labelName(host, plan.PrivateLabelID)))
	}
	if diags.HasError() {
		return diags
	}
	live, more := r.livePlanned(ctx, plan)
	diags.Append(more...)
	if live != nil {
		diags.Append(r.createRemovesNobody(ctx, plan, live)...)
	}
	if diags.HasError() {
		return diags
	}
	plan.promise(nil, live)
	diags.Append(r.planClaims(ctx, plan, true)...)
	diags.Append(r.warnPrivileged(ctx, plan)...)
	return append(diags, setNotices(nil, plan, setFacts{newHost: host}).Diagnostics()...)
}

// livePlanned returns the members of the planned private label, nil if they cannot be read.
func (r *SetResource) livePlanned(ctx context.Context, plan *setModel) (*inventory.Members, diag.Diagnostics) {
	if !r.Ready() || plan.PrivateLabelID.IsUnknown() {
		return nil, nil
	}
	label := plan.PrivateLabelID.ValueString()
	live, err := r.Inventory.CachedMembers(ctx, label)
	if err != nil {
		return nil, diag.Diagnostics{r.NotOfLabel(ctx, diagnostic.SummaryListMembers, label, "The members list of "+r.HostOf(ctx, label), err)}
	}
	return live, nil
}

// createRemovesNobody rejects the create of a set that lacks members. The cached list may be old, so that a rejection
// is read again.
func (r *SetResource) createRemovesNobody(ctx context.Context, plan *setModel, known *inventory.Members) diag.Diagnostics {
	if len(plan.strangers(known)) == 0 {
		return nil
	}
	label := plan.PrivateLabelID.ValueString()
	live, err := r.Inventory.RefreshMembers(ctx, label)
	if err != nil {
		return diag.Diagnostics{r.NotOfLabel(ctx, diagnostic.SummaryListMembers, label, "The members list of "+r.HostOf(ctx, label), err)}
	}
	others := plan.strangers(live)
	if len(others) == 0 {
		return nil
	}
	return diag.Diagnostics{otherMembers(r.importID(label), r.HostOf(ctx, label), others)}
}

// importID returns the ID that imports the set of a private label: its host name if known.
func (r *SetResource) importID(label string) string {
	if host, ok := r.Inventory.Host(label); ok {
		return host
	}
	return label
}

// strangers returns the sorted members that the complete set does not have.
func (m *setModel) strangers(live *inventory.Members) []string {
	if m.Members.IsUnknown() {
		return nil
	}
	in, others := m.people(), map[string]bool{}
	all := live.All()
	for i := range all {
		if _, ok := in[normalEmail(all[i].Email)]; !ok && isPlain(&all[i]) {
			others[all[i].Email] = true
		}
	}
	return fwtype.SortedKeys(others)
}

// promise plans the computed attributes. The known elements of `user_ids` are existing members, so that a saved plan
// shows who is emailed, and the apply must keep to it. live is nil if unknown.
func (m *setModel) promise(prior *setModel, live *inventory.Members) {
	m.ID = m.PrivateLabelID
	if m.Members.IsUnknown() {
		m.UserIDs, m.OwnersAndAdmins = types.MapUnknown(types.StringType), types.SetUnknown(types.StringType)
		return
	}
	before, ids := prior.people(), map[string]attr.Value{}
	for email := range m.Members.Elements() {
		was, stays := before[normalEmail(email)]
		ids[email] = types.StringUnknown()
		if stays {
			ids[email] = was.id
		} else if live != nil {
			if one, ok := live.ByEmail(email); ok {
				ids[email] = types.StringValue(one.ID)
			}
		}
	}
	m.UserIDs = types.MapValueMust(types.StringType, ids)
	if prior == nil || m.gains(prior) { // the apply reads the role
		m.OwnersAndAdmins = types.SetUnknown(types.StringType)
		return
	}
	privileged := []attr.Value{}
	for email := range m.Members.Elements() {
		if before[normalEmail(email)].privileged {
			privileged = append(privileged, types.StringValue(email))
		}
	}
	m.OwnersAndAdmins = types.SetValueMust(types.StringType, privileged)
}

// planMove plans the first half of a replacement by a set of another private label. The CLI drops the warnings of the
// second half, so that this half announces both.
func (r *SetResource) planMove(ctx context.Context, plan, state *setModel, resp *resource.ModifyPlanResponse) diag.Diagnostics {
	diags := resp.Private.SetKey(ctx, replacementKey, []byte(`{"announced":true}`))
	facts := setFacts{host: r.hostIfKnown(ctx, state.PrivateLabelID), newHost: r.hostIfKnown(ctx, plan.PrivateLabelID)}
	live, more := r.livePlanned(ctx, plan)
	diags.Append(more...)
	if diags.HasError() {
		return diags
	}
	plan.promise(nil, live)
	diags.Append(r.warnPrivileged(ctx, plan)...)
	return append(diags, setNotices(state, plan, facts).Diagnostics()...)
}

func (r *SetResource) planUpdate(ctx context.Context, plan, state *setModel) diag.Diagnostics {
	diags := r.planClaims(ctx, plan, false)
	if plan.Members.Equal(state.Members) {
		return append(diags, r.warnPrivileged(ctx, plan)...)
	}
	var live *inventory.Members
	if !plan.Members.IsUnknown() && plan.gains(state) && r.Ready() {
		var err error
		if live, err = r.Inventory.CachedMembers(ctx, plan.PrivateLabelID.ValueString()); err != nil {
			return append(diags, diagnostic.ReadFailure(diagnostic.SummaryListMembers, "The members list of "+r.hostIfKnown(ctx, plan.PrivateLabelID)).Diagnostic(err))
		}
	}
	plan.promise(state, live)
	host := r.hostIfKnown(ctx, plan.PrivateLabelID)
	if !sameNames(plan.Members, state.Members) {
		diags.AddAttributeWarning(memberNames(plan, state), summaryName,
			"Only the state changes. Members of "+labelName(host, plan.PrivateLabelID)+" can change their names in the portal.")
	}
	diags.Append(r.warnPrivileged(ctx, plan)...)
	return append(diags, setNotices(state, plan, setFacts{host: host, newHost: host}).Diagnostics()...)
}

// gains reports whether the plan has users whom the state lacks.
func (m *setModel) gains(prior *setModel) bool {
	before := prior.people()
	for email := range m.people() {
		if _, ok := before[email]; !ok {
			return true
		}
	}
	return false
}

func (r *SetResource) planDestroy(ctx context.Context, state *setModel) diag.Diagnostics {
	if r.Session != nil {
		r.run().ownSets.Remove(state.PrivateLabelID.ValueString()) // it is in state
	}
	return setNotices(state, nil, setFacts{host: r.hostIfKnown(ctx, state.PrivateLabelID)}).Diagnostics()
}

// planClaims records the set of a private label, and warns about other resources of this walk that manage its members.
func (r *SetResource) planClaims(ctx context.Context, plan *setModel, creates bool) diag.Diagnostics {
	if r.Session == nil {
		return nil
	}
	label, run := plan.PrivateLabelID.ValueString(), r.run()
	if plan.PrivateLabelID.IsUnknown() {
		run.ownSets.PlannedLater()
		return nil
	}
	if creates && run.ownSets.PlannedAgain(label) {
		run.ownSets.Remove(label) // belongs to another state
	}
	var diags diag.Diagnostics
	if run.sets.Add(label) {
		diags.Append(setDeclaredTwice(labelName(r.hostIfKnown(ctx, plan.PrivateLabelID), plan.PrivateLabelID)))
	}
	return append(diags, r.warnMixed(ctx, label)...)
}

// warnMixed warns once about a private label whose members both a set and single members manage. Each side records
// itself before it checks the other, so that one of both sees the other.
func (r *Resource) warnMixed(ctx context.Context, label string) diag.Diagnostics {
	run := r.run()
	if !run.singles.Has(label) || !run.sets.Has(label) || run.mixed.Add(label) {
		return nil
	}
	id := types.StringValue(label)
	return diag.Diagnostics{managedByTwoTypes(labelName(r.hostIfKnown(ctx, id), id))}
}

// besideSet records a member of a private label, and warns about a set of the same private label.
func (r *Resource) besideSet(ctx context.Context, label types.String) diag.Diagnostics {
	if r.Session == nil || label.IsUnknown() {
		return nil
	}
	r.run().singles.Add(label.ValueString())
	return r.warnMixed(ctx, label.ValueString())
}

// warnPrivileged warns about owners and admins in the map that this run knows.
func (r *SetResource) warnPrivileged(ctx context.Context, plan *setModel) diag.Diagnostics {
	if !r.Ready() || plan.PrivateLabelID.IsUnknown() {
		return nil
	}
	live, ok := r.Inventory.KnownMembers(plan.PrivateLabelID.ValueString())
	if !ok {
		return nil
	}
	found := map[string]bool{}
	for _, p := range plan.people() {
		if one, ok := live.ByEmail(p.email); ok && !isPlain(one) {
			found[p.email] = true
		}
	}
	if len(found) == 0 {
		return nil
	}
	return diag.Diagnostics{countAsPresent(fwtype.SortedKeys(found), r.hostIfKnown(ctx, plan.PrivateLabelID))}
}

// memberNames returns the path of the changed name that the API does not update.
func memberNames(plan, state *setModel) path.Path {
	before, now := state.people(), plan.people()
	for _, email := range fwtype.SortedKeys(now) {
		if was, ok := before[email]; ok && !was.names.Equal(now[email].names) {
			return memberPath(now[email].email)
		}
	}
	return path.Root("members")
}
