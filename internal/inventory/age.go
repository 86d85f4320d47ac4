package inventory

// Age says how old a response may be.
type Age int

const (
	// Cached is any response of this run, with this run's own writes. It is for texts, and for rules that the API or a
	// later look enforces.
	Cached Age = iota + 1
	// Current is a response since the last write of this run, which all readers of a walk share.
	Current
	// Fresh is a response to a call that begins now.
	Fresh
)
