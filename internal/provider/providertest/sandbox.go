package providertest

import (
	"path/filepath"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const SandboxFile = ".terraform/reseller-sandbox.json"

const InSandbox = "provider \"reseller\" {\n  sandbox = {}\n}\n"

// Books opens the sandbox of a configuration, as `simulate -data` would.
func (c *CLI) Books() *simulator.Simulator {
	c.T.Helper()
	sim, err := simulator.New(simulator.Options{File: filepath.Join(c.Dir, SandboxFile)})
	if err != nil {
		c.T.Fatal(err)
	}
	c.T.Cleanup(func() { _ = sim.Close() })
	return sim
}
