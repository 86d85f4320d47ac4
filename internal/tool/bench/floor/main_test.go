package main

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/tool/bench/schemafile"
)

func newEcho(t *testing.T) echo {
	t.Helper()
	schemas, err := schemafile.Of(t.Context(), provider.NewServer("test", provider.Options{})())
	require.NoError(t, err)
	return echo{schemas: schemas}
}

// A plan over any resource type of the provider has no changes: what is read
// and planned is what came in.
func TestEcho_PlansNoChanges(t *testing.T) {
	t.Parallel()
	e := newEcho(t)
	served, err := e.GetProviderSchema(t.Context(), nil)
	require.NoError(t, err)
	for name, schema := range served.ResourceSchemas {
		typ := schema.ValueType()
		upgraded, err := e.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{TypeName: name, RawState: &tfprotov6.RawState{JSON: []byte(`{"id":"x1","removed":true}`)}})
		require.NoError(t, err, name)
		value, err := upgraded.UpgradedState.Unmarshal(typ)
		require.NoError(t, err, name)
		var attributes map[string]tftypes.Value
		require.NoError(t, value.As(&attributes))
		id := attributes["id"]
		assert.True(t, id.Equal(tftypes.NewValue(tftypes.String, "x1")), "%s: the upgraded state has the ID %s", name, id)
		state, private := upgraded.UpgradedState, []byte("private")
		read, err := e.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: name, CurrentState: state, Private: private})
		require.NoError(t, err, "%s: read %+v", name, read)
		assert.Same(t, state, read.NewState, "%s: read %+v", name, read)
		assert.Equal(t, private, read.Private, "%s: read %+v", name, read)
		planned, err := e.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{TypeName: name, PriorState: state, ProposedNewState: state, PriorPrivate: private})
		require.NoError(t, err, "%s: planned %+v", name, planned)
		assert.Same(t, state, planned.PlannedState, "%s: planned %+v", name, planned)
		assert.Equal(t, private, planned.PlannedPrivate, "%s: planned %+v", name, planned)
	}
}

// The floor serves every resource type, with the identity of each.
func TestEcho_ServesAllResources(t *testing.T) {
	t.Parallel()
	e := newEcho(t)
	want, err := provider.NewServer("test", provider.Options{})().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	served, err := e.GetProviderSchema(t.Context(), nil)
	require.NoError(t, err)
	identities, err := e.GetResourceIdentitySchemas(t.Context(), nil)
	require.NoError(t, err)
	for name := range want.ResourceSchemas {
		assert.NotNil(t, served.ResourceSchemas[name], "no schema of %s", name)
	}
	for name, identity := range identities.IdentitySchemas {
		raw := &tfprotov6.RawState{JSON: []byte(`{"id":"x1"}`)}
		if !slices.ContainsFunc(identity.IdentityAttributes, func(a *tfprotov6.ResourceIdentitySchemaAttribute) bool { return a.Name == "id" }) {
			continue
		}
		got, err := e.UpgradeResourceIdentity(t.Context(), &tfprotov6.UpgradeResourceIdentityRequest{TypeName: name, RawIdentity: raw})
		require.NoError(t, err, "%s: upgraded identity %+v", name, got)
		assert.NotNil(t, got.UpgradedIdentity.IdentityData, "%s: upgraded identity %+v, %v", name, got, err)
	}
}
