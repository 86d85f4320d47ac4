package providertest

import (
	"fmt"
)

// LabelID is the ID of a private label of the simulator.
func (w *TestEnv) LabelID(host string) (string, error) {
	for _, l := range w.Sim.Labels() {
		if l.Host == host {
			return l.ID, nil
		}
	}
	return "", fmt.Errorf("no label has the host %s", host)
}
