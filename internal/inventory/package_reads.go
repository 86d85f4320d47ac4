package inventory

import (
	"sync"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// maxProbes bounds the package reads without add-ons that a detail confirms: while none has shown an add-on, an empty
// list is none.
const maxProbes = 5

// packageReads is what a run has learned of package reads (§4.21). Until one is confirmed, one is made at a time.
type packageReads struct {
	probing chan struct{} // holds the turn of the probe

	mu        sync.Mutex
	stopped   bool              // none is made any more
	confirmed bool              // one agreed with a state or a detail
	addons    bool              // one of them showed an add-on
	probes    int               // how many showed none
	owners    map[string]string // label ID by assignment ID
}

func newPackageReads() *packageReads {
	return &packageReads{probing: make(chan struct{}, 1), owners: map[string]string{}}
}

// begin waits for a probe that is under way, and returns which limits a read may choose from, in order of preference;
// none where no package is read. A package read that a detail has to confirm is the second choice. endProbe may be
// called twice.
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

// stop ends package reads for the rest of the run, and reports whether there were any.
func (p *packageReads) stop() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	stopped := p.stopped
	p.stopped = true
	return !stopped
}

// trust reports whether a read needs no detail: it shows the label's own assignment, and its add-ons.
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

// confirm records that a detail shows what a read showed, nil for no assignment. It is false where so many showed no
// add-on that they are not worth a call.
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

// isFirst records the label of an assignment and reports whether no other label has it.
func (p *packageReads) isFirst(assignmentID, labelID string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	owner, taken := p.owners[assignmentID]
	if !taken {
		p.owners[assignmentID] = labelID
	}
	return !taken || owner == labelID
}

// forget begins a new run. A probe under way keeps its turn.
func (p *packageReads) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped, p.confirmed, p.addons, p.probes = false, false, false, 0
	clear(p.owners)
}
