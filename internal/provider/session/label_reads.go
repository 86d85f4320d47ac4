package session

import (
	"sync"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// LabelReads shares the reads of a private label among all resources of a session that wait for it. The zero value is ready
// to use.
type LabelReads struct {
	mu     sync.Mutex
	newest map[string]*labelRead // by private label ID
}

// labelRead is the newest read of a private label, and is locked while it is read.
type labelRead struct {
	sync.Mutex
	at    time.Time
	label *client.PrivateLabel
}

// Read reads a private label, or returns what was read of it less than a pause ago.
func (r *LabelReads) Read(id string, clock transport.Clock, pause time.Duration, read func() (*client.PrivateLabel, error)) (*client.PrivateLabel, error) {
	r.mu.Lock()
	if r.newest == nil {
		r.newest = map[string]*labelRead{}
	}
	if r.newest[id] == nil {
		r.newest[id] = &labelRead{}
	}
	newest := r.newest[id]
	r.mu.Unlock()
	newest.Lock()
	defer newest.Unlock()
	if now := clock.Now(); newest.label == nil || now.Sub(newest.at) >= pause {
		label, err := read()
		if err != nil {
			return nil, err // the next read need not wait
		}
		newest.at = now
		newest.label = label
	}
	return newest.label, nil
}
