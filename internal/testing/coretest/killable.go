package coretest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Killable is a workspace of which one apply is killed. That one runs in the real CLI, with a provider of its own; both
// read and write the state file. Its provider is configured by the environment.
type Killable struct {
	*Workspace
	cli *providertest.CLI
}

func NewKillable(t *testing.T, w *providertest.TestEnv) *Killable {
	t.Helper()
	c := &Killable{cli: w.KillableCLI()}
	c.Workspace = New(t, w)
	c.dir = c.cli.Dir
	require.NoError(t, c.core.configureWith(object{}))
	return c
}

// KilledAt applies, and kills the provider, or the CLI and the provider, immediately before or after the effect of a
// call.
func (c *Killable) KilledAt(sim *simulator.Simulator, route string, after bool, whom string) (out string, code int) {
	c.t.Helper()
	c.cli.Config(c.text["main.tf"])
	c.writeState()
	out, code = c.cli.KilledAt(sim, route, after, whom)
	c.readState()
	return out, code
}

const tainted = "tainted"

// writeState writes the state of resources that are not repeated.
func (c *Killable) writeState() {
	c.t.Helper()
	if len(c.core.state) == 0 {
		return
	}
	registry := "registry.terraform.io"
	if providertest.IsTofu(c.t) {
		registry = "registry.opentofu.org"
	}
	var resources []any
	for address, instance := range c.State() {
		stored := c.core.state[address]
		instance.SchemaVersion, instance.Private, instance.Dependencies = c.core.schema(stored.typ).Version, stored.private, stored.deps
		resources = append(resources, map[string]any{
			"mode": "managed", "type": stored.typ, "name": strings.TrimPrefix(address, stored.typ+"."),
			"provider": `provider["` + registry + `/privatelabels/reseller"]`, "instances": []any{instance},
		})
	}
	text, err := json.Marshal(map[string]any{"version": 4, "serial": 1, "lineage": "00000000-0000-0000-0000-000000000000", "resources": resources})
	require.NoError(c.t, err)
	c.cli.File("terraform.tfstate", string(text))
}

// readState takes what the killed CLI left.
func (c *Killable) readState() {
	c.t.Helper()
	c.core.state = map[string]*instanceState{}
	for address, instance := range c.cli.State() {
		typ, _, _ := strings.Cut(address, ".")
		attributes, err := json.Marshal(instance.Attributes)
		require.NoError(c.t, err)
		value, err := tfprotov6.RawState{JSON: attributes}.Unmarshal(c.core.schema(typ).ValueType())
		require.NoError(c.t, err)
		c.core.state[address] = &instanceState{typ: typ, value: value, private: instance.Private, tainted: instance.Status == tainted, deps: instance.Dependencies}
	}
}
