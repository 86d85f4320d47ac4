package provider

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// requestContext is a context that releases its parent when its call ends. The framework keeps the context of every
// call until the process stops, with the values for logs: 10 KB for each call, two thirds of the memory of a plan over
// thousands of objects, and work for the garbage collector.
type requestContext struct {
	parent atomic.Pointer[context.Context]
}

func newRequestContext(parent context.Context) *requestContext {
	ctx := &requestContext{}
	ctx.parent.Store(&parent)
	return ctx
}

// release is called when the call has ended.
func (c *requestContext) release() { c.parent.Store(&ended) }

// ended is a context after its call; gRPC cancels it, too.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

var _ context.Context = (*requestContext)(nil)

func (c *requestContext) Deadline() (time.Time, bool) { return (*c.parent.Load()).Deadline() }

func (c *requestContext) Done() <-chan struct{} { return (*c.parent.Load()).Done() }

func (c *requestContext) Err() error { return (*c.parent.Load()).Err() }

func (c *requestContext) Value(key any) any { return (*c.parent.Load()).Value(key) }

// contextReleaser passes a requestContext to the framework for each call that occurs once for each object or more.
// Streaming calls continue after they return.
type contextReleaser struct{ Server }

// withRequestContext calls one of the framework's methods.
func withRequestContext[Q, R any](ctx context.Context, req Q, call func(context.Context, Q) (R, error)) (R, error) {
	own := newRequestContext(ctx)
	defer own.release()   //nolint:contextcheck // own wraps ctx
	return call(own, req) //nolint:contextcheck // own wraps ctx
}

func (s contextReleaser) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return withRequestContext(ctx, req, s.Server.ValidateResourceConfig)
}

func (s contextReleaser) ValidateDataResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest,
) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return withRequestContext(ctx, req, s.Server.ValidateDataResourceConfig)
}

func (s contextReleaser) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return withRequestContext(ctx, req, s.Server.UpgradeResourceState)
}

func (s contextReleaser) UpgradeResourceIdentity(
	ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest,
) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return withRequestContext(ctx, req, s.Server.UpgradeResourceIdentity)
}

func (s contextReleaser) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return withRequestContext(ctx, req, s.Server.ReadResource)
}

func (s contextReleaser) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return withRequestContext(ctx, req, s.Server.PlanResourceChange)
}

func (s contextReleaser) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return withRequestContext(ctx, req, s.Server.ApplyResourceChange)
}

func (s contextReleaser) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return withRequestContext(ctx, req, s.Server.ImportResourceState)
}

func (s contextReleaser) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return withRequestContext(ctx, req, s.Server.ReadDataSource)
}

func (s contextReleaser) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	return withRequestContext(ctx, req, s.Server.CallFunction)
}
