package provider

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// callContext is a context that lets go of its parent when its call is over. The
// framework keeps the context of every call until the process stops, and with it
// what hangs on it for logs: 10 KB a call, two thirds of the memory of a plan
// over thousands of objects, and work for the garbage collector all along.
type callContext struct {
	parent atomic.Pointer[context.Context]
}

func newCallContext(parent context.Context) *callContext {
	ctx := &callContext{}
	ctx.parent.Store(&parent)
	return ctx
}

// over is told when the call is.
func (c *callContext) over() { c.parent.Store(&ended) }

// ended is what a context is after its call: gRPC cancels it then, too.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

var _ context.Context = (*callContext)(nil)

func (c *callContext) Deadline() (time.Time, bool) { return (*c.parent.Load()).Deadline() }
func (c *callContext) Done() <-chan struct{}       { return (*c.parent.Load()).Done() }
func (c *callContext) Err() error                  { return (*c.parent.Load()).Err() }
func (c *callContext) Value(key any) any           { return (*c.parent.Load()).Value(key) }

// forgetfulServer hands the framework a callContext for each call that comes once
// an object or more. Those that stream go on after they returned.
type forgetfulServer struct{ Server }

// forgetful calls one of the framework's methods.
func forgetful[Q, R any](ctx context.Context, req Q, call func(context.Context, Q) (R, error)) (R, error) {
	own := newCallContext(ctx)
	defer own.over() //nolint:contextcheck // it is the context, wrapped
	return call(own, req)
}

func (s forgetfulServer) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return forgetful(ctx, req, s.Server.ValidateResourceConfig)
}

func (s forgetfulServer) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return forgetful(ctx, req, s.Server.ValidateDataResourceConfig)
}

func (s forgetfulServer) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return forgetful(ctx, req, s.Server.UpgradeResourceState)
}

func (s forgetfulServer) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return forgetful(ctx, req, s.Server.UpgradeResourceIdentity)
}

func (s forgetfulServer) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return forgetful(ctx, req, s.Server.ReadResource)
}

func (s forgetfulServer) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return forgetful(ctx, req, s.Server.PlanResourceChange)
}

func (s forgetfulServer) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return forgetful(ctx, req, s.Server.ApplyResourceChange)
}

func (s forgetfulServer) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return forgetful(ctx, req, s.Server.ImportResourceState)
}

func (s forgetfulServer) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return forgetful(ctx, req, s.Server.ReadDataSource)
}

func (s forgetfulServer) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	return forgetful(ctx, req, s.Server.CallFunction)
}
