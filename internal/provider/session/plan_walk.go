package session

import (
	"hash/maphash"
	"maps"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// WalkNames are the names in the requests of one walk, such as those of planned creates. A request has no resource
// address, so that the plan of a second block and a second plan of one block are equal. The names are therefore used
// for a warning and a count, never for an error.
type WalkNames struct {
	walk func() int

	mu      sync.Mutex
	names   map[string]int // number of the last walk with each name
	unnamed []int          // numbers of the walks of creates with a name known after apply
}

func NewWalkNames(walk func() int) *WalkNames {
	return &WalkNames{walk: walk, names: map[string]int{}}
}

// Add records a name and reports whether this walk had it before. A name of an earlier walk shows that a new walk
// began: it drops the names that may not belong to the new one.
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

// drop keeps only the names of walk now. The caller holds p.mu.
func (p *WalkNames) drop(now int) {
	maps.DeleteFunc(p.names, func(_ string, walk int) bool { return walk != now })
}

// Begin drops the names of an earlier walk.
func (p *WalkNames) Begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(p.walk())
}

// Has reports whether this walk has a name.
func (p *WalkNames) Has(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	walk, ok := p.names[name]
	return ok && walk == p.walk()
}

// AddUnnamed records a create with a name that is known after apply.
func (p *WalkNames) AddUnnamed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unnamed = append(p.unnamed, p.walk())
}

// Count returns the number of planned creates whose names do not exist.
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

// WalkReads detects the start of a walk by its reads: a walk reads each object once, and an apply makes no reads. So an
// object that is read again, or after an apply, belongs to a new walk, and earlier reads are outdated.
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
