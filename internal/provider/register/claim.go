package register

import "slices"

// Role is what a resource does with a live object in a plan.
type Role int

// The roles.
const (
	Creates Role = iota + 1
	Imports
	Keeps    // as it is, or changed in place
	Removes  // from the API: a destroy, or a set that drops a member
	Releases // a destroy that only removes the resource from state
)

// Claim is what one resource does with one live object.
type Claim struct {
	Object
	Role Role
	// By is the type of the resource, with the provider's prefix.
	By string
	// Instance distinguishes an object in state from another resource instance that has the same live object, "" if it is not
	// in state. Private state has it.
	Instance string
	// Called names the object where the resource has more than one.
	Called string
	// Wants are the members of a set that wants to be complete, sorted; nil for every other claim, and while they are unknown.
	Wants []string
	// RenamesFreely: a destroy here and a create at another address lose nothing.
	RenamesFreely bool
	// Repeatable: a second create makes a second object.
	Repeatable bool
}

// Conflict is what two resources of one plan do to a live object that both have.
type Conflict int

// Conflicts, the most harmful last.
const (
	// None: they do not disturb each other.
	None Conflict = iota
	// Twice: both manage it, so that each apply may undo what the other one did.
	Twice
	// Disputed: both are complete sets of its members, at least one is in state, and they want different members.
	Disputed
	// Kept: one removes what the other one keeps.
	Kept
	// Renamed: one creates or imports it and the other one destroys it.
	Renamed
)

// Between returns the conflict of two claims of the same object. It is pure.
func Between(a, b Claim) Conflict {
	switch {
	case a.Instance != "" && a.Instance == b.Instance: // a set that the plan imports drops a member
		return None
	case a.Destroys() && b.Destroys():
		return None
	case a.Destroys():
		return destroyed(a, b)
	case b.Destroys():
		return destroyed(b, a)
	case a.Repeatable:
		return None
	case a.Role == Keeps && b.Role == Keeps && a.Instance == "" && b.Instance == "" && a.By == b.By:
		return None // of a state without private state, which may be one instance that is planned twice
	case a.Wants != nil && b.Wants != nil && (a.Role == Keeps || b.Role == Keeps) && !slices.Equal(a.Wants, b.Wants):
		return Disputed
	default:
		return Twice
	}
}

func destroyed(gone, other Claim) Conflict {
	switch {
	case other.Role == Keeps && gone.Role == Removes:
		return Kept
	case other.Role == Keeps, gone.RenamesFreely:
		return None
	default:
		return Renamed
	}
}

// Destroys reports whether the resource has the object no longer.
func (c Claim) Destroys() bool {
	return c.Role == Removes || c.Role == Releases
}
