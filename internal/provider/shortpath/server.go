// Package shortpath handles requests for objects that have not changed without the framework, which walks the schema for
// every attribute of every step: most of the provider's time in a plan without changes over a thousand objects. It may
// respond only with what the framework and the resource would respond, byte for byte; package compared holds it to that.
// Without this directory, its server in provider.NewServer and object/short_path.go, the provider does the same, slower.
package shortpath

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Object is a type of resource whose unchanged objects this package handles. An object.Type is one.
type Object interface {
	TypeName() string
	IdentityNames() []string
	Fields() object.Fields
	NewModel() any
	ReadModel(ctx context.Context, run *session.Session, model any, private []byte) (known resource.Resource, ids []string, unchanged bool)
	KeepsModel(run *session.Session, model any, private []byte) bool
}

// Framework is the part of the protocol that the framework's server implements, except for state stores: there are none.
type Framework interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
}

// Server handles requests for objects that have not changed, and passes all others to the framework.
type Server struct {
	Framework
	session func() *session.Session // of the latest Configure
	paths   map[string]*path
}

// New returns the server before the framework's. Types that are no Object take the framework's way.
func New[T any](framework Framework, latest func() *session.Session, types []T) *Server {
	s := &Server{Framework: framework, session: latest, paths: map[string]*path{}}
	for _, t := range types {
		if o, ok := any(t).(Object); ok {
			s.paths[o.TypeName()] = Of(o)
		}
	}
	return s
}

// path of one type of resource.
type path struct {
	Object
	decoder func() decoder
}

// Of returns the short path of one type.
func Of(o Object) *path { //nolint:revive // unexported-return: for tests
	return &path{o, sync.OnceValue(func() decoder { return newDecoder(o.Fields()) })}
}

// model is that of a state; nil for no object, unknown values, and what cannot be read.
func (p *path) model(ctx context.Context, state *tfprotov6.DynamicValue) any {
	if m := p.NewModel(); p.decoder().decode(ctx, state, m) {
		return m
	}
	return nil
}

// Read reports whether a read returns state and private state unchanged, and returns the values of the identity. known is
// the resource with which the framework handles the same request.
func (p *path) Read(ctx context.Context, run *session.Session, state *tfprotov6.DynamicValue, private []byte) (known resource.Resource, ids []string, ok bool) {
	return p.ReadModel(ctx, run, p.model(ctx, state), private)
}

// Plan reports whether a plan that proposes the prior state keeps it, without diagnostics.
func (p *path) Plan(ctx context.Context, run *session.Session, state *tfprotov6.DynamicValue, private []byte) bool {
	m := p.model(ctx, state)
	return m != nil && p.decoder().hasDefaults(m) && p.KeepsModel(run, m, private)
}

// ReadResource returns the state unchanged if the API shows the object as state and private state have it.
func (s *Server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	resp, known := s.ReadFast(ctx, req)
	if resp != nil {
		return resp, nil
	}
	return s.FrameworkOf(known).ReadResource(ctx, req)
}

// ReadFast responds to a read without the framework, nil if that is not possible. known is for FrameworkOf.
func (s *Server) ReadFast(ctx context.Context, req *tfprotov6.ReadResourceRequest) (resp *tfprotov6.ReadResourceResponse, known resource.Resource) {
	run := s.session()
	short := s.paths[req.TypeName]
	if short == nil || !run.Ready() || req.CurrentState == nil {
		return nil, nil
	}
	known, ids, ok := short.Read(ctx, run, req.CurrentState, req.Private)
	if !ok {
		return nil, known
	}
	identity, err := identityOf(req.CurrentIdentity, short, ids)
	if err != nil {
		return nil, known
	}
	return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState, Private: req.Private, NewIdentity: identity}, known
}

// FrameworkOf returns the framework's server for one read. It handles the request with a resource that has read already,
// unless known is nil.
func (s *Server) FrameworkOf(known resource.Resource) tfprotov6.ProviderServer {
	if known == nil {
		return s.Framework
	}
	return object.Served(known)
}

// PlanResourceChange returns the proposed state if it equals the prior state. It differs for a create, a destroy, the
// second half of a replacement and every unknown value.
func (s *Server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	if resp, ok := s.PlanFast(ctx, req); ok {
		return resp, nil
	}
	return s.Framework.PlanResourceChange(ctx, req)
}

// PlanFast responds to a plan without the framework, if possible.
func (s *Server) PlanFast(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, bool) {
	run := s.session()
	if !run.Ready() || !sameBytes(req.PriorState, req.ProposedNewState) {
		return nil, false
	}
	short := s.paths[req.TypeName]
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
func identityOf(current *tfprotov6.ResourceIdentityData, short *path, ids []string) (*tfprotov6.ResourceIdentityData, error) {
	if current != nil && current.IdentityData != nil {
		return current, nil
	}
	names := short.IdentityNames()
	values := map[string]tftypes.Value{}
	for i, name := range names {
		values[name] = tftypes.NewValue(tftypes.String, ids[i])
	}
	return encodeIdentity(names, values)
}

// plannedIdentity is the prior one; a CLI that knows no identity gets a null one, as the framework answers.
func plannedIdentity(prior *tfprotov6.ResourceIdentityData, short *path) (*tfprotov6.ResourceIdentityData, error) {
	if prior != nil && prior.IdentityData != nil {
		return prior, nil
	}
	return encodeIdentity(short.IdentityNames(), nil)
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
