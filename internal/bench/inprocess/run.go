// Package inprocess calls a provider's server as Terraform does, in one process and without a CLI. It is for
// measurements: every diagnostic of severity error is an error, and warnings are dropped.
package inprocess

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Parallelism is Terraform's own default.
const Parallelism = 10

// Run is one process of a provider, configured once.
type Run struct {
	server tfprotov6.ProviderServer
	schema *tfprotov6.GetProviderSchemaResponse
}

// Start configures a server.
func Start(ctx context.Context, server tfprotov6.ProviderServer, settings Values) (*Run, error) {
	schema, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	r := &Run{server: server, schema: schema}
	config, err := encode(schema.Provider.ValueType(), settings)
	if err != nil {
		return nil, err
	}
	resp, err := server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{Config: config})
	if err != nil {
		return nil, err
	}
	return r, asError(resp.Diagnostics)
}

// Object is one resource instance.
type Object struct {
	Type   string
	Config Values

	shape    tftypes.Type
	config   *tfprotov6.DynamicValue
	value    tftypes.Value // null before it is created or imported
	stored   []byte        // the same as the state file has it
	private  []byte
	identity *tfprotov6.ResourceIdentityData
}

// prepare encodes the configuration.
func (r *Run) prepare(o *Object) (err error) {
	if o.config != nil {
		return nil
	}
	o.shape = r.schema.ResourceSchemas[o.Type].ValueType()
	o.value = tftypes.NewValue(o.shape, nil)
	o.config, err = encode(o.shape, o.Config)
	return err
}

// keep stores a state from a response of the provider.
func (o *Object) keep(state *tfprotov6.DynamicValue, private []byte, identity *tfprotov6.ResourceIdentityData) (err error) {
	if o.value, err = state.Unmarshal(o.shape); err != nil {
		return err
	}
	o.private, o.identity = private, identity
	o.stored, err = toJSON(o.value, o.shape)
	return err
}

// Attribute is a string of the state.
func (o *Object) Attribute(name string) (text string, err error) {
	var fields map[string]tftypes.Value
	if err := o.value.As(&fields); err != nil {
		return "", err
	}
	return text, fields[name].As(&text)
}

// Import imports and reads the object that an ID names.
func (r *Run) Import(ctx context.Context, o *Object, id string) error {
	if err := r.prepare(o); err != nil {
		return err
	}
	resp, err := r.server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: o.Type, ID: id})
	if err := callError(err, func() []*tfprotov6.Diagnostic { return resp.Diagnostics }); err != nil {
		return err
	}
	one := resp.ImportedResources[0]
	read, err := r.server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName: o.Type, CurrentState: one.State, Private: one.Private, CurrentIdentity: one.Identity,
	})
	if err := callError(err, func() []*tfprotov6.Diagnostic { return read.Diagnostics }); err != nil {
		return err
	}
	return o.keep(read.NewState, read.Private, read.NewIdentity)
}

// read upgrades the stored state and reads the object.
func (r *Run) read(ctx context.Context, o *Object) (*tfprotov6.ReadResourceResponse, error) {
	upgraded, err := r.server.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{
		TypeName: o.Type, Version: r.schema.ResourceSchemas[o.Type].Version, RawState: &tfprotov6.RawState{JSON: o.stored},
	})
	if err := callError(err, func() []*tfprotov6.Diagnostic { return upgraded.Diagnostics }); err != nil {
		return nil, err
	}
	resp, err := r.server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName: o.Type, CurrentState: upgraded.UpgradedState, Private: o.private, CurrentIdentity: o.identity,
	})
	return resp, callError(err, func() []*tfprotov6.Diagnostic { return resp.Diagnostics })
}

// ErrChange is the error of EmptyPlan if a plan has a change.
var ErrChange = errors.New("the plan has a change")

// EmptyPlan makes the requests of a plan without changes.
func (r *Run) EmptyPlan(ctx context.Context, o *Object) error {
	read, err := r.read(ctx, o)
	if err != nil {
		return err
	}
	valid, err := r.server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: o.Type, Config: o.config})
	if err := callError(err, func() []*tfprotov6.Diagnostic { return valid.Diagnostics }); err != nil {
		return err
	}
	resp, err := r.server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
		TypeName: o.Type, PriorState: read.NewState, ProposedNewState: read.NewState, Config: o.config, PriorPrivate: read.Private, PriorIdentity: read.NewIdentity,
	})
	if err := callError(err, func() []*tfprotov6.Diagnostic { return resp.Diagnostics }); err != nil {
		return err
	}
	if !bytes.Equal(resp.PlannedState.MsgPack, read.NewState.MsgPack) || len(resp.RequiresReplace) > 0 {
		return fmt.Errorf("%s: %w", o.Type, ErrChange)
	}
	return nil
}

// PlanCreate plans the creation of an object.
func (r *Run) PlanCreate(ctx context.Context, o *Object) error {
	_, _, err := r.planCreate(ctx, o)
	return err
}

func (r *Run) planCreate(ctx context.Context, o *Object) (prior *tfprotov6.DynamicValue, planned *tfprotov6.PlanResourceChangeResponse, err error) {
	if err := r.prepare(o); err != nil {
		return nil, nil, err
	}
	null, err := tfprotov6.NewDynamicValue(o.shape, o.value)
	if err != nil {
		return nil, nil, err
	}
	planned, err = r.server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
		TypeName: o.Type, PriorState: &null, ProposedNewState: o.config, Config: o.config,
	})
	return &null, planned, callError(err, func() []*tfprotov6.Diagnostic { return planned.Diagnostics })
}

// Apply plans the creation of an object again, and creates it.
func (r *Run) Apply(ctx context.Context, o *Object) error {
	prior, planned, err := r.planCreate(ctx, o)
	if err != nil {
		return err
	}
	resp, err := r.server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: o.Type, PriorState: prior, PlannedState: planned.PlannedState, Config: o.config,
		PlannedPrivate: planned.PlannedPrivate, PlannedIdentity: planned.PlannedIdentity,
	})
	if err := callError(err, func() []*tfprotov6.Diagnostic { return resp.Diagnostics }); err != nil {
		return err
	}
	return o.keep(resp.NewState, resp.Private, resp.NewIdentity)
}

// Node is one operation of a walk.
type Node struct {
	After []*Node // operations that end before this one begins
	act   func() error
	over  chan struct{}
}

// NewNode returns a node that depends on no other.
func NewNode(act func() error) *Node { return &Node{act: act, over: make(chan struct{})} }

// Walk runs all nodes, as many at the same time as Terraform does, and returns all errors.
func Walk(nodes []*Node) error {
	var (
		wg     sync.WaitGroup
		errs   = make([]error, len(nodes))
		places = make(chan struct{}, Parallelism)
	)
	for i, node := range nodes {
		wg.Go(func() {
			defer close(node.over)
			for _, first := range node.After {
				<-first.over
			}
			places <- struct{}{}
			defer func() { <-places }()
			errs[i] = node.act()
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// callError is the error of a call, or that of its diagnostics.
func callError(err error, diagnostics func() []*tfprotov6.Diagnostic) error {
	if err != nil {
		return err
	}
	return asError(diagnostics())
}

func asError(diags []*tfprotov6.Diagnostic) error {
	var errs []error
	for _, d := range diags {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			errs = append(errs, fmt.Errorf("%s: %s", d.Summary, d.Detail))
		}
	}
	return errors.Join(errs...)
}
