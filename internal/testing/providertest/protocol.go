package providertest

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// ProtocolServer also handles the requests of newer CLIs.
type ProtocolServer interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
}

// Protocol drives the provider without a CLI, for features that older CLIs do not have.
type Protocol struct {
	t      *testing.T
	Server ProtocolServer
	Schema *tfprotov6.GetProviderSchemaResponse
}

func (w *TestEnv) protocolServer() ProtocolServer {
	w.T.Helper()
	served, err := w.Server()
	require.NoError(w.T, err)
	server, ok := served.(ProtocolServer)
	require.True(w.T, ok, "the server lacks actions or list resources")
	return server
}

func (w *TestEnv) unconfigured() *Protocol {
	w.T.Helper()
	server := w.protocolServer()
	schema, err := server.GetProviderSchema(w.T.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(w.T, err)
	return &Protocol{t: w.T, Server: server, Schema: schema}
}

func (w *TestEnv) Protocol() *Protocol {
	w.T.Helper()
	p := w.unconfigured()
	config := p.Value(p.Schema.Provider, map[string]string{"base_url": simulator.BaseURL, "api_key": w.APIKey()})
	configured, err := p.Server.ConfigureProvider(w.T.Context(), &tfprotov6.ConfigureProviderRequest{Config: config})
	require.NoError(w.T, err)
	p.WantNone(configured.Diagnostics)
	return p
}

func (p *Protocol) WantNone(diags []*tfprotov6.Diagnostic) {
	p.t.Helper()
	for _, d := range diags {
		p.t.Errorf("%s: %s", d.Summary, d.Detail)
	}
}

// Value is an object of a schema: the named attributes, the rest null.
func (p *Protocol) Value(schema *tfprotov6.Schema, given map[string]string) *tfprotov6.DynamicValue {
	p.t.Helper()
	values := Values{}
	for name, text := range given {
		values[name] = text
	}
	return Dynamic(p.build(schema.ValueType(), values))
}

// Invoke runs an action as a CLI of 1.14 does: validate, plan, invoke.
func (p *Protocol) Invoke(action string, given map[string]string) (progress string, diags []*tfprotov6.Diagnostic) {
	p.t.Helper()
	config := p.Value(p.Schema.ActionSchemas[action].Schema, given)
	validated, err := p.Server.ValidateActionConfig(p.t.Context(), &tfprotov6.ValidateActionConfigRequest{ActionType: action, Config: config})
	require.NoError(p.t, err)
	if len(validated.Diagnostics) > 0 {
		return "", validated.Diagnostics
	}
	planned, err := p.Server.PlanAction(p.t.Context(), &tfprotov6.PlanActionRequest{ActionType: action, Config: config})
	require.NoError(p.t, err)
	p.WantNone(planned.Diagnostics)
	stream, err := p.Server.InvokeAction(p.t.Context(), &tfprotov6.InvokeActionRequest{ActionType: action, Config: config})
	require.NoError(p.t, err)
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

// WantDiag asserts one error with these parts.
func (p *Protocol) WantDiag(diags []*tfprotov6.Diagnostic, parts ...string) {
	p.t.Helper()
	if len(diags) != 1 {
		p.t.Errorf("%d diagnostics, want one", len(diags))
		return
	}
	text := diags[0].Summary + ": " + diags[0].Detail
	for _, part := range parts {
		assert.Contains(p.t, text, part, "the diagnostic lacks")
	}
}
