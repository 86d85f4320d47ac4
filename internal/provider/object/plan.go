package object

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/walk"
)

// ModifyPlan announces the steps of the apply, and rejects what an apply must not do.
func (r *resourceOf[M]) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	c := &Change[M]{}
	if !req.State.Raw.IsNull() {
		c.Was = newModel[M]()
		resp.Diagnostics.Append(req.State.Get(ctx, c.Was)...)
	}
	if !req.Plan.Raw.IsNull() {
		c.Want = newModel[M]()
		c.Config = newModel[M]()
		resp.Diagnostics.Append(req.Plan.Get(ctx, c.Want)...)
		resp.Diagnostics.Append(req.Config.Get(ctx, c.Config)...)
	}
	p, diags := session.ReadPrivateState[private](ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || c.Creates() && c.Destroys() {
		return
	}
	r = r.readingBy(walk.Plan, c.Was, c.Want)
	c.Session = r.Session
	before := p
	configured := c.Want
	var awaited []string
	if !c.Creates() {
		r.rememberHost(c.Was, p)
		if r.Session != nil {
			r.Register.Hold(r.t.object(c.Was, zero[M]()))
		}
		p = p.withoutPlan() // what an earlier plan announced, and a failed delete left
	}
	if !c.Creates() && !c.Destroys() {
		c.unread = r.Session != nil && len(r.t.Replacing) > 0 && !r.Register.WasRead(r.t.object(c.Was, zero[M]()), p.Instance)
		c.Want, awaited = r.t.assumed(c.Was, c.Want)
	}
	switch {
	case c.Destroys():
		resp.Diagnostics.Append(r.planDestroy(ctx, c, &p, zero[M]())...)
	case c.Creates():
		resp.Diagnostics.Append(r.planCreate(ctx, c, &p)...)
	case r.t.replaces(c.Was, c.Want) && (p.Alias == "" || r.t.key(c.Want) != p.Alias): // else it has the new key already
		resp.Diagnostics.Append(r.planReplacement(ctx, c, &p)...)
		for _, name := range r.t.Replacing {
			resp.RequiresReplace.Append(path.Root(name))
		}
	default:
		resp.Diagnostics.Append(r.awaits(ctx, c.Was, awaited)...)
		resp.Diagnostics.Append(r.planUpdate(ctx, c, p.Instance)...)
		r.t.Fields().copy(c.Want, configured, awaited)
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
func (r *resourceOf[M]) planCreate(ctx context.Context, c *Change[M], p *private) diag.Diagnostics {
	secondHalf := p.ID != "" && p.Announced != nil
	if r.t.NotReplaceable != nil && p.ID != "" && !secondHalf {
		return diag.Diagnostics{r.t.NotReplaceable.of(r.name(ctx, c.Want))}
	}
	if !secondHalf {
		*p = private{} // a delete without an announcement is that of a tainted object
	}
	reseller, diags := r.Reseller(ctx)
	c.Want.base().Reseller = reseller
	if diags.HasError() {
		return diags
	}
	c.Steps = r.t.Steps(zero[M](), c.Want, zero[M]())
	diags.Append(r.planSteps(ctx, c)...)
	ask := (*register.Register).Record
	if diags.HasError() {
		ask = (*register.Register).Ask // a create that has an error of its own is none for the destroy
	}
	if own := r.t.object(c.Want, c.Live); r.Session != nil && r.Register.Rejected(own, register.Removes) {
		return nil // the error of the destroy at another address says what to do
	} else if r.Session != nil && diags.HasError() {
		r.Register.Reject(own, register.Creates)
	}
	var warnings diag.Diagnostics
	if !diags.HasError() { // they read the names that identify an object
		warnings = r.t.warnings(zero[M](), c.Want, c.Live, r.Names(ctx)).Diagnostics()
	}
	switch others := r.claim(ctx, c, r.t.claims(r.Session, c.Was, c.Want, c.Live, ""), ask); {
	case others.HasError():
		return others
	case diags.HasError():
		return diags
	default:
		return append(append(diags, others...), warnings...)
	}
}

// planSteps reads the wanted object, if its key is known, and applies the rules of the type.
func (r *resourceOf[M]) planSteps(ctx context.Context, c *Change[M]) diag.Diagnostics {
	if r.Ready() && !r.t.RenamesFreely && r.t.key(c.Want) != "" {
		live, err := r.t.resource.Read(ctx, r.Session, c.Want, inventory.Cached)
		if err != nil {
			return r.readError(ctx, c.Want, err)
		}
		c.Live = live
	}
	return r.rules(ctx, c)
}

// rules are those of the type: of the plan, and of the apply if it has a step.
func (r *resourceOf[M]) rules(ctx context.Context, c *Change[M]) (diags diag.Diagnostics) {
	op := r.t.resource.Begin(c)
	diags = op.Plan(ctx)
	if len(c.Steps) > 0 && !diags.HasError() {
		diags.Append(op.Check(ctx)...)
	}
	return diags
}

// planUpdate announces the steps from the prior state to the plan.
func (r *resourceOf[M]) planUpdate(ctx context.Context, c *Change[M], instance string) diag.Diagnostics {
	c.Steps = r.t.Steps(c.Was, c.Want, zero[M]())
	diags := r.checkLight(ctx, c)
	if !diags.HasError() {
		diags.Append(r.rules(ctx, c)...)
	}
	if diags.HasError() {
		return diags
	}
	diags.Append(r.claim(ctx, c, r.t.claims(r.Session, c.Was, c.Want, c.Live, instance), (*register.Register).Record)...)
	if diags.HasError() {
		return diags
	}
	return append(diags, r.t.warnings(c.Was, c.Want, c.Live, r.Names(ctx)).Diagnostics()...)
}

const outdated = "%s has changed since its last full read: a light refresh did not see it. No change was planned.\n\n" +
	"Plan again with refresh = \"full\" in the provider block, or RESELLER_REFRESH=full."

// checkLight reads an object that is going to change, which a light refresh did not.
func (r *resourceOf[M]) checkLight(ctx context.Context, c *Change[M]) diag.Diagnostics {
	if r.t.lightly == nil || len(c.Steps) == 0 || !r.Ready() || !r.Inventory.IsLight() {
		return nil
	}
	live, err := r.t.resource.Read(ctx, r.Session, c.Was, inventory.Current)
	switch {
	case err != nil:
		return r.readError(ctx, c.Was, err)
	case isNil(live), !r.t.Fields().Same(ctx, c.Was, live):
		return diag.Diagnostics{diag.NewErrorDiagnostic(SummaryOutdated, fmt.Sprintf(outdated, r.begin(ctx, c.Was)))}
	}
	return nil
}

// planReplacement announces both halves: Terraform drops the warnings of the second one.
func (r *resourceOf[M]) planReplacement(ctx context.Context, c *Change[M], p *private) diag.Diagnostics {
	if c.unread {
		return r.replacedUnread(ctx, c)
	}
	created := clone(c.Config) // without the computed values of the prior object
	destroy := &Change[M]{Session: r.Session, Was: c.Was, Replacing: true}
	diags := r.planDestroy(ctx, destroy, p, created)
	create := &Change[M]{Session: r.Session, Want: created, Config: c.Config, Replacing: true, Steps: r.t.Steps(zero[M](), created, zero[M]())}
	diags.Append(r.planSteps(ctx, create)...)
	if diags.HasError() {
		return diags
	}
	return append(diags, r.t.warnings(zero[M](), created, create.Live, r.Names(ctx)).Diagnostics()...)
}

// planDestroy reads the live object, announces from that, and leaves in p what it announced. Some CLIs plan a
// removed block from the state before its refresh. next is the wanted object of a replacement.
func (r *resourceOf[M]) planDestroy(ctx context.Context, c *Change[M], p *private, next M) diag.Diagnostics {
	p.Announced = &effect.Announcement{}
	if _, p.Superseded = r.storedElsewhere(c.Was, zero[M](), zero[M](), p.Instance); p.Superseded {
		return nil
	}
	live, gone, diags := r.readToDestroy(ctx, c.Was, inventory.Current)
	switch {
	case diags.HasError():
		return diags
	case gone:
		removed, _ := r.t.resource.Gone(ctx, r.Session, c.Was)
		return append(diags, removed)
	}
	c.Live = live
	diags.Append(r.claim(ctx, c, r.t.claims(r.Session, c.Was, c.Want, live, p.Instance), (*register.Register).Record)...)
	if diags.HasError() {
		return diags
	}
	if protected := r.protected(ctx, c.Was); protected != nil {
		if r.Session != nil {
			r.Register.Reject(r.t.object(c.Was, live), register.Removes)
		}
		return append(diags, protected)
	}
	c.Steps = r.t.Steps(c.Was, zero[M](), live)
	diags.Append(r.rules(ctx, c)...)
	if diags.HasError() {
		return diags
	}
	announced := effect.Announce(c.Steps)
	p.Announced = &announced
	view := View[M]{Was: c.Was, Next: next, Live: live, Names: r.Names(ctx)}
	return append(diags, r.t.announce(view, c.Steps).Diagnostics()...)
}

// readToDestroy finds the live object of a destroy. An object that is only removed from state is not read.
func (r *resourceOf[M]) readToDestroy(ctx context.Context, was M, age inventory.Freshness) (live M, gone bool, diags diag.Diagnostics) {
	if age == DontRead || !r.Ready() {
		return live, false, nil
	}
	if policy := policyOf(was); policy == nil || policy.ValueString() == effect.PolicyAbandon {
		if !r.isOfAnother(ctx, was) {
			return live, false, nil
		}
		age = inventory.Cached
	}
	live, err := r.readLive(ctx, was, zero[M](), age)
	if err == nil && !isNil(live) {
		return live, false, nil
	}
	gone, diags = r.absent(ctx, was, err)
	return zero[M](), gone, diags
}

// isOfAnother reports whether an object was last read under another slug than that of this run. Where the slug cannot be read,
// a destroy that makes no call needs none.
func (r *resourceOf[M]) isOfAnother(ctx context.Context, was M) bool {
	slug, diags := r.Reseller(ctx)
	last := was.base().Reseller.ValueString()
	return !diags.HasError() && last != "" && !strings.EqualFold(last, slug.ValueString())
}

// readLive finds the live object that a change is about.
func (r *resourceOf[M]) readLive(ctx context.Context, was, want M, age inventory.Freshness) (M, error) {
	if !isNil(want) {
		return r.t.resource.Read(ctx, r.Session, want, age)
	}
	if reader, ok := r.t.resource.(DestroyReader[M]); ok {
		return reader.ReadToDestroy(ctx, r.Session, was, age)
	}
	return r.t.resource.Read(ctx, r.Session, was, age)
}

// protected is the error of a destroy that the policy in state rejects, a warning where nothing can be lost, nil for none.
func (r *resourceOf[M]) protected(ctx context.Context, was M) diag.Diagnostic {
	policy := policyOf(was)
	if policy == nil || !r.t.Policy.Protects(*policy) {
		return nil
	}
	object := r.t.subject(was, r.Names(ctx))
	if r.Session != nil && r.Simulator.Ephemeral() {
		return r.t.Policy.Unenforced(object)
	}
	if r.Session != nil && r.Register.Rejected(r.t.object(was, zero[M]()), register.Creates) {
		return r.t.Policy.AlsoPrevented(object) // the error of the create at another address says what to do
	}
	return r.t.Policy.Prevented(object)
}
