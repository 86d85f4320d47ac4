package inventory

// Freshness is how old a response may be.
type Freshness int

const (
	// Cached is any response of this run, with this run's own writes. It is for texts, and for rules that the API or a
	// later look enforces.
	Cached Freshness = iota + 1
	// Current is a response since the last write of this run.
	Current
	// Fresh is a response to a call that begins now.
	Fresh
)

// ReadIn returns the inventory as the requests of a walk read it: all of them share responses of this walk, and none of an
// earlier one, independent of their freshness. Without it, a request shares responses until a write.
func (i *Inventory) ReadIn(walk int) *Inventory {
	return &Inventory{i.responses, walk}
}
