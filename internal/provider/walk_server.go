package provider

import (
	"context"
	"sync"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// requestPeriods numbers the periods in which the provider serves requests without a gap. Terraform starts a walk over
// the configuration only after every response of the previous walk, so two requests of one period belong to one walk.
// The reverse does not hold: a walk may have gaps.
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

// manyWalksSince is the first version of Terraform whose `terraform test` makes all walks of a file in one process that
// is configured once. In earlier versions, a configured process serves one walk.
var manyWalksSince = version.Must(version.NewVersion("1.15.0"))

// walks returns what identifies a walk of a CLI: the period, or a constant if a process serves one walk. An unknown
// version counts as a new one.
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

// sharedSession is the session of a process that may serve several walks, nil for none.
func (p *resellerProvider) sharedSession() *session.Session {
	if run := p.session.Load(); run.Ready() && run.ManyWalks {
		return run
	}
	return nil
}

// beginRead drops what an earlier walk of this process read.
func (p *resellerProvider) beginRead(req *tfprotov6.ReadResourceRequest) {
	if run := p.sharedSession(); run != nil && run.Reads.Begin(req.TypeName, req.CurrentState) {
		run.BeginWalk()
	}
}

// countingServer counts the requests about single objects.
type countingServer struct {
	Server
	provider *resellerProvider
}

func counted[Q, R any](ctx context.Context, p *requestPeriods, req Q, call func(context.Context, Q) (R, error)) (R, error) {
	end := p.begin()
	defer end()
	return call(ctx, req)
}

func (s countingServer) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return counted(ctx, &s.provider.periods, req, s.Server.ValidateResourceConfig)
}

func (s countingServer) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return counted(ctx, &s.provider.periods, req, s.Server.UpgradeResourceState)
}

func (s countingServer) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	resp, err := counted(ctx, &s.provider.periods, req, s.Server.ReadResource)
	if run := s.provider.sharedSession(); run != nil && err == nil {
		run.Reads.End(req.TypeName, resp.NewState)
	}
	return resp, err
}

func (s countingServer) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return counted(ctx, &s.provider.periods, req, s.Server.PlanResourceChange)
}

func (s countingServer) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	if run := s.provider.sharedSession(); run != nil {
		run.Reads.Apply()
	}
	return counted(ctx, &s.provider.periods, req, s.Server.ApplyResourceChange)
}

func (s countingServer) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return counted(ctx, &s.provider.periods, req, s.Server.ReadDataSource)
}
