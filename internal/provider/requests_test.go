package provider

import (
	"context"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// once are the requests that occur once for a process, a moved object, a stream, or never. They run no code of a resource,
// unless they list or act.
var (
	once   = []string{"GetMetadata", "GetProviderSchema", "GetResourceIdentitySchemas", "GetFunctions", "StopProvider", "MoveResourceState", "RenewEphemeralResource", "CloseEphemeralResource"}
	stream = []string{"GenerateResourceConfig", "ListResource", "InvokeAction"}
)

// The server wraps the framework's. A method that a later framework adds, for a new part of the protocol, would
// otherwise be hidden silently.
func TestServer_HidesNothingOfTheFramework(t *testing.T) {
	t.Parallel()
	p := newProvider("test", Options{})
	framework, shortPath := reflect.TypeOf(providerserver.NewProtocol6(p)()), reflect.TypeOf(newShortPath(p))
	require.GreaterOrEqual(t, framework.NumMethod(), 20, "the framework's server shows methods: this test sees nothing")
	stores := reflect.TypeFor[tfprotov6.StateStoreServer]() // there are none
	for method := range framework.Methods() {
		if _, ok := stores.MethodByName(method.Name); ok {
			continue
		}
		mine, ok := shortPath.MethodByName(method.Name)
		if assert.True(t, ok, "%s is hidden", method.Name) {
			assert.Equal(t, method.Type.NumIn(), mine.Type.NumIn(), "%s has another signature", method.Name)
			assert.Equal(t, method.Type.NumOut(), mine.Type.NumOut(), "%s has another signature", method.Name)
		}
	}
}

const (
	panicSecret = "hunter2hunter2"
	badText     = "a\x1b[31mb\nc"
)

// panicking is a server where each request panics: those that it does not have, because it is nil.
type panicking struct{ Server }

func (panicking) ReadDataSource(context.Context, *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	panic(panicSecret)
}

func (panicking) CallFunction(context.Context, *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	panic(panicSecret)
}

// ListResource panics in the middle.
func (panicking) ListResource(context.Context, *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	return &tfprotov6.ListResourceServerStream{Results: func(push func(tfprotov6.ListResourceResult) bool) {
		push(tfprotov6.ListResourceResult{})
		panic(panicSecret)
	}}, nil
}

// sent sends a request of any method, with what a request of its type has.
func sent(ctx context.Context, server any, method reflect.Method, fields map[string]string) []reflect.Value {
	req := reflect.New(method.Type.In(1).Elem())
	for name, text := range fields {
		if field := req.Elem().FieldByName(name); field.IsValid() {
			field.SetString(text)
		}
	}
	return reflect.ValueOf(server).MethodByName(method.Name).Call([]reflect.Value{reflect.ValueOf(ctx), req})
}

// A panic in any request becomes one diagnostic without its value. A request that a later framework adds, and the guard does
// not have, panics here.
func TestGuard_EveryRequest(t *testing.T) {
	t.Parallel()
	for method := range reflect.TypeFor[Server]().Methods() {
		if slices.Contains(once, method.Name) {
			continue
		}
		var out []reflect.Value
		require.NotPanics(t, func() { out = sent(t.Context(), guardedServer{panicking{}}, method, nil) }, method.Name)
		require.True(t, out[1].IsNil(), "%v", out[1])
		if called, ok := reflect.TypeAssert[*tfprotov6.CallFunctionResponse](out[0]); ok {
			assert.Contains(t, called.Error.Text, "The provider failed internally")
			assert.NotContains(t, called.Error.Text, panicSecret)
			continue
		}
		diags := diagnosticsIn(out[0].Interface())
		require.Len(t, diags, 1, method.Name)
		assert.Equal(t, tfprotov6.DiagnosticSeverityError, diags[0].Severity)
		assert.Equal(t, diagnostic.SummaryFault, diags[0].Summary)
		assert.Contains(t, diags[0].Detail, "The request "+method.Name)
		assert.True(t, method.Name != "ReadDataSource" || strings.Contains(diags[0].Detail, "(requests_test.go:"), "the place of the panic")
		assert.NotContains(t, diags[0].Detail, panicSecret)
	}
}

// diagnosticsIn are those of a response, or of all elements of a stream.
func diagnosticsIn(resp any) (diags []*tfprotov6.Diagnostic) {
	switch resp := resp.(type) {
	case *tfprotov6.ListResourceServerStream:
		for result := range resp.Results {
			diags = append(diags, result.Diagnostics...)
		}
	case *tfprotov6.InvokeActionServerStream:
		for event := range resp.Events {
			if done, ok := event.Type.(tfprotov6.CompletedInvokeActionEventType); ok {
				diags = append(diags, done.Diagnostics...)
			}
		}
	default:
		diags, _ = reflect.TypeAssert[[]*tfprotov6.Diagnostic](reflect.ValueOf(resp).Elem().FieldByName("Diagnostics"))
	}
	return diags
}

// After a panic, the state is that from before.
func TestGuard_KeepsState(t *testing.T) {
	t.Parallel()
	s, state, private, identity := guardedServer{panicking{}}, &tfprotov6.DynamicValue{}, []byte("p"), &tfprotov6.ResourceIdentityData{}
	read, err := s.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{CurrentState: state, Private: private, CurrentIdentity: identity})
	require.NoError(t, err)
	assert.Same(t, state, read.NewState)
	assert.Same(t, identity, read.NewIdentity)
	assert.Equal(t, private, read.Private)
	applied, err := s.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{PriorState: state, PlannedIdentity: identity})
	require.NoError(t, err)
	assert.Same(t, state, applied.NewState)
	assert.Same(t, identity, applied.NewIdentity)
}

// A panic in an apply of any resource, and in an action, becomes a diagnostic of its response, which has what was set until
// then. The framework runs actions in a goroutine, where no server can recover.
func TestGuard_EveryTypeRecovers(t *testing.T) {
	t.Parallel()
	fails := func(of any, diags diag.Diagnostics) {
		assert.True(t, slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Summary() == diagnostic.SummaryFault }), "%T: %v", of, diags)
	}
	for _, newResource := range newProvider("test", Options{}).Resources(t.Context()) {
		r := newResource() // the requests are empty, which no resource expects
		var created resource.CreateResponse
		var updated resource.UpdateResponse
		r.Create(t.Context(), resource.CreateRequest{}, &created)
		r.Update(t.Context(), resource.UpdateRequest{}, &updated)
		fails(r, created.Diagnostics)
		fails(r, updated.Diagnostics)
	}
	invoked, _ := (&registration.Action{
		Invoke: func(context.Context, *session.Session, action.InvokeRequest, *action.InvokeResponse) {
			panic(panicSecret)
		},
	}).New().(action.ActionWithConfigure)
	run := session.New(false, nil)
	run.Client = &client.Client{}
	invoked.Configure(t.Context(), action.ConfigureRequest{ProviderData: run}, &action.ConfigureResponse{})
	var resp action.InvokeResponse
	invoked.Invoke(t.Context(), action.InvokeRequest{}, &resp)
	fails(invoked, resp.Diagnostics)
}

// unclean is a server whose texts control a terminal.
type unclean struct{ Server }

func (unclean) ReadDataSource(context.Context, *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	detail := "line\r\nline\x07" + strings.Repeat("\u202e漢", 60<<10) + "remedy"
	return &tfprotov6.ReadDataSourceResponse{Diagnostics: []*tfprotov6.Diagnostic{{Summary: badText, Detail: detail}, {Summary: badText, Detail: detail}}}, nil
}

func (unclean) ListResource(context.Context, *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	return &tfprotov6.ListResourceServerStream{Results: slices.Values([]tfprotov6.ListResourceResult{{DisplayName: badText}})}, nil
}

func (unclean) InvokeAction(context.Context, *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	told := tfprotov6.InvokeActionEvent{Type: tfprotov6.ProgressInvokeActionEventType{Message: badText}}
	return &tfprotov6.InvokeActionServerStream{Events: slices.Values([]tfprotov6.InvokeActionEvent{told})}, nil
}

func (unclean) CallFunction(context.Context, *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	return &tfprotov6.CallFunctionResponse{Error: &tfprotov6.FunctionError{Text: badText}}, nil
}

// All text is cleaned, whether the framework or a resource set it.
func TestGuard_CleansText(t *testing.T) {
	t.Parallel()
	s := guardedServer{unclean{}}
	const line, text = "a\ufffd[31mb c", "a\ufffd[31mb\nc"
	read, err := s.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{})
	require.NoError(t, err)
	require.Len(t, read.Diagnostics, 2)
	for _, d := range read.Diagnostics {
		assert.Equal(t, line, d.Summary)
		assert.Regexp(t, "(?s)^line\nline\ufffd.*remedy$", d.Detail)
		assert.LessOrEqual(t, len([]rune(d.Detail)), diagnostic.MaxDetail, "characters")
	}
	results, err := s.ListResource(t.Context(), &tfprotov6.ListResourceRequest{})
	require.NoError(t, err)
	assert.Equal(t, line, slices.Collect(results.Results)[0].DisplayName)
	events, err := s.InvokeAction(t.Context(), &tfprotov6.InvokeActionRequest{})
	require.NoError(t, err)
	assert.Equal(t, tfprotov6.ProgressInvokeActionEventType{Message: text}, slices.Collect(events.Events)[0].Type)
	called, err := s.CallFunction(t.Context(), &tfprotov6.CallFunctionRequest{})
	require.NoError(t, err)
	assert.Equal(t, text, called.Error.Text)
}

type valueKey struct{}

func TestCallContext_IsItsParent(t *testing.T) {
	t.Parallel()
	parent, cancel := context.WithDeadline(context.WithValue(t.Context(), valueKey{}, "value"), time.Now().Add(time.Hour))
	defer cancel()
	ctx := newRequestContext(parent)
	defer ctx.release()
	wanted, _ := parent.Deadline()
	got, _ := ctx.Deadline()
	assert.Equal(t, wanted, got)
	assert.Equal(t, "value", ctx.Value(valueKey{}))
	assert.NoError(t, ctx.Err())
	assert.Equal(t, parent.Done(), ctx.Done())
	child, cancelChild := context.WithCancel(ctx)
	defer cancelChild()
	cancel()
	<-child.Done()
	assert.ErrorIs(t, ctx.Err(), context.Canceled)
}

// heldBy begins a call whose context has a value, and keeps nothing of the call on its caller's stack.
func heldBy(call func(ctx context.Context)) weak.Pointer[[1 << 20]byte] {
	value := new([1 << 20]byte)
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), valueKey{}, value))
	defer cancel()
	call(ctx)
	return weak.Make(value)
}

// A stored context of an ended call has nothing of its parent, and can be canceled, as the framework does with all of
// them when it stops.
func TestCallContext_LetsGo(t *testing.T) {
	t.Parallel()
	var stored *requestContext
	var childErr func() error
	var cancelChild func()
	gone := heldBy(func(ctx context.Context) {
		stored = newRequestContext(ctx)
		child, cancel := context.WithCancel(stored)
		stored.release()
		childErr, cancelChild = child.Err, cancel
	})
	runtime.GC()
	assert.Nil(t, gone.Value(), "the call's values are still held")
	assert.Nil(t, stored.Value(valueKey{}))
	assert.Error(t, stored.Err())
	assert.Error(t, childErr())
	cancelChild()
}

// The framework's server registers the context of each call. Those of calls that occur once for each object let go of
// theirs; a call that a new version of the protocol adds has to be one of either kind.
func TestCallContext_LetsGoOfEachCall(t *testing.T) {
	t.Parallel()
	server := NewServer("0.0.1", Options{})()
	for method := range reflect.TypeFor[Server]().Methods() {
		if slices.Contains(slices.Concat(once, stream), method.Name) {
			continue
		}
		t.Run(method.Name, func(t *testing.T) {
			t.Parallel()
			gone := heldBy(func(ctx context.Context) {
				sent(ctx, server, method, map[string]string{"TypeName": "reseller_private_label", "Name": "normalize_domain"})
			})
			runtime.GC()
			assert.Nil(t, gone.Value(), "the call's values are still held")
			runtime.KeepAlive(server)
		})
	}
}
