package session

import (
	"hash/maphash"
	"maps"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// WalkNames are the names that requests of one walk mention: what plans create, whom a read found. A request carries no
// resource address, so the plan of a second block and a second plan of one block look alike. The names are therefore
// good for a warning and a count, never for an error.
type WalkNames struct {
	walk func() int

	mu      sync.Mutex
	names   map[string]int // the walk that mentioned each last
	unnamed []int          // the walks that planned what is named only after apply
}

func NewWalkNames(walk func() int) *WalkNames {
	return &WalkNames{walk: walk, names: map[string]int{}}
}

// Add records a name and reports whether this walk mentioned it before. A name of an earlier walk shows that a new one
// began: what is not certain to belong to it is dropped.
func (p *WalkNames) Add(name string) (twice bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.walk()
	before, planned := p.names[name]
	if planned && before != now {
		p.drop(now)
	}
	p.names[name] = now
	return planned && before == now
}

// drop keeps what one walk mentioned. The caller holds p.mu.
func (p *WalkNames) drop(now int) {
	maps.DeleteFunc(p.names, func(_ string, walk int) bool { return walk != now })
}

// Begin drops the names of an earlier walk.
func (p *WalkNames) Begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(p.walk())
}

// Has reports whether this walk mentioned a name.
func (p *WalkNames) Has(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	walk, ok := p.names[name]
	return ok && walk == p.walk()
}

// AddUnnamed records the create of what is named only after apply.
func (p *WalkNames) AddUnnamed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unnamed = append(p.unnamed, p.walk())
}

// Count returns how many creates are planned whose names do not exist yet.
func (p *WalkNames) Count(exists func(name string) bool) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, n := p.walk(), 0
	for name := range p.names {
		if !exists(name) {
			n++
		}
	}
	for _, walk := range p.unnamed {
		if walk == now {
			n++
		}
	}
	return n
}

// WalkReads finds where a walk begins by what it reads: a walk reads each object once, and an apply reads none. So an
// object that is read again, or after an apply, belongs to a new walk, and what was read before is old.
type WalkReads struct {
	mu      sync.Mutex
	seed    maphash.Seed
	states  map[uint64]bool // before and after a read
	applied bool
}

func NewWalkReads() *WalkReads {
	return &WalkReads{seed: maphash.MakeSeed(), states: map[uint64]bool{}}
}

func (r *WalkReads) key(typeName string, state *tfprotov6.DynamicValue) uint64 {
	var h maphash.Hash
	h.SetSeed(r.seed)
	_, _ = h.WriteString(typeName)
	if state != nil {
		_, _ = h.Write(state.MsgPack)
	}
	return h.Sum64()
}

// Begin records the read of an object and reports whether it starts a new walk.
func (r *WalkReads) Begin(typeName string, state *tfprotov6.DynamicValue) (starts bool) {
	key := r.key(typeName, state)
	r.mu.Lock()
	defer r.mu.Unlock()
	starts = r.applied || r.states[key]
	if starts {
		clear(r.states)
	}
	r.applied, r.states[key] = false, true
	return starts
}

// End records the state that the read returned: the next walk may begin with it.
func (r *WalkReads) End(typeName string, state *tfprotov6.DynamicValue) {
	key := r.key(typeName, state)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.states[key] = true
}

func (r *WalkReads) Apply() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.applied = true
}
