package providertest

import (
	"strings"
)

// Output returns one output of the state unchanged.
func (c *CLI) Output(name string) string {
	c.T.Helper()
	return strings.TrimSpace(c.Raw("output", "-json", name))
}
