package provider

import "sync"

// noted is a set of names that one run keeps in mind: hosts it plans to
// provision, objects it has read, people it has told of.
type noted struct {
	mu    sync.Mutex
	names map[string]bool
}

func newNoted() *noted { return &noted{names: map[string]bool{}} }

// note answers whether the name is noted for the first time.
func (n *noted) note(name string) (first bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	first = !n.names[name]
	n.names[name] = true
	return first
}

func (n *noted) forget(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.names, name)
}

func (n *noted) clear() {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.names)
}

func (n *noted) has(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.names[name]
}
