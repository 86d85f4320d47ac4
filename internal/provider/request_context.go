package provider

import (
	"context"
	"sync/atomic"
	"time"
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
func (c *requestContext) release() {
	c.parent.Store(&ended)
}

// ended is a context after its call; gRPC cancels it, too.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

var _ context.Context = (*requestContext)(nil)

func (c *requestContext) Deadline() (time.Time, bool) {
	return (*c.parent.Load()).Deadline()
}

func (c *requestContext) Done() <-chan struct{} {
	return (*c.parent.Load()).Done()
}

func (c *requestContext) Err() error {
	return (*c.parent.Load()).Err()
}

func (c *requestContext) Value(key any) any {
	return (*c.parent.Load()).Value(key)
}
