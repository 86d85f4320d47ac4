package provider

import "sync"

// plannedHosts remembers which hosts this process has planned to provision, so
// that two blocks with one host are found at plan and not half-way through an
// apply.
type plannedHosts struct {
	mu    sync.Mutex
	hosts map[string]bool
}

func newPlannedHosts() *plannedHosts {
	return &plannedHosts{hosts: map[string]bool{}}
}

// claim tells whether the host is claimed for the first time.
func (p *plannedHosts) claim(h hostName) bool {
	key := hostKind{}.normal(h.ValueString())
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hosts[key] {
		return false
	}
	p.hosts[key] = true
	return true
}
