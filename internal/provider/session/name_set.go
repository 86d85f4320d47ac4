package session

import "sync"

// NameSet is a set of names that one run records, such as items that it plans to create. It is safe for
// concurrent use.
type NameSet struct {
	mu    sync.Mutex
	names map[string]bool
}

func NewNameSet() *NameSet { return &NameSet{names: map[string]bool{}} }

func (n *NameSet) Add(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.names[name] = true
}

func (n *NameSet) Contains(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.names[name]
}
