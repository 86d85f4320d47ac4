package provider

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
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
	assert.Nil(t, gone.Value(), "the call's values are still held")
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

// The framework's server registers the context of each call. Those of calls that occur once for each object let go of
// theirs; a call that a new version of the protocol adds has to be one of either kind.
func TestCallContext_LetsGoOfEachCall(t *testing.T) {
	t.Parallel()
	once := map[string]string{
		"GetMetadata": "a process", "GetProviderSchema": "a process", "GetResourceIdentitySchemas": "a process", "GetFunctions": "a process",
		"StopProvider": "a process", "MoveResourceState": "a moved object of another type", "GenerateResourceConfig": "an import without a block",
		"RenewEphemeralResource": "none renews", "CloseEphemeralResource": "none is closed",
		"ListResource": "a stream", "InvokeAction": "a stream",
	}
	server := NewServer("0.0.1", Options{})()
	for method := range reflect.TypeFor[Server]().Methods() {
		if once[method.Name] != "" {
			continue
		}
		t.Run(method.Name, func(t *testing.T) {
			t.Parallel()
			gone := callOf(server, method)
			runtime.GC()
			assert.Nil(t, gone.Value(), "the call's values are still held")
			runtime.KeepAlive(server)
		})
	}
}

// callOf keeps nothing of the call on its caller's stack. What the response says does not matter.
func callOf(server any, method reflect.Method) weak.Pointer[[1 << 20]byte] {
	value := new([1 << 20]byte)
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), valueKey{}, value))
	defer cancel()
	req := reflect.New(method.Type.In(1).Elem())
	for name, text := range map[string]string{"TypeName": "reseller_private_label", "Name": "normalize_domain"} {
		if field := req.Elem().FieldByName(name); field.IsValid() {
			field.SetString(text)
		}
	}
	reflect.ValueOf(server).MethodByName(method.Name).Call([]reflect.Value{reflect.ValueOf(ctx), req})
	return weak.Make(value)
}
