package provider_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// A light refresh reads the list, and the members or the add-ons of a private label only where the list differs. A plan of a
// change reads in full, and so does an apply.
func TestRefresh_Light(t *testing.T) {
	t.Parallel()
	w := providertest.NewWorld(t)
	must := func(err error) {
		t.Helper()
		require.NoError(t, err)
	}
	w.Console(w.Gold, map[string]float64{w.Seats: 2})
	_, err := w.Sim.AddPersonInConsole(providertest.AcmeHost, "bob@acme.example", "Bob", "Byte")
	must(err)
	config := func(quantity int) string {
		return w.Config(fmt.Sprintf(`
resource "reseller_private_label" "acme" {
  domain = %[1]q
}
resource "reseller_assignment" "acme" {
  private_label_id = reseller_private_label.acme.id
  package_id       = %[3]q
  addons           = { SEATS = %[4]d }
}
resource "reseller_members" "acme" {
  private_label_id = reseller_private_label.acme.id
  members          = { "bob@acme.example" = { first_name = "Bob", last_name = "Byte" } }
}
import {
  to = reseller_private_label.acme
  id = %[2]q
}
import {
  to = reseller_assignment.acme
  id = %[2]q
}
import {
  to = reseller_members.acme
  id = %[2]q
}
`, providertest.AcmeHost, w.Label, w.Sim.Packages()[0].ID, quantity))
	}
	c := coretest.Applied(t, w.TestEnv, config(2))
	calls := func(mode string) (sent []string) {
		t.Helper()
		w.Env.Set("RESELLER_REFRESH", mode)
		w.Sim.ResetJournal()
		c.Plan()
		for _, call := range w.Sim.Journal() {
			if !strings.Contains(call.Route, "/auth/") {
				sent = append(sent, call.Route)
			}
		}
		return sent
	}
	full, light := calls("full"), calls("light")
	require.Len(t, light, 1, "full: %q\nlight", full)
	assert.True(t, strings.HasSuffix(light[0], "/private-labels"), "full: %q\nlight: %q", full, light)
	assert.GreaterOrEqual(t, len(full), 3, "full: %q\nlight: %q", full, light)
	hasMembers := func(sent []string) bool {
		return slices.ContainsFunc(sent, func(route string) bool { return strings.HasSuffix(route, "/members") })
	}
	_, err = w.Sim.AddPersonInConsole(providertest.AcmeHost, "eve@acme.example", "Eve", "Else")
	must(err)
	made := calls("light")
	assert.True(t, hasMembers(made), "one member more: %q", made)
	assert.Len(t, made, 2, "one member more")
	must(w.Sim.RemovePersonInConsole(providertest.AcmeHost, "bob@acme.example"))
	made = calls("light")
	assert.False(t, hasMembers(made), "a member in exchange for another is not seen: %q", made)
	c.Config(strings.Replace(config(2), `{ "bob@`, `{ "kim@acme.example" = { first_name = "Kim", last_name = "Key" }, "bob@`, 1))
	if r := c.Plan(); r.Code != 1 || !strings.Contains(r.Out, object.SummaryOutdated) || !strings.Contains(r.Out, "RESELLER_REFRESH=full") {
		t.Errorf("a plan of a change with an outdated state: %d, %s", r.Code, r.Out)
	}
	w.Env.Set("RESELLER_REFRESH", "full")
	r := c.Plan()
	assert.NotEqual(t, 1, r.Code, "the same in full: %s", r.Out)
	assert.NotContains(t, r.Out, "State is older", "the same in full")
}
