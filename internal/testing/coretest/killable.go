package coretest

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// stateFile is a state file of version 4.
type stateFile struct {
	Version   int             `json:"version"`
	Serial    int             `json:"serial"`
	Lineage   string          `json:"lineage"`
	Resources []stateResource `json:"resources"`
}

type stateResource struct {
	Mode      string          `json:"mode"`
	Type      string          `json:"type"`
	Name      string          `json:"name"`
	Provider  string          `json:"provider"`
	Instances []stateInstance `json:"instances"`
}

type stateInstance struct {
	Status        string          `json:"status,omitempty"`
	SchemaVersion int64           `json:"schema_version"`
	Attributes    json.RawMessage `json:"attributes"`
	Private       []byte          `json:"private,omitempty"`
	Dependencies  []string        `json:"dependencies,omitempty"`
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
	file := stateFile{Version: 4, Serial: 1, Lineage: "00000000-0000-0000-0000-000000000000"}
	for _, address := range slices.Sorted(maps.Keys(c.core.state)) {
		stored := c.core.state[address]
		attributes, err := providertest.InStateFile(stored.value)
		require.NoError(c.t, err)
		instance := stateInstance{SchemaVersion: c.core.schema(stored.typ).Version, Attributes: attributes, Private: stored.private, Dependencies: stored.deps}
		if stored.tainted {
			instance.Status = tainted
		}
		file.Resources = append(file.Resources, stateResource{
			Mode: "managed", Type: stored.typ, Name: strings.TrimPrefix(address, stored.typ+"."),
			Provider: `provider["` + registry + `/privatelabels/reseller"]`, Instances: []stateInstance{instance},
		})
	}
	text, err := json.Marshal(file)
	require.NoError(c.t, err)
	c.cli.File("terraform.tfstate", string(text))
}

// readState takes what the killed CLI left. It may have left no file, or an empty one.
func (c *Killable) readState() {
	c.t.Helper()
	c.core.state = map[string]*instanceState{}
	text, err := os.ReadFile(filepath.Join(c.dir, "terraform.tfstate"))
	if errors.Is(err, os.ErrNotExist) || err == nil && len(text) == 0 {
		return
	}
	require.NoError(c.t, err)
	var file stateFile
	require.NoError(c.t, json.Unmarshal(text, &file))
	for _, r := range file.Resources {
		require.Equal(c.t, "managed", r.Mode, "%s.%s is not for the core", r.Type, r.Name)
		require.Len(c.t, r.Instances, 1, "%s.%s is not for the core", r.Type, r.Name)
		instance := r.Instances[0]
		value, err := tfprotov6.RawState{JSON: instance.Attributes}.Unmarshal(c.core.schema(r.Type).ValueType())
		require.NoError(c.t, err)
		c.core.state[r.Type+"."+r.Name] = &instanceState{
			typ: r.Type, value: value, private: instance.Private, tainted: instance.Status == tainted, deps: instance.Dependencies,
		}
	}
}
