package member

import (
	"fmt"
	"maps"
	"slices"
)

func drift(was, now *model) []string {
	switch {
	case now == nil:
		return []string{"no longer a member"}
	case now.Role.ValueString() != was.Role.ValueString():
		return []string{fmt.Sprintf("role changed from %s to %s", was.Role.ValueString(), now.Role.ValueString())}
	default:
		return nil
	}
}

// driftOfSet names who joined, left, or became an owner or admin.
func driftOfSet(was, now *setModel) []string {
	if now == nil {
		return []string{"private label no longer in the list"}
	}
	before, after := was.people(), now.people()
	above, aboveNow := was.privileged(), now.privileged()
	var out []string
	for _, email := range slices.Sorted(maps.Keys(after)) {
		if _, known := before[email]; !known && !aboveNow[email] {
			out = append(out, "a member joined: "+email)
		}
	}
	for _, email := range slices.Sorted(maps.Keys(before)) {
		if _, stays := after[email]; !stays && !aboveNow[email] {
			out = append(out, "a member left: "+email)
		}
	}
	for _, email := range slices.Sorted(maps.Keys(aboveNow)) {
		if !above[email] {
			out = append(out, "a member became owner or admin: "+email)
		}
	}
	for _, email := range slices.Sorted(maps.Keys(above)) {
		if _, listed := before[email]; !listed && !aboveNow[email] {
			out = append(out, "an owner or admin left: "+email)
		}
	}
	return out
}
