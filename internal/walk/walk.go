// Package walk says which of Terraform's walks a request is part of. No request names its walk: the protocol server counts
// what only one kind of walk does, and nothing else infers it.
package walk

import (
	"sync"
	"sync/atomic"
)

// Phase is what a walk does with an object. One that plans refreshes and plans each object once, and one that applies plans
// and applies it.
type Phase int

// The phases.
const (
	Refresh Phase = 1 << iota
	Plan
	Apply
)

// Request is one request about one object.
type Request struct {
	Phase  Phase
	Object string
}

// Moment is where the requests of a process are.
type Moment struct {
	// Applies is the number of applies so far. Before the first one everything that was planned may be one plan; plans of
	// `terraform test`, which makes all its walks in one process, come after applies or have an empty state.
	Applies int64
	// Ended is the number of walks that applied and have ended, since a later one reads.
	Ended int64
}

// Process follows the walks of one configured provider. It is safe for concurrent use.
type Process struct {
	applies, ended atomic.Int64
	applying       atomic.Bool

	mu      sync.Mutex
	number  int
	phases  map[string]Phase // of each object in this walk
	applied bool             // an object was applied in it
}

// Number returns the number of the walk that a request is part of, from 1 on. Another walk begins with a request that none
// makes after those before it: the second one of a phase about one object, a refresh after a plan or an apply, and an apply
// after a refresh. So time has passed between them.
func (p *Process) Number(r Request) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.phases[r.Object]
	switch {
	case p.number == 0, before&r.Phase != 0,
		r.Phase == Refresh && (p.applied || before != 0),
		r.Phase == Apply && before&Refresh != 0:
		p.number++
		p.phases = map[string]Phase{}
		p.applied = false
	}
	p.phases[r.Object] |= r.Phase
	p.applied = p.applied || r.Phase == Apply
	return p.number
}

// Now returns the moment of a request.
func (p *Process) Now() Moment {
	return Moment{Applies: p.applies.Load(), Ended: p.ended.Load()}
}

// Read records that an object is read or imported, which no walk does that applies.
func (p *Process) Read() {
	if p.applying.CompareAndSwap(true, false) {
		p.ended.Add(1)
	}
}

// Apply records that a change is applied.
func (p *Process) Apply() {
	p.applies.Add(1)
	p.applying.Store(true)
}
