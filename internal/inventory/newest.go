package inventory

// newest is the response to the call that began last, kept past writes. The
// inventory's mutex guards it.
type newest[V any] struct {
	value V
	no    int // of the call that brought it
	calls int // begun so far
}

// begin returns the number of a call that begins.
func (n *newest[V]) begin() (no int) {
	n.calls++
	return n.calls
}

// store keeps the response to a call unless a later one came before it.
func (n *newest[V]) store(no int, v V) {
	if no > n.no {
		n.value, n.no = v, no
	}
}
