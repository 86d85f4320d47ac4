package inventory

import (
	"cmp"
	"context"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// Presence is whether an object in state still exists. Only Absent allows removing it from state or reporting a
// deletion as done.
type Presence int

const (
	// PresenceUnknown: nothing is proven, and the state does not change.
	PresenceUnknown Presence = iota
	// Present: the reseller of this run has the object.
	Present
	// Absent: this is the reseller under which the object was last read, and it does not have the object.
	Absent
	// OtherReseller: the object was last read under another reseller, so that its absence proves nothing.
	OtherReseller
)

// CheckPresence returns whether a private label exists. lastSlug is the reseller under which it was last read, "" if
// unknown. Any list of this run can prove Present. Absent needs a list that was read for this purpose, which all absent
// private labels share until a write, and a detail that the API rejects. So it makes at most one call of the list (Reseller
// API §4.8), and one for each absent private label.
func (i *Inventory) CheckPresence(ctx context.Context, id, lastSlug string) (Presence, error) {
	return i.inAnyList(ctx, lastSlug, func(labels *Snapshot) bool { return labels.byID[id] != nil }, i.inDetailOf(id))
}

// inDetailOf reports whether a private label that a list lacks has a detail: a list may be one read behind.
func (i *Inventory) inDetailOf(id string) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		label, err := i.proofs.get(ctx, i.by, id, Current)
		return label != nil, err
	}
}

// proof reads the detail of a private label, nil if the API rejects that.
func (i *Inventory) proof(ctx context.Context, id string) (*client.PrivateLabel, error) {
	label, err := i.api.GetPrivateLabel(ctx, id)
	if client.MayBeGone(err) {
		return nil, nil //nolint:nilnil // absence is a result here
	}
	return label, err
}

// CheckHostPresence is CheckPresence for a host name or a custom domain.
func (i *Inventory) CheckHostPresence(ctx context.Context, host, lastSlug string) (Presence, error) {
	return i.inAnyList(ctx, lastSlug, func(labels *Snapshot) bool {
		_, ok := labels.ByAnyHost(host)
		return ok
	}, nil)
}

func (i *Inventory) inAnyList(
	ctx context.Context, lastSlug string, shows func(*Snapshot) bool, inDetail func(context.Context) (bool, error),
) (Presence, error) {
	labels, err := i.Labels(ctx, Cached)
	switch {
	case err != nil:
		return PresenceUnknown, err
	case shows(labels):
		return Present, nil
	default:
		return i.inFreshList(ctx, lastSlug, shows, inDetail)
	}
}

// CheckRejection returns the presence of a private label after the API rejected a call for it. 403 FORBIDDEN and 400
// INVALID_TARGET mean that the private label is gone or belongs to another reseller (§4); a list that is read after the
// error decides. Every other error leaves the presence unknown, without an API call.
func (i *Inventory) CheckRejection(ctx context.Context, id, lastSlug string, rejection error) (Presence, error) {
	if !client.MayBeGone(rejection) {
		return PresenceUnknown, nil
	}
	labels, err := i.Labels(ctx, Fresh)
	shown := err == nil && labels.byID[id] != nil
	if err == nil && !shown && !client.IsDetailRejected(rejection) {
		shown, err = i.inDetailOf(id)(ctx)
	}
	return i.verdict(ctx, lastSlug, shown, err)
}

// CheckAssignment returns whether a private label has a package. An absent private label has none. A list may be one read
// behind, so that its detail decides.
func (i *Inventory) CheckAssignment(ctx context.Context, id, lastSlug string) (Presence, error) {
	shows := func(labels *Snapshot) bool {
		item := labels.byID[id]
		return item != nil && item.AssignedPackage != nil
	}
	return i.inFreshList(ctx, lastSlug, shows, func(ctx context.Context) (bool, error) {
		label, err := i.proofs.get(ctx, i.by, id, Current)
		return label != nil && label.Assignment != nil, err
	})
}

// CheckMember returns whether a user is a member of a private label. Without a user ID, it returns whether the private
// label has members: every existing one has its owner. The API lists the members only of private labels of this
// reseller, even after its slug changed. If it rejects the call, the presence of the private label decides.
func (i *Inventory) CheckMember(ctx context.Context, labelID, userID, lastSlug string) (Presence, error) {
	members, err := i.Members(ctx, labelID, Current)
	if err != nil {
		presence, listErr := i.CheckRejection(ctx, labelID, lastSlug, err)
		if presence == Absent || presence == OtherReseller {
			return presence, nil
		}
		return PresenceUnknown, cmp.Or(listErr, err)
	}
	if members.byID[userID] == nil && userID != "" {
		return Absent, nil
	}
	return Present, nil
}

// CheckItem returns whether the catalog has a package or an add-on. The API deletes none, so an API key of another
// reseller is the most probable cause of an absence.
func (i *Inventory) CheckItem(ctx context.Context, k client.Kind, id, lastSlug string) (Presence, error) {
	items, err := i.Items(ctx, k, Current)
	return i.verdict(ctx, lastSlug, err == nil && items.byID[id] != nil, err)
}

func (i *Inventory) inFreshList(
	ctx context.Context, lastSlug string, shows func(*Snapshot) bool, inDetail func(context.Context) (bool, error),
) (Presence, error) {
	presence, err := i.verdict(ctx, lastSlug, false, nil)
	if err != nil || presence == PresenceUnknown {
		return PresenceUnknown, err
	}
	labels, err := i.absence.getWith(ctx, i.by, "", Current, atOnce(func(ctx context.Context, _ string) (*Snapshot, error) { return i.Labels(ctx, Fresh) }))
	switch {
	case err != nil:
		return PresenceUnknown, err
	case shows(labels):
		return Present, nil // even if the reseller's slug changed
	case inDetail == nil:
		return presence, nil
	}
	switch shown, err := inDetail(ctx); {
	case err != nil:
		return PresenceUnknown, err
	case shown:
		return Present, nil
	default:
		return presence, nil
	}
}

// verdict returns Present if a read has an object, and what its absence proves if it was last read under lastSlug.
func (i *Inventory) verdict(ctx context.Context, lastSlug string, shown bool, err error) (Presence, error) {
	var slug string
	if err == nil && !shown {
		slug, err = i.api.Slug(ctx)
	}
	switch {
	case shown:
		return Present, nil
	case err != nil:
		return PresenceUnknown, err
	case lastSlug == "" || slug == "":
		return PresenceUnknown, nil
	case !strings.EqualFold(lastSlug, slug):
		return OtherReseller, nil
	default:
		return Absent, nil
	}
}
