package object

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/walk"
)

const (
	SummaryChanged  = "Object changed since the plan"
	SummaryNotRead  = "Object was written, but not read"
	SummaryOutdated = "State is older than the object"
	SummaryVanished = "Object disappeared during the apply"
	// SummaryAwaits and SummaryOtherObject are of a value that says which object is meant and is known after apply.
	SummaryAwaits      = "Object waits for a value known after apply"
	SummaryOtherObject = "Value names another object than planned"
)

// attempts bounds how often the steps are computed again because the object has changed meanwhile.
const attempts = 3

// Create takes the steps that are not in effect yet. An error with a state would taint the object: an error has none.
func (r *resourceOf[M]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	defer func() { session.Recovered(ctx, recover(), true, &resp.State, &resp.Diagnostics) }()
	want := newModel[M]()
	resp.Diagnostics.Append(req.Plan.Get(ctx, want)...)
	if resp.Diagnostics.HasError() {
		return
	}
	r = r.readingBy(walk.Apply, zero[M](), want)
	c := &Change[M]{Session: r.Session, Want: want, Applying: true}
	resp.Diagnostics.Append(diagnostic.Unchanged(r.readBefore(ctx, c, r.t.ReadBeforeCreate))...)
	if resp.Diagnostics.HasError() {
		return
	}
	now := clone(want)
	created := private{Created: true, Instance: rand.Text()}
	save := func() {
		resp.Diagnostics.Append(resp.State.Set(ctx, now)...)
		resp.Diagnostics.Append(r.t.setIdentity(ctx, resp.Identity, now)...)
		resp.Diagnostics.Append(r.privateOf(now, created).save(ctx, resp.Private)...)
	}
	diags := r.applySteps(ctx, c, effect.Announce(r.t.Steps(zero[M](), want, zero[M]())), now, save)
	resp.Diagnostics.Append(c.warnings...)
	if diags.HasError() && len(c.Done) > 0 && !r.t.Resumes {
		diags = diagnostic.AsWarnings(diags) // the first step made the object, and an error would taint it
	}
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		resp.State.RemoveResource(ctx)
		return
	}
	if slices.Contains(r.t.ids(now), "") { // it was there at the first read, and gone at the last one
		resp.Diagnostics = diag.Diagnostics{diag.NewErrorDiagnostic(SummaryVanished,
			r.begin(ctx, want)+" existed when the apply began, and does not exist now. The apply changed nothing, and nothing is in state. Apply again.")}
		resp.State.RemoveResource(ctx)
		return
	}
	save()
	resp.State.Raw = fwtype.KeepPlanned(req.Plan.Raw, resp.State.Raw)
	r.store(now, created.Instance)
}

// Update takes the steps from the state to the plan. After a failure, the state has what is in effect.
func (r *resourceOf[M]) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	defer func() { session.Recovered(ctx, recover(), false, &resp.State, &resp.Diagnostics) }()
	was := newModel[M]()
	want := newModel[M]()
	now := newModel[M]()
	filled := tfsdk.State{Raw: fwtype.KeepPlanned(req.Plan.Raw, req.State.Raw), Schema: req.State.Schema}
	resp.Diagnostics.Append(req.Plan.Get(ctx, want)...)
	resp.Diagnostics.Append(req.State.Get(ctx, was)...)
	resp.Diagnostics.Append(filled.Get(ctx, now)...)
	before, diags := session.ReadPrivateState[private](ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	before.Instance = before.instanceOf()
	r = r.readingBy(walk.Apply, was, want)
	c := &Change[M]{Session: r.Session, Was: was, Want: want, Kept: clone(was), Applying: true}
	resp.Diagnostics.Append(r.t.setIdentity(ctx, resp.Identity, was)...)
	announced := r.t.Steps(was, want, zero[M]())
	if len(announced) > 0 || !req.Plan.Raw.IsFullyKnown() { // a read completes what no step makes known
		diags := r.rejectStored(ctx, c, before.Instance)
		if !diags.HasError() {
			diags = diagnostic.Unchanged(r.readBefore(ctx, c, r.t.ReadBeforeUpdate))
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
	resp.State.Raw = fwtype.KeepPlanned(req.Plan.Raw, resp.State.Raw)
	resp.Diagnostics.Append(r.privateOf(now, before).save(ctx, resp.Private)...)
	r.store(now, before.Instance)
}

// rejectStored rejects a change that would remove what this apply has stored at another resource address.
func (r *resourceOf[M]) rejectStored(ctx context.Context, c *Change[M], instance string) diag.Diagnostics {
	claim, found := r.storedElsewhere(c.Was, c.Want, c.Live, instance)
	if !found {
		return nil
	}
	return diag.Diagnostics{session.StoredElsewhere(r.called(ctx, c.Was, claim))}
}

// readBefore finds whose reseller it is, and reads the live object before the first step.
func (r *resourceOf[M]) readBefore(ctx context.Context, c *Change[M], age inventory.Freshness) diag.Diagnostics {
	if !r.Ready() {
		return diag.Diagnostics{r.NotReady()}
	}
	sought := c.Was
	if c.Creates() {
		reseller, diags := r.Reseller(ctx)
		if diags.HasError() {
			return diags
		}
		sought = c.Want
		c.Want.base().Reseller = reseller
	}
	if age == DontRead {
		return nil
	}
	live, err := r.t.resource.Read(ctx, r.Session, sought, cmp.Or(age, inventory.Fresh))
	switch {
	case err != nil:
		return r.readError(ctx, sought, err)
	case isNil(live) && !c.Creates():
		if gone, doubts := r.absent(ctx, sought, nil); !gone && len(doubts) > 0 { // a warning while a plan reads it
			return diag.Diagnostics{diag.NewErrorDiagnostic(doubts[0].Summary(), doubts[0].Detail())}
		}
		return diag.Diagnostics{diag.NewErrorDiagnostic(SummaryVanished, r.begin(ctx, sought)+" was not found. Nothing was changed. Plan again.")}
	}
	c.Live = live
	return nil
}

// keepDone stores what a failed update has changed, or may have. If it cannot be read, the state stays and the next plan
// shows it.
func (r *resourceOf[M]) keepDone(ctx context.Context, c *Change[M], before private, resp *resource.UpdateResponse) {
	if len(c.Done) == 0 && !c.doubtful {
		return
	}
	detached, cancel := transport.DetachedContext(ctx)
	defer cancel()
	kept, err := r.t.resource.Read(detached, r.Session, c.Kept, inventory.Fresh)
	if err != nil || isNil(kept) || r.t.Fields().text(kept, "id") == "" {
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, kept)...)
	resp.Diagnostics.Append(r.privateOf(kept, before).save(ctx, resp.Private)...)
	r.store(kept, before.Instance)
}

// Delete takes the steps that the plan of the destroy announced. A tainted object and a replacement that no plan
// announced have none.
func (r *resourceOf[M]) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	defer func() { session.Recovered(ctx, recover(), false, &resp.State, &resp.Diagnostics) }()
	was := newModel[M]()
	resp.Diagnostics.Append(req.State.Get(ctx, was)...)
	p, diags := session.ReadPrivateState[private](ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(p.withoutPlan().save(ctx, resp.Private)...) // an announcement is for one apply
	if resp.Diagnostics.HasError() || p.Superseded {
		return
	}
	r = r.readingBy(walk.Apply, was, zero[M]())
	policy := policyOf(was)
	if policy != nil && policy.ValueString() != effect.PolicyAbandon && !r.Ready() {
		resp.Diagnostics.Append(r.NotReady())
		return
	}
	live, gone, diags := r.readToDestroy(ctx, was, cmp.Or(r.t.ReadBeforeDelete, inventory.Fresh))
	resp.Diagnostics.Append(diags...)
	if gone && p.Announced != nil && len(*p.Announced) > 0 { // else the plan has said so
		resp.Diagnostics.Append(r.leftOf(ctx, was)...)
	}
	if gone || diags.HasError() {
		return
	}
	c := &Change[M]{Session: r.Session, Was: was, Live: live, Applying: true}
	protected := r.protected(ctx, was)
	switch steps := r.t.Steps(was, zero[M](), live); {
	case protected != nil && protected.Severity() == diag.SeverityError:
		resp.Diagnostics.Append(diagnostic.Unchanged(diag.Diagnostics{protected})...)
	case protected != nil: // the plan warned
	case len(steps) > 0 && p.Announced == nil && r.t.NotReplaceable != nil:
		resp.Diagnostics.Append(diagnostic.Unchanged(diag.Diagnostics{r.t.NotReplaceable.of(r.name(ctx, was))})...)
	case len(steps) > 0:
		diags := r.rejectStored(ctx, c, p.Instance)
		if !diags.HasError() {
			diags = r.applySteps(ctx, c, *cmp.Or(p.Announced, &effect.Announcement{}), zero[M](), func() {})
		}
		resp.Diagnostics.Append(diags...)
		resp.Diagnostics.Append(c.warnings...)
	}
}

// leftOf says what the destroy of an absent object leaves.
func (r *resourceOf[M]) leftOf(ctx context.Context, was M) (diags diag.Diagnostics) {
	if _, left := r.t.resource.Gone(ctx, r.Session, was); left != nil {
		diags.Append(left)
	}
	return diags
}

// applySteps takes the steps of a change, each of which the plan announced. After a step that may have failed because the
// object has changed, it reads the object again and takes the steps that are left. now is nil for a destroy. Every step of every type
// passes here, so that none is taken without a client.
func (r *resourceOf[M]) applySteps(ctx context.Context, c *Change[M], announced effect.Announcement, now M, save func()) diag.Diagnostics {
	if !r.Ready() {
		return diag.Diagnostics{r.NotReady()}
	}
	op := r.t.resource.Begin(c)
	var failed effect.Step
	var o transport.Outcome
	for attempt := 1; ; attempt++ {
		c.Steps = r.t.Steps(c.Was, c.Want, c.Live)
		if len(c.Done) == 0 {
			if diags := op.Check(ctx); diags.HasError() {
				return diagnostic.Unchanged(diags)
			}
		}
		if i := slices.IndexFunc(c.Steps, func(s effect.Step) bool { return announced.NotAnnounced(s) != "" }); i >= 0 {
			return r.changed(ctx, c, op, c.Steps[i], announced.NotAnnounced(c.Steps[i]))
		}
		failed, o = r.takeSteps(ctx, c, op, now, save)
		switch {
		case o.State == transport.Applied && c.Destroys():
			return nil
		case o.State == transport.Applied:
			return op.ReadBack(ctx, now) // what the responses did not show
		}
		if attempt == attempts || r.t.Unseen || !r.isStale(o) || c.Creates() && !r.t.Resumes {
			break
		}
		var again, gone bool
		if again, gone, o = r.readAgain(ctx, c, failed, o); gone {
			return r.leftOf(ctx, c.Was)
		}
		if !again {
			break
		}
	}
	c.doubtful = o.State != transport.Absent
	return op.Explain(ctx, failed, o)
}

// takeSteps takes the steps until one is not known to be in effect.
func (r *resourceOf[M]) takeSteps(ctx context.Context, c *Change[M], op Operation[M], now M, save func()) (failed effect.Step, _ transport.Outcome) {
	for _, s := range c.Steps {
		if o := op.Execute(ctx, s, now); o.State != transport.Applied {
			return s, o
		}
		c.Done = append(c.Done, s)
		if !r.t.Resumes {
			save()
		}
	}
	return effect.Step{}, transport.Done()
}

// isStale reports whether the object may not be as it was read, or the step may be in effect.
func (r *resourceOf[M]) isStale(o transport.Outcome) bool {
	return o.State != transport.Absent || client.MayBeGone(o.Err) || errors.Is(o.Err, ErrChangedMeanwhile) || transport.IsCode(o.Err, r.t.StaleCodes...)
}

// ErrChangedMeanwhile is the error of a step which found that the object is not as it was read.
var ErrChangedMeanwhile = errors.New("the object has changed")

// readAgain reads the object after a failed step, again and again if the step may be in effect and no read shows it.
// It reports whether other steps are left than that one, and whether an object to destroy is proven to be absent.
func (r *resourceOf[M]) readAgain(ctx context.Context, c *Change[M], failed effect.Step, o transport.Outcome) (again, gone bool, _ transport.Outcome) {
	left := func(live M) bool { return effect.Announce(r.t.Steps(c.Was, c.Want, live))[failed.Key] > 0 }
	live, err := transport.ReadUntil(ctx, r.Client.Patience(),
		func(ctx context.Context) (M, error) { return r.readLive(ctx, c.Was, c.Want, inventory.Fresh) },
		func(live M) bool { return o.State == transport.Absent || o.IsSettled() || isNil(live) || !left(live) })
	if c.Destroys() && isNil(live) {
		detached, cancel := transport.DetachedContext(ctx)
		defer cancel()
		gone, _ = r.absent(detached, c.Was, err) // the outcome of the step says more
		return false, gone, o
	}
	if err != nil {
		return false, false, o
	}
	c.Live = live
	switch {
	case left(live):
		return false, false, o.NotSeen()
	case o.State != transport.Absent:
		c.Done = append(c.Done, failed)
	}
	return true, false, o
}

// ReadBack is the ReadBack of an operation whose responses do not show all.
func (t *Type[M]) ReadBack(ctx context.Context, c *Change[M], now M) diag.Diagnostics {
	r := t.with(c.Session)
	detached, cancel := transport.DetachedContext(ctx)
	defer cancel()
	live, err := r.t.resource.Read(detached, r.Session, now, inventory.Current) // which waits for what the steps have made
	if err != nil || isNil(live) {
		return r.notRead(ctx, c.Want, err)
	}
	overwrite(now, live)
	return nil
}

// notRead reports a change whose result could not be read. It is an error if the next create reads it.
func (r *resourceOf[M]) notRead(ctx context.Context, m M, err error) diag.Diagnostics {
	cause := diagnostic.Cause(err)
	if r.t.Resumes {
		return diag.Diagnostics{diag.NewErrorDiagnostic(SummaryNotRead,
			diagnostic.JoinParagraphs("The change of "+r.name(ctx, m)+" was written, but could not be read", cause, "Apply again."))}
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(SummaryNotRead,
		diagnostic.JoinParagraphs(r.begin(ctx, m)+" is in state. The next plan reads the missing attributes", cause))}
}

// changed is the error of a step that the plan did not announce.
func (r *resourceOf[M]) changed(ctx context.Context, c *Change[M], op Operation[M], s effect.Step, unannounced string) diag.Diagnostics {
	if len(c.Done) > 0 {
		return op.Explain(ctx, s, transport.NotDone(ErrChangedMeanwhile))
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic(SummaryChanged, diagnostic.JoinParagraphs(
		fmt.Sprintf("%s changed since the plan. The apply would now make a change that the plan did not announce: %s.",
			r.begin(ctx, c.Subject()), unannounced),
		"Nothing was changed. Plan again to see the change."))}
}
