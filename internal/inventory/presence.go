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

// Proof decides whether an object in state still exists, from where it shows: the list of private labels, a private label,
// or the catalog. lastSlug is the reseller under which it was last read, "" if unknown. rejection is the error of the read
// that did not find it, if any.
type Proof func(ctx context.Context, i *Inventory, lastSlug string, rejection error) (Presence, error)

// OfLabel is the proof about a private label.
func OfLabel(id string) Proof {
	return listed{
		anyList: true, labelID: id,
		inList:   func(labels *Snapshot) bool { return labels.byID[id] != nil },
		inDetail: exists,
	}.proof
}

// OfHost is the proof about a private label that is known by a host name or a custom domain only.
func OfHost(host string) Proof {
	return listed{
		anyList: true,
		inList: func(labels *Snapshot) bool {
			_, ok := labels.ByHost(host)
			return ok
		},
	}.proof
}

// OfAssignment is the proof about the package of a private label. An absent private label has none.
func OfAssignment(labelID string) Proof {
	return listed{
		labelID: labelID,
		inList: func(labels *Snapshot) bool {
			item := labels.byID[labelID]
			return item != nil && item.AssignedPackage.Value != nil
		},
		inDetail: func(label *client.PrivateLabel) bool {
			return label != nil && (label.Assignment.Value != nil || !label.Assignment.IsGiven)
		},
	}.proof
}

// OfMember is the proof about a member of a private label. Without a user ID, it is about all its members: every existing
// private label has its owner. The API lists the members only of private labels of this reseller, even after its slug
// changed. If it rejects the call, the presence of the private label decides.
func OfMember(labelID, userID string) Proof {
	return func(ctx context.Context, i *Inventory, lastSlug string, _ error) (Presence, error) {
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
}

// OfItem is the proof about a package or an add-on. The API deletes none, so an API key of another reseller is the most
// probable cause of an absence.
func OfItem(k client.Kind, id string) Proof {
	return func(ctx context.Context, i *Inventory, lastSlug string, rejection error) (Presence, error) {
		if rejection != nil {
			return PresenceUnknown, rejection // of a search, which shows nothing about one item
		}
		items, err := i.Items(ctx, k, Current)
		return i.verdict(ctx, lastSlug, err == nil && items.byID[id] != nil, err)
	}
}

// listed is an object that the list of private labels shows.
type listed struct {
	anyList  bool // any list of this run can prove Present, and not only one that is read for the proof
	inList   func(*Snapshot) bool
	labelID  string                          // of the detail; "" for none
	inDetail func(*client.PrivateLabel) bool // nil is a detail that the API rejects
}

// proof needs for Absent a list that was read for this purpose, which all absent objects share until a write. A list may be
// one read behind, so that the detail decides what it lacks. So it makes at most one call of the list (Reseller API §4.8),
// and one for each absent private label.
func (o listed) proof(ctx context.Context, i *Inventory, lastSlug string, rejection error) (Presence, error) {
	switch {
	case rejection != nil && o.labelID == "":
		return PresenceUnknown, rejection // of the list, which shows nothing about one private label
	case rejection != nil:
		return i.CheckRejection(ctx, o.labelID, lastSlug, rejection)
	}
	if o.anyList {
		labels, err := i.Labels(ctx, Cached)
		if err != nil || o.inList(labels) {
			return i.verdict(ctx, lastSlug, err == nil, err)
		}
	}
	if absent, err := i.verdict(ctx, lastSlug, false, nil); err != nil || absent == PresenceUnknown {
		return PresenceUnknown, err // no list could prove it
	}
	labels, err := i.absence.getWith(ctx, i.by, "", Current, atOnce(func(ctx context.Context, _ string) (*Snapshot, error) { return i.Labels(ctx, Fresh) }))
	shown := err == nil && o.inList(labels) // even if the reseller's slug changed
	if err == nil && !shown && o.inDetail != nil {
		shown, err = i.detailShows(ctx, o.labelID, o.inDetail)
	}
	return i.verdict(ctx, lastSlug, shown, err)
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
		shown, err = i.detailShows(ctx, id, exists)
	}
	return i.verdict(ctx, lastSlug, shown, err)
}

func exists(label *client.PrivateLabel) bool { return label != nil }

// detailShows reports what the detail of a private label that a list lacks shows of it.
func (i *Inventory) detailShows(ctx context.Context, id string, shows func(*client.PrivateLabel) bool) (bool, error) {
	label, err := i.proofs.get(ctx, i.by, id, Current)
	return err == nil && shows(label), err
}

// readProof reads the detail of a private label, nil if the API rejects that.
func (i *Inventory) readProof(ctx context.Context, id string) (*client.PrivateLabel, error) {
	label, err := i.api.GetPrivateLabel(ctx, id)
	if client.MayBeGone(err) {
		return nil, nil //nolint:nilnil // absence is a result here
	}
	return label, err
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
