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
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/walk"
)

// ModifyPlan announces the steps of the apply, and rejects what an apply must not do.
func (r *resourceOf[M]) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	q := &Request[M]{}
	if !req.State.Raw.IsNull() {
		q.Was = newModel[M]()
		resp.Diagnostics.Append(req.State.Get(ctx, q.Was)...)
	}
	if !req.Plan.Raw.IsNull() {
		q.Want, q.Config = newModel[M](), newModel[M]()
		resp.Diagnostics.Append(req.Plan.Get(ctx, q.Want)...)
		resp.Diagnostics.Append(req.Config.Get(ctx, q.Config)...)
	}
	p, diags := session.ReadPrivateState[private](ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || q.Creates() && q.Destroys() {
		return
	}
	r = r.readingBy(walk.Plan, q.Was, q.Want)
	q.Session = r.Session
	before, configured := p, q.Want
	var awaited []string
	if !q.Creates() {
		r.rememberHost(q.Was, p)
		p = p.withoutPlan() // what an earlier plan announced, and a failed delete left
	}
	if !q.Creates() && !q.Destroys() {
		q.unread = r.Session != nil && len(r.t.Replacing) > 0 && !r.Register.WasRead(r.t.object(q.Was, zero[M]()))
		q.Want, awaited = r.t.assumed(q.Was, q.Want)
		resp.Diagnostics.Append(r.awaits(ctx, q.Was, awaited)...)
	}
	switch {
	case q.Destroys():
		resp.Diagnostics.Append(r.planDestroy(ctx, q, &p, zero[M]())...)
	case q.Creates():
		resp.Diagnostics.Append(r.planCreate(ctx, q, &p)...)
	case r.t.replaces(q.Was, q.Want) && (p.Alias == "" || r.t.key(q.Want) != p.Alias): // else it has the new key already
		resp.Diagnostics.Append(r.planReplacement(ctx, q, &p)...)
		for _, name := range r.t.Replacing {
			resp.RequiresReplace.Append(path.Root(name))
		}
	default:
		resp.Diagnostics.Append(r.planUpdate(ctx, q, p.Instance)...)
		r.t.Fields().copy(q.Want, configured, awaited)
	}
	if p != before {
		resp.Diagnostics.Append(p.save(ctx, resp.Private)...)
	}
	if !q.Destroys() && !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.Plan.Set(ctx, q.Want)...)
	}
}

// planCreate announces all steps of the configuration. What is live does not change the plan: it only makes the apply do
// less, or is an error.
func (r *resourceOf[M]) planCreate(ctx context.Context, q *Request[M], p *private) diag.Diagnostics {
	secondHalf := p.ID != "" && p.Announced != nil
	if irreplaceable, ok := r.t.kind.(Irreplaceable); ok && p.ID != "" && !secondHalf {
		return diag.Diagnostics{irreplaceable.Replace(diagnostic.InSentence(r.name(ctx, q.Want)))}
	}
	if !secondHalf {
		*p = private{} // a delete without an announcement is that of a tainted object
	}
	reseller, diags := r.Reseller(ctx)
	q.Want.base().Reseller = reseller
	if diags.HasError() {
		return diags
	}
	q.Steps = r.t.Steps(zero[M](), q.Want, zero[M]())
	diags.Append(r.planSteps(ctx, q)...)
	ask := (*register.Register).Record
	if diags.HasError() {
		ask = (*register.Register).Ask // a create that has an error of its own is none for the destroy
	}
	switch others := r.claim(ctx, q, r.t.claims(q.Was, q.Want, q.Live, ""), ask); {
	case others.HasError():
		return others
	case diags.HasError():
		return diags
	default:
		diags.Append(others...)
	}
	return append(diags, r.t.notices(zero[M](), q.Want, q.Live, r.Names(ctx)).Diagnostics()...)
}

// planSteps looks at the wanted object, if its key is known, and applies the rules of the type.
func (r *resourceOf[M]) planSteps(ctx context.Context, q *Request[M]) diag.Diagnostics {
	if r.Ready() && !r.t.RenamesFreely && r.t.key(q.Want) != "" {
		live, err := r.t.kind.Read(ctx, r.Session, q.Want, inventory.Cached)
		if err != nil {
			return diag.Diagnostics{r.lookFailed(ctx, q.Want, err)}
		}
		q.Live = live
	}
	return r.rules(ctx, q)
}

// rules are those of the type: of the plan, and of the apply if it has a step.
func (r *resourceOf[M]) rules(ctx context.Context, q *Request[M]) (diags diag.Diagnostics) {
	change := r.t.kind.Begin(q)
	if planner, ok := change.(Planner); ok {
		diags = planner.Plan(ctx)
	}
	if checker, ok := change.(Checker); ok && len(q.Steps) > 0 && !diags.HasError() {
		diags.Append(checker.Check(ctx)...)
	}
	return diags
}

// planUpdate announces the steps from the prior state to the plan.
func (r *resourceOf[M]) planUpdate(ctx context.Context, q *Request[M], instance string) diag.Diagnostics {
	q.Steps = r.t.Steps(q.Was, q.Want, zero[M]())
	diags := r.checkLight(ctx, q)
	if !diags.HasError() {
		diags.Append(r.rules(ctx, q)...)
	}
	if diags.HasError() {
		return diags
	}
	diags.Append(r.claim(ctx, q, r.t.claims(q.Was, q.Want, q.Live, instance), (*register.Register).Record)...)
	if diags.HasError() {
		return diags
	}
	return append(diags, r.t.notices(q.Was, q.Want, q.Live, r.Names(ctx)).Diagnostics()...)
}

const outdated = "%s has changed since its last full read: a light refresh did not see it. No change was planned.\n\n" +
	"Plan again with refresh = \"full\" in the provider block, or RESELLER_REFRESH=full."

// checkLight reads an object that is going to change, which a light refresh did not.
func (r *resourceOf[M]) checkLight(ctx context.Context, q *Request[M]) diag.Diagnostics {
	if r.t.lightly == nil || len(q.Steps) == 0 || !r.Ready() || !r.Inventory.IsLight() {
		return nil
	}
	live, err := r.t.kind.Read(ctx, r.Session, q.Was, inventory.Current)
	switch {
	case err != nil:
		return diag.Diagnostics{r.lookFailed(ctx, q.Was, err)}
	case isNil(live), !r.t.Fields().Same(ctx, q.Was, live):
		return diag.Diagnostics{diag.NewErrorDiagnostic(SummaryOutdated, fmt.Sprintf(outdated, r.name(ctx, q.Was)))}
	}
	return nil
}

// planReplacement announces both halves: Terraform drops the warnings of the second one.
func (r *resourceOf[M]) planReplacement(ctx context.Context, q *Request[M], p *private) diag.Diagnostics {
	if q.unread {
		return r.replacedUnread(ctx, q)
	}
	created := clone(q.Config) // without the computed values of the prior object
	destroy := &Request[M]{Session: r.Session, Was: q.Was, Replacing: true}
	diags := r.planDestroy(ctx, destroy, p, created)
	create := &Request[M]{Session: r.Session, Want: created, Config: q.Config, Replacing: true, Steps: r.t.Steps(zero[M](), created, zero[M]())}
	diags.Append(r.planSteps(ctx, create)...)
	if diags.HasError() {
		return diags
	}
	return append(diags, r.t.notices(zero[M](), created, create.Live, r.Names(ctx)).Diagnostics()...)
}

// planDestroy looks at the live object, announces from that, and leaves in p what it announced. Some CLIs plan a
// removed block from the state before its refresh. next is the wanted object of a replacement.
func (r *resourceOf[M]) planDestroy(ctx context.Context, q *Request[M], p *private, next M) diag.Diagnostics {
	p.Announced = &effect.Announcement{}
	if _, p.Superseded = r.storedElsewhere(q.Was, zero[M](), zero[M](), p.Instance); p.Superseded {
		return nil
	}
	live, gone, diags := r.lookToDestroy(ctx, q.Was, inventory.Current)
	switch {
	case diags.HasError():
		return diags
	case gone:
		return append(diags, r.t.kind.Gone(ctx, r.Session, q.Was))
	}
	q.Live = live
	diags.Append(r.claim(ctx, q, r.t.claims(q.Was, q.Want, live, p.Instance), (*register.Register).Record)...)
	if diags.HasError() {
		return diags
	}
	if protected := r.protected(ctx, q.Was); protected != nil {
		return append(diags, protected)
	}
	q.Steps = r.t.Steps(q.Was, zero[M](), live)
	diags.Append(r.rules(ctx, q)...)
	if diags.HasError() {
		return diags
	}
	announced := effect.Announce(q.Steps)
	p.Announced = &announced
	view := View[M]{Was: q.Was, Next: next, Live: live, Names: r.Names(ctx)}
	return append(diags, r.t.announce(view, q.Steps).Diagnostics()...)
}

// lookToDestroy finds the live object of a destroy. An object that is only removed from state is not read.
func (r *resourceOf[M]) lookToDestroy(ctx context.Context, was M, age inventory.Freshness) (live M, gone bool, diags diag.Diagnostics) {
	if age == DontLook || !r.Ready() {
		return live, false, nil
	}
	if policy := policyOf(was); policy == nil || policy.ValueString() == effect.PolicyAbandon {
		if !r.isOfAnother(ctx, was) {
			return live, false, nil
		}
		age = inventory.Cached
	}
	live, err := r.lookAt(ctx, was, zero[M](), age)
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

// lookAt finds the live object that a change is about.
func (r *resourceOf[M]) lookAt(ctx context.Context, was, want M, age inventory.Freshness) (M, error) {
	if !isNil(want) {
		return r.t.kind.Read(ctx, r.Session, want, age)
	}
	if reader, ok := r.t.kind.(DestroyReader[M]); ok {
		return reader.ReadToDestroy(ctx, r.Session, was, age)
	}
	return r.t.kind.Read(ctx, r.Session, was, age)
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
	if r.Session != nil && r.Register.Explained(r.t.Type) {
		return r.t.Policy.AlsoPrevented(object)
	}
	return r.t.Policy.Prevented(object)
}
