package provider

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// guardedServer is the outermost protocol server. It converts a panic to a diagnostic. Otherwise the process would end,
// and with it all other calls. All text that leaves the provider is prepared for display. It releases the context of each
// call. Requests without code of a resource pass, unless each plan sends them for each object.
type guardedServer struct{ Server }

var _ Server = guardedServer{}

// guarded calls the next server. After a panic it answers with an error; onFault sets what else the answer must have.
func guarded[Q, R any](ctx context.Context, req Q, call func(context.Context, Q) (*R, error), onFault ...func(*R)) (resp *R, err error) {
	detached := newRequestContext(ctx)
	defer detached.release() //nolint:contextcheck // it wraps ctx
	defer func() {
		if thrown := recover(); thrown != nil {
			resp = new(R)
			err = nil
			for _, set := range onFault {
				set(resp)
			}
			if diags := diagnosticsOf(resp); diags != nil {
				*diags = append(*diags, faultDiagnostic(ctx, req, thrown, unknownAfterFault))
			}
		}
		if diags := diagnosticsOf(resp); diags != nil {
			diagnostic.Showable(*diags)
		}
		if err != nil {
			err = errors.New(diagnostic.ShownText(err.Error(), diagnostic.MaxDetail))
		}
	}()
	return call(detached, req) //nolint:contextcheck // it wraps ctx
}

// diagnosticsOf returns the diagnostics of a protocol response; nil for one that has none.
func diagnosticsOf[R any](resp *R) *[]*tfprotov6.Diagnostic {
	if resp == nil {
		return nil
	}
	field := reflect.ValueOf(resp).Elem().FieldByName("Diagnostics")
	if !field.IsValid() {
		return nil
	}
	diags, _ := reflect.TypeAssert[*[]*tfprotov6.Diagnostic](field.Addr())
	return diags
}

// faultDiagnostic is called by the function that recovered.
func faultDiagnostic(ctx context.Context, req, thrown any, left string) *tfprotov6.Diagnostic {
	d := diagnostic.Fault(ctx, nameOf(req), thrown, left)
	return &tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverityError, Summary: d.Summary(), Detail: d.Detail()}
}

// nameOf names a request with the type that it is about, such as "ReadResource of reseller_package".
func nameOf(req any) string {
	value := reflect.ValueOf(req).Elem()
	name := strings.TrimSuffix(value.Type().Name(), "Request")
	for _, field := range []string{"TypeName", "ActionType"} {
		if about := value.FieldByName(field); about.IsValid() {
			return name + " of " + about.String()
		}
	}
	return name
}

func (s guardedServer) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return guarded(ctx, req, s.Server.ValidateProviderConfig)
}

func (s guardedServer) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return guarded(ctx, req, s.Server.ConfigureProvider)
}

func (s guardedServer) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return guarded(ctx, req, s.Server.ValidateResourceConfig)
}

func (s guardedServer) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return guarded(ctx, req, s.Server.UpgradeResourceState)
}

func (s guardedServer) UpgradeResourceIdentity(
	ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest,
) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return guarded(ctx, req, s.Server.UpgradeResourceIdentity)
}

// MoveResourceState rejects a moved block that changes the type.
func (s guardedServer) MoveResourceState(_ context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	resp := &tfprotov6.MoveResourceStateResponse{Diagnostics: []*tfprotov6.Diagnostic{{
		Severity: tfprotov6.DiagnosticSeverityError, Summary: summaryNotMoved, Detail: fmt.Sprintf(notMoved, req.SourceTypeName, req.TargetTypeName),
	}}}
	diagnostic.Showable(resp.Diagnostics)
	return resp, nil
}

// ReadResource keeps the state after a panic.
func (s guardedServer) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return guarded(ctx, req, s.Server.ReadResource, func(resp *tfprotov6.ReadResourceResponse) {
		resp.NewState = req.CurrentState
		resp.Private = req.Private
		resp.NewIdentity = req.CurrentIdentity
	})
}

func (s guardedServer) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return guarded(ctx, req, s.Server.PlanResourceChange)
}

// ApplyResourceChange keeps the prior state after a panic outside of a resource, which keeps more itself.
func (s guardedServer) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return guarded(ctx, req, s.Server.ApplyResourceChange, func(resp *tfprotov6.ApplyResourceChangeResponse) {
		*resp = unapplied(req)
	})
}

func (s guardedServer) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return guarded(ctx, req, s.Server.ImportResourceState)
}

func (s guardedServer) GenerateResourceConfig(
	ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest,
) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return guarded(ctx, req, s.Server.GenerateResourceConfig)
}

func (s guardedServer) ValidateDataResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest,
) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return guarded(ctx, req, s.Server.ValidateDataResourceConfig)
}

func (s guardedServer) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return guarded(ctx, req, s.Server.ReadDataSource)
}

// CallFunction has no diagnostics except one error of its own.
func (s guardedServer) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	resp, err := guarded(ctx, req, s.Server.CallFunction, func(resp *tfprotov6.CallFunctionResponse) {
		resp.Error = &tfprotov6.FunctionError{Text: "The provider failed internally. This is a bug in the provider; report it with the function's name."}
	})
	if resp != nil && resp.Error != nil {
		resp.Error.Text = diagnostic.ShownText(resp.Error.Text, diagnostic.MaxDetail)
	}
	return resp, err
}

func (s guardedServer) ValidateEphemeralResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest,
) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return guarded(ctx, req, s.Server.ValidateEphemeralResourceConfig)
}

func (s guardedServer) OpenEphemeralResource(
	ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest,
) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	return guarded(ctx, req, s.Server.OpenEphemeralResource)
}

func (s guardedServer) ValidateListResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateListResourceConfigRequest,
) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	return guarded(ctx, req, s.Server.ValidateListResourceConfig)
}

// ListResource streams: the work happens while the results are read.
func (s guardedServer) ListResource(ctx context.Context, req *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	open := func() (iter.Seq[tfprotov6.ListResourceResult], error) {
		stream, err := s.Server.ListResource(ctx, req)
		return stream.Results, err
	}
	return &tfprotov6.ListResourceServerStream{Results: guardedStream(open, showableResult, func(thrown any) tfprotov6.ListResourceResult {
		d := faultDiagnostic(ctx, req, thrown, "")
		return tfprotov6.ListResourceResult{Diagnostics: []*tfprotov6.Diagnostic{d}}
	})}, nil
}

func showableResult(result tfprotov6.ListResourceResult) tfprotov6.ListResourceResult {
	result.DisplayName = diagnostic.ShownLine(result.DisplayName)
	diagnostic.Showable(result.Diagnostics)
	return result
}

func (s guardedServer) ValidateActionConfig(ctx context.Context, req *tfprotov6.ValidateActionConfigRequest) (*tfprotov6.ValidateActionConfigResponse, error) {
	return guarded(ctx, req, s.Server.ValidateActionConfig)
}

func (s guardedServer) PlanAction(ctx context.Context, req *tfprotov6.PlanActionRequest) (*tfprotov6.PlanActionResponse, error) {
	return guarded(ctx, req, s.Server.PlanAction)
}

// InvokeAction streams. The action runs in parallel, and recovers its panics itself.
func (s guardedServer) InvokeAction(ctx context.Context, req *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	open := func() (iter.Seq[tfprotov6.InvokeActionEvent], error) {
		stream, err := s.Server.InvokeAction(ctx, req)
		return stream.Events, err
	}
	return &tfprotov6.InvokeActionServerStream{Events: guardedStream(open, showableEvent, func(thrown any) tfprotov6.InvokeActionEvent {
		d := faultDiagnostic(ctx, req, thrown, unknownAfterFault)
		return tfprotov6.InvokeActionEvent{Type: tfprotov6.CompletedInvokeActionEventType{Diagnostics: []*tfprotov6.Diagnostic{d}}}
	})}, nil
}

func showableEvent(event tfprotov6.InvokeActionEvent) tfprotov6.InvokeActionEvent {
	switch e := event.Type.(type) {
	case tfprotov6.ProgressInvokeActionEventType:
		event.Type = tfprotov6.ProgressInvokeActionEventType{Message: diagnostic.ShownText(e.Message, diagnostic.MaxDetail)}
	case tfprotov6.CompletedInvokeActionEventType:
		diagnostic.Showable(e.Diagnostics)
	}
	return event
}

// guardedStream opens a stream when it is read, and prepares each element for display. A panic becomes the last element.
func guardedStream[E any](open func() (iter.Seq[E], error), fit func(E) E, failed func(thrown any) E) iter.Seq[E] {
	return func(push func(E) bool) {
		defer func() {
			if thrown := recover(); thrown != nil {
				push(fit(failed(thrown)))
			}
		}()
		elements, err := open()
		if err != nil {
			panic(err) // the framework returns none
		}
		for e := range elements {
			if !push(fit(e)) {
				return
			}
		}
	}
}
