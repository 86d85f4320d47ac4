package provider

import (
	"bytes"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
)

// NewServer returns a factory of protocol servers of one version, for main and for tests.
func NewServer(version string, o Options) func() tfprotov6.ProviderServer {
	return func() tfprotov6.ProviderServer {
		p := newProvider(version, o)
		fast := newFastPathServer(p)
		var inner Server = fast
		if p.WrapFastPath != nil {
			inner = p.WrapFastPath(fast)
		}
		return guardedServer{resellerServer{newGeneratingServer(inner), p}}
	}
}

func newFastPathServer(p *resellerProvider) *FastPathServer {
	framework, ok := providerserver.NewProtocol6(p)().(Server)
	if !ok {
		panic("the framework's server lacks a part of the protocol") // every test would find this
	}
	return &FastPathServer{Server: framework, provider: p}
}

// Server is the part of the protocol that the framework's server implements, except for state stores: there are none.
type Server interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
}

// FastPathServer handles requests for objects that have not changed, and passes all others to the framework. The
// framework walks the schema for every attribute of every step, which takes most of the provider's time in a plan
// without changes over a thousand objects. The fast path may respond only with what the framework and the resource
// would respond, byte for byte; a test compares both.
type FastPathServer struct {
	Server
	provider *resellerProvider
}

// ReadResource returns the state unchanged if the API shows the object as state and private state have it.
func (s *FastPathServer) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	resp, rest := s.ReadFast(ctx, req)
	if resp != nil {
		return resp, nil
	}
	return s.Server.ReadResource(rest, req)
}

// ReadFast responds to a read without the framework, nil if that is not possible. The framework's read of the same request
// gets the returned context, which has what was found.
func (s *FastPathServer) ReadFast(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, context.Context) {
	run := s.provider.session.Load()
	short := shortPaths[req.TypeName]
	if short == nil || !run.Ready() || req.CurrentState == nil {
		return nil, ctx
	}
	rest, ids, ok := short.Read(ctx, run, req.CurrentState, req.Private)
	if !ok {
		return nil, rest
	}
	identity, err := identityOf(req.CurrentIdentity, short, ids)
	if err != nil {
		return nil, rest
	}
	return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState, Private: req.Private, NewIdentity: identity}, rest
}

// PlanResourceChange returns the proposed state if it equals the prior state. It differs for a create, a destroy, the
// second half of a replacement and every unknown value.
func (s *FastPathServer) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	if resp, ok := s.PlanFast(ctx, req); ok {
		return resp, nil
	}
	return s.Server.PlanResourceChange(ctx, req)
}

// PlanFast responds to a plan without the framework, if possible.
func (s *FastPathServer) PlanFast(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, bool) {
	run := s.provider.session.Load()
	if !run.Ready() || !sameBytes(req.PriorState, req.ProposedNewState) {
		return nil, false
	}
	short := shortPaths[req.TypeName]
	if short == nil || !short.Plan(ctx, run, req.PriorState, req.PriorPrivate) {
		return nil, false
	}
	identity, err := plannedIdentity(req.PriorIdentity, short)
	if err != nil {
		return nil, false
	}
	return &tfprotov6.PlanResourceChangeResponse{PlannedState: req.ProposedNewState, PlannedPrivate: req.PriorPrivate, PlannedIdentity: identity}, true
}

// identityOf keeps the identity, and creates it if an older CLI stored none.
func identityOf(current *tfprotov6.ResourceIdentityData, short object.ShortPath, ids []string) (*tfprotov6.ResourceIdentityData, error) {
	if current != nil && current.IdentityData != nil {
		return current, nil
	}
	names, values := short.Identity(), map[string]tftypes.Value{}
	for i, name := range names {
		values[name] = tftypes.NewValue(tftypes.String, ids[i])
	}
	return encodeIdentity(names, values)
}

// plannedIdentity is the prior one; a CLI that knows no identity gets a null one, as the framework answers.
func plannedIdentity(prior *tfprotov6.ResourceIdentityData, short object.ShortPath) (*tfprotov6.ResourceIdentityData, error) {
	if prior != nil && prior.IdentityData != nil {
		return prior, nil
	}
	return encodeIdentity(short.Identity(), nil)
}

func encodeIdentity(names []string, fields any) (*tfprotov6.ResourceIdentityData, error) {
	typ := tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}
	for _, name := range names {
		typ.AttributeTypes[name] = tftypes.String
	}
	value, err := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, fields))
	if err != nil {
		return nil, fmt.Errorf("the identity cannot be encoded: %w", err)
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: &value}, nil
}

func sameBytes(a, b *tfprotov6.DynamicValue) bool {
	return a != nil && b != nil && len(a.MsgPack) > 0 && bytes.Equal(a.MsgPack, b.MsgPack)
}
