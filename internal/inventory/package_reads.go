package inventory

import (
	"sync"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// maxProbes is the maximum number of package reads without add-ons that a detail confirms. Until one returns an add-on,
// an empty list may mean that the response omits add-ons.
const maxProbes = 5

// packageReads is the knowledge of a run about package reads (Reseller API §4.21). Until one is confirmed, they are
// made one at a time.
type packageReads struct {
	probing chan struct{} // semaphore of the probe

	mu        sync.Mutex
	stopped   bool              // no more package reads in this run
	confirmed bool              // one matched a state or a detail
	addons    bool              // one returned an add-on
	probes    int               // number that returned none
	owners    map[string]string // private label ID by assignment ID
}

func newPackageReads() *packageReads {
	return &packageReads{probing: make(chan struct{}, 1), owners: map[string]string{}}
}

// begin waits for a probe in flight and returns the limits that a read may use, in order of preference; none when
// package reads are stopped. A package read that a detail must confirm is the second choice. endProbe may be called
// twice.
func (p *packageReads) begin(known Known) (endProbe func(), buckets []client.Bucket) {
	p.probing <- struct{}{}
	endProbe = sync.OnceFunc(func() { <-p.probing })
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped || p.confirmed {
		endProbe()
	}
	switch {
	case p.stopped:
		return endProbe, nil
	case p.confirmed, known.ID != "":
		return endProbe, []client.Bucket{client.BucketBilling, client.BucketConsole}
	default:
		return endProbe, []client.Bucket{client.BucketConsole, client.BucketBilling}
	}
}

func (p *packageReads) isStopped() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stopped
}

// stop ends package reads for the rest of the run, and reports whether they were in use.
func (p *packageReads) stop() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	stopped := p.stopped
	p.stopped = true
	return !stopped
}

// trust reports whether a package read needs no detail: it shows the private label's own assignment with its add-ons.
func (p *packageReads) trust(a *client.Assignment, known Known) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	own := p.confirmed || known.ID != ""
	whole := p.addons || known.Written || len(a.Addons) > 0
	if own && whole {
		p.confirmed, p.addons = true, p.addons || len(a.Addons) > 0
	}
	return own && whole
}

// confirm records that a detail matches a package read; a is nil for no assignment. It returns false after maxProbes
// matches without add-ons: further package reads are not worth a call.
func (p *packageReads) confirm(a *client.Assignment) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a == nil {
		return true
	}
	p.confirmed, p.addons = true, p.addons || len(a.Addons) > 0
	if !p.addons {
		p.probes++
	}
	return p.addons || p.probes < maxProbes
}

// isFirst records the private label of an assignment, and reports whether no other private label has this assignment.
func (p *packageReads) isFirst(assignmentID, labelID string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	owner, taken := p.owners[assignmentID]
	if !taken {
		p.owners[assignmentID] = labelID
	}
	return !taken || owner == labelID
}

// forget resets the knowledge for a new run. A probe in flight keeps the semaphore.
func (p *packageReads) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped, p.confirmed, p.addons, p.probes = false, false, false, 0
	clear(p.owners)
}
