package coretest

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// broken is a bug of the provider, with any configuration.
type broken struct {
	what  string
	final string // address whose final plan differs from the plan
}

func (b broken) Error() string { return b.what }

// guarded runs calls of the provider; a panic is a bug.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = broken{what: fmt.Sprintf("panic: %v\n%s", r, debug.Stack())}
		}
	}()
	return f()
}

// errKilled is the end of a call during which the provider's process was killed.
var errKilled = errors.New("the provider was killed")

// call is a call of the provider, during which the others of the walk continue.
func call[Req, Resp any](c *core, method func(context.Context, *Req) (*Resp, error), req *Req) (*Resp, error) {
	c.mu.Unlock()
	defer c.mu.Lock()
	if c.killed == nil {
		return method(context.Background(), req)
	}
	type answer struct {
		resp *Resp
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		resp, err := method(context.Background(), req)
		answered <- answer{resp, err}
	}()
	select {
	case <-c.killed:
		return nil, errKilled
	case a := <-answered:
		return a.resp, a.err
	}
}

func null(typ tftypes.Type) tftypes.Value { return tftypes.NewValue(typ, nil) }

func (c *core) readData(b *block, config tftypes.Value) (read tftypes.Value, found providertest.Diagnostics, err error) {
	if found, err = c.validate(b, config); err != nil || providertest.AnyErrors(found) {
		return read, found, err
	}
	resp, err := call(c, c.server.ReadDataSource, &tfprotov6.ReadDataSourceRequest{TypeName: b.typ, Config: providertest.Dynamic(config)})
	if err != nil {
		return read, found, err
	}
	if found = append(found, providertest.FromProtocol(b.address(), resp.Diagnostics)...); providertest.AnyErrors(found) {
		return read, found, nil
	}
	read, err = resp.State.Unmarshal(config.Type())
	if err == nil && !read.IsFullyKnown() {
		err = broken{what: "what was read has unknown values: " + read.String()}
	}
	return read, found, err
}

// load passes an object of the state through the provider, as the CLI does before it uses it.
func (c *core) load(stored *instanceState, address string) (providertest.Diagnostics, error) {
	if stored == nil {
		return nil, nil
	}
	text, err := providertest.InStateFile(stored.value)
	if err != nil {
		return nil, err
	}
	resp, err := call(c, c.server.UpgradeResourceState, &tfprotov6.UpgradeResourceStateRequest{
		TypeName: stored.typ, Version: c.schema(stored.typ).Version, RawState: &tfprotov6.RawState{JSON: text},
	})
	if err != nil {
		return nil, err
	}
	found := providertest.FromProtocol(address, resp.Diagnostics)
	if providertest.AnyErrors(found) {
		return found, nil
	}
	upgraded, err := resp.UpgradedState.Unmarshal(stored.value.Type())
	if err == nil && !upgraded.Equal(stored.value) {
		err = broken{what: "an object of the present schema was upgraded to another one"}
	}
	return found, err
}

func (c *core) read(stored *instanceState, address string) (*instanceState, providertest.Diagnostics, error) {
	resp, err := call(c, c.server.ReadResource, &tfprotov6.ReadResourceRequest{
		TypeName: stored.typ, CurrentState: providertest.Dynamic(stored.value), Private: stored.private, CurrentIdentity: stored.identity,
	})
	if err != nil {
		return nil, nil, err
	}
	out := *stored
	out.private, out.identity = resp.Private, resp.NewIdentity
	out.value, err = resp.NewState.Unmarshal(stored.value.Type())
	return &out, providertest.FromProtocol(address, resp.Diagnostics), err
}

func (c *core) importOne(b *block) (*instanceState, providertest.Diagnostics, error) {
	resp, err := call(c, c.server.ImportResourceState, &tfprotov6.ImportResourceStateRequest{TypeName: b.typ, ID: b.imports, Identity: b.identity})
	if err != nil {
		return nil, nil, err
	}
	found := providertest.FromProtocol(b.address(), resp.Diagnostics)
	if len(resp.ImportedResources) == 0 {
		return nil, found, nil
	}
	imported := resp.ImportedResources[0]
	value, err := imported.State.Unmarshal(c.schema(b.typ).ValueType())
	if err != nil {
		return nil, nil, err
	}
	stored := &instanceState{typ: b.typ, value: value, private: imported.Private, identity: imported.Identity, deps: b.references()}
	read, more, err := c.read(stored, b.address())
	if err == nil && !providertest.AnyErrors(more) && read.value.IsNull() {
		return nil, append(more, providertest.Diagnostic{Severity: "error", Address: b.address(), Summary: "Cannot import non-existent remote object"}), nil
	}
	return read, append(found, more...), err
}

// ask is one PlanResourceChange.
func (c *core) ask(typ string, prior, proposed, config tftypes.Value, private []byte, identity *tfprotov6.ResourceIdentityData) (*tfprotov6.PlanResourceChangeResponse, error) {
	return call(c, c.server.PlanResourceChange, &tfprotov6.PlanResourceChangeRequest{
		TypeName: typ, PriorState: providertest.Dynamic(prior), ProposedNewState: providertest.Dynamic(proposed), Config: providertest.Dynamic(config), PriorPrivate: private, PriorIdentity: identity,
	})
}

// configOf evaluates a block. An error of the language is found.
func (c *core) configOf(b *block, in *scope) (tftypes.Value, providertest.Diagnostics, error) {
	schema := c.schemaOf(b)
	config, err := evaluateBlock(b.attrs, shapeOf(schema), in)
	if err == nil {
		err = missing(schema.Block.Attributes, providertest.Members(config), "argument")
	}
	if wrong := (languageError{}); errors.As(err, &wrong) {
		return config, providertest.Diagnostics{{Severity: "error", Address: b.address(), Summary: wrong.summary, Detail: wrong.detail}}, nil
	}
	return config, nil, err
}

// validateBlock validates what the configuration says of a resource or of a data source.
func (c *core) validateBlock(b *block, in *scope) (providertest.Diagnostics, error) {
	if b.typ == lateType {
		return nil, nil
	}
	config, found, err := c.configOf(b, in)
	if err != nil || providertest.AnyErrors(found) {
		return found, err
	}
	return c.validate(b, config)
}

// anything is the scope of a validation.
func (c *core) anything(string) (tftypes.Value, bool) {
	return tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue), true
}

func shapeOf(schema *tfprotov6.Schema) tftypes.Object {
	shape, _ := schema.ValueType().(tftypes.Object) // as every block
	return shape
}

func (c *core) schemaOf(b *block) *tfprotov6.Schema {
	if b.isData {
		return c.shapes.DataSourceSchemas[b.typ]
	}
	return c.schema(b.typ)
}

func (c *core) validate(b *block, config tftypes.Value) (providertest.Diagnostics, error) {
	if b.isData {
		resp, err := call(c, c.server.ValidateDataResourceConfig, &tfprotov6.ValidateDataResourceConfigRequest{TypeName: b.typ, Config: providertest.Dynamic(config)})
		if err != nil {
			return nil, err
		}
		return providertest.FromProtocol(b.address(), resp.Diagnostics), nil
	}
	resp, err := call(c, c.server.ValidateResourceConfig, &tfprotov6.ValidateResourceConfigRequest{
		TypeName: b.typ, Config: providertest.Dynamic(config), ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
	if err != nil {
		return nil, err
	}
	return providertest.FromProtocol(b.address(), resp.Diagnostics), nil
}
