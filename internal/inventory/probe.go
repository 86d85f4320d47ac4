package inventory

import (
	"sync"
	"sync/atomic"
)

// probe is what a run has learned about an endpoint that the API documentation does not show. Until something is known,
// its calls are made one at a time: an endpoint that does not exist costs one call, and not one for each object.
type probe struct {
	turn  chan struct{}
	known atomic.Int32 // grows from 0
}

func newProbe() *probe {
	return &probe{turn: make(chan struct{}, 1)}
}

// begin waits until a call may probe the endpoint. end may be called twice.
func (t *probe) begin() (end func()) {
	t.turn <- struct{}{}
	end = sync.OnceFunc(func() { <-t.turn })
	if t.known.Load() > 0 {
		end()
	}
	return end
}

func (t *probe) learn(known int32) {
	for before := t.known.Load(); before < known && !t.known.CompareAndSwap(before, known); {
		before = t.known.Load()
	}
}
