package provider_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// protocolServer answers what newer CLIs ask, too.
type protocolServer interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
}

// protocol drives the provider without a CLI, for what older CLIs do not know.
type protocol struct {
	t      *testing.T
	server protocolServer
	schema *tfprotov6.GetProviderSchemaResponse
}

func (w *world) protocolServer() protocolServer {
	w.t.Helper()
	served, err := w.server()
	if err != nil {
		w.t.Fatal(err)
	}
	server, ok := served.(protocolServer)
	if !ok {
		w.t.Fatal("the server lacks actions or list resources")
	}
	return server
}

func (w *world) protocol() *protocol {
	w.t.Helper()
	server := w.protocolServer()
	schema, err := server.GetProviderSchema(w.t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		w.t.Fatal(err)
	}
	p := &protocol{t: w.t, server: server, schema: schema}
	shape := schema.Provider.Block.ValueType()
	object, ok := shape.(tftypes.Object)
	if !ok {
		w.t.Fatal("the provider's schema is no object")
	}
	values := map[string]tftypes.Value{}
	for name, typ := range object.AttributeTypes {
		values[name] = tftypes.NewValue(typ, nil)
	}
	values["base_url"] = tftypes.NewValue(tftypes.String, simulator.BaseURL)
	values["api_key"] = tftypes.NewValue(tftypes.String, w.apiKey())
	config, err := tfprotov6.NewDynamicValue(shape, tftypes.NewValue(shape, values))
	if err != nil {
		w.t.Fatal(err)
	}
	configured, err := server.ConfigureProvider(w.t.Context(), &tfprotov6.ConfigureProviderRequest{Config: &config})
	if err != nil {
		w.t.Fatal(err)
	}
	p.wantNone(configured.Diagnostics)
	return p
}

func (p *protocol) wantNone(diags []*tfprotov6.Diagnostic) {
	p.t.Helper()
	for _, d := range diags {
		p.t.Errorf("%s: %s", d.Summary, d.Detail)
	}
}

// value is an object of a schema: the named attributes, the rest null.
func (p *protocol) value(schema *tfprotov6.Schema, given map[string]string) *tfprotov6.DynamicValue {
	p.t.Helper()
	object, ok := schema.Block.ValueType().(tftypes.Object)
	if !ok {
		p.t.Fatal("the schema is no object")
	}
	values := map[string]tftypes.Value{}
	for name, typ := range object.AttributeTypes {
		values[name] = tftypes.NewValue(typ, nil)
	}
	for name, text := range given {
		values[name] = tftypes.NewValue(tftypes.String, text)
	}
	value, err := tfprotov6.NewDynamicValue(object, tftypes.NewValue(object, values))
	if err != nil {
		p.t.Fatal(err)
	}
	return &value
}

// invoke runs an action as a CLI of 1.14 does: validate, plan, invoke.
func (p *protocol) invoke(action string, given map[string]string) (progress string, diags []*tfprotov6.Diagnostic) {
	p.t.Helper()
	config := p.value(p.schema.ActionSchemas[action].Schema, given)
	validated, err := p.server.ValidateActionConfig(p.t.Context(), &tfprotov6.ValidateActionConfigRequest{ActionType: action, Config: config})
	if err != nil {
		p.t.Fatal(err)
	}
	if len(validated.Diagnostics) > 0 {
		return "", validated.Diagnostics
	}
	planned, err := p.server.PlanAction(p.t.Context(), &tfprotov6.PlanActionRequest{ActionType: action, Config: config})
	if err != nil {
		p.t.Fatal(err)
	}
	p.wantNone(planned.Diagnostics)
	stream, err := p.server.InvokeAction(p.t.Context(), &tfprotov6.InvokeActionRequest{ActionType: action, Config: config})
	if err != nil {
		p.t.Fatal(err)
	}
	for event := range stream.Events {
		switch e := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			progress += e.Message
		case tfprotov6.CompletedInvokeActionEventType:
			diags = append(diags, e.Diagnostics...)
		}
	}
	return progress, diags
}

// wantDiag asserts one error with these parts.
func (p *protocol) wantDiag(diags []*tfprotov6.Diagnostic, parts ...string) {
	p.t.Helper()
	if len(diags) != 1 {
		p.t.Errorf("%d diagnostics, want one", len(diags))
		return
	}
	text := diags[0].Summary + ": " + diags[0].Detail
	for _, part := range parts {
		if !strings.Contains(text, part) {
			p.t.Errorf("the diagnostic lacks %q: %s", part, text)
		}
	}
}
