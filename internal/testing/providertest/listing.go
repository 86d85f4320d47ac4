package providertest

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"
)

// Found is one result of a list.
type Found struct {
	Name     string
	Identity map[string]string
	Resource tftypes.Value // null if it was not requested
}

// List lists as `terraform query` does: validate, then the stream, until limit.
func (p *Protocol) List(typeName string, given map[string]string, include bool, limit int64) (found []Found, told Diagnostics) {
	p.t.Helper()
	config := p.Value(p.Schema.ListResourceSchemas[typeName], given)
	validated, err := p.Server.ValidateListResourceConfig(p.t.Context(), &tfprotov6.ValidateListResourceConfigRequest{TypeName: typeName, Config: config})
	require.NoError(p.t, err)
	if len(validated.Diagnostics) > 0 {
		return nil, FromProtocol("", validated.Diagnostics)
	}
	stream, err := p.Server.ListResource(p.t.Context(), &tfprotov6.ListResourceRequest{TypeName: typeName, Config: config, IncludeResource: include, Limit: limit})
	require.NoError(p.t, err)
	identities, err := p.Server.GetResourceIdentitySchemas(p.t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	require.NoError(p.t, err)
	for result := range stream.Results {
		if len(result.Diagnostics) > 0 {
			return found, FromProtocol("", result.Diagnostics)
		}
		one := Found{Name: result.DisplayName, Identity: map[string]string{}}
		identity, err := result.Identity.IdentityData.Unmarshal(identities.IdentitySchemas[typeName].ValueType())
		require.NoError(p.t, err)
		for name, value := range Members(identity) {
			one.Identity[name], _ = Plain(value).(string)
		}
		if include {
			one.Resource, err = result.Resource.Unmarshal(p.Schema.ResourceSchemas[typeName].Block.ValueType())
			require.NoError(p.t, err)
		}
		found = append(found, one)
	}
	return found, nil
}
