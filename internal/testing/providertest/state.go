package providertest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// WantIdentity asserts that a read under a stored identity keeps it, as a CLI
// that knows identities checks.
func (p *Protocol) WantIdentity(typeName string, schema *tfprotov6.ResourceIdentitySchema, instance, identity map[string]any) {
	p.t.Helper()
	raw, err := json.Marshal(instance["attributes"])
	require.NoError(p.t, err)
	text, _ := instance["private"].(string)
	private, err := base64.StdEncoding.DecodeString(text)
	require.NoError(p.t, err)
	version, _ := instance["schema_version"].(float64)
	upgraded, err := p.Server.UpgradeResourceState(p.t.Context(), &tfprotov6.UpgradeResourceStateRequest{TypeName: typeName, Version: int64(version), RawState: &tfprotov6.RawState{JSON: raw}})
	require.NoError(p.t, err)
	stored, err := tfprotov6.NewDynamicValue(schema.ValueType(), p.build(schema.ValueType(), Values(identity)))
	require.NoError(p.t, err)
	read, err := p.Server.ReadResource(p.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: typeName, CurrentState: upgraded.UpgradedState, Private: private, CurrentIdentity: &tfprotov6.ResourceIdentityData{IdentityData: &stored},
	})
	require.NoError(p.t, err)
	p.WantNone(read.Diagnostics)
	got, err := read.NewIdentity.IdentityData.Unmarshal(schema.ValueType())
	require.NoError(p.t, err)
	want := p.build(schema.ValueType(), Values(identity))
	assert.True(p.t, got.Equal(want), "%s: the identity after a read is %s, want %s", typeName, got, want)
}

// AddonsIn returns `addons` of an assignment in a state.
func AddonsIn(state map[string]Instance, address string) map[string]any {
	addons, _ := state[address].Attributes["addons"].(map[string]any)
	return addons
}

// Output returns an output in state, as JSON.
func (c *CLI) Output(name string) string {
	c.T.Helper()
	var file struct {
		Outputs map[string]struct{ Value json.RawMessage }
	}
	require.NoError(c.T, json.Unmarshal([]byte(c.Read("terraform.tfstate")), &file))
	var compact bytes.Buffer
	require.NoError(c.T, json.Compact(&compact, file.Outputs[name].Value), "no output %s", name)
	return compact.String()
}
