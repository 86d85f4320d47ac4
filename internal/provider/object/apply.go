package object

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/codec"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

const (
	summaryChanged  = "Object changed since the plan"
	summaryNotRead  = "Object was written, but not read"
	summaryOutdated = "State is older than the object"
	summaryVanished = "Object disappeared during the apply"
)

// attempts bounds how often the steps are computed again because the object has changed meanwhile.
const attempts = 3

// Create takes the steps that are not in effect yet. An error with a state would taint the object: an error has none.
func (r *described[M, L, S]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	defer func() { session.Recovered(ctx, recover(), true, &resp.State, &resp.Diagnostics) }()
	c := &Change[M, L, S]{Session: r.Session, Want: made[M](), Applying: true}
	resp.Diagnostics.Append(req.Plan.Get(ctx, c.Want)...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx = r.readBy(ctx, inventory.Apply, none[M](), c.Want)
	resp.Diagnostics.Append(r.begin(ctx, c, r.d.AtCreate)...)
	if resp.Diagnostics.HasError() {
		return
	}
	now := copied(c.Want)
	save := func() {
		resp.Diagnostics.Append(resp.State.Set(ctx, now)...)
		resp.Diagnostics.Append(r.d.setIdentity(ctx, resp.Identity, now)...)
		resp.Diagnostics.Append(r.privateOf(now, private{Created: true}).save(ctx, resp.Private)...)
	}
	diags := r.applySteps(ctx, c, effect.Announce(r.d.Steps(none[M](), c.Want, none[L]())), now, save)
	resp.Diagnostics.Append(c.warnings...)
	if diags.HasError() && len(c.Done) > 0 && !r.d.Resumes {
		diags = diagnostic.AsWarnings(diags) // the first step made the object, and an error would taint it
	}
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		resp.State.RemoveResource(ctx)
		return
	}
	if slices.Contains(r.d.ids(now), "") { // it was there at the first look, and gone at the last one
		resp.Diagnostics = diag.Diagnostics{diag.NewErrorDiagnostic(summaryVanished,
			r.name(ctx, c.Want)+" existed when the apply began, and does not exist now. The apply changed nothing, and nothing is in state. Apply again.")}
		resp.State.RemoveResource(ctx)
		return
	}
	save()
	resp.State.Raw = codec.KeepPlanned(req.Plan.Raw, resp.State.Raw)
	r.each(now, (*session.Planned).Store)
}

// Update takes the steps from the state to the plan. After a failure, the state has what is in effect.
func (r *described[M, L, S]) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	defer func() { session.Recovered(ctx, recover(), false, &resp.State, &resp.Diagnostics) }()
	c := &Change[M, L, S]{Session: r.Session, Was: made[M](), Want: made[M](), Applying: true}
	now := made[M]()
	filled := tfsdk.State{Raw: codec.KeepPlanned(req.Plan.Raw, req.State.Raw), Schema: req.State.Schema}
	resp.Diagnostics.Append(req.Plan.Get(ctx, c.Want)...)
	resp.Diagnostics.Append(req.State.Get(ctx, c.Was)...)
	resp.Diagnostics.Append(filled.Get(ctx, now)...)
	before, diags := session.ReadPrivateState[private](ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx = r.readBy(ctx, inventory.Apply, c.Was, c.Want)
	resp.Diagnostics.Append(r.d.setIdentity(ctx, resp.Identity, c.Was)...)
	announced := r.d.Steps(c.Was, c.Want, none[L]())
	if len(announced) > 0 || !req.Plan.Raw.IsFullyKnown() { // a read completes what no step makes known
		diags := r.storedElsewhere(ctx, c)
		if !diags.HasError() {
			diags = r.begin(ctx, c, r.d.AtUpdate)
		}
		if !diags.HasError() {
			diags = r.applySteps(ctx, c, effect.Announce(announced), now, func() {})
		}
		resp.Diagnostics.Append(diags...)
		resp.Diagnostics.Append(c.warnings...)
	}
	if resp.Diagnostics.HasError() {
		r.keepDone(ctx, c, before, resp)
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, now)...)
	resp.State.Raw = codec.KeepPlanned(req.Plan.Raw, resp.State.Raw)
	resp.Diagnostics.Append(r.privateOf(now, before).save(ctx, resp.Private)...)
	r.each(now, (*session.Planned).Store)
}

// begin finds whose reseller it is, and looks at the live object if age says so.
func (r *described[M, L, S]) begin(ctx context.Context, c *Change[M, L, S], age inventory.Age) diag.Diagnostics {
	if !r.Ready() {
		return diag.Diagnostics{r.NotReady()}
	}
	of := c.Was
	if c.Creates() {
		reseller, diags := r.Reseller(ctx)
		if diags.HasError() {
			return diags
		}
		of, c.Want.base().Reseller = c.Want, reseller
	}
	if age == 0 {
		return nil
	}
	live, err := r.d.Look(ctx, r.Session, of, age)
	switch {
	case err != nil:
		return diag.Diagnostics{r.lookFailed(ctx, of, err)}
	case isNone(live) && !c.Creates():
		return diag.Diagnostics{diag.NewErrorDiagnostic(summaryVanished, r.name(ctx, of)+" was not found. Nothing was changed. Plan again.")}
	}
	c.Live = live
	return nil
}

// keepDone stores what a failed update has changed, or may have. If it cannot be read, the state stays and the next plan
// shows it.
func (r *described[M, L, S]) keepDone(ctx context.Context, c *Change[M, L, S], before private, resp *resource.UpdateResponse) {
	if len(c.Done) == 0 && !c.doubtful {
		return
	}
	own, cancel := transport.DetachedContext(ctx)
	defer cancel()
	live, err := r.d.Look(own, r.Session, c.Was, inventory.Fresh)
	if err != nil || isNone(live) {
		return
	}
	if r.d.Keep == nil {
		r.d.Fill(c.Was, live)
	} else if !r.d.Keep(c.Was, c.Want, live) {
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, c.Was)...)
	resp.Diagnostics.Append(r.privateOf(c.Was, before).save(ctx, resp.Private)...)
	r.each(c.Was, (*session.Planned).Store)
}

// Delete takes the steps that the plan of the destroy announced. A tainted object and a replacement that no plan
// announced have none.
func (r *described[M, L, S]) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	defer func() { session.Recovered(ctx, recover(), false, &resp.State, &resp.Diagnostics) }()
	c := &Change[M, L, S]{Session: r.Session, Was: made[M](), Applying: true}
	resp.Diagnostics.Append(req.State.Get(ctx, c.Was)...)
	p, diags := session.ReadPrivateState[private](ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(p.lasting().save(ctx, resp.Private)...) // an announcement is for one apply
	if resp.Diagnostics.HasError() {
		return
	}
	ctx = r.readBy(ctx, inventory.Apply, c.Was, none[M]())
	policy := policyOf(c.Was)
	if policy != nil && policy.ValueString() != effect.PolicyAbandon && !r.Ready() {
		resp.Diagnostics.Append(r.NotReady())
		return
	}
	live, gone, diags := r.lookToDestroy(ctx, c.Was, cmp.Or(r.d.AtDelete, inventory.Fresh))
	resp.Diagnostics.Append(diags...)
	if gone || diags.HasError() {
		return
	}
	c.Live = live
	protected := r.protected(ctx, c.Was)
	switch steps := r.d.Steps(c.Was, none[M](), live); {
	case protected != nil && protected.Severity() == diag.SeverityError:
		resp.Diagnostics.Append(protected)
	case protected != nil: // the plan warned
	case len(steps) > 0 && p.Announced == nil && r.d.Texts.Replace != nil:
		resp.Diagnostics.Append(r.d.Texts.Replace(diagnostic.InSentence(r.name(ctx, c.Was))))
	case len(steps) > 0 && r.storedElsewhere(ctx, c).HasError():
		resp.Diagnostics.Append(r.storedElsewhere(ctx, c)...)
	case len(steps) > 0:
		resp.Diagnostics.Append(r.applySteps(ctx, c, *cmp.Or(p.Announced, &effect.Announcement{}), none[M](), func() {})...)
		resp.Diagnostics.Append(c.warnings...)
	}
}

// applySteps takes the steps of a change, each of which the plan announced. After a step that may have failed because the
// object has changed, it looks again and takes the steps that are left. now is nil for a destroy.
func (r *described[M, L, S]) applySteps(ctx context.Context, c *Change[M, L, S], announced effect.Announcement, now M, save func()) diag.Diagnostics {
	var failed S
	var o transport.Outcome
	for attempt := 1; ; attempt++ {
		c.Steps = r.d.Steps(c.Was, c.Want, c.Live)
		if len(c.Done) == 0 && r.d.Check != nil {
			if diags := r.d.Check(ctx, c); diags.HasError() {
				return diags
			}
		}
		if i := slices.IndexFunc(c.Steps, func(s S) bool { return announced.Beyond(s) != "" }); i >= 0 {
			return r.changed(ctx, c, c.Steps[i], announced.Beyond(c.Steps[i]))
		}
		if failed, o = r.takeSteps(ctx, c, now, save); o.State == transport.Applied {
			return r.complete(ctx, c, now)
		}
		if attempt == attempts || r.d.Unseen || !r.moved(o) || c.Creates() && !r.d.Resumes {
			break
		}
		var again, gone bool
		if again, gone, o = r.lookAgain(ctx, c, failed, o); gone {
			return nil // there is nothing left to destroy
		}
		if !again {
			break
		}
	}
	c.doubtful = o.State != transport.Absent
	return r.d.Failed(ctx, c, failed, o)
}

// takeSteps takes the steps until one is not known to be in effect.
func (r *described[M, L, S]) takeSteps(ctx context.Context, c *Change[M, L, S], now M, save func()) (failed S, _ transport.Outcome) {
	for _, s := range c.Steps {
		if o := r.d.Take(ctx, c, s, now); o.State != transport.Applied {
			return s, o
		}
		c.Done = append(c.Done, s)
		if !r.d.Resumes {
			save()
		}
	}
	return failed, transport.Done()
}

// moved reports whether the object may not be as it was read, or the step may be in effect.
func (r *described[M, L, S]) moved(o transport.Outcome) bool {
	return o.State != transport.Absent || client.MayBeGone(o.Err) || errors.Is(o.Err, ErrMoved) || transport.IsCode(o.Err, r.d.Moved...)
}

// ErrMoved is the error of a step which found that the object is not as it was read.
var ErrMoved = errors.New("the object has changed")

// lookAgain reads the object after a failed step, twice if the step may be in effect and the first read does not show it.
// It reports whether other steps are left than that one, and whether an object to destroy is proven to be absent.
func (r *described[M, L, S]) lookAgain(ctx context.Context, c *Change[M, L, S], failed S, o transport.Outcome) (again, gone bool, _ transport.Outcome) {
	left := func(live L) bool { return effect.Announce(r.d.Steps(c.Was, c.Want, live))[failed.Key()] > 0 }
	live, err := transport.ReadTwice(ctx, r.Clock(),
		func(ctx context.Context) (L, error) { return r.lookAt(ctx, c, inventory.Fresh) },
		func(live L) bool { return o.State == transport.Absent || isNone(live) || !left(live) })
	if c.Destroys() && isNone(live) {
		own, cancel := transport.DetachedContext(ctx)
		defer cancel()
		gone, _ = r.absent(own, c.Was, err) // the outcome of the step says more
		return false, gone, o
	}
	if err != nil {
		return false, false, o
	}
	c.Live = live
	switch {
	case left(live):
		return false, false, o.Refuted()
	case o.State != transport.Absent:
		c.Done = append(c.Done, failed)
	}
	return true, false, o
}

// complete reads what the responses did not show.
func (r *described[M, L, S]) complete(ctx context.Context, c *Change[M, L, S], now M) diag.Diagnostics {
	switch {
	case c.Destroys():
		return nil
	case r.d.ReadBack != nil:
		return r.d.ReadBack(ctx, c, now)
	}
	live, err := transport.ReadTwice(ctx, r.Clock(),
		func(ctx context.Context) (L, error) { return r.d.Look(ctx, r.Session, now, inventory.Current) },
		func(live L) bool { return !isNone(live) })
	if err != nil || isNone(live) {
		return r.notRead(r.name(ctx, c.Want), err)
	}
	r.d.Fill(now, live)
	return nil
}

// notRead reports a change whose result could not be read. It is an error if the next create reads it.
func (r *described[M, L, S]) notRead(name string, err error) diag.Diagnostics {
	cause := diagnostic.Cause(err)
	if r.d.Resumes {
		return diag.Diagnostics{diag.NewErrorDiagnostic(summaryNotRead,
			diagnostic.JoinParagraphs("The change of "+diagnostic.InSentence(name)+" was written, but could not be read", cause, "Apply again."))}
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(summaryNotRead,
		diagnostic.JoinParagraphs(name+" is in state. The next plan reads the missing attributes", cause))}
}

// changed is the error of a step that the plan did not announce.
func (r *described[M, L, S]) changed(ctx context.Context, c *Change[M, L, S], s S, beyond string) diag.Diagnostics {
	if len(c.Done) > 0 {
		return r.d.Failed(ctx, c, s, transport.NotDone(ErrMoved))
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic(summaryChanged, diagnostic.JoinParagraphs(
		fmt.Sprintf("%s changed since the plan. The apply would now make a change that the plan did not announce: %s.",
			r.name(ctx, c.Subject()), beyond),
		"Nothing was changed. Plan again to see the change."))}
}
