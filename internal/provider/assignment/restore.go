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
func restore(ctx context.Context, c *change, failed effect.Step, o transport.Outcome) {
	if o.State != transport.Absent {
		c.inDoubt = []effect.Step{failed}
	}
	if c.Destroys() || len(c.Done)+len(c.inDoubt) == 0 || c.before.isEmpty() {
		return
	}
	ctx, cancel := transport.DetachedContext(ctx)
	defer cancel()
	now := c.before
	for _, s := range c.written() {
		now = now.after(s)
	}
	if len(c.inDoubt) > 0 && !adds(failed) {
		now = now.after(failed)
	}
	found, err := transport.ReadUntil(ctx, c.Client.Patience(), c.readAgain, func(found holding) bool { return len(restoration(c.before, found, c.Want)) > 0 })
	if c.unread = err != nil; !c.unread {
		now = found
	}
	if now.isEmpty() && slices.ContainsFunc(c.Done, func(s effect.Step) bool { return s.Verb == stepAssign }) {
		return
	}
	for _, s := range restoration(c.before, now, c.Want) {
		now = restoreStep(ctx, c, s, now)
	}
	c.missing = lost(c.before, now, c.Want)
}

// readAgain reads what the private label of an apply has now.
func (c *change) readAgain(ctx context.Context) (holding, error) {
	return inDetail(ctx, c.Session, c.Subject().PrivateLabelID.ValueString(), inventory.Fresh)
}

// restoreStep makes one call, and returns what the private label has after it.
func restoreStep(ctx context.Context, c *change, s effect.Step, now holding) holding {
	allocated := &client.Allocated{Documents: new(0.0), Seats: new(0.0), Templates: new(0.0), Notarizations: new(0.0)} // without a package
	if s.Verb == stepAttach {
		if now.isEmpty() {
			return now // the package could not be assigned again
		}
		seen, _ := c.readAgain(ctx)
		allocated = seen.Allocated // nil if it is unknown
	}
	o := callStep(ctx, c, s, c.budget.consent(allocated))
	if o.State != transport.Applied {
		seen, err := c.readAgain(ctx)
		kept := err != nil && transport.IsCode(o.Err, client.CodeAlreadyAssigned, client.CodeAlreadyAttached)
		switch why, rejected := errors.AsType[*excessRejectedError](o.Err); {
		case kept:
			return now.after(s)
		case err != nil || !inEffect(s, seen):
			if rejected {
				c.rejection = cmp.Or(c.rejection, notRestored(s, why))
			}
			return now
		}
	}
	c.restored = append(c.restored, s)
	return now.after(s)
}
