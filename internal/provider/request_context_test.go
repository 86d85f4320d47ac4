package provider

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"
	"weak"
)

type valueKey struct{}

func TestCallContext_IsItsParent(t *testing.T) {
	t.Parallel()
	parent, cancel := context.WithDeadline(context.WithValue(t.Context(), valueKey{}, "value"), time.Now().Add(time.Hour))
	defer cancel()
	ctx := newRequestContext(parent)
	defer ctx.release()
	wanted, _ := parent.Deadline()
	if got, ok := ctx.Deadline(); !ok || !got.Equal(wanted) || ctx.Value(valueKey{}) != "value" || ctx.Err() != nil || ctx.Done() != parent.Done() {
		t.Errorf("deadline %v, value %v, error %v", got, ctx.Value(valueKey{}), ctx.Err())
	}
	child, cancelChild := context.WithCancel(ctx)
	defer cancelChild()
	cancel()
	<-child.Done()
	if !errors.Is(ctx.Err(), context.Canceled) || !errors.Is(child.Err(), context.Canceled) {
		t.Errorf("after the parent was canceled: %v, %v", ctx.Err(), child.Err())
	}
}

// A stored context of an ended call has nothing of its parent, and can be canceled, as the framework does with all of
// them when it stops.
func TestCallContext_LetsGo(t *testing.T) {
	t.Parallel()
	ctx, child, cancel, gone := aCallThatIsOver()
	runtime.GC()
	if gone.Value() != nil {
		t.Error("the call's values are still held")
	}
	if ctx.Value(valueKey{}) != nil || ctx.Err() == nil || child.Err() == nil {
		t.Errorf("after the call: value %v, errors %v, %v", ctx.Value(valueKey{}), ctx.Err(), child.Err())
	}
	cancel()
	runtime.KeepAlive(child)
}

// aCallThatIsOver keeps nothing of the call on its caller's stack.
func aCallThatIsOver() (ctx *requestContext, child context.Context, cancel func(), gone weak.Pointer[[1 << 20]byte]) {
	value := new([1 << 20]byte)
	parent, cancelParent := context.WithCancel(context.WithValue(context.Background(), valueKey{}, value))
	defer cancelParent()
	ctx = newRequestContext(parent)
	child, cancel = context.WithCancel(ctx)
	ctx.release()
	return ctx, child, cancel, weak.Make(value)
}
