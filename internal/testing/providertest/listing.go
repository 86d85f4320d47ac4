package providertest

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"
)

// Found is one result of a list.
type Found struct {
	Name     string
	Identity map[string]tftypes.Value
	Resource map[string]tftypes.Value // nil if it was not requested
}

// List lists as `terraform query` does: validate, then the stream, until limit.
func (p *Protocol) List(typeName string, given map[string]string, include bool, limit int64) ([]Found, []*tfprotov6.Diagnostic) {
	p.t.Helper()
	config := p.Value(p.Schema.ListResourceSchemas[typeName], given)
	validated, err := p.Server.ValidateListResourceConfig(p.t.Context(), &tfprotov6.ValidateListResourceConfigRequest{TypeName: typeName, Config: config})
	require.NoError(p.t, err)
	if len(validated.Diagnostics) > 0 {
		return nil, validated.Diagnostics
	}
	stream, err := p.Server.ListResource(p.t.Context(), &tfprotov6.ListResourceRequest{TypeName: typeName, Config: config, IncludeResource: include, Limit: limit})
	require.NoError(p.t, err)
	identities, err := p.Server.GetResourceIdentitySchemas(p.t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	require.NoError(p.t, err)
	var out []Found
	for result := range stream.Results {
		if len(result.Diagnostics) > 0 {
			return out, result.Diagnostics
		}
		found := Found{Name: result.DisplayName, Identity: p.Object(result.Identity.IdentityData, identities.IdentitySchemas[typeName].ValueType())}
		if include {
			found.Resource = p.Object(result.Resource, p.Schema.ResourceSchemas[typeName].Block.ValueType())
		}
		out = append(out, found)
	}
	return out, nil
}

func (p *Protocol) Object(value *tfprotov6.DynamicValue, typ tftypes.Type) map[string]tftypes.Value {
	p.t.Helper()
	raw, err := value.Unmarshal(typ)
	require.NoError(p.t, err)
	var out map[string]tftypes.Value
	require.NoError(p.t, raw.As(&out))
	return out
}

// Imported is what a read after an import by this identity returns.
func (p *Protocol) Imported(typeName string, identity map[string]tftypes.Value) map[string]tftypes.Value {
	p.t.Helper()
	attrs := map[string]tftypes.Type{}
	for name := range identity {
		attrs[name] = tftypes.String
	}
	value := Dynamic(tftypes.NewValue(tftypes.Object{AttributeTypes: attrs}, identity))
	state := p.StateAfter(&tfprotov6.ImportResourceStateRequest{TypeName: typeName, Identity: &tfprotov6.ResourceIdentityData{IdentityData: value}})
	return p.Object(state, p.Schema.ResourceSchemas[typeName].Block.ValueType())
}

// StateAfter is the state of an object after an import.
func (p *Protocol) StateAfter(req *tfprotov6.ImportResourceStateRequest) *tfprotov6.DynamicValue {
	p.t.Helper()
	imported, err := p.Server.ImportResourceState(p.t.Context(), req)
	require.NoError(p.t, err)
	p.WantNone(imported.Diagnostics)
	object := imported.ImportedResources[0]
	read, err := p.Server.ReadResource(p.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: req.TypeName, CurrentState: object.State, Private: object.Private, CurrentIdentity: object.Identity,
	})
	require.NoError(p.t, err)
	p.WantNone(read.Diagnostics)
	return read.NewState
}
