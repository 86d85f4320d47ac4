package inventory

import "github.com/privatelabels/terraform-provider-reseller/internal/walk"

// Age says how old a response may be.
type Age int

const (
	// Cached is any response of this run, with this run's own writes. It is for texts, and for rules that the API or a
	// later look enforces.
	Cached Age = iota + 1
	// Current is a response since the last write of this run.
	Current
	// Fresh is a response to a call that begins now.
	Fresh
)

// ReadBy returns the inventory as the request about an object reads it. All reads of a request go through one such view.
// Without it, a request shares responses until a write. A cached response answers each object once, independent of its age:
// a second request of the same phase, a refresh after a plan or an apply, and an apply after a refresh show that time has
// passed.
func (i *Inventory) ReadBy(request walk.Request) *Inventory {
	return &Inventory{i.responses, &request}
}
