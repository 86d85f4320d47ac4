// Package walk says which of Terraform's walks a request is part of. No request names its walk: the protocol server counts
// what only one kind of walk does, and nothing else infers it.
package walk

import (
	"sync"
	"sync/atomic"
)

// Phase is what a walk does with an object. One that plans refreshes and plans each object; with -minimal-refresh it plans
// each object first, and those that change again after a refresh. One that applies plans and applies an object.
type Phase int

// The phases.
const (
	Refresh Phase = iota + 1
	Plan
	Apply
)

// progress is what a walk has done with an object so far.
type progress int

const (
	untouched progress = iota
	planned            // without a refresh
	refreshed
	complete // nothing follows in the same walk
)

// after returns the progress with one more phase, or untouched where no walk does that.
func (p progress) after(phase Phase) progress {
	switch {
	case phase == Refresh && p <= planned:
		return refreshed
	case phase == Plan && p == untouched:
		return planned
	case phase == Plan && p == refreshed, phase == Apply && p <= planned:
		return complete
	default:
		return untouched
	}
}

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
	objects map[string]progress // in this walk
	applied bool                // an object was applied in it
}

// Number returns the number of the walk that a request is part of, from 1 on. Another walk begins with a request that none
// makes after those before it, such as the second refresh of an object or a refresh after an apply. So time has passed
// between them. Only the first walk can be one with -minimal-refresh: a CLI that plans makes no other in its process.
func (p *Process) Number(r Request) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.objects[r.Object]
	next := before.after(r.Phase)
	if p.number == 0 || next == untouched || r.Phase == Refresh && (p.applied || before == planned && p.number > 1) {
		p.number++
		p.objects = map[string]progress{}
		p.applied = false
		next = untouched.after(r.Phase)
	}
	p.objects[r.Object] = next
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
