package inventory

import (
	"context"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// Presence says whether an object in state still exists. Absent is the only one that allows to remove it from state or
// to call a deletion done.
type Presence int

const (
	// PresenceUnknown: nothing is proven. The state does not change.
	PresenceUnknown Presence = iota
	// Present: the reseller of this run has the object.
	Present
	// Absent: the reseller that the object was last read under answers, and does not have it.
	Absent
	// OtherReseller: the object was last read under another reseller, so its absence proves nothing.
	OtherReseller
)

// CheckPresence judges whether a private label exists. lastSlug is the reseller under which it was last read, "" where
// that is not known. A list of this run may prove Present; Absent needs a list that was read for this purpose, which
// all absent private labels share until a write. Calls: none or one list (Reseller API §4.8).
func (i *Inventory) CheckPresence(ctx context.Context, id, lastSlug string) (Presence, error) {
	labels, err := i.CachedLabels(ctx)
	if err != nil {
		return PresenceUnknown, err
	}
	if _, ok := labels.ByID(id); ok {
		return Present, nil
	}
	return i.proveAbsence(ctx, lastSlug, func(labels *Snapshot) bool {
		_, ok := labels.ByID(id)
		return !ok
	})
}

// CheckHostPresence is CheckPresence by host name or custom domain.
func (i *Inventory) CheckHostPresence(ctx context.Context, host, lastSlug string) (Presence, error) {
	labels, err := i.CachedLabels(ctx)
	if err != nil {
		return PresenceUnknown, err
	}
	if _, ok := labels.ByAnyHost(host); ok {
		return Present, nil
	}
	return i.proveAbsence(ctx, lastSlug, func(labels *Snapshot) bool {
		_, ok := labels.ByAnyHost(host)
		return !ok
	})
}

// CheckRefusal judges a private label after a call for it was refused. 403 FORBIDDEN and 400 INVALID_TARGET are
// answered for a private label that is gone and for one of another reseller (§4), so only a list that is read after
// the refusal decides. Every other error leaves the presence unknown, without a call.
func (i *Inventory) CheckRefusal(ctx context.Context, id, lastSlug string, refusal error) (Presence, error) {
	if !client.MayBeGone(refusal) {
		return PresenceUnknown, nil
	}
	labels, err := i.RefreshLabels(ctx)
	if err != nil {
		return PresenceUnknown, err
	}
	if _, ok := labels.ByID(id); ok {
		return Present, nil
	}
	return i.absentUnder(ctx, lastSlug)
}

// CheckAssignment judges whether a private label has a package. A private label that is absent has none.
func (i *Inventory) CheckAssignment(ctx context.Context, id, lastSlug string) (Presence, error) {
	return i.proveAbsence(ctx, lastSlug, func(labels *Snapshot) bool {
		item, ok := labels.ByID(id)
		return !ok || item.AssignedPackage == nil
	})
}

// CheckMember judges whether a user holds a seat on a private label. The members list answers for a private label of
// this reseller only, whatever it was called before; where it is refused, the private label decides.
func (i *Inventory) CheckMember(ctx context.Context, labelID, userID, lastSlug string) (Presence, error) {
	members, presence, err := i.checkMembers(ctx, labelID, lastSlug)
	if members == nil {
		return presence, err
	}
	if _, ok := members.ByID(userID); ok {
		return Present, nil
	}
	return Absent, nil
}

// CheckMembers judges whether a private label has members at all: every one of this reseller has.
func (i *Inventory) CheckMembers(ctx context.Context, labelID, lastSlug string) (Presence, error) {
	_, presence, err := i.checkMembers(ctx, labelID, lastSlug)
	return presence, err
}

// checkMembers returns the members, or what their refusal says of the private label.
func (i *Inventory) checkMembers(ctx context.Context, labelID, lastSlug string) (*Members, Presence, error) {
	members, err := i.Members(ctx, labelID)
	if err == nil {
		return members, Present, nil
	}
	presence, listErr := i.CheckRefusal(ctx, labelID, lastSlug, err)
	switch {
	case presence == Absent || presence == OtherReseller:
		return nil, presence, nil
	case listErr != nil:
		return nil, PresenceUnknown, listErr
	default:
		return nil, PresenceUnknown, err
	}
}

// CheckItem judges whether the catalog has a package or an add-on. The API deletes none, so the key is the likeliest
// cause of an absence.
func (i *Inventory) CheckItem(ctx context.Context, k client.Kind, id, lastSlug string) (Presence, error) {
	items, err := i.Items(ctx, k)
	if err != nil {
		return PresenceUnknown, err
	}
	if _, ok := items.ByID(id); ok {
		return Present, nil
	}
	return i.absentUnder(ctx, lastSlug)
}

func (i *Inventory) proveAbsence(ctx context.Context, lastSlug string, absent func(*Snapshot) bool) (Presence, error) {
	presence, err := i.absentUnder(ctx, lastSlug)
	if err != nil || presence == PresenceUnknown {
		return PresenceUnknown, err
	}
	labels, err := i.absence.get(ctx, "")
	switch {
	case err != nil:
		return PresenceUnknown, err
	case !absent(labels):
		return Present, nil // whatever the reseller is called now
	default:
		return presence, nil
	}
}

// absentUnder says what an absence proves of an object that was last read under lastSlug.
func (i *Inventory) absentUnder(ctx context.Context, lastSlug string) (Presence, error) {
	slug, err := i.api.Slug(ctx)
	switch {
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
