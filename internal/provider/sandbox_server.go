package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// sandboxServer rejects objects that were written with another sandbox than that of this run. Nothing that they refer
// to exists here, so a read would look like a deletion. One rule covers all resource types.
type sandboxServer struct {
	Server
	provider *resellerProvider
}

// otherSandbox returns nil for an object of this sandbox, an object that does not say where it is from, and outside of
// a sandbox.
func (s sandboxServer) otherSandbox(typeName string, private []byte) []*tfprotov6.Diagnostic {
	run := s.provider.session.Load()
	if run == nil || run.Sandbox.Slug == "" {
		return nil
	}
	mem, _, ok := session.RawPrivateState(private)
	if !ok || run.Sandbox.Wrote(mem) {
		return nil
	}
	d := run.Sandbox.Mismatch(typeName, mem)
	return []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityError, Summary: d.Summary(), Detail: d.Detail()}}
}

func (s sandboxServer) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	if diags := s.otherSandbox(req.TypeName, req.Private); diags != nil {
		return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState, Private: req.Private, NewIdentity: req.CurrentIdentity, Diagnostics: diags}, nil
	}
	return s.Server.ReadResource(ctx, req)
}

// PlanResourceChange covers a plan without a refresh, and the removal of a block.
func (s sandboxServer) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	if diags := s.otherSandbox(req.TypeName, req.PriorPrivate); diags != nil {
		return &tfprotov6.PlanResourceChangeResponse{
			PlannedState: req.PriorState, PlannedPrivate: req.PriorPrivate, PlannedIdentity: req.PriorIdentity, Diagnostics: diags,
		}, nil
	}
	return s.Server.PlanResourceChange(ctx, req)
}

// ApplyResourceChange covers a plan that was saved with another sandbox.
func (s sandboxServer) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	if diags := s.otherSandbox(req.TypeName, req.PlannedPrivate); diags != nil {
		return &tfprotov6.ApplyResourceChangeResponse{
			NewState: req.PriorState, Private: req.PlannedPrivate, NewIdentity: req.PlannedIdentity, Diagnostics: diags,
		}, nil
	}
	return s.Server.ApplyResourceChange(ctx, req)
}
