package assignment

import (
	"context"
	"errors"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
)

// applyAttempts bounds how often the steps are computed again because the private label has changed meanwhile.
const applyAttempts = 3

// errMoved: the private label has another package than the one to remove.
var errMoved = errors.New("the package of the private label has changed")

// unannouncedError: the private label differs from what the plan read, so a step would bill or remove more than
// announced.
type unannouncedError struct{ step step }

func (e *unannouncedError) Error() string { return e.step.subject() + " was not announced" }

// otherPackageError: an assignment cannot be adopted because the private label has another package.
type otherPackageError struct{ code string }

func (e *otherPackageError) Error() string { return "the private label has the package " + e.code }

// assignmentApply executes the steps of one apply, and restores what a failed step leaves removed.
type assignmentApply struct {
	r             *Resource
	labelID       string
	want          target
	addons        types.Map // as configured, for the paths of errors
	announced     []step
	consent       client.Consent
	excessAllowed map[string]float64 // for the remedy
	creates       bool
	assignmentID  string // of the package of the private label; empty if unknown

	before         holding
	done, restored []step
	missing        []step // lost: removed, and not restored
}

// stepError is a step that failed. Everything that can be restored is restored.
type stepError struct {
	step step
	err  error
}

func (e *stepError) Error() string { return e.step.failure() + " " + e.err.Error() }

func (e *stepError) Unwrap() error { return e.err }

// problemsError lists what the catalog shows that the API would reject.
type problemsError struct{ diags diag.Diagnostics }

func (e *problemsError) Error() string { return e.diags[0].Summary() }

// finish executes the steps, and reads the private label afterwards.
func (a *assignmentApply) finish(ctx context.Context, have holding) (*client.Assignment, diag.Diagnostics) {
	if err := a.run(ctx, have); err != nil {
		return nil, a.explain(ctx, err)
	}
	after, err := a.r.Inventory.Assignment(ctx, a.labelID, inventory.Known{
		ID: a.assignmentID, Written: true,
		Agrees: func(now *client.Assignment) bool { return len(steps(holdingOf(now), a.want)) == 0 },
	})
	if err != nil || after == nil {
		return nil, diag.Diagnostics{applyFailure(a.summary(), a.r.HostOf(ctx, a.labelID), notReadBack, orMissing(err), a.report(), nil)}
	}
	return after, nil
}

// run changes a private label from what it has to the target. What an apply must not do is rejected before its first
// API call.
func (a *assignmentApply) run(ctx context.Context, have holding) error {
	a.before = have
	a.want = a.want.given(have)
	for attempt := 1; ; attempt++ {
		todo := steps(have, a.want)
		if err := a.refused(have, todo); err != nil {
			a.restore(ctx, have)
			return &stepError{step{}, err}
		}
		if attempt == 1 {
			if err := a.Check(ctx, have, todo); err != nil {
				return err
			}
			todo = steps(have, a.want) // with the IDs and the code that the catalog has
		}
		failed, reached, err := a.take(ctx, have, todo)
		if err == nil {
			return nil
		}
		now, again := a.look(ctx, failed, reached, err)
		if !again || attempt == applyAttempts {
			a.restore(ctx, now)
			return &stepError{failed, err}
		}
		have = now
	}
}

// refused holds the rules that need no catalog.
func (a *assignmentApply) refused(have holding, todo []step) error {
	if a.creates && !have.none() && have.packageID != a.want.packageID {
		return &otherPackageError{named(have.packageCode, have.packageID)}
	}
	if extra := uncovered(a.announced, todo); len(extra) > 0 {
		return &unannouncedError{extra[0]}
	}
	return nil
}

// Check reads the catalog before the first API call. If the apply removes something before it adds something else, the
// catalog is read now.
func (a *assignmentApply) Check(ctx context.Context, have holding, todo []step) error {
	if !slices.ContainsFunc(todo, step.adds) {
		return nil
	}
	age := currentItems
	if slices.ContainsFunc(todo, func(s step) bool { return !s.adds() }) {
		age = freshItems
	}
	catalog, err := a.r.catalog(ctx, a.want, age)
	if err != nil {
		return &stepError{todo[0], err}
	}
	a.want = a.want.withIDs(catalog)
	if diags := catalog.problems(a.r.HostOf(ctx, a.labelID), have, a.want, a.addons, todo); diags.HasError() {
		return &problemsError{diags}
	}
	return nil
}

// withIDs adds the IDs of the add-ons to attach, and the code of the package.
func (t target) withIDs(c assignmentCatalog) target {
	t.packageCode = c.packageCode(t.packageID)
	listed := map[string]targetAddon{}
	for code, addon := range t.listed {
		if id := c.addonID(code); id != "" {
			addon.id = id
		}
		listed[code] = addon
	}
	t.listed = listed
	return t
}

// take executes steps until one fails, and returns the failed step and what the private label has then.
func (a *assignmentApply) take(ctx context.Context, have holding, todo []step) (failed step, reached holding, err error) {
	for _, s := range todo {
		if err := a.call(ctx, s); err != nil {
			return s, have, err
		}
		a.done = append(a.done, s)
		have = have.after(s)
	}
	return step{}, have, nil
}

// call makes the API call of a step.
func (a *assignmentApply) call(ctx context.Context, s step) error {
	consent := a.consent
	if s.restores {
		consent = func([]client.Warning) bool { return true } // the private label had it before this apply
	}
	if s.kind == stepRemove {
		// The API removes any package that the private label has.
		now, err := a.r.fresh(ctx, a.labelID)
		switch {
		case err != nil:
			return err
		case now.packageID != s.id:
			return errMoved
		}
	}
	done := a.r.Inventory.BeginWrite(a.labelID)
	defer done()
	var err error
	switch s.kind {
	case stepDetach:
		addon := client.AttachedAddon{SubscriptionAddonID: s.subscriptionID, AddonID: s.id, Code: s.code, Quantity: s.quantity}
		_, err = a.r.Client.RemoveAddon(ctx, a.labelID, addon)
	case stepRemove:
		_, err = a.r.Client.RemovePackage(ctx, a.labelID)
	case stepAssign:
		a.assignmentID, _, err = a.r.Client.AssignPackage(ctx, a.labelID, s.id, consent)
	case stepAttach:
		_, err = a.r.Client.AttachAddon(ctx, a.labelID, s.id, s.quantity, consent)
	}
	return err
}

// look reads the private label after a failed step. It returns whether the step is in effect nevertheless, because
// another run was faster or the response was lost, and whether the private label has changed so that other steps
// remain. The read continues after the run is canceled.
func (a *assignmentApply) look(ctx context.Context, failed step, reached holding, err error) (now holding, again bool) {
	var excess *client.ExcessError
	if len(a.done) == 0 && !mayHaveMoved(err) && !errors.As(err, &excess) {
		return reached, false // nothing that can have an effect was sent
	}
	own, cancel := transport.DetachedContext(ctx)
	defer cancel()
	now, readErr := a.r.fresh(own, a.labelID)
	switch {
	case readErr != nil:
		return reached, false
	case failed.inEffect(now):
		if transport.MayHaveTakenEffect(err) {
			a.done = append(a.done, failed)
		}
		return now, true
	default:
		return now, mayHaveMoved(err) && !now.equal(reached)
	}
}

// mayHaveMoved reports whether an error says that the private label has changed since it was read, or that the outcome
// of the call is unknown.
func mayHaveMoved(err error) bool {
	return errors.Is(err, errMoved) || transport.MayHaveTakenEffect(err) ||
		transport.IsCode(err, client.CodeAlreadyAssigned, client.CodeAlreadyAttached, client.CodeNotAssigned, client.CodeAddonNotFound)
}

// restore brings back what was removed and not replaced. It continues after the run is canceled, because a private
// label must not stay without its package.
func (a *assignmentApply) restore(ctx context.Context, now holding) {
	own, cancel := transport.DetachedContext(ctx)
	defer cancel()
	for _, s := range restoration(a.before, now, a.want) {
		if s.kind == stepAttach && now.none() {
			continue // the package could not be assigned again
		}
		if err := a.call(own, s); err != nil {
			seen, readErr := a.r.fresh(own, a.labelID)
			if readErr != nil || !s.inEffect(seen) {
				continue
			}
		}
		a.restored = append(a.restored, s)
		now = now.after(s)
	}
	a.missing = lost(a.before, now, a.want)
}

// fresh reads what a private label has now, from its detail.
func (r *Resource) fresh(ctx context.Context, labelID string) (holding, error) {
	r.Inventory.InvalidateLabel(labelID)
	a, err := r.inDetail(ctx, labelID)
	if err != nil {
		return holding{}, err
	}
	return holdingOf(a), nil
}
