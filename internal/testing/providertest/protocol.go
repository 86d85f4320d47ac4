package providertest

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
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

func (w *TestEnv) Protocol() *Protocol {
	w.T.Helper()
	p := &Protocol{t: w.T, Server: w.protocolServer()}
	var err error
	p.Schema, err = p.Server.GetProviderSchema(w.T.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(w.T, err)
	config := p.Value(p.Schema.Provider, map[string]string{"base_url": simulator.BaseURL, "api_key": w.APIKey()})
	configured, err := p.Server.ConfigureProvider(w.T.Context(), &tfprotov6.ConfigureProviderRequest{Config: config})
	require.NoError(w.T, err)
	require.Empty(w.T, configured.Diagnostics)
	return p
}

// Value is an object of a schema: the named attributes, the rest null.
func (p *Protocol) Value(schema *tfprotov6.Schema, given map[string]string) *tfprotov6.DynamicValue {
	p.t.Helper()
	shape, _ := schema.ValueType().(tftypes.Object) // as every block
	fields := map[string]tftypes.Value{}
	for name, typ := range shape.AttributeTypes {
		fields[name] = tftypes.NewValue(typ, nil)
		if text, named := given[name]; named {
			fields[name] = tftypes.NewValue(typ, text)
		}
	}
	return Dynamic(tftypes.NewValue(shape, fields))
}

// Invoke runs an action as a CLI of 1.14 does: validate, plan, invoke.
func (p *Protocol) Invoke(action string, given map[string]string) (progress string, told Diagnostics) {
	p.t.Helper()
	config := p.Value(p.Schema.ActionSchemas[action].Schema, given)
	validated, err := p.Server.ValidateActionConfig(p.t.Context(), &tfprotov6.ValidateActionConfigRequest{ActionType: action, Config: config})
	require.NoError(p.t, err)
	if len(validated.Diagnostics) > 0 {
		return "", FromProtocol("", validated.Diagnostics)
	}
	planned, err := p.Server.PlanAction(p.t.Context(), &tfprotov6.PlanActionRequest{ActionType: action, Config: config})
	require.NoError(p.t, err)
	require.Empty(p.t, planned.Diagnostics)
	stream, err := p.Server.InvokeAction(p.t.Context(), &tfprotov6.InvokeActionRequest{ActionType: action, Config: config})
	require.NoError(p.t, err)
	for event := range stream.Events {
		switch e := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			progress += e.Message
		case tfprotov6.CompletedInvokeActionEventType:
			told = append(told, FromProtocol("", e.Diagnostics)...)
		}
	}
	return progress, told
}
