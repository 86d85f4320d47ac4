package providertest

// AddonsOf returns `addons` as the state holds it.
func (c *CLI) AddonsOf(address string) map[string]any {
	c.T.Helper()
	addons, _ := c.State()[address].Attributes["addons"].(map[string]any)
	return addons
}
