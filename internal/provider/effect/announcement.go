package effect

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Step is one thing that an apply does: usually one call that writes.
type Step struct {
	// Key says what the step does to what, such as "attach add-on SEATS (quantity 5)". An apply takes no step whose key its
	// plan did not announce.
	Key string
	// Verb is what the step does, such as "attach".
	Verb string
	// ID and Name are of what it is done to: an item of the catalog, a user, a private label. Both are empty where that is
	// known after apply.
	ID, Name string
	// Quantity is that of an add-on; unknown where it is known after apply.
	Quantity types.Float64
	// If is what a value that is known after apply has to be, such as "addons lists any"; "" for a step that is certain.
	If string
	// Loses names what else the step removes, such as the members of a private label, sorted. An apply takes it only if its
	// plan announced each of them.
	Loses []string
}

// NewStep returns a step whose key is its verb with the name, or with the ID if there is no name.
func NewStep(verb, name, id string) Step {
	return Step{Key: verb + " " + cmp.Or(name, id), Verb: verb, Name: name, ID: id}
}

// Announcement has what a plan announced: each step by its key, and what else the steps remove.
type Announcement map[string]int

// Announce returns what a plan with these steps announces.
func Announce(steps []Step) Announcement {
	a := Announcement{}
	for _, s := range steps {
		for _, lost := range s.Loses {
			a[lost] = 1
		}
		a[s.Key] = 1
	}
	return a
}

// maxLosses is the maximum number of losses that NotAnnounced names.
const maxLosses = 3

// NotAnnounced says what a step does that the plan did not announce, "" for nothing.
func (a Announcement) NotAnnounced(s Step) string {
	if a[s.Key] == 0 {
		return s.Key
	}
	more := slices.DeleteFunc(slices.Clone(s.Loses), func(lost string) bool { return a[lost] > 0 })
	if len(more) == 0 {
		return ""
	}
	if rest := len(more) - maxLosses; rest > 0 {
		more = append(more[:maxLosses], fmt.Sprintf("%d more", rest))
	}
	return s.Key + ", now with " + Series("and", more)
}
