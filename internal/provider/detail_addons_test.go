package provider_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Steps depend on the add-ons of an assignment: without one of their fields, by either route, a plan ends with an error that
// names it, and nothing is sent.
func TestAssignment_AddonsNotShown(t *testing.T) {
	t.Parallel()
	for form, field := range map[string]string{"omitted": "assignment.addons", "no-quantity": "assignment.addons[0].quantity", "no-code": "assignment.addons[0].code"} {
		for _, read := range []string{"missing", "assignment"} {
			w := providertest.NewTestEnvAssuming(t, simulator.Forms{"detail-addons": form, "assignment-read": read, "assignment-addons": "omitted"})
			label, err := w.Sim.AddConsoleLabel(providertest.AcmeHost, "ada@acme.example")
			require.NoError(t, err)
			gold, err := w.Sim.AddPackage("GOLD", nil, true)
			require.NoError(t, err)
			seats, err := w.Sim.AddAddon("SEATS", nil, true)
			require.NoError(t, err)
			require.NoError(t, w.Sim.AssignInConsole(providertest.AcmeHost, gold, map[string]float64{seats: 2}))
			c := coretest.New(t, w)
			c.Config(w.Config(fmt.Sprintf(`
import {
  to = reseller_assignment.acme
  id = %[1]q
}
resource "reseller_assignment" "acme" {
  private_label_id = %[1]q
  package_id       = %[2]q
  addons           = { SEATS = 2 }
}
data "reseller_private_label" "acme" {
  id = %[1]q
}
`, label, gold)))
			r := c.Plan()
			r.WantError(t, "no "+field+" that this version can find")
			assert.NotContains(t, r.Out, "the network", "the response arrived")
			assert.Zero(t, w.Calls("POST …/package"), "%s, %s", form, read)
			assert.Zero(t, w.Calls("/package/addons"), "%s, %s", form, read)
		}
	}
}
