package assignment

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// restore adds again what was removed and not replaced, because a private label must not stay without its package. A
// removal that no read shows counts as one: the API rejects what is still there. A new package that is gone was removed
// outside of Terraform, which nothing undoes. It continues after the run is canceled.
func restore(ctx context.Context, op *operation, failed effect.Step, o transport.Outcome) {
	if o.State != transport.Absent {
		op.inDoubt = []effect.Step{failed}
	}
	if op.Destroys() || len(op.Done)+len(op.inDoubt) == 0 || op.before.isEmpty() {
		return
	}
	ctx, cancel := transport.DetachedContext(ctx)
	defer cancel()
	now := op.before
	for _, s := range op.written() {
		now = now.after(s)
	}
	if len(op.inDoubt) > 0 && !adds(failed) {
		now = now.after(failed)
	}
	nothing := len(restoration(op.before, now, op.Want)) == 0 // to wait for: what the apply removed is not wanted
	found, err := transport.ReadUntil(ctx, op.Client.Patience(), op.readAgain, func(found holding) bool {
		return nothing || len(restoration(op.before, found, op.Want)) > 0
	})
	if op.unread = err != nil; !op.unread {
		now = found
	}
	if now.isEmpty() && slices.ContainsFunc(op.Done, func(s effect.Step) bool { return s.Verb == stepAssign }) {
		return
	}
	for _, s := range restoration(op.before, now, op.Want) {
		now = restoreStep(ctx, op, s, now)
	}
	op.missing = lost(op.before, now, op.Want)
}

// readAgain reads what the private label of an apply has now.
func (op *operation) readAgain(ctx context.Context) (holding, error) {
	return inDetail(ctx, op.Session, op.Subject().PrivateLabelID.ValueString(), inventory.Fresh)
}

// restoreStep makes one call, and returns what the private label has after it.
func restoreStep(ctx context.Context, op *operation, s effect.Step, now holding) holding {
	allocated := &client.Allocated{Documents: new(0.0), Seats: new(0.0), Templates: new(0.0), Notarizations: new(0.0)} // without a package
	if s.Verb == stepAttach {
		if now.isEmpty() {
			return now // the package could not be assigned again
		}
		seen, _ := op.readAgain(ctx)
		allocated = seen.Allocated // nil if it is unknown
	}
	op.budget = op.budget.consent(allocated)
	o := op.Execute(ctx, s, nil)
	if o.State != transport.Applied {
		seen, err := op.readAgain(ctx)
		kept := err != nil && transport.IsCode(o.Err, client.CodeAlreadyAssigned, client.CodeAlreadyAttached)
		switch why, rejected := errors.AsType[*excessRejectedError](o.Err); {
		case kept:
			return now.after(s)
		case err != nil || !inEffect(s, seen):
			if rejected {
				op.rejection = cmp.Or(op.rejection, notRestored(s, why))
			}
			return now
		}
	}
	op.restored = append(op.restored, s)
	return now.after(s)
}
