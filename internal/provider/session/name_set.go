package session

import (
	"sync"
)

// NameSet is a set of names that one run records, such as host names that it plans to provision. It is safe for
// concurrent use.
type NameSet struct {
	mu    sync.Mutex
	names map[string]bool
}

func NewNameSet() *NameSet { return &NameSet{names: map[string]bool{}} }

// Add reports whether the name was not in the set.
func (n *NameSet) Add(name string) (first bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	first = !n.names[name]
	n.names[name] = true
	return first
}

func (n *NameSet) Remove(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.names, name)
}

func (n *NameSet) Clear() {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.names)
}

func (n *NameSet) Contains(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.names[name]
}
