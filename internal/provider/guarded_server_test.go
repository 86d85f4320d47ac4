package provider

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// unguarded are the requests that run no code of a resource: schemas, which every test asks for, and what the provider does not have.
var unguarded = []string{
	"GetMetadata", "GetProviderSchema", "GetResourceIdentitySchemas", "GetFunctions", "StopProvider",
	"MoveResourceState", "RenewEphemeralResource", "CloseEphemeralResource",
}

const (
	panicSecret  = "hunter2hunter2"
	summaryFault = diagnostic.SummaryFault
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

// A panic in any request becomes one diagnostic without its value. A request that a later framework adds, and the guard does
// not have, panics here.
func TestGuard_EveryRequest(t *testing.T) {
	t.Parallel()
	server := reflect.ValueOf(guardedServer{panicking{}})
	for method := range reflect.TypeFor[Server]().Methods() {
		if slices.Contains(unguarded, method.Name) {
			continue
		}
		t.Run(method.Name, func(t *testing.T) {
			t.Parallel()
			var out []reflect.Value
			require.NotPanics(t, func() {
				out = server.MethodByName(method.Name).Call([]reflect.Value{reflect.ValueOf(t.Context()), reflect.New(method.Type.In(1).Elem())})
			})
			require.True(t, out[1].IsNil(), "%v", out[1])
			if called, ok := reflect.TypeAssert[*tfprotov6.CallFunctionResponse](out[0]); ok {
				assert.Contains(t, called.Error.Text, "The provider failed internally")
				assert.NotContains(t, called.Error.Text, panicSecret)
				return
			}
			diags := diagnosticsIn(out[0].Interface())
			require.Len(t, diags, 1)
			assert.Equal(t, tfprotov6.DiagnosticSeverityError, diags[0].Severity)
			assert.Equal(t, summaryFault, diags[0].Summary)
			assert.Contains(t, diags[0].Detail, "The request "+method.Name)
			if method.Name == "ReadDataSource" {
				assert.Contains(t, diags[0].Detail, "(guarded_server_test.go:", "the place of the panic")
			}
			assert.NotContains(t, diags[0].Detail, panicSecret)
		})
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
	fails := func(of any, what string, diags diag.Diagnostics) {
		assert.True(t, slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Summary() == summaryFault }), "%T: %s has %v", of, what, diags)
	}
	p := newProvider("test", Options{})
	for _, newResource := range p.Resources(t.Context()) {
		r := newResource() // the requests are empty, which no resource expects
		var created resource.CreateResponse
		var updated resource.UpdateResponse
		r.Create(t.Context(), resource.CreateRequest{}, &created)
		r.Update(t.Context(), resource.UpdateRequest{}, &updated)
		fails(r, "create", created.Diagnostics)
		fails(r, "update", updated.Diagnostics)
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
	fails(invoked, "invoke", resp.Diagnostics)
}

const badText = "a\x1b[31mb\nc"

// unclean is a server whose texts control a terminal.
type unclean struct{ Server }

func (unclean) ReadDataSource(context.Context, *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	detail := "line\r\nline\x07" + strings.Repeat("\u202e漢", 60<<10) + "remedy"
	return &tfprotov6.ReadDataSourceResponse{Diagnostics: []*tfprotov6.Diagnostic{
		{Severity: tfprotov6.DiagnosticSeverityError, Summary: badText, Detail: detail},
		{Severity: tfprotov6.DiagnosticSeverityWarning, Summary: badText, Detail: detail},
	}}, nil
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
		assert.True(t, strings.HasPrefix(d.Detail, "line\nline\ufffd"), "%q", d.Detail)
		assert.True(t, strings.HasSuffix(d.Detail, "remedy"), "%q", d.Detail)
		assert.LessOrEqual(t, len([]rune(d.Detail)), diagnostic.MaxDetail, "characters")
	}
	stream, err := s.ListResource(t.Context(), &tfprotov6.ListResourceRequest{})
	require.NoError(t, err)
	for result := range stream.Results {
		assert.Equal(t, line, result.DisplayName)
	}
	events, err := s.InvokeAction(t.Context(), &tfprotov6.InvokeActionRequest{})
	require.NoError(t, err)
	assert.Equal(t, []tfprotov6.InvokeActionEvent{{Type: tfprotov6.ProgressInvokeActionEventType{Message: text}}}, slices.Collect(events.Events))
	called, err := s.CallFunction(t.Context(), &tfprotov6.CallFunctionRequest{})
	require.NoError(t, err)
	assert.Equal(t, text, called.Error.Text)
}
