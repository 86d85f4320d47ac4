package inventory

import (
	"context"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// Proof decides whether an object in state still exists, from where it shows: the list of private labels, a private label,
// or the catalog. lastSlug is the reseller under which it was last read. rejection is the error of the read that did not
// find it, if any.
type Proof func(ctx context.Context, i *Inventory, lastSlug string, rejection error) (Presence, error)

// OfLabel is the proof about a private label.
func OfLabel(id string) Proof {
	return func(ctx context.Context, i *Inventory, lastSlug string, rejection error) (Presence, error) {
		if rejection != nil {
			return i.CheckRejection(ctx, id, lastSlug, rejection)
		}
		return i.CheckPresence(ctx, id, lastSlug)
	}
}

// OfHost is the proof about a private label that is known by a host name only.
func OfHost(host string) Proof {
	return func(ctx context.Context, i *Inventory, lastSlug string, rejection error) (Presence, error) {
		if rejection != nil {
			return PresenceUnknown, rejection // of the list, which shows nothing about one private label
		}
		return i.CheckHostPresence(ctx, host, lastSlug)
	}
}

// OfAssignment is the proof about the package of a private label.
func OfAssignment(labelID string) Proof {
	return func(ctx context.Context, i *Inventory, lastSlug string, rejection error) (Presence, error) {
		if rejection != nil {
			return i.CheckRejection(ctx, labelID, lastSlug, rejection)
		}
		return i.CheckAssignment(ctx, labelID, lastSlug)
	}
}

// OfMember is the proof about a member of a private label, or about all its members without a user ID.
func OfMember(labelID, userID string) Proof {
	return func(ctx context.Context, i *Inventory, lastSlug string, _ error) (Presence, error) {
		return i.CheckMember(ctx, labelID, userID, lastSlug)
	}
}

// OfItem is the proof about a package or an add-on.
func OfItem(k client.Kind, id string) Proof {
	return func(ctx context.Context, i *Inventory, lastSlug string, rejection error) (Presence, error) {
		if rejection != nil {
			return PresenceUnknown, rejection // of a search, which shows nothing about one item
		}
		return i.CheckItem(ctx, k, id, lastSlug)
	}
}
