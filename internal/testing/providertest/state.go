package providertest

import (
	"bytes"
	"encoding/json"

	"github.com/stretchr/testify/require"
)

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
