package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// A lost state, and an export whose private label went, have one error for each private label, with its remedy: nothing asks
// for values that only a new private label needs.
func TestPlan_HostBeforeValues(t *testing.T) {
	t.Parallel()
	const label = "resource \"reseller_private_label\" \"acme\" {\n  domain = %q\n}\n" +
		"resource \"reseller_member\" \"bob\" {\n  private_label_id = reseller_private_label.acme.id\n  email = \"bob@acme.example\"\n  first_name = \"Bob\"\n  last_name = \"Byte\"\n}\n"
	const imports = "import {\n  to = reseller_private_label.acme\n  id = %q\n}\n"
	for name, tc := range map[string]struct {
		gone bool
		want []string
	}{
		"lost state":    {false, []string{"import {", "to = reseller_private_label.NAME"}},
		"label is gone": {true, []string{"is still in the configuration, and the host name of a deprovisioned private label can never be provisioned again", "Remove the resource or the client's file"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			c := coretest.New(t, w.TestEnv)
			config := w.Config(fmt.Sprintf(label, providertest.AcmeHost))
			c.Config(config)
			if tc.gone {
				c.Config(config + fmt.Sprintf(imports, w.Label))
				c.Apply().WantOK(t)
				c.Config(config)
				require.NoError(t, w.Sim.MoveAway(providertest.AcmeHost))
			}
			r := c.Plan()
			if n := strings.Count(r.Out, "Error: "); r.Code != 1 || n != 1 || strings.Contains(r.Out, "Missing ") {
				t.Errorf("%d errors: %s", n, r.Out)
			}
			for _, text := range tc.want {
				assert.Contains(t, r.Out, text, "is missing")
			}
			assert.NotContains(t, r.Out, "can never be provisioned again here", "the platform may have moved it")
		})
	}
}
