package providertest

import (
	"errors"
	"slices"
)

// Knows reports whether the simulator issued this token.
func (w *TestEnv) Knows(token string) error {
	if !slices.Contains(w.Sim.Tokens(), token) {
		return errors.New("the service knows no such token")
	}
	return nil
}
