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
// private labels share until a write. It makes at most one call of the list (Reseller API §4.8).
func (i *Inventory) CheckPresence(ctx context.Context, id, lastSlug string) (Presence, error) {
	return i.checkPresence(ctx, lastSlug, func(labels *Snapshot) bool { return labels.byID[id] != nil })
}

// CheckHostPresence is CheckPresence for a host name or a custom domain.
func (i *Inventory) CheckHostPresence(ctx context.Context, host, lastSlug string) (Presence, error) {
	return i.checkPresence(ctx, lastSlug, func(labels *Snapshot) bool {
		_, ok := labels.ByAnyHost(host)
		return ok
	})
}

func (i *Inventory) checkPresence(ctx context.Context, lastSlug string, has func(*Snapshot) bool) (Presence, error) {
	labels, err := i.Labels(ctx, Cached)
	switch {
	case err != nil:
		return PresenceUnknown, err
	case has(labels):
		return Present, nil
	default:
		return i.proveAbsence(ctx, lastSlug, has)
	}
}

// CheckRefusal returns the presence of a private label after the API rejected a call for it. 403 FORBIDDEN and 400
// INVALID_TARGET mean that the private label is gone or belongs to another reseller (§4); a list that is read after the
// error decides. Every other error leaves the presence unknown, without an API call.
func (i *Inventory) CheckRefusal(ctx context.Context, id, lastSlug string, refusal error) (Presence, error) {
	if !client.MayBeGone(refusal) {
		return PresenceUnknown, nil
	}
	labels, err := i.Labels(ctx, Fresh)
	return i.judge(ctx, lastSlug, err == nil && labels.byID[id] != nil, err)
}

// CheckAssignment returns whether a private label has a package. An absent private label has none.
func (i *Inventory) CheckAssignment(ctx context.Context, id, lastSlug string) (Presence, error) {
	return i.proveAbsence(ctx, lastSlug, func(labels *Snapshot) bool {
		item := labels.byID[id]
		return item != nil && item.AssignedPackage != nil
	})
}

// CheckMember returns whether a user is a member of a private label. Without a user ID, it returns whether the private
// label has members: every existing one has its owner. The API lists the members only of private labels of this
// reseller, even after its slug changed. If it rejects the call, the presence of the private label decides.
func (i *Inventory) CheckMember(ctx context.Context, labelID, userID, lastSlug string) (Presence, error) {
	members, err := i.Members(ctx, labelID, Current)
	if err != nil {
		presence, listErr := i.CheckRefusal(ctx, labelID, lastSlug, err)
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
	return i.judge(ctx, lastSlug, err == nil && items.byID[id] != nil, err)
}

func (i *Inventory) proveAbsence(ctx context.Context, lastSlug string, has func(*Snapshot) bool) (Presence, error) {
	presence, err := i.judge(ctx, lastSlug, false, nil)
	if err != nil || presence == PresenceUnknown {
		return PresenceUnknown, err
	}
	labels, err := i.absence.get(ctx, "", Current)
	switch {
	case err != nil:
		return PresenceUnknown, err
	case has(labels):
		return Present, nil // even if the reseller's slug changed
	default:
		return presence, nil
	}
}

// judge returns Present if a read has an object, and what its absence proves if it was last read under lastSlug.
func (i *Inventory) judge(ctx context.Context, lastSlug string, has bool, err error) (Presence, error) {
	var slug string
	if err == nil && !has {
		slug, err = i.api.Slug(ctx)
	}
	switch {
	case has:
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
