package providertest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
)

// NextWindow resets every limit and the journal.
func (w *TestEnv) NextWindow() {
	w.Sim.Clock().Advance(5 * 60e9)
	w.Sim.ResetJournal()
}

// AssignmentsIn returns the assignments in state, one in a line.
func AssignmentsIn(t *testing.T, state map[string]Instance) string {
	t.Helper()
	var all strings.Builder
	for _, address := range slices.Sorted(maps.Keys(state)) {
		if !strings.HasPrefix(address, "reseller_assignment.") {
			continue
		}
		if err := json.NewEncoder(&all).Encode(state[address].Attributes); err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}
