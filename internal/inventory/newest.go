package inventory

// newest stores the response to the call that began last, and keeps it past writes. The inventory's mutex guards it.
type newest[V any] struct {
	value V
	no    int // number of the call
	calls int // number of calls begun
}

// begin returns the number of a new call.
func (n *newest[V]) begin() (no int) {
	n.calls++
	return n.calls
}

// store stores the response to call no, unless it has one of a later call.
func (n *newest[V]) store(no int, v V) {
	if no > n.no {
		n.value, n.no = v, no
	}
}
