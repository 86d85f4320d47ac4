package provider

import (
	"context"
	"hash/maphash"
	"maps"
	"sync"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// requestPeriods numbers the periods in which the provider serves requests without a gap. Terraform starts a walk over
// the configuration only when every request of the last one is answered, so two requests of one period belong to one
// walk. The reverse does not hold: a walk may have gaps.
type requestPeriods struct {
	mu       sync.Mutex
	inFlight int
	period   int
}

func (p *requestPeriods) begin() (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.inFlight == 0 {
		p.period++
	}
	p.inFlight++
	return p.end
}

func (p *requestPeriods) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inFlight--
}

func (p *requestPeriods) current() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.period
}

// manyWalksSince is the first version of Terraform whose `terraform test` makes every walk of a file in one process
// that is configured once. Before it, a configured process serves one walk.
var manyWalksSince = version.Must(version.NewVersion("1.15.0"))

// walks returns what identifies a walk of a CLI: the period, or a constant where a process serves one walk. An unknown
// version is taken for a new one.
func (p *requestPeriods) walks(cliVersion string) func() int {
	if makesManyWalks(cliVersion) {
		return p.current
	}
	return func() int { return 0 }
}

func makesManyWalks(cliVersion string) bool {
	v, err := version.NewVersion(cliVersion)
	return err != nil || v.Core().GreaterThanOrEqual(manyWalksSince)
}

// walkNames are the names that requests of one walk mention: what plans create, whom a read found. A request carries no
// resource address, so the plan of a second block and a second plan of one block look alike. The names are therefore
// good for a warning and a count, never for an error.
type walkNames struct {
	walk func() int

	mu      sync.Mutex
	names   map[string]int // the walk that mentioned each last
	unnamed []int          // the walks that planned what is named only after apply
}

func newWalkNames(walk func() int) *walkNames {
	return &walkNames{walk: walk, names: map[string]int{}}
}

// add records a name and reports whether this walk mentioned it before. A name of an earlier walk shows that a new one
// began: what is not certain to belong to it is dropped.
func (p *walkNames) add(name string) (twice bool) {
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
func (p *walkNames) drop(now int) {
	maps.DeleteFunc(p.names, func(_ string, walk int) bool { return walk != now })
}

// begin drops the names of an earlier walk.
func (p *walkNames) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(p.walk())
}

// has reports whether this walk mentioned a name.
func (p *walkNames) has(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	walk, ok := p.names[name]
	return ok && walk == p.walk()
}

// addUnnamed records the create of what is named only after apply.
func (p *walkNames) addUnnamed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unnamed = append(p.unnamed, p.walk())
}

// count returns how many creates are planned whose names do not exist yet.
func (p *walkNames) count(exists func(name string) bool) int {
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

// walkReads finds where a walk begins by what it reads: a walk reads each object once, and an apply reads none. So an
// object that is read again, or after an apply, belongs to a new walk, and what was read before is old.
type walkReads struct {
	mu      sync.Mutex
	seed    maphash.Seed
	states  map[uint64]bool // before and after a read
	applied bool
}

func newWalkReads() *walkReads {
	return &walkReads{seed: maphash.MakeSeed(), states: map[uint64]bool{}}
}

func (r *walkReads) key(typeName string, state *tfprotov6.DynamicValue) uint64 {
	var h maphash.Hash
	h.SetSeed(r.seed)
	_, _ = h.WriteString(typeName)
	if state != nil {
		_, _ = h.Write(state.MsgPack)
	}
	return h.Sum64()
}

// begin records the read of an object and reports whether it starts a new walk.
func (r *walkReads) begin(typeName string, state *tfprotov6.DynamicValue) (starts bool) {
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

// end records the state that the read returned: the next walk may begin with it.
func (r *walkReads) end(typeName string, state *tfprotov6.DynamicValue) {
	key := r.key(typeName, state)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.states[key] = true
}

func (r *walkReads) apply() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.applied = true
}

// sharedSession is the session of a process that may serve many walks, nil for none.
func (p *resellerProvider) sharedSession() *session {
	if run := p.session.Load(); run.ready() && run.manyWalks {
		return run
	}
	return nil
}

// beginRead forgets what an earlier walk of this process read.
func (p *resellerProvider) beginRead(req *tfprotov6.ReadResourceRequest) {
	if run := p.sharedSession(); run != nil && run.reads.begin(req.TypeName, req.CurrentState) {
		run.beginWalk()
	}
}

// countingServer tells the provider of the requests about single objects.
type countingServer struct {
	Server
	provider *resellerProvider
}

func counted[Q, R any](ctx context.Context, p *requestPeriods, req Q, call func(context.Context, Q) (R, error)) (R, error) {
	end := p.begin()
	defer end()
	return call(ctx, req)
}

func (s countingServer) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return counted(ctx, &s.provider.periods, req, s.Server.ValidateResourceConfig)
}

func (s countingServer) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return counted(ctx, &s.provider.periods, req, s.Server.UpgradeResourceState)
}

func (s countingServer) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	resp, err := counted(ctx, &s.provider.periods, req, s.Server.ReadResource)
	if run := s.provider.sharedSession(); run != nil && err == nil {
		run.reads.end(req.TypeName, resp.NewState)
	}
	return resp, err
}

func (s countingServer) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return counted(ctx, &s.provider.periods, req, s.Server.PlanResourceChange)
}

func (s countingServer) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	if run := s.provider.sharedSession(); run != nil {
		run.reads.apply()
	}
	return counted(ctx, &s.provider.periods, req, s.Server.ApplyResourceChange)
}

func (s countingServer) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return counted(ctx, &s.provider.periods, req, s.Server.ReadDataSource)
}
