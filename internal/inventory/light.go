package inventory

import "context"

// Seen is what the last full read of an object showed of its private label, which the list shows, too.
type Seen struct {
	Label     string // ID of the private label
	Members   int    // number of members; 0 for an object without members, or if it is not known
	PackageID string // "" for an object without a package
}

// LightRefresh makes refreshes trust the list: see ListConfirms. It is called before the first read.
func (i *Inventory) LightRefresh() {
	i.light = true
}

// IsLight reports whether refreshes trust the list.
func (i *Inventory) IsLight() bool {
	return i.light
}

// ListConfirms is the rule of a light refresh. It reports whether the list shows the same number of members, and the same
// package, as the last full read of an object: then the state answers the refresh. One member in exchange for another, a
// role and an add-on do not show in the list.
func (i *Inventory) ListConfirms(ctx context.Context, seen Seen) bool {
	if !i.light || seen.Members == 0 && seen.PackageID == "" {
		return false
	}
	labels, err := i.Labels(ctx, Current)
	if err != nil {
		return false
	}
	item, ok := labels.ByID(seen.Label)
	switch {
	case !ok:
		return false
	case seen.PackageID != "":
		held := item.AssignedPackage.Value
		return held != nil && held.PackageID == seen.PackageID
	default:
		return item.Metrics != nil && item.Metrics.Members != nil && *item.Metrics.Members == float64(seen.Members)
	}
}

// MemberCount returns how many members a read of this run showed, without an API call; 0 if there was none since the last
// write of this run.
func (i *Inventory) MemberCount(labelID string) int {
	members, ok := i.members.current(labelID)
	if !ok {
		return 0
	}
	return len(members.All())
}
