package provider

import (
	"bytes"
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/walk"
)

// resellerServer keeps live and simulated objects apart, in one place for all types of resources: an object in state
// names its reseller, and a request about an object of another service ends here, before any API call.
type resellerServer struct {
	Server
	provider *resellerProvider
	told     *diagnostic.Told
}

// walkOf identifies a walk: a process configures its provider again for each, except for those of one file of `terraform
// test`, most of which apply.
type walkOf struct {
	process *walk.Process
	ended   int64
}

// shorten leaves the explanation of an error that an earlier response of the walk has. The request is recognized by what it
// is about.
func (s resellerServer) shorten(diags []*tfprotov6.Diagnostic, request string, about ...*tfprotov6.DynamicValue) {
	if len(diags) == 0 {
		return
	}
	for _, value := range about {
		if value != nil {
			request += "\n" + string(value.MsgPack)
		}
	}
	process := s.walks()
	s.told.Shorten(walkOf{process, process.Now().Ended}, request, diags)
}

func (s resellerServer) check(ctx context.Context, typeName string, state *tfprotov6.DynamicValue) []*tfprotov6.Diagnostic {
	run := s.provider.session.Load()
	if run == nil || state == nil || len(state.MsgPack) == 0 {
		return nil
	}
	stored, known := storedReseller(state)
	if !known {
		return nil
	}
	d := run.CheckReseller(ctx, typeName, stored)
	if d == nil {
		return nil
	}
	return []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityError, Summary: d.Summary(), Detail: d.Detail()}}
}

// storedReseller returns the attribute `reseller` of a state, "" if it is null. It is not known for no object, and for an
// unknown value. It reads this one attribute only: decoding the whole state of each object would
// double the time of a plan without changes.
func storedReseller(state *tfprotov6.DynamicValue) (slug string, known bool) {
	d := msgpack.GetDecoder()
	defer msgpack.PutDecoder(d)
	d.Reset(bytes.NewReader(state.MsgPack))
	attributes, err := d.DecodeMapLen()
	if err != nil || attributes < 0 {
		return "", false
	}
	for range attributes {
		name, err := d.DecodeString()
		if err != nil {
			return "", false
		}
		if name == "reseller" {
			slug, err := d.DecodeString() // null is ""
			return slug, err == nil
		}
		if d.Skip() != nil {
			return "", false
		}
	}
	return "", false
}

// walks follows the walks of Terraform.
func (s resellerServer) walks() *walk.Process {
	if run := s.provider.session.Load(); run != nil {
		return run.Walks
	}
	return &walk.Process{} // before Configure
}

func (s resellerServer) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (resp *tfprotov6.ReadResourceResponse, err error) {
	s.walks().Read()
	defer func() {
		if resp != nil {
			s.shorten(resp.Diagnostics, "read "+req.TypeName, req.CurrentState)
		}
	}()
	if diags := s.check(ctx, req.TypeName, req.CurrentState); diags != nil {
		return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState, Private: req.Private, NewIdentity: req.CurrentIdentity, Diagnostics: diags}, nil
	}
	return s.Server.ReadResource(ctx, req)
}

// PlanResourceChange covers a plan without a refresh, and the removal of a block.
func (s resellerServer) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (resp *tfprotov6.PlanResourceChangeResponse, err error) {
	defer func() {
		if resp != nil {
			s.shorten(resp.Diagnostics, "plan "+req.TypeName, req.PriorState, req.Config)
			if destroys, err := req.ProposedNewState.IsNull(); err == nil && destroys {
				explainAtBlock(resp.Diagnostics)
			}
		}
	}()
	if diags := s.check(ctx, req.TypeName, req.PriorState); diags != nil {
		return &tfprotov6.PlanResourceChangeResponse{
			PlannedState: req.PriorState, PlannedPrivate: req.PriorPrivate, PlannedIdentity: req.PriorIdentity, Diagnostics: diags,
		}, nil
	}
	return s.Server.PlanResourceChange(ctx, req)
}

// explainAtBlock places the explained error of a destroy at the resource instead of its attribute. The CLI sorts errors by place,
// and those of the other instances of a block are at the attribute: so the explanation comes first.
func explainAtBlock(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		if d.Severity == tfprotov6.DiagnosticSeverityError && strings.Contains(d.Detail, "\n\n") {
			d.Attribute = nil
		}
	}
}

func (s resellerServer) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	resp, err := s.Server.ReadDataSource(ctx, req)
	if resp != nil {
		s.shorten(resp.Diagnostics, "data "+req.TypeName, req.Config)
	}
	return resp, err
}

// ImportResourceState begins a walk.
func (s resellerServer) ImportResourceState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	s.walks().Read()
	return s.Server.ImportResourceState(ctx, req)
}

// ApplyResourceChange covers a plan that was saved with another service. It ends what this process planned.
func (s resellerServer) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (resp *tfprotov6.ApplyResourceChangeResponse, err error) {
	s.walks().Apply()
	defer func() {
		if resp != nil {
			s.shorten(resp.Diagnostics, "apply "+req.TypeName, req.PriorState, req.PlannedState)
		}
	}()
	for _, state := range []*tfprotov6.DynamicValue{req.PriorState, req.PlannedState} {
		if diags := s.check(ctx, req.TypeName, state); diags != nil {
			unchanged := unapplied(req)
			unchanged.Diagnostics = diags
			return &unchanged, nil
		}
	}
	return s.Server.ApplyResourceChange(ctx, req)
}

// unapplied is the response to an apply that changed nothing. What its plan announced was for this apply only.
func unapplied(req *tfprotov6.ApplyResourceChangeRequest) tfprotov6.ApplyResourceChangeResponse {
	return tfprotov6.ApplyResourceChangeResponse{
		NewState: req.PriorState, Private: object.LastingPrivate(req.PlannedPrivate), NewIdentity: req.PlannedIdentity,
	}
}
