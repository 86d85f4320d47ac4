package inventory

import (
	"context"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// Known is what the caller already knows about an assignment. The zero value means nothing is known.
type Known struct {
	ID      string                        // of the assignment; empty when unknown
	Agrees  func(*client.Assignment) bool // compares the add-ons; nil when they are unknown
	Written bool                          // by this run, with its add-ons
}

func (k Known) agrees(a *client.Assignment) bool {
	return (k.ID == "" || a.ID == k.ID) && (k.Agrees == nil || k.Agrees(a))
}

// assignmentRead is the result of reading a private label's assignment; nil for no assignment.
type assignmentRead struct {
	assignment *client.Assignment
	byPackage  bool // the package read of the label showed it
}

// Assignment returns the assignment of a private label, nil for none. The detail of the private label (Reseller API
// §4.10) and its package read (§4.21) return the same data and count toward different rate limits: the limit that is
// free decides which one is called. The response is shared until a write. When a package read contradicts known,
// Assignment reads the detail and returns that.
func (i *Inventory) Assignment(ctx context.Context, id string, known Known) (*client.Assignment, error) {
	if i.details.contains(id) {
		return i.assignmentInDetail(ctx, id)
	}
	read, err := i.assignments.getBy(ctx, id, func(ctx context.Context, id string) (assignmentRead, error) {
		return i.readAssignment(ctx, id, known)
	})
	if err != nil || !read.byPackage || known.agrees(read.assignment) {
		return read.assignment, err
	}
	return i.decideByDetail(ctx, id, read.assignment, doubtDiffers, nil)
}

func (i *Inventory) assignmentInDetail(ctx context.Context, id string) (*client.Assignment, error) {
	label, err := i.Label(ctx, id)
	if err != nil {
		return nil, err
	}
	return label.Assignment, nil
}

// readAssignment makes the API call of Assignment.
func (i *Inventory) readAssignment(ctx context.Context, id string, known Known) (assignmentRead, error) {
	endProbe, buckets := i.packageReads.begin(known)
	defer endProbe()
	if buckets == nil {
		a, err := i.assignmentInDetail(ctx, id)
		return assignmentRead{assignment: a}, err
	}
	reserved, bucket, release, err := i.api.Reserve(ctx, buckets...)
	if err != nil {
		return assignmentRead{}, err
	}
	defer release()
	if bucket == client.BucketBilling && !i.details.contains(id) && !i.packageReads.isStopped() {
		return i.readPackage(ctx, reserved, id, known)
	}
	if bucket == client.BucketBilling {
		reserved = ctx // the reserved place is for another call
		release()
	}
	endProbe()
	a, err := i.assignmentInDetail(reserved, id)
	return assignmentRead{assignment: a}, err
}

// readPackage reads the package of a label with a reserved place, and the detail when that response is doubtful.
func (i *Inventory) readPackage(ctx, reserved context.Context, id string, known Known) (assignmentRead, error) {
	a, err := i.api.GetAssignment(reserved, id)
	doubt := i.doubt(id, a, err, known)
	if doubt == "" {
		return assignmentRead{assignment: a, byPackage: true}, nil
	}
	a, err = i.decideByDetail(ctx, id, a, doubt, err)
	return assignmentRead{assignment: a}, err
}

const doubtDiffers = "a package read differs from what is known"

// doubt returns why a package read needs confirmation, "" when it does not. The API documentation does not show its
// response, and nothing in an assignment names the private label.
func (i *Inventory) doubt(id string, a *client.Assignment, err error, known Known) string {
	switch {
	case err != nil:
		return err.Error()
	case a == nil:
		return "a package read shows no package"
	case !i.isListed(id, a.PackageID):
		return "a package read shows another package than the list"
	case !i.packageReads.isFirst(a.ID, id):
		return "a package read shows the assignment of another private label"
	case !known.agrees(a):
		return doubtDiffers
	case !i.packageReads.trust(a, known):
		return "no detail has confirmed a package read"
	default:
		return ""
	}
}

// isListed reports whether the list shows a private label with a package. It is also true without a list, or if the
// list lacks the private label.
func (i *Inventory) isListed(id, packageID string) bool {
	labels, ok := i.labels.peek("")
	if !ok {
		return true
	}
	item, ok := labels.ByID(id)
	return !ok || item.AssignedPackage != nil && item.AssignedPackage.PackageID == packageID
}

// decideByDetail reads the detail of a private label whose package read is doubtful. If the two differ, package reads
// stop for the rest of the run.
func (i *Inventory) decideByDetail(ctx context.Context, id string, shown *client.Assignment, doubt string, failure error) (*client.Assignment, error) {
	decided, err := i.assignmentInDetail(ctx, id)
	switch {
	case err != nil && (failure == nil || client.MayBeGone(failure)): // shows nothing about package reads
	case failure != nil, !sameAssignment(shown, decided), !i.packageReads.confirm(shown):
		i.stopPackageReads(ctx, doubt)
	}
	return decided, err
}

// stopPackageReads ends package reads and discards their cached results.
func (i *Inventory) stopPackageReads(ctx context.Context, reason string) {
	if i.packageReads.stop() {
		tflog.Debug(ctx, "assignments are read from the details of private labels from now on", map[string]any{"reason": reason})
	}
	i.assignments.invalidate()
}

// sameAssignment compares the IDs of two assignments and of their add-ons.
func sameAssignment(a, b *client.Assignment) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.ID != b.ID || a.PackageID != b.PackageID || len(a.Addons) != len(b.Addons) {
		return false
	}
	attached := map[string]bool{}
	for _, addon := range b.Addons {
		attached[addon.SubscriptionAddonID] = true
	}
	for _, addon := range a.Addons {
		if !attached[addon.SubscriptionAddonID] {
			return false
		}
	}
	return true
}
