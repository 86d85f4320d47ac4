package coretest

import (
	"runtime"
	"sync"
)

// kill ends a process of the provider in the middle of a call of the API.
type kill struct {
	mu      sync.Mutex
	process chan struct{} // closed when the process is killed
	over    chan struct{} // closed at the end of the walk
}

func newKill() *kill { return &kill{over: make(chan struct{})} }

// begin is a new process.
func (k *kill) begin() <-chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.process = make(chan struct{})
	return k.process
}

// now kills the process. The goroutine that calls it is in the middle of a request, and no longer does anything.
func (k *kill) now() {
	if !k.close() {
		return
	}
	<-k.over
	runtime.Goexit()
}

// close returns false if no process has begun.
func (k *kill) close() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	select {
	case <-k.process: // killed in another request
	default:
		if k.process == nil {
			return false
		}
		close(k.process)
	}
	return true
}
