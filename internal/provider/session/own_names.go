package session

import (
	"math"
	"sync"
)

// OwnNames are the objects that an apply of this process created. Terraform plans each create twice: for the plan, and
// once more when the apply reaches it. So a second resource for an object of this apply is planned after the object was
// created, and so is a resource of another state in a later walk of this process. The count of plans distinguishes the
// two. Most CLIs start a process for each walk: then every plan of the process belongs to the one apply.
type OwnNames struct {
	mu      sync.Mutex
	owned   map[string]int // remaining plans in the apply that created the object
	plans   map[string]int // of creates, since the object was created or since the start
	unnamed int            // plans with a name that is known after apply
}

func NewOwnNames() *OwnNames { return &OwnNames{owned: map[string]int{}, plans: map[string]int{}} }

// Add records a created object. Each plan of this apply, except that of the create itself, may belong to a second
// resource that is planned again.
func (o *OwnNames) Add(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.owned[name] = o.plans[name] + o.unnamed - 1
	if o.owned[name] == 0 {
		o.owned[name] = math.MaxInt // an apply without its plan: the process serves one walk
	}
	delete(o.plans, name)
}

func (o *OwnNames) Contains(name string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, owned := o.owned[name]
	return owned
}

func (o *OwnNames) Remove(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.owned, name)
}

// Clear ends an apply: each later walk begins with a read.
func (o *OwnNames) Clear() {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.owned)
	clear(o.plans)
	o.unnamed = 0
}

// PlannedLater records the plan of a create with a name that is known after apply.
func (o *OwnNames) PlannedLater() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.unnamed++
}

// PlannedAgain records the plan of a create, and reports whether the plan belongs to a later walk than the apply that
// created the object.
func (o *OwnNames) PlannedAgain(name string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.plans[name]++
	follow, owned := o.owned[name]
	return owned && o.plans[name] > follow
}
