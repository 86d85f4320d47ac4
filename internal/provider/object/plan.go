package object

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// ModifyPlan announces the steps of the apply, and rejects what an apply must not do.
func (r *described[M, L, S]) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	c := &Change[M, L, S]{Session: r.Session}
	if !req.State.Raw.IsNull() {
		c.Was = made[M]()
		resp.Diagnostics.Append(req.State.Get(ctx, c.Was)...)
	}
	if !req.Plan.Raw.IsNull() {
		c.Want, c.Config = made[M](), made[M]()
		resp.Diagnostics.Append(req.Plan.Get(ctx, c.Want)...)
		resp.Diagnostics.Append(req.Config.Get(ctx, c.Config)...)
	}
	p, diags := session.ReadPrivateState[private](ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || c.Creates() && c.Destroys() {
		return
	}
	ctx = r.readBy(ctx, inventory.Plan, c.Was, c.Want)
	before := p
	if !c.Creates() {
		r.recall(c.Was, p)
		p = p.lasting() // what an earlier plan announced, and a failed delete left
	}
	switch {
	case c.Destroys():
		resp.Diagnostics.Append(r.planDestroy(ctx, c, &p, none[M]())...)
	case c.Creates():
		resp.Diagnostics.Append(r.planCreate(ctx, c, &p)...)
	case r.d.replaces(c.Was, c.Want) && (p.Alias == "" || r.d.Key(c.Want) != p.Alias): // else it has the new key already
		resp.Diagnostics.Append(r.planReplacement(ctx, c, &p)...)
		for _, name := range r.d.Replacing {
			resp.RequiresReplace.Append(path.Root(name))
		}
	default:
		resp.Diagnostics.Append(r.planUpdate(ctx, c, p.Origin)...)
	}
	if p != before {
		resp.Diagnostics.Append(p.save(ctx, resp.Private)...)
	}
	if !c.Destroys() && !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.Plan.Set(ctx, c.Want)...)
	}
}

// planCreate announces all steps of the configuration. What is live does not change the plan: it only makes the apply do
// less, or is an error.
func (r *described[M, L, S]) planCreate(ctx context.Context, c *Change[M, L, S], p *private) diag.Diagnostics {
	secondHalf := p.ID != "" && p.Announced != nil
	if p.ID != "" && !secondHalf && r.d.Texts.Replace != nil {
		return diag.Diagnostics{r.d.Texts.Replace(diagnostic.InSentence(r.name(ctx, c.Want)))}
	}
	if !secondHalf {
		*p = private{} // a delete without an announcement is that of a tainted object
	}
	reseller, diags := r.Reseller(ctx)
	c.Want.base().Reseller = reseller
	if diags.HasError() {
		return diags
	}
	c.Steps = r.d.Steps(none[M](), c.Want, none[L]())
	diags.Append(r.planSteps(ctx, c)...)
	if secondHalf && r.isSame(c.Want, c.Live, p.ID) {
		return append(diags, session.ReplacesItself(diagnostic.InSentence(r.name(ctx, c.Want))))
	}
	in := (*session.Planned).Record
	if diags.HasError() {
		in = (*session.Planned).Beside // a create that has an error of its own is none for the destroy
	}
	switch others := r.claim(ctx, c, "", in); {
	case others.HasError():
		return others
	case diags.HasError():
		return diags
	default:
		diags.Append(others...)
	}
	return append(diags, r.d.notices(none[M](), c.Want, c.Live, r.Names(ctx)).Diagnostics()...)
}

// planSteps looks at the wanted object, if its key is known, and applies the rules of the type.
func (r *described[M, L, S]) planSteps(ctx context.Context, c *Change[M, L, S]) diag.Diagnostics {
	if r.Ready() && r.d.Key != nil && r.d.Key(c.Want) != "" {
		live, err := r.d.Look(ctx, r.Session, c.Want, inventory.Cached)
		if err != nil {
			return diag.Diagnostics{r.lookFailed(ctx, c.Want, err)}
		}
		c.Live = live
	}
	return r.rules(ctx, c)
}

// rules are those of the type: of the plan, and of the apply if it has a step.
func (r *described[M, L, S]) rules(ctx context.Context, c *Change[M, L, S]) (diags diag.Diagnostics) {
	if r.d.Plan != nil {
		diags = r.d.Plan(ctx, c)
	}
	if r.d.Check != nil && len(c.Steps) > 0 && !diags.HasError() {
		diags.Append(r.d.Check(ctx, c)...)
	}
	return diags
}

// planUpdate announces the steps from the prior state to the plan.
func (r *described[M, L, S]) planUpdate(ctx context.Context, c *Change[M, L, S], origin string) diag.Diagnostics {
	c.Steps = r.d.Steps(c.Was, c.Want, none[L]())
	diags := r.checkLight(ctx, c)
	if !diags.HasError() {
		diags.Append(r.rules(ctx, c)...)
	}
	if diags.HasError() {
		return diags
	}
	diags.Append(r.claim(ctx, c, origin, (*session.Planned).Record)...)
	if diags.HasError() {
		return diags
	}
	return append(diags, r.d.notices(c.Was, c.Want, c.Live, r.Names(ctx)).Diagnostics()...)
}

const outdated = "%s has changed since its last full read: a light refresh did not see it. No change was planned.\n\n" +
	"Plan again with refresh = \"full\" in the provider block, or RESELLER_REFRESH=full."

// checkLight reads an object that is going to change, which a light refresh did not.
func (r *described[M, L, S]) checkLight(ctx context.Context, c *Change[M, L, S]) diag.Diagnostics {
	if r.d.Light == nil || len(c.Steps) == 0 || !r.Ready() || !r.Inventory.IsLight() {
		return nil
	}
	live, err := r.d.Look(ctx, r.Session, c.Was, inventory.Current)
	if err != nil {
		return diag.Diagnostics{r.lookFailed(ctx, c.Was, err)}
	}
	now := copied(c.Was)
	if !isNone(live) {
		r.d.Fill(now, live)
	}
	if isNone(live) || !r.d.codecOf().Same(ctx, c.Was, now) {
		return diag.Diagnostics{diag.NewErrorDiagnostic(summaryOutdated, fmt.Sprintf(outdated, r.name(ctx, c.Was)))}
	}
	return nil
}

// planReplacement announces both halves: Terraform drops the warnings of the second one.
func (r *described[M, L, S]) planReplacement(ctx context.Context, c *Change[M, L, S], p *private) diag.Diagnostics {
	created := copied(c.Config) // without the computed values of the prior object
	destroy := &Change[M, L, S]{Session: c.Session, Was: c.Was, Replacing: true}
	diags := r.planDestroy(ctx, destroy, p, created)
	create := &Change[M, L, S]{Session: c.Session, Want: created, Config: c.Config, Replacing: true, Steps: r.d.Steps(none[M](), created, none[L]())}
	diags.Append(r.planSteps(ctx, create)...)
	if r.isSame(created, create.Live, strings.Join(r.d.ids(c.Was), "/")) {
		diags.Append(session.ReplacesItself(diagnostic.InSentence(r.name(ctx, created))))
	}
	if diags.HasError() {
		return diags
	}
	return append(diags, r.d.notices(none[M](), created, create.Live, r.Names(ctx)).Diagnostics()...)
}

// isSame reports whether a create would find the object that a replacement removes.
func (r *described[M, L, S]) isSame(want M, live L, id string) bool {
	return r.d.Key != nil && policyOf(want) != nil && !isNone(live) && r.d.object(want, live).ID == id
}

// planDestroy looks at the live object, announces from that, and leaves in p what it announced. Some CLIs plan a
// removed block from the state before its refresh. next is the wanted object of a replacement.
func (r *described[M, L, S]) planDestroy(ctx context.Context, c *Change[M, L, S], p *private, next M) diag.Diagnostics {
	p.Announced = &effect.Announcement{}
	live, gone, diags := r.lookToDestroy(ctx, c.Was, inventory.Current)
	switch {
	case diags.HasError():
		return diags
	case gone:
		return append(diags, r.d.Texts.Gone(ctx, r.Session, c.Was))
	}
	c.Live = live
	diags.Append(r.claim(ctx, c, p.Origin, (*session.Planned).Record)...)
	if diags.HasError() {
		return diags
	}
	if protected := r.protected(ctx, c.Was); protected != nil {
		return append(diags, protected)
	}
	c.Steps = r.d.Steps(c.Was, none[M](), live)
	diags.Append(r.rules(ctx, c)...)
	if diags.HasError() {
		return diags
	}
	announced := effect.Announce(c.Steps)
	p.Announced = &announced
	view := View[M, L]{Was: c.Was, Next: next, Live: live, Names: r.Names(ctx)}
	return append(diags, r.d.Announce(view, c.Steps).Diagnostics()...)
}

// lookToDestroy finds the live object of a destroy. An object that is only removed from state is not read.
func (r *described[M, L, S]) lookToDestroy(ctx context.Context, was M, age inventory.Age) (live L, gone bool, diags diag.Diagnostics) {
	if policy := policyOf(was); !r.Ready() || policy == nil || policy.ValueString() == effect.PolicyAbandon {
		return live, false, nil
	}
	live, err := r.lookAt(ctx, &Change[M, L, S]{Was: was}, age)
	if err == nil && !isNone(live) {
		return live, false, nil
	}
	gone, diags = r.absent(ctx, was, err)
	return none[L](), gone, diags
}

// lookAt finds the live object that a change is about.
func (r *described[M, L, S]) lookAt(ctx context.Context, c *Change[M, L, S], age inventory.Age) (L, error) {
	if c.Destroys() && r.d.LookToDestroy != nil {
		return r.d.LookToDestroy(ctx, r.Session, c.Was, age)
	}
	return r.d.Look(ctx, r.Session, c.Subject(), age)
}

// protected is the error of a destroy that the policy in state rejects, a warning where nothing can be lost, nil for none.
func (r *described[M, L, S]) protected(ctx context.Context, was M) diag.Diagnostic {
	policy := policyOf(was)
	if policy == nil || !r.d.Policy.Protects(*policy) {
		return nil
	}
	object := r.d.subject(was, r.Names(ctx))
	if r.Session != nil && r.Simulator.Ephemeral() {
		return r.d.Policy.Unenforced(object)
	}
	return r.d.Policy.Prevented(object)
}
