package providertest

import (
	"bytes"
	"encoding/json"
)

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
