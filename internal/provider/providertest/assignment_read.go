package providertest

import (
	"encoding/json"
	"strings"
)

// NextWindow opens every limit and begins the journal again.
func (w *TestEnv) NextWindow() {
	w.Sim.Clock().Advance(5 * 60e9)
	w.Sim.ResetJournal()
}

// Assignments is what the state has of them.
func (c *CLI) Assignments() string {
	c.T.Helper()
	var file struct {
		Resources []struct {
			Type      string
			Instances []struct{ Attributes json.RawMessage }
		}
	}
	if err := json.Unmarshal([]byte(c.Read("terraform.tfstate")), &file); err != nil {
		c.T.Fatal(err)
	}
	var all []string
	for _, r := range file.Resources {
		for _, i := range r.Instances {
			if r.Type == "reseller_assignment" {
				all = append(all, string(i.Attributes))
			}
		}
	}
	return strings.Join(all, "\n")
}
