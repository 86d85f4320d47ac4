package provider_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// What reads a private label that the same apply has provisioned, and that no read shows, says so and denies nothing.
func TestLate_DataOfANewLabel(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"private_label", "members", "templates", "points_ledger"} {
		w := lateEnv(t, simulator.Forms{"late": "2m"})
		c := coretest.New(t, w)
		argument := "private_label_id"
		if data == "private_label" {
			argument = "id"
		}
		c.Config(w.Config(providertest.Label("acme", "sign.acme.example", "") +
			fmt.Sprintf("data \"reseller_%s\" \"it\" {\n  %s = reseller_private_label.acme.id\n}\n", data, argument)))
		r := c.Apply()
		assertNoDenial(t, r, data)
		assert.Contains(t, r.Out, "the API does not show it yet", data)
		assert.NotContains(t, r.Out, "mistyped", data)
		assert.NotContains(t, r.Out, "heck the ID", data)
	}
}
