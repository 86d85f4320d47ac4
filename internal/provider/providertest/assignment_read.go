package providertest

import (
	"encoding/json"
	"strings"
)

// NextWindow resets every limit and the journal.
func (w *TestEnv) NextWindow() {
	w.Sim.Clock().Advance(5 * 60e9)
	w.Sim.ResetJournal()
}

// Assignments returns the assignments in state.
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
