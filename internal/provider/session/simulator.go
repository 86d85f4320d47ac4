package session

import "strings"

// SimulatorSlugSuffix is the suffix of every simulator's slug. No reseller of the live API can have it.
const SimulatorSlugSuffix = ".simulator.invalid"

// Simulator identifies the simulator of a session.
type Simulator struct {
	Slug string // of its reseller; "" without a simulator
	File string // path of its data as configured; "" for the simulator of one command
}

// Ephemeral reports whether the data ends with the command.
func (s Simulator) Ephemeral() bool { return s.Slug != "" && s.File == "" }

func isSimulatorSlug(slug string) bool {
	return strings.HasSuffix(strings.ToLower(slug), SimulatorSlugSuffix)
}
