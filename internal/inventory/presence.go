package inventory

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
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
	// NotShown: this run has made the object, or it is a private label of the last minutes, and no read shows it yet.
	NotShown
	// OtherReseller: the object was last read under another reseller, so that its absence proves nothing.
	OtherReseller
)

// Absence decides whether an object in state still exists, from where it shows: the list of private labels, a private label,
// or the catalog. lastSlug is the reseller under which it was last read, "" if unknown. rejection is the error of the read
// that did not find it, if any.
type Absence func(ctx context.Context, i *Inventory, lastSlug string, rejection error) (Presence, error)

// OfLabel is the proof about a private label.
func OfLabel(id string) Absence {
	return ofLabel(id).proof
}

// OfLabelSince is OfLabel for a private label that was created at a time, the zero time if no read has shown it.
func OfLabelSince(id, host string, createdAt time.Time) Absence {
	o := ofLabel(id)
	o.host = host
	o.isNew = func(now time.Time) bool { return createdAt.IsZero() || now.Sub(createdAt) < lateFor }
	return o.proof
}

func ofLabel(id string) listed {
	return listed{
		anyList: true, labelID: id,
		inList:   func(labels *Snapshot) bool { return labels.byID[id] != nil },
		inDetail: exists,
	}
}

// OfHost is the proof about a private label that is known by a host name or a custom domain only.
func OfHost(host string) Absence {
	return listed{
		anyList: true,
		isLate:  func(i *Inventory) bool { return i.isUnshownHost(host) },
		inList: func(labels *Snapshot) bool {
			_, ok := labels.ByHost(host)
			return ok
		},
	}.proof
}

// OfAssignment is the proof about the package of a private label. An absent private label has none.
func OfAssignment(labelID string) Absence {
	return listed{
		labelID: labelID,
		inList: func(labels *Snapshot) bool {
			item := labels.byID[labelID]
			return item != nil && item.AssignedPackage.Value != nil
		},
		inDetail: func(label *client.PrivateLabel) bool {
			return label != nil && (label.Assignment.Value != nil || !label.Assignment.IsGiven)
		},
		isLate: func(i *Inventory) bool { return i.isUnshown(assignmentObject(labelID)) },
	}.proof
}

// OfMember is the proof about a member of a private label. Without a user ID, it is about all its members: every existing
// private label has its owner. The API lists the members only of private labels of this reseller, even after its slug
// changed. If it rejects the call, the presence of the private label decides.
func OfMember(labelID, userID string) Absence {
	return func(ctx context.Context, i *Inventory, lastSlug string, _ error) (Presence, error) {
		age := Current
		if i.unshown.has(memberObject(labelID, userID), time.Time{}) { // the reads so far may be older than what they lack
			age = Fresh
		}
		members, err := i.Members(ctx, labelID, age)
		if err != nil {
			presence, listErr := i.CheckRejection(ctx, labelID, lastSlug, err)
			if presence == Absent || presence == OtherReseller || presence == NotShown {
				return presence, nil
			}
			return PresenceUnknown, cmp.Or(listErr, err)
		}
		switch {
		case userID == "" || members.byID[userID] != nil:
			return Present, nil
		case i.isUnshown(memberObject(labelID, userID)):
			return NotShown, nil
		default:
			return Absent, nil
		}
	}
}

// OfItem is the proof about a package or an add-on: a search lacks it, and the API rejects reading it. The API deletes none,
// so an API key of another reseller is the most probable cause of an absence.
func OfItem(k client.Kind, id string) Absence {
	return func(ctx context.Context, i *Inventory, lastSlug string, rejection error) (Presence, error) {
		if rejection != nil {
			return PresenceUnknown, rejection // of a search, which shows nothing about one item
		}
		item, err := i.FindItem(ctx, k, id, Current)
		if err == nil && item == nil {
			_, err = i.api.GetItem(ctx, k, id)
			if errors.Is(err, client.ErrNotReadAlone) && !client.NoSuchEndpoint(err) {
				return i.verdict(ctx, lastSlug, false, nil)
			}
		}
		return i.verdict(ctx, lastSlug, err == nil, err)
	}
}

// listed is an object that the list of private labels shows.
type listed struct {
	anyList  bool // any list of this run can prove Present, and not only one that is read for the proof
	inList   func(*Snapshot) bool
	labelID  string                          // of the detail; "" for none
	host     string                          // of a private label that may be new
	inDetail func(*client.PrivateLabel) bool // nil is a detail that the API rejects
	isNew    func(now time.Time) bool        // whether the private label may be too new to be shown; nil if that is not known
	isLate   func(*Inventory) bool           // whether this run has made the object and no read has shown it; nil is never
}

// proof needs for Absent a list that was read for this purpose, which all absent objects share until a write. A list may be
// one read behind, so that the detail decides what it lacks. So it makes at most one call of the list (Reseller API §4.8),
// and one for each absent private label.
func (o listed) proof(ctx context.Context, i *Inventory, lastSlug string, rejection error) (Presence, error) {
	contradicts := IsContradictory(rejection)
	switch {
	case rejection != nil && o.labelID == "":
		return PresenceUnknown, rejection // of the list, which shows nothing about one private label
	case rejection != nil && !contradicts:
		return i.rejected(ctx, o, lastSlug, rejection)
	}
	if o.anyList && !contradicts {
		labels, err := i.Labels(ctx, Cached)
		if err != nil || o.inList(labels) {
			return i.verdict(ctx, lastSlug, err == nil, err)
		}
	}
	if absent, err := i.verdict(ctx, lastSlug, false, nil); err != nil || absent == PresenceUnknown {
		return PresenceUnknown, err // no list could prove it
	}
	labels, err := i.absence.getWith(ctx, i.walk, "", Current, func(ctx context.Context, _ string) (*Snapshot, error) { return i.Labels(ctx, Fresh) })
	if err == nil && o.inList(labels) { // even if the reseller's slug changed
		return Present, nil
	}
	return i.decided(ctx, o, lastSlug, err, nil)
}

// decided returns the presence of an object that a list lacks, which failed with an error if it contradicts itself. The
// detail of the private label decides, or what it was rejected with, if that is known.
func (i *Inventory) decided(ctx context.Context, o listed, lastSlug string, listErr, rejection error) (Presence, error) {
	if listErr != nil && (!IsContradictory(listErr) || o.labelID == "") {
		return PresenceUnknown, listErr
	}
	var detail detailProof
	switch {
	case rejection != nil:
		detail.rejection = rejection
	case o.labelID != "":
		var err error
		if detail, err = i.proofs.get(ctx, i.walk, o.labelID, Current); err != nil {
			return PresenceUnknown, err
		}
	}
	switch {
	case o.inDetail != nil && o.inDetail(detail.label):
		return Present, nil
	case listErr != nil && !transport.IsCode(detail.rejection, client.CodeForbidden):
		return PresenceUnknown, listErr // one witness proves nothing
	case i.isLate(o, detail.rejection):
		return NotShown, nil
	default:
		return i.verdict(ctx, lastSlug, false, nil)
	}
}

// isLate reports whether reads may lack an object because they are late. FORBIDDEN is the answer for a private label that is
// gone, at any age, unless this run has provisioned it.
func (i *Inventory) isLate(o listed, rejection error) bool {
	if o.isLate != nil && o.isLate(i) || i.IsUnshownLabel(o.labelID) {
		return true
	}
	if !transport.IsCode(rejection, client.CodeInvalidTarget) {
		return false
	}
	if o.isNew != nil && o.isNew(i.now()) {
		i.SetHost(o.labelID, o.host)
		i.unshown.add(newLabelObject(o.labelID), i.now())
	}
	return i.isUnshown(newLabelObject(o.labelID))
}

// newLabelObject is a private label that another run has provisioned lately.
func newLabelObject(id string) object {
	return object{"new private label", id}
}

// CheckRejection returns the presence of a private label after the API rejected a call for it. 403 FORBIDDEN and 400
// INVALID_TARGET mean that the private label is gone or belongs to another reseller (§4); a list that is read after the
// error decides. Every other error leaves the presence unknown, without an API call.
func (i *Inventory) CheckRejection(ctx context.Context, id, lastSlug string, rejection error) (Presence, error) {
	return i.rejected(ctx, listed{labelID: id, inDetail: exists}, lastSlug, rejection)
}

func (i *Inventory) rejected(ctx context.Context, o listed, lastSlug string, rejection error) (Presence, error) {
	if !client.MayBeGone(rejection) {
		return PresenceUnknown, nil
	}
	labels, err := i.Labels(ctx, Fresh)
	if err == nil && labels.byID[o.labelID] != nil {
		return Present, nil
	}
	o.inDetail = exists
	if !client.IsDetailRejected(rejection) {
		rejection = nil
	}
	return i.decided(ctx, o, lastSlug, err, rejection)
}

func exists(label *client.PrivateLabel) bool {
	return label != nil
}

// detailProof is the detail of a private label, or the rejection of its read.
type detailProof struct {
	label     *client.PrivateLabel
	rejection error
}

// readProof reads the detail of a private label.
func (i *Inventory) readProof(ctx context.Context, id string) (detailProof, error) {
	label, err := i.api.GetPrivateLabel(ctx, id)
	if client.MayBeGone(err) {
		return detailProof{rejection: err}, nil
	}
	return detailProof{label: label}, err
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
