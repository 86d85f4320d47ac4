package providertest

// AddonsOf returns `addons` as the state holds it.
func (c *CLI) AddonsOf(address string) map[string]any {
	c.T.Helper()
	return AddonsIn(c.State(), address)
}

// AddonsIn returns `addons` of an assignment in a state.
func AddonsIn(state map[string]Instance, address string) map[string]any {
	addons, _ := state[address].Attributes["addons"].(map[string]any)
	return addons
}
