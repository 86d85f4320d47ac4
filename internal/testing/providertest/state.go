package providertest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// WantIdentity asserts that a read under a stored identity keeps it, as a CLI
// that knows identities checks.
func (p *Protocol) WantIdentity(typeName string, schema *tfprotov6.ResourceIdentitySchema, instance, identity map[string]any) {
	p.t.Helper()
	raw, err := json.Marshal(instance["attributes"])
	if err != nil {
		p.t.Fatal(err)
	}
	text, _ := instance["private"].(string)
	private, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		p.t.Fatal(err)
	}
	version, _ := instance["schema_version"].(float64)
	upgraded, err := p.Server.UpgradeResourceState(p.t.Context(), &tfprotov6.UpgradeResourceStateRequest{TypeName: typeName, Version: int64(version), RawState: &tfprotov6.RawState{JSON: raw}})
	if err != nil {
		p.t.Fatal(err)
	}
	stored, err := tfprotov6.NewDynamicValue(schema.ValueType(), p.build(schema.ValueType(), Values(identity)))
	if err != nil {
		p.t.Fatal(err)
	}
	read, err := p.Server.ReadResource(p.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: typeName, CurrentState: upgraded.UpgradedState, Private: private, CurrentIdentity: &tfprotov6.ResourceIdentityData{IdentityData: &stored},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.WantNone(read.Diagnostics)
	got, err := read.NewIdentity.IdentityData.Unmarshal(schema.ValueType())
	if err != nil {
		p.t.Fatal(err)
	}
	if want := p.build(schema.ValueType(), Values(identity)); !got.Equal(want) {
		p.t.Errorf("%s: the identity after a read is %s, want %s", typeName, got, want)
	}
}

// AddonsOf returns `addons` as the state holds it.
func (c *CLI) AddonsOf(address string) map[string]any {
	c.T.Helper()
	return AddonsIn(c.State(), address)
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
	if err := json.Unmarshal([]byte(c.Read("terraform.tfstate")), &file); err != nil {
		c.T.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, file.Outputs[name].Value); err != nil {
		c.T.Fatalf("no output %s: %v", name, err)
	}
	return compact.String()
}
