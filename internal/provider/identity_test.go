package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// An identity that a newer version of the provider stored is an error. No identity has had an earlier version, which would
// need an upgrade.
func TestIdentity_OfANewerVersion(t *testing.T) {
	t.Parallel()
	server := providertest.NewTestEnv(t).Protocol().Server
	served, err := server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	require.NoError(t, err)
	require.NotEmpty(t, served.IdentitySchemas)
	for typ, schema := range served.IdentitySchemas {
		assert.Zero(t, schema.Version, typ)
		resp, err := server.UpgradeResourceIdentity(t.Context(), &tfprotov6.UpgradeResourceIdentityRequest{
			TypeName: typ, Version: 1, RawIdentity: &tfprotov6.RawState{JSON: []byte(`{"other":"x"}`)},
		})
		require.NoError(t, err)
		assert.Nil(t, resp.UpgradedIdentity, typ)
		providertest.FromProtocol(typ, resp.Diagnostics).Want(t, 1, "error", "Unable to Upgrade Resource Identity")
	}
}
