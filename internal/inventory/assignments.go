package inventory

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// Known is what a reader knows about an assignment, from the state or because this run wrote it.
type Known struct {
	// Agrees reports whether an assignment is as the reader knows it, with its add-ons; nil if nothing is known.
	Agrees func(*client.Assignment) bool
	// Addons: the reader knows of an add-on, or this run has just written all of them.
	Addons bool
}

// Assignment returns the assignment of a private label, nil for none. The detail of the private label (Reseller API
// §4.10) and its package read (§4.21) return the same data and count toward different rate limits: the limit that is
// free decides which one is called. If a package read differs from what is known, the detail decides.
func (i *Inventory) Assignment(ctx context.Context, id string, known Known) (*client.Assignment, error) {
	if !i.details.has(ctx, id) {
		shown, err := i.byPackage.getBy(ctx, id, Current, atOnce(func(ctx context.Context, id string) (*client.Assignment, error) {
			return i.readPackage(ctx, id, known)
		}))
		switch {
		case err != nil || shown != nil && (known.Agrees == nil || known.Agrees(shown)):
			return shown, err
		case shown != nil:
			return i.decideByDetail(ctx, id, shown, nil)
		}
	}
	return i.inDetail(ctx, id)
}

func (i *Inventory) inDetail(ctx context.Context, id string) (*client.Assignment, error) {
	label, err := i.Label(ctx, id, Current)
	if err != nil {
		return nil, err
	}
	return label.Assignment, nil
}

// readPackage returns what a package read shows, nil if it has read the detail.
func (i *Inventory) readPackage(ctx context.Context, id string, known Known) (*client.Assignment, error) {
	endTrial := i.packageReads.begin()
	defer endTrial()
	if i.mayRead(known) {
		reserved, bucket, release, err := i.api.Reserve(ctx, client.BucketBilling, client.BucketConsole)
		if err != nil {
			return nil, err
		}
		defer release()
		switch {
		case bucket == client.BucketConsole:
			ctx = reserved
		case i.details.has(ctx, id) || !i.mayRead(known): // since the wait for the limit
			release()
		default:
			a, err := i.api.GetAssignment(reserved, id)
			if err == nil && a != nil && known.Agrees(a) {
				i.learn(a)
				return a, nil
			}
			_, err = i.decideByDetail(ctx, id, a, err)
			return nil, err
		}
	}
	endTrial()
	_, err := i.inDetail(ctx, id)
	return nil, err
}

// decideByDetail reads the detail of a private label whose package read shows something else than is known, or failed.
// If the two differ, package reads stop for the rest of the run.
func (i *Inventory) decideByDetail(ctx context.Context, id string, shown *client.Assignment, failure error) (*client.Assignment, error) {
	decided, err := i.inDetail(ctx, id)
	switch {
	case err != nil && (failure == nil || client.MayBeGone(failure)): // shows nothing about package reads
	case failure != nil || !sameAssignment(shown, decided):
		i.packageReads.learn(packageReadsFail)
		tflog.Debug(ctx, "assignments are read from the details of private labels from now on", map[string]any{"label": id})
	default:
		i.learn(shown)
	}
	return decided, err
}

// sameAssignment compares the IDs of two assignments and of their add-ons.
func sameAssignment(a, b *client.Assignment) bool {
	if a == nil || b == nil {
		return a == b
	}
	missing := func(x client.AttachedAddon) bool {
		return !slices.ContainsFunc(b.Addons, func(y client.AttachedAddon) bool { return x.SubscriptionAddonID == y.SubscriptionAddonID })
	}
	return a.ID == b.ID && a.PackageID == b.PackageID && len(a.Addons) == len(b.Addons) && !slices.ContainsFunc(a.Addons, missing)
}

// What is known about package reads, in the order of learning it.
const (
	packageReadsWork int32 = iota + 1
	packageReadsShowAddons
	packageReadsFail
)

// mayRead is the rule: a package read answers only who can decide whether it is right. The reader has to know the
// assignment, and a list of add-ons that is empty may be one that the API leaves out, unless the reader knows about
// add-ons or a package read of this run has shown some.
func (i *Inventory) mayRead(known Known) bool {
	learned := i.packageReads.known.Load()
	return learned != packageReadsFail && known.Agrees != nil && (known.Addons || learned == packageReadsShowAddons)
}

// learn records a package read that showed the truth.
func (i *Inventory) learn(a *client.Assignment) {
	switch {
	case a == nil:
	case len(a.Addons) == 0:
		i.packageReads.learn(packageReadsWork)
	default:
		i.packageReads.learn(packageReadsShowAddons)
	}
}
