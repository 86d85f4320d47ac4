package member

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// setApply executes the steps of one apply.
type setApply struct {
	r       *SetResource
	labelID string
	host    string
	live    *inventory.Members // before the first step
	creates bool

	now            map[string]person // members of the state, by normalized email address
	added, removed []string          // by API calls of this apply
	diags          diag.Diagnostics
}

// apply executes the steps from prior, nil for a create, to planned. It returns the resulting state, also if a step
// failed; nil for no state.
func (r *SetResource) apply(ctx context.Context, prior, planned *setModel) (*setModel, diag.Diagnostics) {
	label := planned.PrivateLabelID.ValueString()
	a := &setApply{r: r, labelID: label, host: r.HostOf(ctx, label), creates: prior == nil, now: prior.people()}
	live, err := r.membersNow(ctx, label)
	if err != nil {
		return nil, diag.Diagnostics{r.NotOfLabel(ctx, diagnostic.SummaryListMembers, label, "The members list of "+a.host, err)}
	}
	a.live = live
	steps := setSteps(prior, planned)
	a.check(planned, steps)
	if a.diags.HasError() {
		return nil, a.diags
	}
	for _, s := range steps {
		if err := a.take(ctx, s); err != nil {
			a.diags.Append(a.failure(s, err))
			break
		}
	}
	after := a.reached(planned)
	if !a.diags.HasError() && !planned.OwnersAndAdmins.IsUnknown() {
		after.OwnersAndAdmins = planned.OwnersAndAdmins // the next plan shows changed roles
	}
	return after, a.diags
}

// membersNow reads the members for an apply. In a process that serves one walk they are read once.
func (r *SetResource) membersNow(ctx context.Context, label string) (*inventory.Members, error) {
	if r.ManyWalks {
		return r.Inventory.RefreshMembers(ctx, label) // the cached list may be from an earlier walk
	}
	return r.Inventory.MembersAfterWrites(ctx, label)
}

// check rejects what must not happen before the first API call. A create removes nobody. Every user whom the plan
// adopts must still be a member: adding the user would send an email that the plan did not announce.
func (a *setApply) check(planned *setModel, steps []setStep) {
	if a.creates {
		if others := planned.strangers(a.live); len(others) > 0 {
			a.diags.Append(otherMembers(a.labelID, a.host, others))
			return
		}
	}
	for _, s := range steps {
		if s.kind != setAdopt {
			continue
		}
		live, ok := a.live.ByID(s.person.id.ValueString())
		if !ok || normalEmail(live.Email) != normalEmail(s.person.email) {
			a.diags.Append(leftAfterPlan(memberPath(s.person.email), s.person.email, a.host))
		}
	}
}

// take executes one step.
func (a *setApply) take(ctx context.Context, s setStep) error {
	normal := normalEmail(s.person.email)
	claim := session.Claim(session.TypeMember, personKey(a.labelID, normal))
	if !a.r.Creating.Add(claim) {
		return errManaged
	}
	defer a.r.Creating.Remove(claim)
	switch s.kind {
	case setRemove:
		return a.remove(ctx, s.person)
	case setRelease:
		delete(a.now, normal)
		return nil
	case setAdopt:
		if live, ok := a.live.ByID(s.person.id.ValueString()); ok {
			a.adopt(s.person, live.ID, !isPlain(live))
		}
		return nil
	default:
		return a.add(ctx, s.person)
	}
}

// remove removes the user who was in state, not another user who has the same email address now.
func (a *setApply) remove(ctx context.Context, p person) error {
	id, normal := p.id.ValueString(), normalEmail(p.email)
	live, ok := a.live.ByID(id)
	switch {
	case !ok: // already left
	case !isPlain(live):
		a.diags.Append(notRemoved(p.email, a.host))
	case a.r.run().own.Contains(personKey(a.labelID, id)):
		return errManaged
	default:
		err := removePerson(ctx, a.r.Session, a.labelID, id)
		switch {
		case err == nil:
			a.removed = append(a.removed, p.email)
		case transport.IsCode(err, client.CodeCannotRemoveOwner):
			a.diags.Append(notRemoved(p.email, a.host))
		case transport.IsCode(err, client.CodeUserNotFound): // left in between
		default:
			return err
		}
	}
	delete(a.now, normal)
	return nil
}

// add adds a user, or adopts one who became a member after the plan.
func (a *setApply) add(ctx context.Context, p person) error {
	if live, ok := a.live.ByEmail(p.email); ok {
		a.adopt(p, live.ID, !isPlain(live))
		a.diags.Append(joinedAfterPlan(p.email, a.host, live.Role))
		return nil
	}
	added, err := addPerson(ctx, a.r.Session, a.labelID, p.newMember())
	if err != nil {
		return err
	}
	switch {
	case added.Created:
		a.added = append(a.added, p.email)
	case added.ResponseLost:
		a.added = append(a.added, p.email)
		a.diags.Append(responseLost(memberPath(p.email), p.email, a.host))
	default:
		a.diags.Append(joinedAfterPlan(p.email, a.host, client.RoleMember))
	}
	a.adopt(p, added.UserID, false)
	return nil
}

// adopt records a user of the map as present. From then on the removal of this user by another resource of this apply
// is an error.
func (a *setApply) adopt(p person, id string, privileged bool) {
	normal := normalEmail(p.email)
	p.id, p.privileged = types.StringValue(id), privileged
	a.now[normal] = p
	a.r.run().own.Add(personKey(a.labelID, id))
	a.r.run().own.Add(personKey(a.labelID, normal))
}

// reached returns the model after the executed steps, with the planned spelling and names.
func (a *setApply) reached(planned *setModel) *setModel {
	after := planned.people()
	for normal, p := range a.now {
		if live, ok := a.live.ByEmail(p.email); ok {
			p.privileged = !isPlain(live)
		}
		if want, ok := after[normal]; ok {
			p.email, p.names = want.email, want.names
		}
		a.now[normal] = p
	}
	m := *planned
	m.ID = planned.PrivateLabelID
	m.setPeople(a.now)
	return &m
}

// memberPath returns the path of a user in the configuration.
func memberPath(email string) path.Path { return path.Root("members").AtMapKey(email) }

// report describes what the API calls of this apply did, and whether the state has it.
func (a *setApply) report() string {
	var done []string
	if len(a.removed) > 0 {
		done = append(done, "removed "+inWords(a.removed))
	}
	if len(a.added) > 0 {
		done = append(done, "added "+inWords(a.added))
	}
	switch {
	case len(done) == 0:
		return "Nothing was changed."
	case a.creates:
		return fmt.Sprintf("Before that, this apply %s. The next apply adopts them without another email.", strings.Join(done, " and "))
	default:
		return fmt.Sprintf("Before that, this apply %s, which is in state. Apply again for the rest.", strings.Join(done, " and "))
	}
}
