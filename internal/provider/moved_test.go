package provider_test

import (
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// A moved block between two types ends in the provider's words, with what to do instead.
func TestMovedToAnotherType(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.8.0", "a moved block between resource types")
	if providertest.IsTofu(t) {
		providertest.NeedsCLI(t, "1.11.0", "a moved block between resource types")
	}
	w := providertest.NewTestEnv(t)
	c := w.Cli()
	c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "")))
	c.Apply().WantOK(t, "1 added")
	c.Config(w.Config(providertest.Item("addon", "gold", "GOLD", "") + "moved {\n  from = reseller_package.gold\n  to   = reseller_addon.gold\n}\n"))
	c.Plan().WantError(t, "Moved block changes the resource type", "cannot turn reseller_package into reseller_addon", "removed block with destroy = false")
}
