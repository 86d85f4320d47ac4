package inventory

import (
	"context"
	"maps"

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
	if i.details.answered(i.walk, id) {
		return i.inDetail(ctx, id)
	}
	shown, err := i.byPackage.getWith(ctx, i.walk, id, Current, func(ctx context.Context, id string) (*client.Assignment, error) {
		return i.readPackage(ctx, id, known)
	})
	switch {
	case err != nil:
		return nil, err
	case shown == nil:
		return i.inDetail(ctx, id)
	case known.Agrees == nil || known.Agrees(shown):
		return shown, nil
	default:
		return i.decideByDetail(ctx, id, shown, nil)
	}
}

func (i *Inventory) inDetail(ctx context.Context, id string) (*client.Assignment, error) {
	return i.AssignedNow(ctx, id, Current)
}

// AssignedNow returns the assignment in the detail of a private label. The API may reject the detail of a suspended private
// label: then its package read has it.
func (i *Inventory) AssignedNow(ctx context.Context, id string, freshness Freshness) (*client.Assignment, error) {
	label, err := i.Label(ctx, id, freshness)
	return i.assignedIn(ctx, id, label, err)
}

// assignedIn returns the assignment in a detail, or in the package read if err is that of the detail of a suspended
// private label.
func (i *Inventory) assignedIn(ctx context.Context, id string, label *client.PrivateLabel, err error) (*client.Assignment, error) {
	switch {
	case err == nil:
		return label.Assigned()
	case !i.HidesSuspended(ctx, id, err):
		return nil, err
	}
	shown, packageErr := i.api.GetAssignment(ctx, id)
	if client.MayBeGone(packageErr) || client.NoSuchEndpoint(packageErr) {
		return nil, err
	}
	if shown != nil && len(shown.Addons) == 0 && i.packageReads.known.Load() != packageReadsShowAddons {
		unproven := *shown
		unproven.AddonsUnproven = true
		shown = &unproven
	}
	return shown, packageErr // which names a field that the response lacks
}

// HidesSuspended reports whether err rejects the detail of a private label that the list shows as suspended: it may not be
// live for the API then, and proves nothing.
func (i *Inventory) HidesSuspended(ctx context.Context, id string, err error) bool {
	return client.MayBeGone(err) && i.IsSuspended(ctx, id)
}

// IsSuspended reports whether the list shows a private label as suspended.
func (i *Inventory) IsSuspended(ctx context.Context, id string) bool {
	labels, err := i.Labels(ctx, Current)
	return err == nil && labels.byID[id] != nil && labels.byID[id].Status == client.StatusSuspended
}

// mayAnswer is the rule for the limit of a read: a package read, which counts toward the billing limit, answers only a
// reader who can check it. That is one who knows the assignment, unless an empty list of add-ons would decide: the API
// may leave the add-ons out, until a package read of this run has shown some.
func (i *Inventory) mayAnswer(known Known) bool {
	seen := i.packageReads.known.Load()
	return known.Agrees != nil && (known.Addons || seen == packageReadsShowAddons) && seen != packageReadsFail
}

// What is known about package reads, in the order of learning it.
const (
	packageReadsWork int32 = iota + 1
	packageReadsShowAddons
	packageReadsFail
)

// readPackage returns what a package read shows, nil if it has read the detail.
func (i *Inventory) readPackage(ctx context.Context, id string, known Known) (*client.Assignment, error) {
	endProbe := i.packageReads.begin()
	defer endProbe()
	if i.mayAnswer(known) {
		place, err := i.api.Reserve(ctx, client.BucketBilling, client.BucketConsole)
		if err != nil {
			return nil, err
		}
		defer place.Release()
		switch {
		case place.Bucket == client.BucketConsole:
			endProbe()
			label, err := i.details.getWith(ctx, i.walk, id, Current, i.newDetails.reading(place.GetPrivateLabel))
			_, err = i.assignedIn(ctx, id, label, i.late(id, err))
			return nil, err
		case i.details.answered(i.walk, id) || !i.mayAnswer(known): // since the wait for the limit
			place.Release()
		default:
			shown, err := place.GetAssignment(ctx, id)
			if err != nil || shown == nil || !known.Agrees(shown) {
				_, err = i.decideByDetail(ctx, id, shown, err)
				return nil, err
			}
			i.learn(shown)
			return shown, nil
		}
	}
	endProbe()
	_, err := i.inDetail(ctx, id)
	return nil, err
}

// decideByDetail reads the detail of a private label whose package read shows something else than is known, or failed.
// If the two differ, package reads stop for the rest of the run.
func (i *Inventory) decideByDetail(ctx context.Context, id string, shown *client.Assignment, failure error) (*client.Assignment, error) {
	decided, err := i.inDetail(ctx, id)
	switch {
	case err != nil && (failure == nil || client.MayBeGone(failure)): // shows nothing about package reads
	case failure != nil || !SameAssignment(shown, decided):
		i.packageReads.learn(packageReadsFail)
		tflog.Debug(ctx, "assignments are read from the details of private labels from now on", map[string]any{"label": id})
	case shown != nil:
		i.learn(shown)
	}
	return decided, err
}

// learn records a package read that showed the truth.
func (i *Inventory) learn(shown *client.Assignment) {
	if len(shown.Addons) > 0 {
		i.packageReads.learn(packageReadsShowAddons)
	}
	i.packageReads.learn(packageReadsWork)
}

// SameAssignment compares the IDs of two assignments and of their add-ons.
func SameAssignment(a, b *client.Assignment) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.ID == b.ID && a.PackageID == b.PackageID && maps.Equal(attachments(a), attachments(b))
}

func attachments(a *client.Assignment) map[string]bool {
	ids := map[string]bool{}
	for _, addon := range a.Addons {
		ids[addon.SubscriptionAddonID] = true
	}
	return ids
}
