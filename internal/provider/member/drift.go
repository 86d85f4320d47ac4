package member

import (
	"fmt"
	"slices"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
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
func driftOfSet(was, now *setModel) (out []string) {
	if now == nil {
		return []string{"private label no longer in the list"}
	}
	before, after := fwtype.SortedKeys(was.people()), fwtype.SortedKeys(now.people())
	above, aboveNow := fwtype.SortedKeys(was.privileged()), fwtype.SortedKeys(now.privileged())
	say := func(what string, people []string, except ...string) {
		for _, email := range people {
			if !slices.Contains(except, email) {
				out = append(out, what+email)
			}
		}
	}
	say("a member joined: ", after, slices.Concat(before, aboveNow)...)
	say("a member left: ", before, slices.Concat(after, aboveNow)...)
	say("a member became owner or admin: ", aboveNow, above...)
	say("an owner or admin left: ", above, slices.Concat(before, aboveNow)...)
	return out
}
